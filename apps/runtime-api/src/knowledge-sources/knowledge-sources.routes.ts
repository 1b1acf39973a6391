import { reply, requireFound, route, type Reply, type Route } from '@millwright/http';
import type { Versioned } from '@millwright/db';
import * as contract from './knowledge-sources.contract.js';
import type { KnowledgeSourceStore } from './knowledge-sources.store.js';

/** Builds an answer whose ETag contains a digest of the body: a fetch changes fields of the body, but not the version that `If-Match` compares. */
const replyOf = (found: Versioned<contract.KnowledgeSource>, headers?: Record<string, string>): Reply => ({
  ...reply(found, headers),
  digest: true,
});

export function knowledgeSourceRoutes(sources: KnowledgeSourceStore): Route[] {
  return [
    route(contract.listKnowledgeSources, async ({ caller, query }) => ({
      body: await sources.list(caller.project, query),
    })),

    route(contract.createKnowledgeSource, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const created = await sources.create(tx, caller, body);
        return replyOf(created, { Location: `/api/v1/knowledge-sources/${created.record.id}` });
      }),
    ),

    route(contract.getKnowledgeSource, async ({ caller, params }) =>
      replyOf(requireFound(await sources.find(caller.project, params.source_id))),
    ),

    route(contract.updateKnowledgeSource, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => replyOf(await sources.change(tx, caller, { id: params.source_id, ifMatch }, body))),
    ),

    route(contract.refreshKnowledgeSource, ({ caller, params, commit }) =>
      commit(async (tx) => replyOf(await sources.refresh(tx, caller, params.source_id))),
    ),

    route(contract.deleteKnowledgeSource, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await sources.remove(tx, caller, { id: params.source_id, ifMatch });
        return {};
      }),
    ),
  ];
}
