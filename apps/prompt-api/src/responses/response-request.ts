import { isJsonObject } from '@millwright/json';
import { z } from 'zod';
import { isEmptyList, oneOf, orNull, RequestMetadata, text, unsupported } from '../models/request-fields.js';
import { NamedSchema } from '../runs/output-form.js';

const isEmptyObject = (value: unknown) => isJsonObject(value) && Object.keys(value).length === 0;

const TextPart = z.object({ type: z.enum(['input_text', 'output_text']), text });
const RefusalPart = z.object({ type: z.literal('refusal'), refusal: text });
const InputMessage = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([text, z.array(z.union([TextPart, RefusalPart])).max(1_000)], 'must be text'),
});
export type InputMessage = z.output<typeof InputMessage>;

const Variable = z.union([text, z.object({ type: z.literal('input_text'), text })], 'must be text');
export const PromptUse = z.object({
  id: z.uuid(),
  /** Number of a version or name of a label; the current version by default. */
  version: z.string().min(1).max(64).nullish(),
  variables: z.record(z.string(), Variable).nullish(),
});
export type PromptUse = z.output<typeof PromptUse>;

const Format = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text') }),
    z.object({ type: z.literal('json_object') }),
    NamedSchema.extend({ type: z.literal('json_schema') }),
  ],
  'must be of type text, json_object or json_schema',
);
export type Format = z.output<typeof Format>;

/** Body of OpenAI's `responses.create`. Known fields that are not supported are refused, never silently dropped. */
export const ResponseRequest = z.object({
  prompt: PromptUse,
  input: orNull(z.union([text, z.array(InputMessage).max(1_000)], 'must be text or a list of messages with text')),
  instructions: orNull(text),
  previous_response_id: orNull(z.string().max(100)),
  conversation: orNull(z.union([z.uuid(), z.object({ id: z.uuid() }).transform(({ id }) => id)], 'must be a uuid')),
  model: orNull(z.string().max(200)),
  max_output_tokens: orNull(z.int().min(1).max(2_147_483_647)),
  temperature: orNull(z.number().min(0).max(2)),
  text: orNull(z.object({ format: Format.optional(), verbosity: unsupported(oneOf('medium')) })),
  truncation: orNull(z.enum(['auto', 'disabled'])),
  store: orNull(z.boolean()),
  stream: orNull(z.boolean()),
  metadata: orNull(RequestMetadata),
  user: orNull(z.string().max(512)),
  safety_identifier: orNull(z.string().max(512)),
  prompt_cache_key: orNull(z.string().max(512)),
  parallel_tool_calls: orNull(z.boolean()),
  tool_choice: orNull(z.enum(['auto', 'none'], 'is not supported')),
  access_programs: unsupported(),
  background: unsupported(oneOf(false)),
  context_management: unsupported(isEmptyList),
  image: unsupported(),
  include: unsupported(isEmptyList),
  max_tool_calls: unsupported(),
  moderation: unsupported(),
  prompt_cache_options: unsupported(),
  prompt_cache_retention: unsupported(),
  reasoning: unsupported(isEmptyObject),
  service_tier: unsupported(oneOf('auto', 'default')),
  stream_options: unsupported((value) => !isJsonObject(value) || value['include_obfuscation'] !== true),
  tools: unsupported(isEmptyList),
  top_logprobs: unsupported(oneOf(0)),
  top_p: unsupported(oneOf(1)),
});
export type ResponseRequest = z.output<typeof ResponseRequest>;
