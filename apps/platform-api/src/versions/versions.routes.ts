import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { Database, Tx } from '@millwright/db';
import { reply, requireFound, route, type Route } from '@millwright/http';
import { AgentReplacement } from '../agents/agents.contract.js';
import { recordRefusal, type AgentRules } from '@millwright/catalog';
import { listReply } from '../lists/list-reply.js';
import { SkillReplacement } from '../skills/skills.contract.js';
import type { SkillStore } from '../skills/skills.store.js';
import * as contract from './versions.contract.js';
import type { VersionStore } from './versions.store.js';

/**
 * Routes that list, read and restore versions. A restore replaces the record by its earlier state, as a PUT would; a field that did not exist yet
 * gets its default.
 */
export function versionRoutes(db: Database, versions: VersionStore, skills: SkillStore, agents: AgentRules): Route[] {
  return [
    route(contract.listSkillVersions, async ({ caller, params: { skill_id: id }, query }) => {
      const listed = requireFound(await versions.list('skill', caller.project, id, query));
      return listReply(`/api/v1/skills/${id}/versions`, query, listed);
    }),

    route(contract.getSkillVersion, async ({ caller, params }) => ({
      body: requireFound(await versions.find('skill', caller.project, params.skill_id, params.version)),
    })),

    route(contract.restoreSkillVersion, async ({ caller, params, ifMatch, commit }) => {
      const { skill_id: id, version: earlier } = params;
      const { state } = requireFound(await versions.find('skill', caller.project, id, earlier));
      return commit(async (tx) => {
        const restored = await skills.change(tx, caller, { id, ifMatch }, SkillReplacement.parse(state));
        await recordRestore(tx, caller, 'skill.restore', id, earlier);
        return reply(restored, { Location: `/api/v1/skills/${id}/versions/${restored.version}` });
      });
    }),

    route(contract.listAgentVersions, async ({ caller, params: { agent_id: id }, query }) => {
      const listed = requireFound(await versions.list('agent', caller.project, id, query));
      return listReply(`/api/v1/agents/${id}/versions`, query, listed);
    }),

    route(contract.getAgentVersion, async ({ caller, params }) => ({
      body: requireFound(await versions.find('agent', caller.project, params.agent_id, params.version)),
    })),

    route(contract.restoreAgentVersion, async ({ caller, params, ifMatch, commit }) => {
      const { agent_id: id, version: earlier } = params;
      const { state } = requireFound(await versions.find('agent', caller.project, id, earlier));
      return recordRefusal(db, caller, { action: 'agent.restore', resource: id }, () =>
        commit(async (tx) => {
          const restored = await agents.replace(tx, caller, { id, ifMatch }, AgentReplacement.parse(state));
          await recordRestore(tx, caller, 'agent.restore', id, earlier);
          return reply(restored, { Location: `/api/v1/agents/${id}/versions/${restored.version}` });
        }),
      );
    }),
  ];
}

function recordRestore(tx: Tx, { project, actor }: Caller, action: string, resource: string, version: number) {
  return recordDecision(tx, { actor, action, resource, project, detail: { version } });
}
