import { z } from 'zod';

const wholeNumber = (min: number, max: number) => z.coerce.number().pipe(z.int().min(min).max(max));

/** Spec: page and limit; the rest is decisions §5. */
export const ListQuery = z.object({
  page: wholeNumber(1, 10_000_000).default(1),
  limit: wholeNumber(1, 100).default(20),
  sort_by: z.enum(['created', 'updated', 'title']).default('created'),
  sort_direction: z.enum(['asc', 'desc']).default('desc'),
  status: z.enum(['draft', 'published', 'archived']).optional(),
  search: z.string().max(200).optional(),
  /** Comma-separated: records that have all of them. */
  tag: z.string().max(1_000).optional(),
});
export type ListQuery = z.output<typeof ListQuery>;
