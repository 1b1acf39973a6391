import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { SkillParameters, raiseAgents, keepVersions } from '@millwright/catalog';
import {
  addToCount,
  decodeId,
  encodeId,
  conflictWhenTaken,
  lockRecord,
  moveCount,
  newId,
  type Database,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import type { ListQuery } from '../lists/list.contract.js';
import { findRecord, listRecords, type RecordSource } from '../lists/list.store.js';
import { SkillState, type NewSkill, type Skill, type SkillChanges } from './skills.contract.js';

interface SkillRow {
  id: string;
  name: string;
  description: string;
  instructions: string;
  parameters: unknown;
  status: string;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS =
  'r.id, r.name, r.description, r.instructions, r.parameters, r.status, r.version, r.created_at, r.updated_at';

export function toSkill(row: SkillRow): Versioned<Skill> {
  const { id, name, description, instructions, status, version } = row;
  return {
    version,
    record: {
      id: encodeId('sk', id),
      name,
      description,
      instructions,
      parameters: SkillParameters.parse(row.parameters),
      status: status === 'active' ? 'active' : 'inactive',
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    },
  };
}

const keep = (tx: Tx, actor: Caller['actor'], skill: Versioned<Skill>) =>
  keepVersions(tx, 'skill', actor, [{ ...skill, state: SkillState.parse(skill.record) }]);

const SKILLS: RecordSource<SkillRow, Versioned<Skill>> = {
  kind: 'skills',
  prefix: 'sk',
  columns: COLUMNS,
  toShown: toSkill,
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
      return toSkill(await tx.skill.findUniqueOrThrow({ where: { id: uuid } })).record;
    },

    async create(tx: Tx, { project, actor }: Caller, input: NewSkill): Promise<Versioned<Skill>> {
      const row = await tx.skill
        .create({ data: { ...input, id: newId(), project, created_by: actor.userId, ...times() } })
        .catch(conflictWhenTaken);
      const skill = toSkill(row);
      await addToCount(tx, { project, kind: 'skills', status: row.status }, 1);
      await recordDecision(tx, {
        actor,
        action: 'skill.create',
        resource: skill.record.id,
        project,
        detail: { name: row.name },
      });
      await keep(tx, actor, skill);
      return skill;
    },

    /** Sets these fields. Without any, the record stays as it is. */
    async change(tx: Tx, { project, actor }: Caller, target: Target, changes: SkillChanges): Promise<Versioned<Skill>> {
      const current = await lockRecord(tx, 'skills', project, decodeId('sk', target.id), target.ifMatch);
      if (Object.keys(changes).length === 0)
        return toSkill(await tx.skill.findUniqueOrThrow({ where: { id: current.id } }));
      const row = await tx.skill
        .update({
          where: { id: current.id },
          data: { ...changes, version: { increment: 1 }, updated_at: new Date() },
        })
        .catch(conflictWhenTaken);
      await moveCount(tx, { project, kind: 'skills', status: current.status }, row.status);
      const detail = { fields: Object.keys(changes) };
      await recordDecision(tx, { actor, action: 'skill.update', resource: target.id, project, detail });
      const skill = toSkill(row);
      await keep(tx, actor, skill);
      return skill;
    },

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

function times() {
  const now = new Date();
  return { created_at: now, updated_at: now };
}
