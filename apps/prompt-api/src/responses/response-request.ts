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
import { ServerTools } from './server-tools.js';

const TextPart = z.object({ type: z.enum(['input_text', 'output_text']), text });
const RefusalPart = z.object({ type: z.literal('refusal'), refusal: text });
const FileId = z.string().max(100).nullish().meta({ description: 'Not supported' });
const ImagePart = z.object({
  type: z.literal('input_image'),
  image_url: orNull(base64Text).meta({
    description: 'Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`',
  }),
  file_id: FileId,
  detail: orNull(ImageDetail),
});
const FilePart = z.object({
  type: z.literal('input_file'),
  file_data: orNull(base64Text).meta(FILE_DATA),
  filename: FileName,
  file_id: FileId,
  file_url: orNull(z.string().max(2_000)).meta({ description: 'Not supported: addresses are not fetched' }),
});
const InputMessage = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union(
    [text, z.array(z.discriminatedUnion('type', [TextPart, RefusalPart, ImagePart, FilePart])).max(1_000)],
    'must be text or a list of parts of type input_text, input_image or input_file',
  ),
});
const FunctionCall = z.object({ type: z.literal('function_call'), call_id: CallId, ...callFields });
const FunctionCallOutput = z.object({
  type: z.literal('function_call_output'),
  call_id: CallId,
  output: z.union(
    [text, z.array(z.discriminatedUnion('type', [TextPart, ImagePart, FilePart])).max(1_000)],
    'must be text or a list of parts of type input_text, input_image or input_file',
  ),
});
/** A person's decision about a call of a tool. */
const McpApprovalResponse = z.strictObject({
  type: z.literal('mcp_approval_response'),
  approval_request_id: z.string().max(100).meta({ description: 'Id of the `mcp_approval_request`' }),
  approve: z.boolean().meta({ description: 'false: the call is refused, and the run goes on without it' }),
  reason: orNull(z.string().max(2_000)).meta({ description: 'Reason that the model reads when the call is refused' }),
  id: z.string().max(100).nullish(),
});
export type McpApprovalResponse = z.output<typeof McpApprovalResponse>;
/** A message or call of an earlier response or conversation, by its id. */
const ItemReference = z.strictObject({ type: z.literal('item_reference').nullish(), id: z.string().max(100) });
/** A message or call of a function with its own content. */
export const NewItem = z.union(
  [InputMessage, FunctionCall, FunctionCallOutput],
  'must be a message with text, images and files, a function call or its output',
);
const InputItem = z.union([InputMessage, FunctionCall, FunctionCallOutput, McpApprovalResponse, ItemReference]);
type ItemReference = z.output<typeof ItemReference>;
export type InputItem = Exclude<z.output<typeof InputItem>, ItemReference | McpApprovalResponse>;

export const isReference = (item: z.output<typeof InputItem>): item is ItemReference =>
  !('role' in item) && !('call_id' in item) && !('approve' in item);

export const isDecision = (item: z.output<typeof InputItem>): item is McpApprovalResponse => 'approve' in item;

/** A function that the client executes itself. */
export const FunctionTool = z.object({ type: z.literal('function'), ...ToolFunction.shape });
const Tool = z.discriminatedUnion(
  'type',
  [FunctionTool, ServerTools],
  'must be function or mcp: no other tools are supported',
);
const ToolChoice = z.union(
  [z.enum(['auto', 'none', 'required']), z.object({ type: z.literal('function'), name: ToolName })],
  'must be auto, none, required or a function by its name',
);

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

/** Values of `include` that are accepted without effect, because no response of this API has such items. */
const Included = z.enum(
  [
    ...['code_interpreter_call.outputs', 'computer_call_output.output.image_url', 'file_search_call.results'],
    ...['message.input_image.image_url', 'reasoning.encrypted_content'],
    ...['web_search_call.action.sources', 'web_search_call.results'],
  ] as const,
  'is not supported',
);

/** Body of OpenAI's `responses.create`. Fields that are unknown or not supported are refused, never silently dropped. */
export const ResponseRequest = z.strictObject({
  prompt: orNull(PromptUse),
  input: orNull(
    z.union(
      [text, z.array(InputItem).max(1_000)],
      'must be text or a list of messages with text, images and files, function calls, their outputs, item references and approval responses',
    ),
  ),
  instructions: orNull(text),
  previous_response_id: orNull(z.string().max(100)),
  conversation: orNull(z.union([z.uuid(), z.object({ id: z.uuid() }).transform(({ id }) => id)], 'must be a uuid')),
  model: orNull(z.string().max(200)),
  max_output_tokens: orNull(z.int().min(1).max(2_147_483_647)),
  temperature: orNull(z.number().min(0).max(2)),
  text: orNull(z.strictObject({ format: Format.optional(), verbosity: orNull(Verbosity) })),
  truncation: orNull(z.enum(['auto', 'disabled'])),
  store: orNull(z.boolean()),
  stream: orNull(z.boolean()),
  metadata: orNull(RequestMetadata),
  user: orNull(z.string().max(512)),
  safety_identifier: orNull(z.string().max(512)),
  prompt_cache_key: orNull(z.string().max(512)),
  parallel_tool_calls: orNull(z.boolean()),
  tool_choice: orNull(ToolChoice),
  tools: orNull(z.array(Tool).max(MOST_TOOLS)),
  top_p: orNull(z.number().min(0).max(1)),
  reasoning: orNull(
    z.strictObject({
      effort: orNull(ReasoningEffort),
      context: unsupported(oneOf('auto')),
      mode: unsupported(oneOf('standard')).meta({ description: 'Only `standard`' }),
      summary: unsupported(oneOf('auto')),
      generate_summary: unsupported(),
    }),
  ),
  access_programs: unsupported(),
  background: orNull(z.boolean()),
  context_management: unsupported(isEmptyList),
  image: unsupported(),
  include: orNull(z.array(Included).max(20)),
  max_tool_calls: unsupported(),
  moderation: unsupported(),
  prompt_cache_options: unsupported(),
  prompt_cache_retention: unsupported(),
  service_tier: unsupported(oneOf('auto', 'default')),
  stream_options: unsupported((value) => !isJsonObject(value) || value['include_obfuscation'] !== true),
  top_logprobs: unsupported(oneOf(0)),
});
type Requested = z.output<typeof ResponseRequest>;
/** A request without references to items. */
export type ResponseRequest = Omit<Requested, 'input'> & { input: string | InputItem[] | undefined };
export type { Requested };
