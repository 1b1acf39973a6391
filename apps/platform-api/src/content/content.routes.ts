import { reply, requireFound, route, type Route } from '@millwright/http';
import { listReply } from '../lists/list-reply.js';
import * as contract from './content.contract.js';
import type { ContentStore } from './content.store.js';

export function contentRoutes(content: ContentStore): Route[] {
  return [
    route(contract.listContent, async ({ caller, query }) =>
      listReply('/api/v1/content', query, await content.list(caller.project, query)),
    ),

    route(contract.createContent, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const created = await content.create(tx, caller, body);
        return reply(created, { Location: `/api/v1/content/${created.record.id}` });
      }),
    ),

    route(contract.getContent, async ({ caller, params }) =>
      reply(requireFound(await content.find(caller.project, params.content_id))),
    ),

    route(contract.replaceContent, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => reply(await content.change(tx, caller, { id: params.content_id, ifMatch }, body))),
    ),

    route(contract.updateContent, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => reply(await content.change(tx, caller, { id: params.content_id, ifMatch }, body))),
    ),

    route(contract.deleteContent, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await content.remove(tx, caller, { id: params.content_id, ifMatch });
        return {};
      }),
    ),
  ];
}
