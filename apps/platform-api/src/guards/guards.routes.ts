import { requireFound, route, type Route } from '@millwright/http';
import * as contract from './guards.contract.js';
import type { GuardStore } from './guards.store.js';

export function guardRoutes(guards: GuardStore): Route[] {
  return [
    route(contract.getGuards, async ({ caller }) => ({ body: await guards.ofProject(caller.project) })),

    route(contract.putGuards, ({ caller, body, commit }) =>
      commit(async (tx) => ({ body: await guards.setProject(tx, caller, body) })),
    ),

    route(contract.getAgentGuards, async ({ caller, params }) => ({
      body: requireFound(await guards.ofAgent(caller.project, params.agent_id)),
    })),

    route(contract.putAgentGuards, ({ caller, params, body, commit }) =>
      commit(async (tx) => ({ body: await guards.setAgent(tx, caller, params.agent_id, body) })),
    ),
  ];
}
