import { endpoint } from '@millwright/http';
import { wholeNumber } from '@millwright/records';
import { z } from 'zod';
import { PageQuery } from '../metadata/list.contract.js';
import { Reason } from '../metadata/metadata.contract.js';
import { Prompt } from './prompts.contract.js';

/** Version numbers, in the range of PostgreSQL's `integer`. */
export const VersionNumber = z.int().min(1).max(2_147_483_647);
export const LabelName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);

/** A name that points at one version of a prompt. */
export const Label = z.object({
  name: z.string(),
  version: z.int(),
  /** Moving or deleting a protected label needs the scope `admin` and a reason. `production` is protected by default. */
  protected: z.boolean(),
  prompt: z.string(),
  updated: z.string(),
  /** The account that last moved the label. */
  author: z.string(),
  _link: z.string(),
});
export type Label = z.output<typeof Label>;

/** Body of a request that creates or moves a label. `reason` is stored in the audit log; it is required for a protected label. */
const LabelMove = z.object({
  version: VersionNumber,
  reason: Reason,
  /** Whether changes of the label need the scope `admin`. */
  protected: z.boolean().optional(),
});
export type LabelMove = z.output<typeof LabelMove>;

const prompt = z.object({ uuid: z.uuid() });
export const VersionParams = z.object({ uuid: z.uuid(), n: wholeNumber(1, 2_147_483_647) });
const label = z.object({ uuid: z.uuid(), name: LabelName });

const versions = { tag: 'Versions', limit: 'credential' } as const;

export const listVersions = endpoint({
  ...versions,
  operationId: 'listPromptVersions',
  method: 'GET',
  path: '/v1/prompt/{uuid}/version',
  summary: 'List the versions of a prompt',
  access: { scope: 'prompts:read' },
  params: prompt,
  query: PageQuery,
  success: { status: 200, description: 'A page of versions, newest first', body: z.array(Prompt) },
  errors: [],
});

export const getVersion = endpoint({
  ...versions,
  operationId: 'getPromptVersion',
  method: 'GET',
  path: '/v1/prompt/{uuid}/version/{n}',
  summary: 'Read a version of a prompt',
  access: { scope: 'prompts:read' },
  params: VersionParams,
  success: { status: 200, description: 'The prompt as it was in that version', body: Prompt },
  errors: [],
});

const Line = z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() });

/** The changes from one version to another, by field. */
export const Diff = z.object({
  prompt: z.string(),
  from: z.int(),
  to: z.int(),
  changes: z.array(
    z.object({
      path: z.string(),
      from: z.unknown(),
      to: z.unknown(),
      /** Differences by line, only for texts with at most 1,000 different lines. */
      lines: z.array(Line).optional(),
    }),
  ),
});
export type Diff = z.output<typeof Diff>;

export const diffVersions = endpoint({
  ...versions,
  operationId: 'diffPromptVersions',
  method: 'GET',
  path: '/v1/prompt/{uuid}/version/{n}/diff',
  summary: 'Compare a version with an earlier one: the one before it, or `from`',
  access: { scope: 'prompts:read' },
  params: VersionParams,
  query: z.object({ from: wholeNumber(1, 2_147_483_647).optional() }),
  success: { status: 200, description: 'The changes, field by field', body: Diff },
  errors: [],
});

export const restoreVersion = endpoint({
  ...versions,
  operationId: 'restorePromptVersion',
  method: 'POST',
  path: '/v1/prompt/{uuid}/version/{n}/restore',
  summary: 'Restore an earlier version as a new one',
  access: { scope: 'prompts:write' },
  params: VersionParams,
  success: { status: 201, description: 'The prompt in its new version', body: Prompt },
  errors: ['precondition_failed', 'validation_error'],
});

export const listLabels = endpoint({
  ...versions,
  operationId: 'listPromptLabels',
  method: 'GET',
  path: '/v1/prompt/{uuid}/label',
  summary: 'List the labels of a prompt',
  access: { scope: 'prompts:read' },
  params: prompt,
  success: { status: 200, description: 'All labels, by name', body: z.array(Label) },
  errors: [],
});

export const moveLabel = endpoint({
  ...versions,
  operationId: 'movePromptLabel',
  method: 'PUT',
  path: '/v1/prompt/{uuid}/label/{name}',
  summary: 'Point a label at a version',
  access: { scope: 'prompts:write' },
  params: label,
  body: LabelMove,
  success: { status: 200, description: 'The label', body: Label },
  errors: [],
});

export const deleteLabel = endpoint({
  ...versions,
  operationId: 'deletePromptLabel',
  method: 'DELETE',
  path: '/v1/prompt/{uuid}/label/{name}',
  summary: 'Delete a label',
  access: { scope: 'prompts:write' },
  params: label,
  query: z.object({ reason: Reason }),
  success: { status: 204, description: 'The label is deleted' },
  errors: [],
});
