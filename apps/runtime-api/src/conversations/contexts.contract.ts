import { IMAGE_TYPES } from '@millwright/documents';
import { endpoint } from '@millwright/http';
import { RUN_STATES, WAIT_REASONS } from '@millwright/runs';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

/** A conversation of the caller with one agent. */
export const Context = z.object({
  id: z.string(),
  title: z.string().meta({ description: 'Beginning of the first message' }),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Context = z.output<typeof Context>;

/** A tool call that a message of the agent requested, with the tool's answer. */
const ToolCall = z.object({
  id: z.string(),
  tool: z.string(),
  arguments: z.string(),
  answer: z.string().nullable().meta({ description: 'Beginning of the answer; null while there is none' }),
  failed: z.boolean(),
});

/** An image that a user sent to the agent. */
export const ImageRecord = z.object({
  id: z.string(),
  name: z.string(),
  content_type: z.enum(IMAGE_TYPES),
  size: z.int().meta({ description: 'Bytes' }),
  width: z.int().meta({ description: 'Pixels' }),
  height: z.int().meta({ description: 'Pixels' }),
});
export type ImageRecord = z.output<typeof ImageRecord>;

/** The latest run that answers a message of a user. */
const MessageRun = z.object({
  id: z.string(),
  state: z.enum(RUN_STATES),
  waiting_for: z.enum(WAIT_REASONS).nullable(),
  feedback: z.enum(['up', 'down']).nullable().meta({ description: "The user's rating of the answer" }),
});

const ContextMessage = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  timestamp: z.string(),
  failed: z.boolean().meta({
    description: "Of a user's message: the agent failed and has not answered it. Send the same message again to retry.",
  }),
  images: z.array(ImageRecord).meta({ description: "Of a user's message: its images" }),
  tools: z.array(ToolCall),
  run: MessageRun.nullable().meta({ description: 'Latest run that answers the message; only on messages of users' }),
});
export type ContextMessage = z.output<typeof ContextMessage>;

export const ContextDetail = Context.extend({
  agent: z.string(),
  messages: z.array(ContextMessage).meta({ description: 'The last 500, oldest first' }),
});
export type ContextDetail = z.output<typeof ContextDetail>;

const ofAgent = z.object({ agent_name: z.string() });

export const listContexts = endpoint({
  operationId: 'listContexts',
  method: 'GET',
  path: '/api/v1/agents/{agent_name}/contexts',
  summary: 'List your conversations with an agent, latest first',
  tag: 'Agents',
  access: { scope: 'agents:message' },
  limit: 'credential',
  params: ofAgent,
  query: ListQuery,
  success: { status: 200, description: 'A page of conversations', body: listOf(Context) },
  errors: [],
});

export const getContext = endpoint({
  operationId: 'getContext',
  method: 'GET',
  path: '/api/v1/agents/{agent_name}/contexts/{context_id}',
  summary: 'Read one of your conversations with an agent',
  tag: 'Agents',
  access: { scope: 'agents:message' },
  limit: 'credential',
  params: ofAgent.extend({ context_id: z.string() }),
  success: { status: 200, description: 'The conversation', body: ContextDetail },
  errors: [],
});

export const deleteContext = endpoint({
  operationId: 'deleteContext',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_name}/contexts/{context_id}',
  summary: 'Delete one of your conversations with an agent, with its messages and tasks',
  tag: 'Agents',
  access: { scope: 'agents:message' },
  limit: 'credential',
  params: ofAgent.extend({ context_id: z.string() }),
  success: { status: 200, description: 'The id of the deleted conversation', body: z.object({ id: z.string() }) },
  errors: [],
});
