import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { NewContent } from '../content/content.contract.js';
import { listOf, ListQuery } from '../lists/list.contract.js';
import type { ExtractFailure } from '@millwright/documents';

/** Maximum size, in MiB, of a file that is indexed. */
export const MAX_FILE_MIB = 20;

export type KnowledgeFailure = ExtractFailure | 'quota' | 'interrupted';

/** Messages for people that explain why a file has no new passages. */
export const FAILURE_TEXTS: Readonly<Record<KnowledgeFailure, string>> = {
  unsupported: 'The format is not supported. Upload PDF, DOCX, HTML, Markdown or plain text (UTF-8 or UTF-16).',
  damaged: 'The file cannot be read: it is damaged or not of the format that it begins as.',
  encrypted: 'The file needs a password. Upload it without one.',
  no_text: 'The file has no text. Scanned pages need text recognition before the upload.',
  too_large: 'The file has too much text: 750,000 characters and 600 passages at most. Split it.',
  too_complex: 'Reading the file takes too much time or memory. Split it, or save it in another format.',
  quota:
    "The project's quota for content is used up. Delete content or have an operator raise the limit, then index again.",
  interrupted: 'Reading the file was interrupted several times. Index it again.',
};

export const FileKnowledge = z
  .object({
    file_id: z.string(),
    path: z.string(),
    tags: z.array(z.string()),
    state: z.enum(['waiting', 'indexing', 'ready', 'failed']).meta({
      description: 'Passages of an earlier indexing are found until the next one is `ready`',
    }),
    failure: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Reason for which there are no new passages' }),
    passages: z.int().meta({ description: 'Passages that are written; all of them when `ready`' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ title: 'FileKnowledge' });
export type FileKnowledge = z.output<typeof FileKnowledge>;

const params = z.object({ file_id: z.string() });

export const putKnowledge = endpoint({
  operationId: 'putFileKnowledge',
  method: 'PUT',
  path: '/api/v1/files/{file_id}/knowledge',
  summary: 'Use a file as knowledge, or index it again',
  description:
    'Its text is read in the background and cut into passages, which searches and agents with one of the tags find. PDF, DOCX, HTML, Markdown and text up to 20 MiB. Needs `files:read` besides.',
  tag: 'Content',
  access: { scope: 'content:write' },
  limit: 'credential',
  params,
  body: z.strictObject({ tags: NewContent.shape.tags }),
  success: { status: 202, description: 'The file is about to be indexed', body: FileKnowledge },
  errors: [],
});

export const getKnowledge = endpoint({
  operationId: 'getFileKnowledge',
  method: 'GET',
  path: '/api/v1/files/{file_id}/knowledge',
  summary: 'Retrieve how far a file is indexed',
  tag: 'Content',
  access: { scope: 'content:read' },
  limit: 'credential',
  params,
  success: { status: 200, description: 'The state of its passages', body: FileKnowledge },
  errors: [],
});

export const listKnowledge = endpoint({
  operationId: 'listKnowledge',
  method: 'GET',
  path: '/api/v1/knowledge',
  summary: 'List files that are used as knowledge, newest first',
  tag: 'Content',
  access: { scope: 'content:read' },
  limit: 'credential',
  query: ListQuery,
  success: { status: 200, description: 'A page of files', body: listOf(FileKnowledge) },
  errors: [],
});

export const deleteKnowledge = endpoint({
  operationId: 'deleteFileKnowledge',
  method: 'DELETE',
  path: '/api/v1/files/{file_id}/knowledge',
  summary: 'Stop using a file as knowledge',
  description: 'Its passages are deleted, the file stays.',
  tag: 'Content',
  access: { scope: 'content:write' },
  limit: 'credential',
  params,
  success: { status: 204, description: 'Its passages are deleted' },
  errors: [],
});
