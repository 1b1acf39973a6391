import { recordDecision } from '@millwright/audit';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './conversations.contract.js';
import type { ConversationStore } from './conversations.store.js';

export function conversationRoutes(conversations: ConversationStore): Route[] {
  return [
    route(contract.createConversation, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const { conversation } = await conversations.create(tx, caller, body.metadata, []);
        const detail = { title: body.metadata.title };
        await recordDecision(tx, { ...caller, action: 'conversation.create', resource: conversation.id, detail });
        return {
          body: conversation,
          version: conversation.metadata.version,
          headers: { Location: conversation._link },
        };
      }),
    ),

    route(contract.listConversations, async ({ caller, query }) => {
      const { conversations: page, total } = await conversations.list(caller.project, query);
      return { body: page, headers: listHeaders('/v1/conversation', query, total) };
    }),

    route(contract.getConversation, async ({ caller, params, query }) => {
      const found = await conversations.find(caller.project, params.uuid, query.before);
      if (!found) throw new AppError('not_found');
      const { conversation, hasOlder } = found;
      const older = `<${conversation._link}?before=${conversation.message[0]?.id}>; rel="prev"`;
      return {
        body: conversation,
        version: conversation.metadata.version,
        ...(hasOlder && { headers: { Link: older } }),
      };
    }),

    route(contract.updateConversation, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => {
        const conversation = await conversations.update(tx, caller, { id: params.uuid, ifMatch }, body);
        return { body: conversation, version: conversation.metadata.version };
      }),
    ),

    route(contract.deleteConversation, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await conversations.remove(tx, caller, { id: params.uuid, ifMatch });
        return {};
      }),
    ),
  ];
}
