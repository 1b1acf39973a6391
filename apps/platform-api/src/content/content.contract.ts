import { ContentChanges, ContentItem, ContentReplacement, NewContentItem } from '@millwright/catalog';
import { endpoint } from '@millwright/http';
import { tagList } from '@millwright/records';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

export { ContentChanges, ContentItem, ContentReplacement, NewContentItem } from '@millwright/catalog';

/** Query parameters of the list of content: those of every list, but sorting by `title` in place of `name`, and a filter by tags. */
export const ContentListQuery = ListQuery.extend({
  sort: z.enum(['created_at', 'updated_at', 'title']).default('created_at'),
  tag: tagList,
});
export type ContentListQuery = z.output<typeof ContentListQuery>;

const params = z.object({ content_id: z.string() });
const one = { status: 200, description: 'The content item', body: ContentItem } as const;

const content = { tag: 'Content', limit: 'credential' } as const;

export const listContent = endpoint({
  ...content,
  operationId: 'listContent',
  expensive: true,
  method: 'GET',
  path: '/api/v1/content',
  summary: 'List content items',
  access: { scope: 'content:read' },
  query: ContentListQuery,
  success: { status: 200, description: 'A page of content items', body: listOf(ContentItem) },
  errors: [],
});

export const createContent = endpoint({
  ...content,
  operationId: 'createContent',
  method: 'POST',
  path: '/api/v1/content',
  summary: 'Create a content item',
  access: { scope: 'content:write' },
  body: NewContentItem,
  success: { status: 201, description: 'The new content item', body: ContentItem },
  errors: [],
});

export const getContent = endpoint({
  ...content,
  operationId: 'getContent',
  method: 'GET',
  path: '/api/v1/content/{content_id}',
  summary: 'Retrieve a content item',
  access: { scope: 'content:read' },
  params,
  success: one,
  errors: [],
});

export const replaceContent = endpoint({
  ...content,
  operationId: 'replaceContent',
  method: 'PUT',
  path: '/api/v1/content/{content_id}',
  summary: 'Replace a content item',
  access: { scope: 'content:write' },
  params,
  body: ContentReplacement,
  success: one,
  errors: ['precondition_failed'],
});

export const updateContent = endpoint({
  ...content,
  operationId: 'updateContent',
  method: 'PATCH',
  path: '/api/v1/content/{content_id}',
  summary: 'Update fields of a content item',
  access: { scope: 'content:write' },
  params,
  body: ContentChanges,
  success: one,
  errors: ['precondition_failed'],
});

export const deleteContent = endpoint({
  ...content,
  operationId: 'deleteContent',
  method: 'DELETE',
  path: '/api/v1/content/{content_id}',
  summary: 'Delete a content item',
  access: { scope: 'content:write' },
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['precondition_failed'],
});
