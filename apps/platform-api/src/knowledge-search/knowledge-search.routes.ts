import type { FindVectorSupport } from '@millwright/catalog/knowledge-search';
import { route, type Route } from '@millwright/http';
import * as contract from './knowledge-search.contract.js';
import type { KnowledgeSearchStore } from './knowledge-search.store.js';

export function knowledgeSearchRoutes(settings: KnowledgeSearchStore, findSupport: FindVectorSupport): Route[] {
  return [
    route(contract.getKnowledgeSearch, async ({ caller }) => ({ body: await settings.find(caller.project) })),

    route(contract.putKnowledgeSearch, async ({ caller, body, commit }) => {
      const { isInstalled } = await findSupport();
      return commit(async (tx) => ({ body: await settings.set(tx, caller, body, isInstalled) }));
    }),
  ];
}
