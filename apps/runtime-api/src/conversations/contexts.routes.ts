import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { requireAgent } from '../agents/find-agent.js';
import { deleteContext, getContext, listContexts } from './contexts.contract.js';
import type { ContextStore } from './contexts.store.js';

/** Routes of users' own conversations. */
export function contextRoutes(db: Database, contexts: ContextStore): Route[] {
  return [
    route(listContexts, async ({ caller, params, query }) => ({
      body: await contexts.list(caller, await requireAgent(db, caller.project, params.agent_name), query),
    })),

    route(getContext, async ({ caller, params }) => {
      const agent = await requireAgent(db, caller.project, params.agent_name);
      const found = await contexts.find(caller, agent, params.context_id);
      if (!found) throw new AppError('not_found');
      return { body: found, digest: true };
    }),

    route(deleteContext, async ({ caller, params, commit }) => {
      const agent = await requireAgent(db, caller.project, params.agent_name);
      return commit(async (tx) => {
        await contexts.remove(tx, caller, agent, params.context_id);
        return { body: { id: params.context_id } };
      });
    }),
  ];
}
