import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import type { Models, ProjectModels } from '@millwright/models';
import { a2aUrl } from './a2a-interfaces.js';
import { nextLink } from '../lists/registry-page.js';
import { listAgents as listAgentsOf, type ListedAgent } from './agents.store.js';
import { findAgent } from './find-agent.js';
import { getAgent, listAgents, releaseAgent, stopAgent, type RegistryEntry } from './agents.contract.js';
import type { AgentStop, Stopped } from './stop-agent.js';

export function agentRoutes(db: Database, models: ProjectModels, runtimeUrl: string, atWork: AgentStop): Route[] {
  const entry = (agent: ListedAgent, present: Models): RegistryEntry => ({
    name: agent.slug,
    status: statusOf(agent, present),
    endpoint: a2aUrl(runtimeUrl, agent.slug),
    capabilities: agent.skills,
  });

  return [
    route(listAgents, async ({ caller, query }) => {
      const { agents, total } = await listAgentsOf(db, caller.project, query);
      const present = await models.of(caller.project);
      return {
        body: { agents: agents.map((agent) => entry(agent, present)) },
        headers: nextLink(listAgents.path, query, agents.length, total),
      };
    }),

    route(getAgent, async ({ caller, params }) => {
      const agent = await findAgent(db, caller.project, params.agent_name);
      if (!agent) throw new AppError('not_found');
      const skills = agent.skills.map(({ name, description }) => ({ name, description }));
      const stopped_at = agent.stopped_at?.toISOString() ?? null;
      const present = await models.of(caller.project);
      const listed = entry({ ...agent, skills: agent.skills.map(({ name }) => name) }, present);
      return { body: { ...listed, description: agent.description, skills, stopped_at }, digest: true };
    }),

    route(stopAgent, async ({ caller, params, commit }) => {
      let stopped: Stopped | undefined;
      const reply = await commit(async (tx) => {
        stopped = await atWork.stop(tx, caller, params.agent_name);
        return { body: stopped.body };
      });
      if (stopped) await atWork.cancelRuns(stopped);
      return reply;
    }),

    route(releaseAgent, ({ caller, params, commit }) =>
      commit(async (tx) => ({ body: (await atWork.release(tx, caller, params.agent_name)).body })),
    ),
  ];
}

function statusOf(agent: ListedAgent, models: Models): RegistryEntry['status'] {
  if (agent.status === 'inactive' || agent.is_stopped) return 'stopped';
  return models.reachable(agent.model ?? undefined) ? 'running' : 'degraded';
}
