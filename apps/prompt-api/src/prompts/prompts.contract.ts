import { endpoint } from '@millwright/http';
import { ModelParameters } from '@millwright/models/parameters';
import { z } from 'zod';
import { ListQuery } from '../metadata/list.contract.js';
import { Metadata, MetadataChanges, NewMetadata, Reason } from '../metadata/metadata.contract.js';

const Template = z.string().max(1_000_000);
const SchemaObject = z.record(z.string(), z.unknown());
/** An id in lower case, the form in which ids are stored. */
const ReferencedId = z.uuid().toLowerCase();
/** A string or an array of strings, returned as it was sent. */
const DefinitionType = z.union([z.string().max(100), z.array(z.string().max(100)).max(10)]);

export const Instruction = z.object({ static: z.string(), state: z.string(), dynamic: z.string() });
export type Instruction = z.output<typeof Instruction>;
const NewInstruction = z.object({
  static: Template.default(''),
  state: Template.default(''),
  dynamic: Template.default(''),
});

const NewDefinition = z.object({
  name: z.string().max(200).default(''),
  description: z.string().max(10_000).default(''),
  type: DefinitionType.default('structured_data'),
  reference: z.array(ReferencedId).max(20).default([]),
  schema: SchemaObject.default({}),
});
export type NewDefinition = z.output<typeof NewDefinition>;

const Reference = z.object({ uuid: z.string(), link: z.string(), type: z.enum(['input', 'output']) });
export const Definition = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    type: DefinitionType,
    reference: z.array(Reference),
    schema: SchemaObject,
  })
  .meta({ title: 'Definition' });
export type Definition = z.output<typeof Definition>;

/** A prompt in its newest or a chosen version. */
export const Prompt = z.object({
  id: z.string(),
  instruction: Instruction,
  input: Definition,
  output: Definition,
  /** Parameters that take precedence over the model's defaults; parameters of a run take precedence over the prompt's parameters. */
  model_parameters: ModelParameters.strip(),
  metadata: Metadata,
  _link: z.string(),
});
export type Prompt = z.output<typeof Prompt>;

export const NewPrompt = z.object({
  instruction: NewInstruction,
  input: NewDefinition,
  output: NewDefinition,
  model_parameters: ModelParameters.default({}),
  metadata: NewMetadata,
});
export type NewPrompt = z.output<typeof NewPrompt>;

const DefinitionChanges = z.object({
  name: z.string().max(200).optional(),
  description: z.string().max(10_000).optional(),
  type: DefinitionType.optional(),
  reference: z
    .array(z.union([ReferencedId, Reference.transform(({ uuid }) => uuid).pipe(ReferencedId)]))
    .max(20)
    .optional(),
  schema: SchemaObject.optional(),
});
export const PromptChanges = z.object({
  instruction: z.object({ static: Template, state: Template, dynamic: Template }).partial().optional(),
  input: DefinitionChanges.optional(),
  output: DefinitionChanges.optional(),
  /** Parameters that replace all earlier parameters. */
  model_parameters: ModelParameters.optional(),
  metadata: MetadataChanges.optional(),
});
export type PromptChanges = z.output<typeof PromptChanges>;

const params = z.object({ uuid: z.uuid() });
const one = { status: 200, description: 'The prompt', body: Prompt } as const;

const prompts = { tag: 'Prompts', limit: 'credential' } as const;

export const createPrompt = endpoint({
  ...prompts,
  operationId: 'createPrompt',
  method: 'POST',
  path: '/v1/prompt',
  summary: 'Create a prompt',
  access: { scope: 'prompts:write' },
  body: NewPrompt,
  success: { status: 201, description: 'The new prompt', body: Prompt },
  errors: [],
});

export const listPrompts = endpoint({
  ...prompts,
  operationId: 'listPrompts',
  method: 'GET',
  path: '/v1/prompt',
  summary: 'List prompts',
  access: { scope: 'prompts:read' },
  query: ListQuery,
  success: { status: 200, description: 'A page of prompts', body: z.array(Prompt) },
  errors: [],
});

export const getPrompt = endpoint({
  ...prompts,
  operationId: 'getPrompt',
  method: 'GET',
  path: '/v1/prompt/{uuid}',
  summary: 'Read a prompt',
  access: { scope: 'prompts:read' },
  params,
  success: one,
  errors: [],
});

export const updatePrompt = endpoint({
  ...prompts,
  operationId: 'updatePrompt',
  method: 'PUT',
  path: '/v1/prompt/{uuid}',
  summary: 'Update a prompt. Each update is a new version.',
  access: { scope: 'prompts:write' },
  params,
  body: PromptChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deletePrompt = endpoint({
  ...prompts,
  operationId: 'deletePrompt',
  method: 'DELETE',
  path: '/v1/prompt/{uuid}',
  summary: 'Delete a prompt',
  access: { scope: 'prompts:write' },
  params,
  query: z.object({ reason: Reason }),
  success: { status: 204, description: 'The prompt, its versions and its labels are deleted' },
  errors: ['conflict', 'precondition_failed'],
});

export const getInput = endpoint({
  ...prompts,
  operationId: 'getInput',
  method: 'GET',
  path: '/v1/input/{uuid}',
  summary: 'Read an input definition',
  access: { scope: 'prompts:read' },
  params,
  success: { status: 200, description: 'The definition', body: Definition },
  errors: [],
});

export const getOutput = endpoint({
  ...prompts,
  operationId: 'getOutput',
  method: 'GET',
  path: '/v1/output/{uuid}',
  summary: 'Read an output definition',
  access: { scope: 'prompts:read' },
  params,
  success: { status: 200, description: 'The definition', body: Definition },
  errors: [],
});
