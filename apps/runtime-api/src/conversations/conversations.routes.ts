import { route, type Route } from '@millwright/http';
import {
  deleteConversation,
  getConversation,
  listConversations,
  updateConversation,
} from './conversations.contract.js';
import type { ConversationStore } from './conversations.store.js';

/** Endpoints for users' conversations with all agents. */
export function conversationRoutes(conversations: ConversationStore): Route[] {
  return [
    route(listConversations, async ({ caller, query }) => ({ body: await conversations.list(caller, query) })),

    route(getConversation, async ({ caller, params }) => ({
      body: await conversations.read(caller, params.context_id),
      digest: true,
    })),

    route(updateConversation, ({ caller, params, body, commit }) =>
      commit(async (tx) => ({ body: await conversations.update(tx, caller, params.context_id, body) })),
    ),

    route(deleteConversation, ({ caller, params, commit }) =>
      commit(async (tx) => {
        await conversations.remove(tx, caller, params.context_id);
        return { body: { id: params.context_id } };
      }),
    ),
  ];
}
