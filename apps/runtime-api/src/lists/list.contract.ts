import { z } from 'zod';

/** Query of every list of the runtime API. */
export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  offset: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
});
export type ListQuery = z.output<typeof ListQuery>;

/** One page of a list, with the total. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });
}
