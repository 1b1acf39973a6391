import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { AGENT_COLUMNS, MOST_SKILLS, raiseAgents, toAgentRecord, type Agent, type AgentRow } from '@millwright/catalog';
import {
  addToCount,
  decodeId,
  encodeId,
  lockRecord,
  type Database,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { ListQuery } from '../lists/list.contract.js';
import { findRecord, listRecords, type RecordSource } from '../lists/list.store.js';

const AGENTS: RecordSource<AgentRow, Versioned<Agent>> = {
  kind: 'agents',
  prefix: 'ag',
  columns: AGENT_COLUMNS,
  toShown: toAgentRecord,
};

/** The only file that reads and writes agents for area B. Every function sees one project and nothing else. */
export function createAgentStore(db: Database) {
  return {
    find: (project: Project, id: string) => findRecord(db, AGENTS, project, id),

    list: (project: Project, query: ListQuery) => listRecords(db, AGENTS, project, query),

    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
      await tx.agent.delete({ where: { id: current.id } });
      await addToCount(tx, { project, kind: 'agents', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'agent.delete', resource: target.id, project });
    },

    /** Adds the skill after the others. `false` when the agent has it already. */
    async assignSkill(tx: Tx, { project, actor }: Caller, target: Target, skillUuid: string): Promise<boolean> {
      const current = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
      const added = await tx.$executeRaw`
        INSERT INTO agent_skills (agent_id, skill_id, position)
        SELECT ${current.id}::uuid, ${skillUuid}::uuid, coalesce(max(position) + 1, 0) FROM agent_skills WHERE agent_id = ${current.id}::uuid
        ON CONFLICT DO NOTHING`;
      if (added === 0) return false;
      const skills = await tx.agentSkill.count({ where: { agent_id: current.id } });
      if (skills > MOST_SKILLS)
        throw invalidField('skill_id', `is one too many: an agent has at most ${MOST_SKILLS} skills`);
      await raiseAgents(tx, actor, [current.id]);
      const detail = { skill_id: encodeId('sk', skillUuid) };
      await recordDecision(tx, { actor, action: 'agent.assign_skill', resource: target.id, project, detail });
      return true;
    },

    /** @throws AppError not_found when the agent does not have it. */
    async removeSkill(tx: Tx, { project, actor }: Caller, target: Target, skillId: string): Promise<void> {
      const current = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
      const skillUuid = decodeId('sk', skillId);
      const removed =
        skillUuid && (await tx.agentSkill.deleteMany({ where: { agent_id: current.id, skill_id: skillUuid } })).count;
      if (!removed) throw new AppError('not_found');
      await raiseAgents(tx, actor, [current.id]);
      const detail = { skill_id: skillId };
      await recordDecision(tx, { actor, action: 'agent.remove_skill', resource: target.id, project, detail });
    },
  };
}
export type AgentStore = ReturnType<typeof createAgentStore>;
