import { requireFound, route, type Route } from '@millwright/http';
import * as contract from './tool-rules.contract.js';
import type { ToolRuleStore } from './tool-rules.store.js';

export function toolRuleRoutes(rules: ToolRuleStore): Route[] {
  return [
    route(contract.getToolPolicy, async ({ caller }) => ({ body: await rules.policy(caller.project) })),

    route(contract.putToolPolicy, ({ caller, body, commit }) =>
      commit(async (tx) => ({ body: await rules.setPolicy(tx, caller, body) })),
    ),

    route(contract.listToolRules, async ({ caller, params }) => ({
      body: { items: requireFound(await rules.listTools(caller.project, params.server_id)) },
    })),

    route(contract.putToolRules, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => ({
        body: { items: await rules.setToolRules(tx, caller, { id: params.server_id, ifMatch }, body) },
      })),
    ),

    route(contract.getPluginRule, async ({ caller, params }) => ({
      body: requireFound(await rules.findPluginRule(caller.project, params.plugin_id)),
    })),

    route(contract.getAgentRule, async ({ caller, params }) => ({
      body: requireFound(await rules.findAgentRule(caller.project, params.agent_id)),
    })),

    route(contract.putAgentRule, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => ({
        body: await rules.setAgentRule(tx, caller, { id: params.agent_id, ifMatch }, body),
      })),
    ),

    route(contract.putPluginRule, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => ({
        body: await rules.setPluginRule(tx, caller, { id: params.plugin_id, ifMatch }, body),
      })),
    ),
  ];
}
