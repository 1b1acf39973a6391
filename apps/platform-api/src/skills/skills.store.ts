import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import {
  changeSkillRecord,
  createSkillRecord,
  raiseAgents,
  SKILL_COLUMNS,
  toSkillRecord,
  type Skill,
  type SkillRow,
} from '@millwright/catalog';
import { addToCount, decodeId, lockRecord, type Database, type Target, type Tx, type Versioned } from '@millwright/db';
import type { ListQuery } from '../lists/list.contract.js';
import { findRecord, listRecords, type RecordSource } from '../lists/list.store.js';

const SKILLS: RecordSource<SkillRow, Versioned<Skill>> = {
  kind: 'skills',
  prefix: 'sk',
  columns: SKILL_COLUMNS,
  toShown: toSkillRecord,
};

/** The only file that reads and writes skills for area B. Every function sees one project and nothing else. */
export function createSkillStore(db: Database) {
  return {
    find: (project: Project, id: string) => findRecord(db, SKILLS, project, id),

    list: (project: Project, query: ListQuery) => listRecords(db, SKILLS, project, query),

    /** The skills assigned to an agent, by the agent's id. */
    listOfAgent: (project: Project, agentId: string, query: ListQuery) =>
      listRecords(db, SKILLS, project, query, {
        name: 'agent',
        sql: 'id IN (SELECT skill_id FROM agent_skills WHERE agent_id = $4)',
        uuid: decodeId('ag', agentId) ?? '',
      }),

    async read(tx: Tx, uuid: string): Promise<Skill> {
      return toSkillRecord(await tx.skill.findUniqueOrThrow({ where: { id: uuid } })).record;
    },

    create: createSkillRecord,
    change: changeSkillRecord,

    /** Agents that use it lose it, which is a change of theirs. */
    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'skills', project, decodeId('sk', target.id), target.ifMatch);
      const users = await tx.agentSkill.findMany({ where: { skill_id: current.id }, select: { agent_id: true } });
      await tx.skill.delete({ where: { id: current.id } });
      await raiseAgents(
        tx,
        actor,
        users.map((use) => use.agent_id),
      );
      await addToCount(tx, { project, kind: 'skills', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'skill.delete', resource: target.id, project });
    },
  };
}
export type SkillStore = ReturnType<typeof createSkillStore>;
