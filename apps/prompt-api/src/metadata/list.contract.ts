import { pageNumber, pageSize, searchText, skippedItems, sortDirection, tagList } from '@millwright/records';
import { z } from 'zod';

/** Query parameters of lists without filters. */
export const PageQuery = z.object({ page: pageNumber, limit: pageSize, skip: skippedItems });
export type PageQuery = z.output<typeof PageQuery>;

/** Query parameters of every list of records. */
export const ListQuery = PageQuery.extend({
  sort_by: z.enum(['created', 'updated', 'title']).default('created'),
  sort_direction: sortDirection,
  status: z.enum(['draft', 'published', 'archived']).optional(),
  search: searchText,
  tag: tagList,
});
export type ListQuery = z.output<typeof ListQuery>;
