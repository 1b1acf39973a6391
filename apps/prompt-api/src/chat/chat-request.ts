import { isJsonObject } from '@millwright/json';
import { z } from 'zod';
import {
  base64Text,
  CallId,
  callFields,
  FILE_DATA,
  FileName,
  ImageDetail,
  isEmptyList,
  MOST_TOOLS,
  oneOf,
  orNull,
  ReasoningEffort,
  RequestMetadata,
  text,
  ToolFunction,
  ToolName,
  unsupported,
  Verbosity,
} from '../models/request-fields.js';
import { NamedSchema } from '../runs/output-form.js';

const TextPart = z.object({ type: z.literal('text'), text });
const RefusalPart = z.object({ type: z.literal('refusal'), refusal: text });
const Text = z.union([text, z.array(TextPart).max(1_000)], 'must be text or a list of text parts');
const ImagePart = z.object({
  type: z.literal('image_url'),
  image_url: z
    .object({
      url: base64Text.meta({
        description: 'Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`',
      }),
      detail: orNull(ImageDetail),
    })
    .meta({ description: 'The image' }),
});
const FilePart = z.object({
  type: z.literal('file'),
  file: z.object({
    file_data: orNull(base64Text).meta(FILE_DATA),
    filename: FileName,
    file_id: orNull(z.string().max(100)),
  }),
});
const UserContent = z.union(
  [text, z.array(z.discriminatedUnion('type', [TextPart, ImagePart, FilePart])).max(1_000)],
  'must be text or a list of parts of type text, image_url or file',
);
const AuthorName = orNull(z.string().max(64));

const ToolCall = z.object({ id: CallId, type: z.literal('function'), function: z.object(callFields) });

const Message = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.enum(['system', 'developer']), content: Text, name: AuthorName }),
    z.object({ role: z.literal('user'), content: UserContent, name: AuthorName }),
    z.object({
      role: z.literal('assistant'),
      content: orNull(z.union([text, z.array(z.union([TextPart, RefusalPart])).max(1_000)], 'must be text')),
      refusal: orNull(text),
      name: AuthorName,
      tool_calls: orNull(z.array(ToolCall).max(MOST_TOOLS)),
      audio: unsupported(),
      function_call: unsupported(),
    }),
    z.object({ role: z.literal('tool'), content: UserContent, tool_call_id: CallId }),
  ],
  'must have the role system, developer, user, assistant or tool',
);
export type ChatMessage = z.output<typeof Message>;

const ResponseFormat = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text') }),
    z.object({ type: z.literal('json_object') }),
    z.object({ type: z.literal('json_schema'), json_schema: NamedSchema }),
  ],
  'must be of type text, json_object or json_schema',
);

const Tool = z.object(
  { type: z.literal('function', 'must be function: no other tools are supported'), function: ToolFunction },
  'must be a function',
);

const ToolChoice = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    z.object({ type: z.literal('function'), function: z.object({ name: ToolName }) }),
  ],
  'must be auto, none, required or a function by its name',
);

const penalty = orNull(z.number().min(-2).max(2));
const tokens = orNull(z.int().min(1).max(2_147_483_647));
const isEmptyObject = (value: unknown) => isJsonObject(value) && Object.keys(value).length === 0;

/** Body of OpenAI's `chat.completions.create`. Fields that are unknown or not supported are refused, never silently dropped. */
export const ChatRequest = z.strictObject({
  model: orNull(z.string().max(200)).meta({
    description:
      '`agent/<slug>`, `prompt/<id or slug>[@<label or version>]`, or a configured model; the default model when left out',
  }),
  messages: z.array(Message).min(1).max(1_000),
  tools: orNull(z.array(Tool).max(MOST_TOOLS)),
  tool_choice: orNull(ToolChoice),
  parallel_tool_calls: orNull(z.boolean()),
  response_format: orNull(ResponseFormat),
  stream: orNull(z.boolean()),
  stream_options: orNull(
    z.strictObject({ include_usage: orNull(z.boolean()), include_obfuscation: unsupported(oneOf(false)) }),
  ),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  temperature: orNull(z.number().min(0).max(2)),
  top_p: orNull(z.number().min(0).max(1)),
  stop: orNull(z.union([text, z.array(text).max(4)], 'must be a text or at most 4 texts')),
  seed: orNull(z.int()),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  reasoning_effort: orNull(ReasoningEffort),
  verbosity: orNull(Verbosity),
  store: orNull(z.boolean()).meta({ description: 'false: the run keeps no content' }),
  metadata: orNull(RequestMetadata),
  user: orNull(z.string().max(512)),
  safety_identifier: orNull(z.string().max(512)),
  prompt_cache_key: orNull(z.string().max(512)),
  audio: unsupported(),
  function_call: unsupported(),
  functions: unsupported(isEmptyList),
  logit_bias: unsupported(isEmptyObject),
  logprobs: unsupported(oneOf(false)),
  modalities: unsupported((value) => Array.isArray(value) && value.every((kind) => kind === 'text')),
  moderation: unsupported(),
  n: unsupported(oneOf(1)),
  prediction: unsupported(),
  prompt_cache_options: unsupported(),
  prompt_cache_retention: unsupported(),
  service_tier: unsupported(oneOf('auto', 'default')),
  top_logprobs: unsupported(oneOf(0)),
  web_search_options: unsupported(),
});
export type ChatRequest = z.output<typeof ChatRequest>;
