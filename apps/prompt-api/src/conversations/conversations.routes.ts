import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import { getConversation, listConversations } from './conversations.contract.js';
import type { ConversationStore } from './conversations.store.js';

export function conversationRoutes(conversations: ConversationStore): Route[] {
  return [
    route(listConversations, async ({ caller, query }) => {
      const { conversations: page, total } = await conversations.list(caller.project, query);
      return { body: page, headers: listHeaders('/v1/conversation', query, total) };
    }),

    route(getConversation, async ({ caller, params }) => {
      const conversation = await conversations.find(caller.project, params.uuid);
      if (!conversation) throw new AppError('not_found');
      return { body: conversation, version: conversation.metadata.version };
    }),
  ];
}
