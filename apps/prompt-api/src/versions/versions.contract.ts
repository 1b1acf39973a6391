import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Reason } from '../metadata/metadata.contract.js';
import { Prompt } from '../prompts/prompts.contract.js';

const wholeNumber = (min: number, max: number) => z.coerce.number().pipe(z.int().min(min).max(max));

/** The range of PostgreSQL's `integer`. */
export const VersionNumber = z.int().min(1).max(2_147_483_647);
export const LabelName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);

export const VersionQuery = z.object({
  page: wholeNumber(1, 10_000_000).default(1),
  limit: wholeNumber(1, 100).default(20),
});
export type VersionQuery = z.output<typeof VersionQuery>;

/** A name that points at one version of a prompt. */
export const Label = z.object({
  name: z.string(),
  version: z.int(),
  /** It is moved and deleted with the scope `admin` and a reason only; `production` is from the start. */
  protected: z.boolean(),
  prompt: z.string(),
  updated: z.string(),
  /** Who moved it last. */
  author: z.string(),
  _link: z.string(),
});
export type Label = z.output<typeof Label>;

/** Kept in the audit trail; required for a protected label. */
const LabelMove = z.object({
  version: VersionNumber,
  reason: Reason,
  /** Needs the scope `admin`. */
  protected: z.boolean().optional(),
});
export type LabelMove = z.output<typeof LabelMove>;

const prompt = z.object({ uuid: z.uuid() });
export const VersionParams = z.object({ uuid: z.uuid(), n: wholeNumber(1, 2_147_483_647) });
const label = z.object({ uuid: z.uuid(), name: LabelName });

export const listVersions = endpoint({
  operationId: 'listPromptVersions',
  method: 'GET',
  path: '/v1/prompt/{uuid}/version',
  summary: 'List the versions of a prompt',
  tag: 'Versions',
  scope: 'prompts:read',
  limit: 'credential',
  params: prompt,
  query: VersionQuery,
  success: { status: 200, description: 'A page of versions, newest first', body: z.array(Prompt) },
  errors: [],
});

export const getVersion = endpoint({
  operationId: 'getPromptVersion',
  method: 'GET',
  path: '/v1/prompt/{uuid}/version/{n}',
  summary: 'Read a version of a prompt',
  tag: 'Versions',
  scope: 'prompts:read',
  limit: 'credential',
  params: VersionParams,
  success: { status: 200, description: 'The prompt as it was in that version', body: Prompt },
  errors: [],
});

const Line = z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() });

/** What changed from one version to another, by the author's fields. */
export const Diff = z.object({
  prompt: z.string(),
  from: z.int(),
  to: z.int(),
  changes: z.array(
    z.object({
      path: z.string(),
      from: z.unknown(),
      to: z.unknown(),
      /** Of texts with at most 1,000 differing lines. */
      lines: z.array(Line).optional(),
    }),
  ),
});
export type Diff = z.output<typeof Diff>;

export const diffVersions = endpoint({
  operationId: 'diffPromptVersions',
  method: 'GET',
  path: '/v1/prompt/{uuid}/version/{n}/diff',
  summary: 'What changed in a version, since the one before or since `from`',
  tag: 'Versions',
  scope: 'prompts:read',
  limit: 'credential',
  params: VersionParams,
  query: z.object({ from: wholeNumber(1, 2_147_483_647).optional() }),
  success: { status: 200, description: 'The changes, field by field', body: Diff },
  errors: [],
});

export const restoreVersion = endpoint({
  operationId: 'restorePromptVersion',
  method: 'POST',
  path: '/v1/prompt/{uuid}/version/{n}/restore',
  summary: 'Make a new version with the content of an earlier one',
  tag: 'Versions',
  scope: 'prompts:write',
  limit: 'credential',
  params: VersionParams,
  success: { status: 201, description: 'The prompt in its new version', body: Prompt },
  errors: ['precondition_failed', 'validation_error'],
});

export const listLabels = endpoint({
  operationId: 'listPromptLabels',
  method: 'GET',
  path: '/v1/prompt/{uuid}/label',
  summary: 'List the labels of a prompt',
  tag: 'Versions',
  scope: 'prompts:read',
  limit: 'credential',
  params: prompt,
  success: { status: 200, description: 'All labels, by name', body: z.array(Label) },
  errors: [],
});

export const moveLabel = endpoint({
  operationId: 'movePromptLabel',
  method: 'PUT',
  path: '/v1/prompt/{uuid}/label/{name}',
  summary: 'Point a label at a version',
  tag: 'Versions',
  scope: 'prompts:write',
  limit: 'credential',
  params: label,
  body: LabelMove,
  success: { status: 200, description: 'The label', body: Label },
  errors: [],
});

export const deleteLabel = endpoint({
  operationId: 'deletePromptLabel',
  method: 'DELETE',
  path: '/v1/prompt/{uuid}/label/{name}',
  summary: 'Delete a label',
  tag: 'Versions',
  scope: 'prompts:write',
  limit: 'credential',
  params: label,
  query: z.object({ reason: Reason }),
  success: { status: 204, description: 'The label is deleted' },
  errors: [],
});
