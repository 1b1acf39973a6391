import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Item, ItemList, ItemListQuery, messageOfItem } from '../conversations/items.js';
import { orNull, RequestMetadata } from '../models/request-fields.js';
import { NewItem } from '../responses/response-request.js';

/** Maximum number of items in one request, as in OpenAI's API. */
const MOST_ITEMS = 20;

/** OpenAI's conversation object. */
export const OpenAiConversation = z
  .object({
    id: z.string().meta({ description: 'Id of the conversation, as `/v1/conversation` has it' }),
    object: z.literal('conversation'),
    created_at: z.int().meta({ description: 'Unix time in seconds' }),
    metadata: z.record(z.string(), z.string()).meta({ description: "The client's own pairs, at most 16" }),
  })
  .meta({ title: 'OpenAiConversation' });
export type OpenAiConversation = z.output<typeof OpenAiConversation>;

const DeletedConversation = z.object({
  id: z.string().meta({ description: 'Id of the conversation' }),
  object: z.literal('conversation.deleted'),
  deleted: z.literal(true).meta({ description: 'Always true' }),
});

const items = z.array(NewItem).max(MOST_ITEMS);

const conversations = { tag: 'Conversations', limit: 'credential' } as const;
const ItemId = z.string().refine((id) => messageOfItem(id) !== undefined, 'is no id of an item');
const params = z.object({ conversation_id: z.uuid().meta({ description: 'Id of a conversation' }) });

export const startConversation = endpoint({
  ...conversations,
  operationId: 'startConversation',
  method: 'POST',
  path: '/v1/conversations',
  summary: "Create a conversation by OpenAI's Conversations API",
  access: { scope: 'conversations:write' },
  largeBody: true,
  body: z.strictObject({
    items: orNull(items).meta({ description: 'First messages and calls of functions, at most 20' }),
    metadata: orNull(RequestMetadata).meta({ description: "The client's own pairs, at most 16" }),
  }),
  success: { status: 200, description: 'The new conversation', body: OpenAiConversation },
  errors: ['guard_blocked'],
});

export const retrieveConversation = endpoint({
  ...conversations,
  operationId: 'retrieveConversation',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Read a conversation in the form of OpenAI',
  access: { scope: 'conversations:read' },
  params,
  success: { status: 200, description: 'The conversation', body: OpenAiConversation },
  errors: [],
});

export const changeConversation = endpoint({
  ...conversations,
  operationId: 'changeConversation',
  method: 'POST',
  path: '/v1/conversations/{conversation_id}',
  summary: "Replace a client's own pairs of a conversation",
  access: { scope: 'conversations:write' },
  params,
  body: z.strictObject({
    metadata: RequestMetadata.meta({
      description: 'Replaces the pairs, at most 16; a name has 64 characters, a value 512',
    }),
  }),
  success: { status: 200, description: 'The conversation', body: OpenAiConversation },
  errors: ['guard_blocked', 'precondition_failed'],
});

export const endConversation = endpoint({
  ...conversations,
  operationId: 'endConversation',
  method: 'DELETE',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Delete a conversation and its items',
  access: { scope: 'conversations:write' },
  params,
  success: { status: 200, description: 'The conversation is deleted', body: DeletedConversation },
  errors: ['precondition_failed'],
});

export const listConversationItems = endpoint({
  ...conversations,
  operationId: 'listConversationItems',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}/items',
  summary: 'List the items of a conversation',
  access: { scope: 'conversations:read' },
  params,
  query: ItemListQuery,
  success: { status: 200, description: 'A page of items, up to 8 MiB', body: ItemList },
  errors: [],
});

export const addConversationItems = endpoint({
  ...conversations,
  operationId: 'addConversationItems',
  method: 'POST',
  path: '/v1/conversations/{conversation_id}/items',
  summary: 'Add items to a conversation',
  access: { scope: 'conversations:write' },
  params,
  largeBody: true,
  body: z.strictObject({ items: items.min(1).meta({ description: 'Messages and calls of functions, 1 to 20' }) }),
  success: { status: 200, description: 'The added items', body: ItemList },
  errors: ['guard_blocked'],
});

export const getConversationItem = endpoint({
  ...conversations,
  operationId: 'getConversationItem',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}/items/{item_id}',
  summary: 'Read an item of a conversation',
  access: { scope: 'conversations:read' },
  params: params.extend({ item_id: ItemId.meta({ description: 'Id of an item' }) }),
  success: { status: 200, description: 'The item', body: Item },
  errors: [],
});

export const deleteConversationItem = endpoint({
  ...conversations,
  operationId: 'deleteConversationItem',
  method: 'DELETE',
  path: '/v1/conversations/{conversation_id}/items/{item_id}',
  summary: 'Delete an item of a conversation',
  access: { scope: 'conversations:write' },
  params: params.extend({ item_id: ItemId.meta({ description: 'Id of an item' }) }),
  success: { status: 200, description: 'The conversation without the item', body: OpenAiConversation },
  errors: ['conflict'],
});
