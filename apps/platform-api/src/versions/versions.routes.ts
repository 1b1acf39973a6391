import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { AgentReplacement } from '../agents/agents.contract.js';
import type { AgentRules } from '@millwright/catalog';
import { SkillReplacement } from '../skills/skills.contract.js';
import type { SkillStore } from '../skills/skills.store.js';
import * as contract from './versions.contract.js';
import type { VersionStore } from './versions.store.js';

/** A restored record is a replacement by what it was: the same rules hold, and what was not there yet goes to its default. */
export function versionRoutes(versions: VersionStore, skills: SkillStore, agents: AgentRules): Route[] {
  const found = <Shown>(shown: Shown | undefined): Shown => {
    if (!shown) throw new AppError('not_found');
    return shown;
  };

  return [
    route(contract.listSkillVersions, async ({ caller, params, query }) => ({
      body: found(await versions.list('skill', caller.project, params.skill_id, query)),
    })),

    route(contract.getSkillVersion, async ({ caller, params }) => ({
      body: found(await versions.find('skill', caller.project, params.skill_id, params.version)),
    })),

    route(contract.restoreSkillVersion, async ({ caller, params, ifMatch, commit }) => {
      const { skill_id: id, version: earlier } = params;
      const { state } = found(await versions.find('skill', caller.project, id, earlier));
      return commit(async (tx) => {
        const { record, version } = await skills.change(tx, caller, { id, ifMatch }, SkillReplacement.parse(state));
        await recordRestore(tx, caller, 'skill.restore', id, earlier);
        return { body: record, version, headers: { Location: `/api/v1/skills/${id}/versions/${version}` } };
      });
    }),

    route(contract.listAgentVersions, async ({ caller, params, query }) => ({
      body: found(await versions.list('agent', caller.project, params.agent_id, query)),
    })),

    route(contract.getAgentVersion, async ({ caller, params }) => ({
      body: found(await versions.find('agent', caller.project, params.agent_id, params.version)),
    })),

    route(contract.restoreAgentVersion, async ({ caller, params, ifMatch, commit }) => {
      const { agent_id: id, version: earlier } = params;
      const { state } = found(await versions.find('agent', caller.project, id, earlier));
      return commit(async (tx) => {
        const { record, version } = await agents.change(tx, caller, { id, ifMatch }, AgentReplacement.parse(state));
        await recordRestore(tx, caller, 'agent.restore', id, earlier);
        return { body: record, version, headers: { Location: `/api/v1/agents/${id}/versions/${version}` } };
      });
    }),
  ];
}

function recordRestore(tx: Tx, { project, actor }: Caller, action: string, resource: string, version: number) {
  return recordDecision(tx, { actor, action, resource, project, detail: { version } });
}
