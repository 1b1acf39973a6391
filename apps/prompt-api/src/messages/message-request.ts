import { isJsonObject } from '@millwright/json';
import { z } from 'zod';
import {
  base64Text,
  isEmptyList,
  MOST_TOOLS,
  oneOf,
  orNull,
  text,
  ToolName,
  unsupported,
} from '../models/request-fields.js';

/** A hint for the cache of a model's server. It is ignored, because it does not affect answers. */
const CacheControl = orNull(z.object({ type: z.literal('ephemeral') })).meta({
  description: 'Has no effect on the answer',
});
const none = { description: 'Not supported' };
const TextBlock = z.object({
  ...{ type: z.literal('text'), text, cache_control: CacheControl },
  citations: unsupported(isEmptyList).meta(none),
});
const Texts = z.union([text, z.array(TextBlock).max(1_000)], 'must be text or a list of text blocks');

const ImageBlock = z.object({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('base64'),
      media_type: z
        .enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
        .meta({ description: 'Type of the image' }),
      data: base64Text.meta({ description: 'The image in base64' }),
    }),
    z.object({
      type: z.literal('url'),
      url: text.meta({ description: 'An https address, for models with `image_urls`' }),
    }),
  ]),
  cache_control: CacheControl,
});
const DocumentBlock = z.object({
  type: z.literal('document'),
  source: z.discriminatedUnion(
    'type',
    [
      z.object({
        type: z.literal('text'),
        media_type: z.literal('text/plain').meta({ description: 'Always text/plain' }),
        data: text.meta({ description: 'The text' }),
      }),
      z.object({
        type: z.literal('base64'),
        media_type: z.literal('application/pdf').meta({ description: 'Always application/pdf' }),
        data: base64Text.meta({ description: 'The document in base64: the model reads its text' }),
      }),
    ],
    'must be of type text or base64: documents by their id or address are not supported',
  ),
  title: orNull(z.string().max(255)).meta({ description: 'Name of the document' }),
  context: orNull(z.string().max(10_000)).meta({ description: 'What the document is, before its text' }),
  citations: unsupported((value) => isJsonObject(value) && value['enabled'] !== true).meta(none),
  cache_control: CacheControl,
});
const ToolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()),
  cache_control: CacheControl,
});
const ToolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1).max(200).meta({ description: 'Id of the call' }),
  content: orNull(
    z.union(
      [text, z.array(z.discriminatedUnion('type', [TextBlock, ImageBlock, DocumentBlock])).max(1_000)],
      'must be text, or a list of text, image and document blocks: others are not supported',
    ),
  ),
  is_error: orNull(z.boolean()).meta({
    description: 'Whether the tool failed: the model reads `Error:` before the content',
  }),
  cache_control: CacheControl,
});

const Message = z.discriminatedUnion(
  'role',
  [
    z.object({
      role: z.literal('user'),
      content: z.union(
        [text, z.array(z.discriminatedUnion('type', [TextBlock, ImageBlock, DocumentBlock, ToolResult])).max(1_000)],
        'must be text, or a list of text, image, document and tool_result blocks: others are not supported',
      ),
    }),
    z.object({
      role: z.literal('assistant'),
      content: z.union(
        [text, z.array(z.discriminatedUnion('type', [TextBlock, ToolUse])).max(1_000)],
        'must be text, or a list of text and tool_use blocks: others are not supported',
      ),
    }),
  ],
  'must have the role user or assistant',
);
export type AnthropicMessage = z.output<typeof Message>;

const Tool = z.strictObject({
  type: z
    .literal('custom', 'must be custom: no other tools are supported')
    .nullish()
    .meta({ description: 'Only `custom`, which is the default' }),
  name: ToolName,
  description: orNull(z.string().max(10_000)),
  input_schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of the arguments' }),
  strict: orNull(z.boolean()),
  cache_control: CacheControl,
});

const parallel = {
  disable_parallel_tool_use: orNull(z.boolean()).meta({ description: 'Whether an answer has at most one call' }),
};
const ToolChoice = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.enum(['auto', 'any']), ...parallel }),
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('tool'), name: ToolName, ...parallel }),
  ],
  'must be of type auto, any, none or tool',
);

const Output = z.strictObject({
  effort: orNull(z.enum(['low', 'medium', 'high', 'xhigh', 'max'])).meta({ description: 'How much the model thinks' }),
  format: orNull(z.object({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) })),
});

/** Body of Anthropic's `messages.create`. Fields that are unknown or not supported are refused, never silently dropped. */
export const MessageRequest = z.strictObject({
  model: z.string().min(1).max(200).meta({
    description: '`agent/<slug>`, `prompt/<id or slug>[@<label or version>]`, or a configured model',
  }),
  max_tokens: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .meta({ description: 'Limit of the answer in tokens; an agent has its own' }),
  messages: z.array(Message).min(1).max(1_000),
  system: orNull(Texts).meta({ description: 'Instructions before the messages' }),
  stream: orNull(z.boolean()),
  temperature: orNull(z.number().min(0).max(1)),
  top_p: orNull(z.number().min(0).max(1)),
  stop_sequences: orNull(z.array(text).max(4)).meta({ description: 'Texts that end the answer, at most 4' }),
  tools: orNull(z.array(Tool).max(MOST_TOOLS)),
  tool_choice: orNull(ToolChoice),
  output_config: orNull(Output).meta({ description: 'The form of the answer, and how much the model thinks' }),
  metadata: orNull(z.strictObject({ user_id: orNull(z.string().max(512)) })),
  cache_control: CacheControl,
  container: unsupported().meta(none),
  context_management: unsupported().meta(none),
  inference_geo: unsupported().meta(none),
  mcp_servers: unsupported(isEmptyList).meta(none),
  output_format: unsupported().meta(none),
  service_tier: unsupported(oneOf('auto', 'standard_only')),
  thinking: unsupported((value) => (value as { type?: unknown }).type === 'disabled').meta({
    description: 'Only `disabled`',
  }),
  top_k: unsupported().meta(none),
});
export type MessageRequest = z.output<typeof MessageRequest>;
