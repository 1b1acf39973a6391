import { endpoint } from '@millwright/http';
import { ModelParameters } from '@millwright/models/parameters';
import { z } from 'zod';
import { Conversation, Message } from '../conversations/conversations.contract.js';
import { Prompt } from '../prompts/prompts.contract.js';
import { LabelName, VersionNumber } from '../prompts/versions.contract.js';

const input = {
  message: z.string().max(1_000_000).optional(),
  /** A value that matches the prompt's input schema. */
  structured_data: z.record(z.string(), z.unknown()).optional(),
  /** Artifacts and blocks whose contents `{{referenced_content}}` inserts, in this order. */
  reference: z.array(z.uuid()).max(50).optional(),
  /** Number of the version to use. `label` names the version instead; the current version is the default. */
  version: VersionNumber.optional(),
  label: LabelName.optional(),
};
/** Query parameters that name the version to use, for clients that cannot add fields to the body. */
const query = z.object({ version: z.coerce.number().pipe(VersionNumber).optional(), label: LabelName.optional() });
export const RenderInput = z.object(input);
export type RenderInput = z.output<typeof RenderInput>;
export const RunInput = z.object({
  ...input,
  /** Conversation to continue; when omitted, a new conversation is created. */
  conversation: z.uuid().optional(),
  /** Name of one of the installation's models; the default model when omitted. */
  model: z.string().max(200).optional(),
  /** Model parameters, each of which takes precedence over the same parameter of the prompt. */
  model_parameters: ModelParameters.optional(),
  /** Answers with server-sent events while the model writes. */
  stream: z.boolean().optional(),
});
export type RunInput = z.output<typeof RunInput>;

const counts = z.object({ static: z.int(), dynamic: z.int(), state: z.int() });

/** Body of the answer to `POST /v1/prompt/{uuid}`, which renders a prompt. */
export const GenerateResult = z.object({
  success: z.boolean(),
  data: z.object({
    static: z.string(),
    dynamic: z.string(),
    state: z.string(),
    output_schema: z.record(z.string(), z.unknown()),
    parsed_tokens: z.array(z.string()),
    token_counts: counts,
    prompt: Prompt,
  }),
  warnings: z.array(z.string()),
});
export type GenerateResult = z.output<typeof GenerateResult>;

/** A part of a model's answer as it arrives, in OpenAI's form. */
const Chunk = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({ index: z.int(), delta: z.object({ content: z.string() }), finish_reason: z.string().nullable() }),
  ),
});

/** Body of the answer to `POST /v1/prompt/{uuid}/openai`, which runs a prompt. */
export const RunResult = z.object({
  success: z.boolean(),
  data: z.object({ message: Message, conversation: Conversation, structured_data: z.record(z.string(), z.unknown()) }),
  metadata: z.object({
    id: z.string(),
    object: z.string(),
    created: z.int(),
    model: z.string(),
    system_fingerprint: z.string(),
    choices: z.array(z.unknown()),
    usage: z.object({
      ...{ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() },
      /** Usage details as reported by the model's server; absent when the server reports no details. */
      prompt_tokens_details: z.object({ cached_tokens: z.int() }).optional(),
      completion_tokens_details: z.object({ reasoning_tokens: z.int() }).optional(),
    }),
  }),
  warnings: z.array(z.string()),
  /** Cost in US dollars; null when the model's price is unknown; absent in answers that older releases stored. */
  cost_usd: z.number().nullable().optional(),
});
export type RunResult = z.output<typeof RunResult>;

/** Data of a streamed run's events, in the order in which they occur. */
export const RunEvent = z.union([
  Chunk,
  z.object({ warnings: z.array(z.string()) }),
  RunResult,
  z.object({ error: z.looseObject({ code: z.string(), message: z.string(), status: z.int() }), message: z.string() }),
]);

const params = z.object({ uuid: z.uuid() });

export const renderPrompt = endpoint({
  operationId: 'renderPrompt',
  method: 'POST',
  path: '/v1/prompt/{uuid}',
  summary: 'Render a prompt',
  tag: 'Runs',
  access: { scope: 'prompts:read' },
  limit: 'credential',
  params,
  query,
  body: RenderInput,
  long: true,
  success: { status: 200, description: 'The rendered instructions', body: GenerateResult },
  errors: [],
});

export const runPrompt = endpoint({
  operationId: 'runPrompt',
  method: 'POST',
  path: '/v1/prompt/{uuid}/openai',
  summary: 'Run a prompt against a language model',
  tag: 'Runs',
  access: { scope: 'prompts:run' },
  limit: 'credential',
  params,
  query,
  body: RunInput,
  long: true,
  success: { status: 200, description: "The model's answer, stored in a conversation", body: RunResult },
  events: {
    description: [
      'With `stream: true`: `chunk` for each part of the answer;',
      '`repair` when the answer did not fit the output schema (its data says why): the model is asked once more, and the chunks',
      'that follow replace those before; at the end, once all is stored, `result` with the model-run result.',
      'A failure after the first event is sent as `error`, and nothing is stored. Comments keep the connection open.',
    ].join(' '),
    body: RunEvent,
  },
  errors: ['budget_exceeded', 'guard_blocked'],
});
