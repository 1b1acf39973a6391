import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './agents.contract.js';
import type { AgentStore } from './agents.store.js';

export function agentRoutes(agents: AgentStore): Route[] {
  return [
    route(contract.createAgent, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const agent = await agents.create(tx, caller, body);
        return { body: agent, version: agent.metadata.version, headers: { Location: agent._link } };
      }),
    ),

    route(contract.listAgents, async ({ caller, query }) => {
      const { agents: page, total } = await agents.list(caller.project, query);
      return { body: page, headers: listHeaders('/v1/agent', query, total) };
    }),

    route(contract.getAgent, async ({ caller, params }) => {
      const agent = await agents.find(caller.project, params.uuid);
      if (!agent) throw new AppError('not_found');
      return { body: agent, version: agent.metadata.version };
    }),

    route(contract.updateAgent, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => {
        const agent = await agents.update(tx, caller, { id: params.uuid, ifMatch }, body);
        return { body: agent, version: agent.metadata.version };
      }),
    ),
  ];
}
