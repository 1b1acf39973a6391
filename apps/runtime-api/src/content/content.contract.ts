import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

/** A content item as the runtime API returns it. */
export const ContentRecord = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  content: z.string(),
  source: z.string(),
  kind: z.string(),
  public: z.boolean(),
  tags: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  file: z
    .object({
      id: z.string(),
      passage: z.int().meta({ description: 'The number of the passage in the file, from 1' }),
      page: z.int().nullable().meta({ description: 'The page, in formats with pages' }),
    })
    .optional()
    .meta({ description: 'The file that a passage is from; others have none' }),
  knowledge_source: z
    .object({
      id: z.string(),
      name: z.string(),
      url: z.string().meta({ description: 'Address of the page or document' }),
      passage: z.int().meta({ description: 'The number of the passage in the text, from 1' }),
      page: z.int().nullable().meta({ description: 'The page, in formats with pages' }),
    })
    .optional()
    .meta({ description: 'The knowledge source that a passage is from; others have none' }),
});
export type ContentRecord = z.output<typeof ContentRecord>;

/** A slug. It has lower-case letters and digits, and between them `-`, `_` and `.`. */
const Name = z
  .string()
  .regex(/^[a-z0-9]+([._-][a-z0-9]+)*$/, 'must be lower-case letters and digits, with - _ . between');
const Source = Name.max(60);

export const NewContent = z.strictObject({
  title: z.string().trim().min(1).max(300),
  content: z.string().max(500_000),
  slug: Name.max(200).optional(),
  source: Source.default('platform'),
  kind: Name.max(60).default('document'),
  public: z.boolean().default(false),
  tags: z
    .array(z.string().trim().min(1).max(100))
    .max(50)
    .refine((tags) => new Set(tags).size === tags.length, 'must not name a tag twice')
    .default([]),
});
export type NewContent = z.output<typeof NewContent>;

const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const ContentListQuery = ListQuery.extend({ source: Source.optional(), public: Flag.optional() });
export type ContentListQuery = z.output<typeof ContentListQuery>;

export const SearchQuery = z.object({
  q: z.string().trim().min(1).max(500),
  source: Source.optional(),
  public: Flag.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  offset: z.coerce.number().int().min(0).max(10_000).default(0),
});
export type SearchQuery = z.output<typeof SearchQuery>;

const FoundContent = ContentRecord.extend({
  score: z.number().meta({ description: 'Relevance; comparable within one search only' }),
  snippet: z.string().meta({ description: 'Text around the match, as plain text' }),
});
export type FoundContent = z.output<typeof FoundContent>;

export const listContent = endpoint({
  operationId: 'listContent',
  expensive: true,
  method: 'GET',
  path: '/api/v1/content',
  summary: 'List content, newest first',
  tag: 'Content',
  access: { scope: 'content:read' },
  limit: 'credential',
  query: ContentListQuery,
  success: { status: 200, description: 'A page of active content', body: listOf(ContentRecord) },
  errors: [],
});

export const searchContent = endpoint({
  operationId: 'searchContent',
  expensive: true,
  method: 'GET',
  path: '/api/v1/content/search',
  summary:
    'Search content and passages of files and knowledge sources by their words, misspelt ones too; the best first',
  tag: 'Content',
  access: { scope: 'content:read' },
  limit: 'credential',
  query: SearchQuery,
  success: {
    status: 200,
    description: 'What was found, and how much in all',
    body: z.object({ results: z.array(FoundContent), total: z.int() }),
  },
  errors: [],
});

export const getContent = endpoint({
  operationId: 'getContent',
  method: 'GET',
  path: '/api/v1/content/{content_id}',
  summary: 'Retrieve a content item, or a passage of a file or a knowledge source',
  tag: 'Content',
  access: { scope: 'content:read' },
  limit: 'credential',
  params: z.object({ content_id: z.string() }),
  success: { status: 200, description: 'The content item', body: ContentRecord },
  errors: [],
});

export const createContent = endpoint({
  operationId: 'createContent',
  method: 'POST',
  path: '/api/v1/content',
  summary: 'Create a content item',
  tag: 'Content',
  access: { scope: 'content:write' },
  limit: 'credential',
  body: NewContent,
  success: { status: 201, description: 'The new content item', body: ContentRecord },
  errors: [],
});
