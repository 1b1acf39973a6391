import { recordDecision } from '@millwright/audit';
import { reply, requireFound, route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './conversations.contract.js';
import type { Conversation } from './conversations.contract.js';
import type { ConversationStore } from './conversations.store.js';

const versioned = (record: Conversation) => ({ record, version: record.metadata.version });

export function conversationRoutes(conversations: ConversationStore): Route[] {
  return [
    route(contract.createConversation, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const { conversation } = await conversations.create(tx, caller, body.metadata, []);
        const detail = { title: body.metadata.title };
        await recordDecision(tx, { ...caller, action: 'conversation.create', resource: conversation.id, detail });
        return reply(versioned(conversation), { Location: conversation._link });
      }),
    ),

    route(contract.listConversations, async ({ caller, query }) => {
      const listed = await conversations.list(caller.project, query);
      return { body: listed.items, headers: listHeaders('/v1/conversation', query, listed) };
    }),

    route(contract.getConversation, async ({ caller, params, query }) => {
      const { conversation, hasOlder } = requireFound(
        await conversations.find(caller.project, params.uuid, query.before),
      );
      const older = `<${conversation._link}?before=${conversation.message[0]?.id}>; rel="prev"`;
      return reply(versioned(conversation), hasOlder ? { Link: older } : {});
    }),

    route(contract.updateConversation, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) =>
        reply(versioned(await conversations.update(tx, caller, { id: params.uuid, ifMatch }, body))),
      ),
    ),

    route(contract.deleteConversation, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await conversations.remove(tx, caller, { id: params.uuid, ifMatch });
        return {};
      }),
    ),
  ];
}
