import type { RunnableAgent } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import type { Models } from '@millwright/models';
import { a2aUrl } from '../a2a/interfaces.js';
import { findAgent, listAgents as listAgentsOf } from './find-agent.js';
import { getAgent, listAgents, type RegistryEntry } from './agents.contract.js';

export function agentRoutes(db: Database, models: Models, runtimeUrl: string): Route[] {
  const entry = (agent: RunnableAgent): RegistryEntry => ({
    name: agent.slug,
    status: statusOf(agent, models),
    endpoint: a2aUrl(runtimeUrl, agent.slug),
    capabilities: agent.skills.map(({ name }) => name),
  });

  return [
    route(listAgents, async ({ caller }) => ({
      body: { agents: (await listAgentsOf(db, caller.project)).map(entry) },
    })),

    route(getAgent, async ({ caller, params }) => {
      const agent = await findAgent(db, caller.project, params.agent_name);
      if (!agent) throw new AppError('not_found');
      const skills = agent.skills.map(({ name, description }) => ({ name, description }));
      return { body: { ...entry(agent), description: agent.description, skills }, digest: true };
    }),
  ];
}

function statusOf(agent: RunnableAgent, models: Models): RegistryEntry['status'] {
  if (agent.status === 'inactive') return 'stopped';
  return models.reachable(agent.model ?? undefined) ? 'running' : 'degraded';
}
