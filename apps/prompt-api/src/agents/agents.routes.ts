import { reply, requireFound, route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './agents.contract.js';
import type { AgentStore } from './agents.store.js';

export function agentRoutes(agents: AgentStore): Route[] {
  return [
    route(contract.createAgent, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const agent = await agents.create(tx, caller, body);
        return reply(agent, { Location: agent.record._link });
      }),
    ),

    route(contract.listAgents, async ({ caller, query }) => {
      const listed = await agents.list(caller.project, query);
      return { body: listed.items, headers: listHeaders('/v1/agent', query, listed) };
    }),

    route(contract.getAgent, async ({ caller, params }) =>
      reply(requireFound(await agents.find(caller.project, params.uuid))),
    ),

    route(contract.updateAgent, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => reply(await agents.update(tx, caller, { id: params.uuid, ifMatch }, body))),
    ),
  ];
}
