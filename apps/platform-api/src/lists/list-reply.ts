import { listAddress, nextPart } from '@millwright/records';

interface Listed {
  items: readonly unknown[];
  total: number;
  page: number;
  per_page: number;
  /** Whether items of the page were left out of the answer. */
  cut: boolean;
}

type Query = Readonly<Record<string, string | number | undefined>> & { skip?: number | undefined };

/**
 * Makes the answer of a list: the envelope, and a `Link` to the next items (RFC 8288). A page with long items is split into
 * several answers.
 */
export function listReply(path: string, { skip, ...query }: Query, { cut, ...body }: Listed) {
  const { page, per_page: size, total, items } = body;
  const next = nextPart({ page, size, skip, items: items.length, cut, total });
  const headers: Record<string, string> = next
    ? { Link: `<${listAddress(path, { ...query, ...next })}>; rel="next"` }
    : {};
  return { body, headers };
}
