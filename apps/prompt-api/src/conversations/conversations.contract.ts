import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Metadata } from '../metadata/metadata.contract.js';

const Reference = z.object({ uuid: z.string(), link: z.string(), type: z.string() });

/** Spec, "Message". Its metadata's times read `YYYY-MM-DD hh:mm:ss`, UTC. */
export const Message = z.object({
  id: z.string(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  reference: z.array(Reference),
  model: z.string(),
  metadata: Metadata,
});
export type Message = z.output<typeof Message>;

/** Spec, "Conversation". */
export const Conversation = z.object({
  id: z.string(),
  message: z.array(Message),
  metadata: Metadata,
  _link: z.string(),
});
export type Conversation = z.output<typeof Conversation>;

const wholeNumber = (min: number, max: number) => z.coerce.number().pipe(z.int().min(min).max(max));
export const ConversationQuery = z.object({
  page: wholeNumber(1, 10_000_000).default(1),
  limit: wholeNumber(1, 100).default(20),
});
export type ConversationQuery = z.output<typeof ConversationQuery>;

export const listConversations = endpoint({
  operationId: 'listConversations', method: 'GET', path: '/v1/conversation', summary: 'List conversations', tag: 'Conversations',
  scope: 'conversations:read', limit: 'credential', query: ConversationQuery,
  success: { status: 200, description: 'A page of conversations, newest first', body: z.array(Conversation) }, errors: [],
});

export const getConversation = endpoint({
  operationId: 'getConversation', method: 'GET', path: '/v1/conversation/{uuid}', summary: 'Read a conversation', tag: 'Conversations',
  scope: 'conversations:read', limit: 'credential', params: z.object({ uuid: z.uuid() }),
  success: { status: 200, description: 'The conversation', body: Conversation }, errors: [],
});
