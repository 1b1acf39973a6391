import { endpoint } from '@millwright/http';
import { searchText } from '@millwright/records';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';
import { Context, ContextDetail, ImageRecord } from './contexts.contract.js';

const pinned = z.boolean().meta({ description: 'Whether it stands before all others' });
const shared = z.boolean().meta({ description: 'Whether all users of the project may read it' });

/** A conversation with any agent. It also has the settings of its user: title, pin and sharing. */
export const Conversation = Context.extend({
  title: z.string().meta({ description: 'Title that the user chose, or the beginning of the first message' }),
  agent: z.string(),
  pinned,
  shared,
});
export type Conversation = z.output<typeof Conversation>;

export const ConversationDetail = Conversation.extend({
  own: z
    .boolean()
    .meta({ description: 'Whether the conversation is yours. Calls of tools are shown to its owner only' }),
  user_name: z.string().meta({ description: 'Name of the user who owns the conversation' }),
  messages: ContextDetail.shape.messages,
});
export type ConversationDetail = z.output<typeof ConversationDetail>;

const ofContext = {
  tag: 'Agents',
  access: { scope: 'agents:message' },
  limit: 'credential',
  params: z.object({ context_id: z.string() }),
} as const;

export const listConversations = endpoint({
  operationId: 'listConversations',
  method: 'GET',
  path: '/api/v1/contexts',
  summary: 'List your conversations with all agents, pinned ones first, then the latest',
  tag: 'Agents',
  access: { scope: 'agents:message' },
  limit: 'credential',
  query: ListQuery.extend({
    agent: z.string().max(100).optional().meta({ description: 'Only conversations with this agent' }),
    search: searchText.meta({ description: 'Only conversations with this text in the title' }),
  }),
  success: { status: 200, description: 'A page of conversations', body: listOf(Conversation) },
  errors: [],
});

export const getConversation = endpoint({
  ...ofContext,
  operationId: 'getConversation',
  method: 'GET',
  path: '/api/v1/contexts/{context_id}',
  summary: 'Read a conversation of yours, or one that a user of your project shares',
  success: { status: 200, description: 'The conversation', body: ConversationDetail },
  errors: [],
});

export const getConversationImage = endpoint({
  ...ofContext,
  operationId: 'getConversationImage',
  method: 'GET',
  path: '/api/v1/contexts/{context_id}/images/{image_id}',
  summary:
    'Download an image of a conversation of yours, or of one that a user of your project shares, or get its record',
  params: z.object({ context_id: z.string(), image_id: z.string() }),
  success: { status: 200, description: 'Its bytes, or its record', body: ImageRecord, file: true },
  errors: [],
});

export const updateConversation = endpoint({
  ...ofContext,
  operationId: 'updateConversation',
  method: 'PATCH',
  path: '/api/v1/contexts/{context_id}',
  summary: 'Rename, pin or share one of your conversations',
  action: 'context.update',
  body: z
    .strictObject({
      title: z.string().trim().min(1).max(120),
      pinned,
      shared,
    })
    .partial(),
  success: { status: 200, description: 'The conversation', body: Conversation },
  errors: [],
});
export type ConversationChanges = z.output<(typeof updateConversation)['body']>;

export const deleteConversation = endpoint({
  ...ofContext,
  operationId: 'deleteConversation',
  method: 'DELETE',
  path: '/api/v1/contexts/{context_id}',
  summary: 'Delete one of your conversations, with its messages and tasks',
  success: { status: 200, description: 'The id of the deleted conversation', body: z.object({ id: z.string() }) },
  errors: [],
});
