import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

const Status = z.enum(['active', 'inactive']);

/** Decisions §3, "Content". */
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

/** A replacement is whole: what is left out goes to its default. */
export const ContentReplacement = z.strictObject({ ...NewContentItem.shape, status: Status.default('active') });
export const ContentChanges = z.strictObject({ ...fields, status: Status }).partial();
export type ContentChanges = z.output<typeof ContentChanges>;

/** As every list, but by `title` where others have `name`. */
export const ContentListQuery = ListQuery.extend({
  sort: z.enum(['created_at', 'updated_at', 'title']).default('created_at'),
});
export type ContentListQuery = z.output<typeof ContentListQuery>;

const params = z.object({ content_id: z.string() });
const one = { status: 200, description: 'The content item', body: ContentItem } as const;

export const listContent = endpoint({
  operationId: 'listContent',
  method: 'GET',
  path: '/api/v1/content',
  summary: 'List content items',
  tag: 'Content',
  scope: 'content:read',
  limit: 'credential',
  query: ContentListQuery,
  success: { status: 200, description: 'A page of content items', body: listOf(ContentItem) },
  errors: [],
});

export const createContent = endpoint({
  operationId: 'createContent',
  method: 'POST',
  path: '/api/v1/content',
  summary: 'Create a content item',
  tag: 'Content',
  scope: 'content:write',
  limit: 'credential',
  body: NewContentItem,
  success: { status: 201, description: 'The new content item', body: ContentItem },
  errors: [],
});

export const getContent = endpoint({
  operationId: 'getContent',
  method: 'GET',
  path: '/api/v1/content/{content_id}',
  summary: 'Retrieve a content item',
  tag: 'Content',
  scope: 'content:read',
  limit: 'credential',
  params,
  success: one,
  errors: [],
});

export const replaceContent = endpoint({
  operationId: 'replaceContent',
  method: 'PUT',
  path: '/api/v1/content/{content_id}',
  summary: 'Replace a content item',
  tag: 'Content',
  scope: 'content:write',
  limit: 'credential',
  params,
  body: ContentReplacement,
  success: one,
  errors: ['precondition_failed'],
});

export const updateContent = endpoint({
  operationId: 'updateContent',
  method: 'PATCH',
  path: '/api/v1/content/{content_id}',
  summary: 'Update fields of a content item',
  tag: 'Content',
  scope: 'content:write',
  limit: 'credential',
  params,
  body: ContentChanges,
  success: one,
  errors: ['precondition_failed'],
});

export const deleteContent = endpoint({
  operationId: 'deleteContent',
  method: 'DELETE',
  path: '/api/v1/content/{content_id}',
  summary: 'Delete a content item',
  tag: 'Content',
  scope: 'content:write',
  limit: 'credential',
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['precondition_failed'],
});
