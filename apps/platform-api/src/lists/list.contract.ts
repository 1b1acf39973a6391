import { pageNumber, pageSize, searchText, skippedItems, sortDirection } from '@millwright/records';
import { z } from 'zod';

/** Query parameters of lists that have pages, but no search, sort or filter. */
export const PageQuery = z.object({ page: pageNumber, per_page: pageSize, skip: skippedItems });
export type PageQuery = z.output<typeof PageQuery>;

/** Query parameters of every list of records. */
export const ListQuery = PageQuery.extend({
  sort: z.enum(['created_at', 'updated_at', 'name']).default('created_at'),
  order: sortDirection,
  search: searchText,
  status: z.enum(['active', 'inactive']).optional(),
});
export type ListQuery = z.output<typeof ListQuery>;

/** The body of the answer of a list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int(), page: z.int(), per_page: z.int() });
