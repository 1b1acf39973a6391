import { z } from 'zod';

export const wholeNumber = (min: number, max: number) => z.coerce.number().pipe(z.int().min(min).max(max));

/** Query parameters of every list (spec, "List endpoints accept these query parameters"). */
export const ListQuery = z.object({
  page: wholeNumber(1, 10_000_000).default(1),
  per_page: wholeNumber(1, 100).default(20),
  sort: z.enum(['created_at', 'updated_at', 'name']).default('created_at'),
  order: z.enum(['asc', 'desc']).default('desc'),
  search: z.string().max(200).optional(),
  status: z.enum(['active', 'inactive']).optional(),
});
export type ListQuery = z.output<typeof ListQuery>;

/** The list envelope. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int(), page: z.int(), per_page: z.int() });
