import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ItemList, ItemListQuery } from '../conversations/items.js';
import { FunctionTool, PromptUse, ResponseRequest } from './response-request.js';
import { ShownServerTools } from './server-tools.js';

const OutputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()),
});
const Refusal = z.object({ type: z.literal('refusal'), refusal: z.string() });

export const OutputMessage = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  content: z.array(z.union([OutputText, Refusal])),
});
export type OutputMessage = z.output<typeof OutputMessage>;

/** A call of a client's function, which the client executes. */
export const FunctionCallItem = z.object({
  id: z.string(),
  type: z.literal('function_call'),
  status: z.enum(['in_progress', 'completed']),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
/** A call of a tool of an MCP server. This installation has made the call. */
export const McpCallItem = z.object({
  id: z.string(),
  type: z.literal('mcp_call'),
  status: z.enum(['in_progress', 'completed', 'failed']),
  name: z.string().meta({ description: 'Name of the tool' }),
  arguments: z.string().meta({ description: 'Arguments as the model wrote them, as JSON' }),
  server_label: z.string().meta({ description: 'Slug of the MCP server' }),
  approval_request_id: z
    .string()
    .nullable()
    .meta({ description: 'Id of the `mcp_approval_request` that decided about the call' }),
  output: z.string().nullable().meta({ description: 'Result of the call; null when it failed' }),
  error: z.string().nullable().meta({ description: 'Why the call failed or was refused, as the model reads it' }),
});
/** A call of a tool that waits for a person's decision. */
export const McpApprovalRequestItem = z.object({
  id: z.string().meta({ description: 'Id of the approval' }),
  type: z.literal('mcp_approval_request'),
  name: z.string().meta({ description: 'Name of the tool' }),
  arguments: z.string().meta({ description: 'Arguments as the model wrote them, as JSON' }),
  server_label: z.string().meta({ description: "Name of the tool's MCP server or plugin" }),
});
export const OutputItem = z.union([OutputMessage, FunctionCallItem, McpCallItem, McpApprovalRequestItem]);
export type OutputItem = z.output<typeof OutputItem>;

/** OpenAI's response object, with a run's warnings. */
export const ResponseObject = z
  .object({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    completed_at: z.int().nullable(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
    background: z.boolean(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
    instructions: z.string().nullable(),
    max_output_tokens: z.int().nullable(),
    metadata: z.record(z.string(), z.string()),
    model: z.string(),
    output: z.array(OutputItem),
    parallel_tool_calls: z.boolean(),
    previous_response_id: z.string().nullable(),
    conversation: z.object({ id: z.string() }).nullable(),
    prompt: PromptUse.nullable(),
    prompt_cache_key: z.string().nullable(),
    safety_identifier: z.string().nullable(),
    store: z.boolean(),
    temperature: z.number().nullable(),
    text: z.object({ format: z.looseObject({ type: z.string() }) }),
    tool_choice: z.union([
      z.enum(['auto', 'none', 'required']),
      z.object({ type: z.literal('function'), name: z.string() }),
    ]),
    tools: z.array(z.discriminatedUnion('type', [FunctionTool, ShownServerTools])),
    reasoning: z.object({ effort: z.string().nullable() }).optional(),
    top_p: z.number().nullable(),
    truncation: z.enum(['auto', 'disabled']),
    usage: z
      .object({
        input_tokens: z.int(),
        /** Usage details as reported by the model's server; absent when the server reports no details. */
        input_tokens_details: z.object({ cached_tokens: z.int() }).optional(),
        output_tokens: z.int(),
        output_tokens_details: z.object({ reasoning_tokens: z.int() }).optional(),
        total_tokens: z.int(),
      })
      .nullable(),
    user: z.string().nullable(),
    warnings: z.array(z.string()),
  })
  .meta({ title: 'ModelResponse' });
export type ResponseObject = z.output<typeof ResponseObject>;

/** OpenAI's stream events, distinguished by `type`. */
const ResponseEvent = z.looseObject({ type: z.string(), sequence_number: z.int() });

const ResponseId = z.string().regex(/^resp_[0-9A-Za-z]{22}$/);
const params = z.object({ response_id: ResponseId });

export const createResponse = endpoint({
  operationId: 'createResponse',
  method: 'POST',
  path: '/v1/responses',
  summary: "Run a model, a prompt or an agent by OpenAI's Responses API",
  tag: 'Responses',
  access: { scope: 'prompts:run' },
  limit: 'credential',
  body: ResponseRequest,
  largeBody: true,
  long: true,
  success: { status: 200, description: 'The response', body: ResponseObject },
  events: {
    description: [
      'With `stream: true`: response.created, response.in_progress, response.output_item.added, response.content_part.added,',
      'response.output_text.delta, response.output_text.done, response.content_part.done, response.output_item.done, and last',
      'response.completed, response.incomplete or response.failed; a call of a tool has response.mcp_call.in_progress,',
      'response.mcp_call_arguments.done and response.mcp_call.completed or response.mcp_call.failed; `error` for a failure in between, of which nothing is stored.',
      'An answer that must fit a schema is sent when it has been checked.',
    ].join(' '),
    body: ResponseEvent,
  },
  errors: ['agent_stopped', 'budget_exceeded', 'conflict', 'guard_blocked', 'rate_limited'],
});

export const getResponse = endpoint({
  operationId: 'getResponse',
  method: 'GET',
  path: '/v1/responses/{response_id}',
  summary: 'Read a response',
  tag: 'Responses',
  access: { scope: 'conversations:read' },
  limit: 'credential',
  params,
  query: z.object({
    stream: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'true: the answer is the events of the response; one in progress is awaited' }),
    starting_after: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional()
      .meta({
        description: 'With `stream`, of a response with `background`: only events with a greater sequence_number',
      }),
  }),
  success: { status: 200, description: 'The stored response', body: ResponseObject },
  events: { description: 'With `stream=true`: the events of the response, from its beginning', body: ResponseEvent },
  errors: [],
});

export const listInputItems = endpoint({
  operationId: 'listResponseInputItems',
  method: 'GET',
  path: '/v1/responses/{response_id}/input_items',
  summary: 'List what the model read for a response: the conversation before its answer',
  tag: 'Responses',
  access: { scope: 'conversations:read' },
  limit: 'credential',
  params,
  query: ItemListQuery,
  success: { status: 200, description: 'A page of items, up to 8 MiB', body: ItemList },
  errors: [],
});

export const cancelResponse = endpoint({
  operationId: 'cancelResponse',
  method: 'POST',
  path: '/v1/responses/{response_id}/cancel',
  summary: 'Cancel a response that was created with background',
  tag: 'Responses',
  access: { scope: 'prompts:run' },
  limit: 'credential',
  params,
  success: { status: 200, description: 'The response; one that had ended is unchanged', body: ResponseObject },
  errors: [],
});

export const deleteResponse = endpoint({
  operationId: 'deleteResponse',
  method: 'DELETE',
  path: '/v1/responses/{response_id}',
  summary: 'Delete a response',
  tag: 'Responses',
  access: { scope: 'conversations:write' },
  limit: 'credential',
  params,
  success: { status: 204, description: 'The response is deleted; its conversation stays' },
  errors: [],
});
