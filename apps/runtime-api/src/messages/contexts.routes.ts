import type { RunnableAgent } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import type { Project } from '@millwright/auth';
import { findAgent } from '../concierge/find-agent.js';
import { getContext, listContexts } from './contexts.contract.js';
import type { ContextStore } from './contexts.store.js';

/** A user's own conversations. */
export function contextRoutes(db: Database, contexts: ContextStore): Route[] {
  async function requireAgent(project: Project, name: string): Promise<RunnableAgent> {
    const agent = await findAgent(db, project, name);
    if (!agent) throw new AppError('not_found');
    return agent;
  }

  return [
    route(listContexts, async ({ caller, params, query }) => ({
      body: await contexts.list(caller, await requireAgent(caller.project, params.agent_name), query),
    })),

    route(getContext, async ({ caller, params }) => {
      const agent = await requireAgent(caller.project, params.agent_name);
      const found = await contexts.find(caller, agent, params.context_id);
      if (!found) throw new AppError('not_found');
      return { body: found, digest: true };
    }),
  ];
}
