import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ListQuery } from '../metadata/list.contract.js';
import { Metadata, MetadataChanges, NewMetadata } from '../metadata/metadata.contract.js';

/** An artifact or block that a message refers to. */
export const Reference = z.object({ uuid: z.string(), link: z.string(), type: z.string() });
export type Reference = z.output<typeof Reference>;

/** A message. The times in its metadata have the form `YYYY-MM-DD hh:mm:ss`, UTC. */
export const Message = z.object({
  id: z.string(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  reference: z.array(Reference),
  model: z.string(),
  metadata: Metadata,
});
export type Message = z.output<typeof Message>;

/** A conversation with its newest messages. */
export const Conversation = z.object({
  id: z.string(),
  message: z.array(Message),
  metadata: Metadata,
  _link: z.string(),
});
export type Conversation = z.output<typeof Conversation>;

export const NewConversation = z.object({ metadata: NewMetadata });
export const ConversationChanges = z.object({ metadata: MetadataChanges.optional() });
export type ConversationChanges = z.output<typeof ConversationChanges>;

const params = z.object({ uuid: z.uuid() });
const one = { status: 200, description: 'The conversation', body: Conversation } as const;

const conversations = { tag: 'Conversations', limit: 'credential' } as const;

export const createConversation = endpoint({
  ...conversations,
  operationId: 'createConversation',
  method: 'POST',
  path: '/v1/conversation',
  summary: 'Create a conversation',
  access: { scope: 'conversations:write' },
  body: NewConversation,
  success: { status: 201, description: 'The new conversation, without messages', body: Conversation },
  errors: [],
});

export const listConversations = endpoint({
  ...conversations,
  operationId: 'listConversations',
  method: 'GET',
  path: '/v1/conversation',
  summary: 'List conversations',
  access: { scope: 'conversations:read' },
  query: ListQuery,
  success: {
    status: 200,
    description:
      'A page of conversations, newest first, each with its newest messages: together at most 8 MiB, in equal shares',
    body: z.array(Conversation),
  },
  errors: [],
});

export const getConversation = endpoint({
  ...conversations,
  operationId: 'getConversation',
  method: 'GET',
  path: '/v1/conversation/{uuid}',
  summary: 'Read a conversation',
  access: { scope: 'conversations:read' },
  params,
  query: z.object({
    before: z.uuid().optional().meta({ description: 'Id of a message; the answer shows the messages before it' }),
  }),
  success: {
    ...one,
    description: 'The conversation with its newest messages, up to 8 MiB; `Link` with `rel="prev"` leads to older ones',
  },
  errors: [],
});

export const updateConversation = endpoint({
  ...conversations,
  operationId: 'updateConversation',
  method: 'PUT',
  path: '/v1/conversation/{uuid}',
  summary: "Change a conversation's metadata",
  access: { scope: 'conversations:write' },
  params,
  body: ConversationChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteConversation = endpoint({
  ...conversations,
  operationId: 'deleteConversation',
  method: 'DELETE',
  path: '/v1/conversation/{uuid}',
  summary: 'Delete a conversation',
  access: { scope: 'conversations:write' },
  params,
  success: { status: 204, description: 'The conversation and its messages are deleted' },
  errors: ['precondition_failed'],
});
