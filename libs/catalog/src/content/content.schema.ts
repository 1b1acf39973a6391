import { z } from 'zod';

const Status = z.enum(['active', 'inactive']);

export const ContentItem = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  tags: z.array(z.string()),
  status: Status,
  created_at: z.string(),
  updated_at: z.string(),
});
export type ContentItem = z.output<typeof ContentItem>;

export const Tags = z
  .array(z.string().trim().min(1).max(100))
  .max(50)
  .refine((tags) => new Set(tags).size === tags.length, 'must not name a tag twice');

const fields = {
  title: z.string().trim().min(1).max(300),
  body: z.string().max(500_000),
  tags: Tags,
};
export const NewContentItem = z.strictObject({ ...fields, tags: Tags.default([]) });
export type NewContentItem = z.output<typeof NewContentItem>;

/** A replacement sets every field: a field that the request omits gets its default. */
export const ContentReplacement = z.strictObject({ ...NewContentItem.shape, status: Status.default('active') });
export const ContentChanges = z.strictObject({ ...fields, status: Status }).partial();
export type ContentChanges = z.output<typeof ContentChanges>;
