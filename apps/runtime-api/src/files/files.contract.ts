import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

const MAX_PATH_LENGTH = 1_024;

/** Control characters (C0 and C1), and characters that change the direction of text or break its line. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * A label of a file in the form of a relative path. The service never opens a file by this path. A client can safely use the path to save a download.
 */
const Path = z
  .string()
  .min(1)
  .max(MAX_PATH_LENGTH)
  .refine((path) => !CONTROLS.test(path), 'must not have control characters')
  .refine((path) => !path.includes('\\'), 'must not have backslashes')
  .refine((path) => !/^(\/|~|[a-z]:)/i.test(path), 'must be relative')
  .refine(
    (path) => path.split('/').every((name) => name.trim() !== '' && !/^\.{1,2}$/.test(name.trim())),
    'must not have empty names, . or ..',
  );

export const UploadedFile = z
  .object({
    id: z.string(),
    path: z.string(),
    /** Size in bytes. */
    size: z.int(),
    content_type: z.string(),
    /** SHA-256 of the bytes, in hexadecimal. */
    sha256: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ title: 'UploadedFile' });
export type UploadedFile = z.output<typeof UploadedFile>;

export const uploadFile = endpoint({
  operationId: 'file.create',
  method: 'POST',
  path: '/api/v1/files',
  summary: 'Upload a file',
  tag: 'Files',
  access: { scope: 'files:write' },
  limit: 'credential',
  upload: z.strictObject({ path: Path }),
  success: { status: 201, description: 'The new file', body: UploadedFile },
  errors: [],
});

export const listFiles = endpoint({
  operationId: 'file.list',
  method: 'GET',
  path: '/api/v1/files',
  summary: 'List files, newest first',
  tag: 'Files',
  access: { scope: 'files:read' },
  limit: 'credential',
  query: ListQuery.extend({ search: z.string().max(200).optional() }),
  success: { status: 200, description: 'A page of files', body: listOf(UploadedFile) },
  errors: [],
});

const params = z.object({ file_id: z.string() });

export const getFile = endpoint({
  operationId: 'file.get',
  method: 'GET',
  path: '/api/v1/files/{file_id}',
  summary: 'Download a file, or get its record',
  tag: 'Files',
  access: { scope: 'files:read' },
  limit: 'credential',
  params,
  success: { status: 200, description: 'Its bytes, or its record', body: UploadedFile, file: true },
  errors: [],
});

export const deleteFile = endpoint({
  operationId: 'file.delete',
  method: 'DELETE',
  path: '/api/v1/files/{file_id}',
  summary: 'Delete a file',
  tag: 'Files',
  access: { scope: 'files:write' },
  limit: 'credential',
  params,
  success: { status: 200, description: 'The deleted file', body: z.object({ id: z.string() }) },
  errors: ['precondition_failed'],
});
