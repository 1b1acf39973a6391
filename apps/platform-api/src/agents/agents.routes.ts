import { recordRefusal, resolveUsed, type AgentRules } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { reply, requireFound, route, type Route } from '@millwright/http';
import type { SkillStore } from '../skills/skills.store.js';
import { listReply } from '../lists/list-reply.js';
import * as contract from './agents.contract.js';
import type { AgentStore } from './agents.store.js';
import { markDefaultAgent, unmarkDefaultAgent } from './default-agent.store.js';

export function agentRoutes(db: Database, agents: AgentStore, rules: AgentRules, skills: SkillStore): Route[] {
  return [
    route(contract.listAgents, async ({ caller, query }) =>
      listReply('/api/v1/agents', query, await agents.list(caller.project, query)),
    ),

    route(contract.createAgent, ({ caller, body, commit }) =>
      recordRefusal(db, caller, { action: 'agent.create', resource: 'agent' }, () =>
        commit(async (tx) => {
          const created = await rules.create(tx, caller, body);
          return reply(created, { Location: `/api/v1/agents/${created.record.id}` });
        }),
      ),
    ),

    route(contract.getAgent, async ({ caller, params }) =>
      reply(requireFound(await agents.find(caller.project, params.agent_id))),
    ),

    route(contract.replaceAgent, ({ caller, params, body, ifMatch, commit }) =>
      recordRefusal(db, caller, { action: 'agent.update', resource: params.agent_id }, () =>
        commit(async (tx) => reply(await rules.replace(tx, caller, { id: params.agent_id, ifMatch }, body))),
      ),
    ),

    route(contract.updateAgent, ({ caller, params, body, ifMatch, commit }) =>
      recordRefusal(db, caller, { action: 'agent.update', resource: params.agent_id }, () =>
        commit(async (tx) => reply(await rules.change(tx, caller, { id: params.agent_id, ifMatch }, body))),
      ),
    ),

    route(contract.deleteAgent, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await agents.remove(tx, caller, { id: params.agent_id, ifMatch });
        return {};
      }),
    ),

    route(contract.listAgentSkills, async ({ caller, params, query }) => {
      requireFound(await agents.find(caller.project, params.agent_id));
      const listed = await skills.listOfAgent(caller.project, params.agent_id, query);
      return listReply(`/api/v1/agents/${params.agent_id}/skills`, query, listed);
    }),

    route(contract.assignSkill, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => {
        const uuid = (await resolveUsed(tx, 'skills', caller.project, [body.skill_id])).get(body.skill_id);
        if (!uuid) throw invalidField('skill_id', `${body.skill_id} does not exist`);
        const added = await agents.assignSkill(tx, caller, { id: params.agent_id, ifMatch }, uuid);
        const { record: skill } = await skills.read(tx, uuid);
        return added
          ? { body: skill, headers: { Location: `/api/v1/skills/${body.skill_id}` } }
          : { body: skill, status: 200 };
      }),
    ),

    route(contract.removeAgentSkill, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await agents.removeSkill(tx, caller, { id: params.agent_id, ifMatch }, params.skill_id);
        return {};
      }),
    ),

    route(contract.markDefaultAgent, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => reply(await markDefaultAgent(tx, caller, { id: params.agent_id, ifMatch }))),
    ),

    route(contract.unmarkDefaultAgent, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await unmarkDefaultAgent(tx, caller, { id: params.agent_id, ifMatch });
        return {};
      }),
    ),
  ];
}
