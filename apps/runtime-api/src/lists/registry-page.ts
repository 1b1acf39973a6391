import { listAddress } from '@millwright/records';
import { z } from 'zod';

/** Pagination of a registry. In most installations, the default limit is enough for all entries. */
export const RegistryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
  offset: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
});
export type RegistryQuery = z.output<typeof RegistryQuery>;

/** Builds the header `Link` to the next page. `shown` is the number of entries on the current page. */
export function nextLink(path: string, { limit, offset }: RegistryQuery, shown: number, total: number) {
  const next = offset + shown;
  const headers: Record<string, string> =
    shown > 0 && next < total ? { Link: `<${listAddress(path, { limit, offset: next })}>; rel="next"` } : {};
  return headers;
}
