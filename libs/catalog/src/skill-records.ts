import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import {
  addToCount,
  conflictWhenTaken,
  decodeId,
  encodeId,
  lockRecord,
  moveCount,
  newId,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { SkillParameters } from './skill-parameters.js';
import { SkillState, type NewSkill, type Skill, type SkillChanges } from './skill-shapes.js';
import { keepVersions } from './versions.js';

export interface SkillRow {
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

/** Select list of a skill, with `r` its row. */
export const SKILL_COLUMNS =
  'r.id, r.name, r.description, r.instructions, r.parameters, r.status, r.version, r.created_at, r.updated_at';

/** A skill as area B shows it, and as its versions keep it. */
export function toSkillRecord(row: SkillRow): Versioned<Skill> {
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

/** Creates a skill with its count, its audit row and its first version. @throws AppError conflict when the project has one of that name */
export async function createSkillRecord(
  tx: Tx,
  { project, actor }: Caller,
  input: NewSkill,
): Promise<Versioned<Skill>> {
  const now = new Date();
  const data = { ...input, id: newId(), project, created_by: actor.userId, created_at: now, updated_at: now };
  const row = await tx.skill.create({ data }).catch(conflictWhenTaken);
  const skill = toSkillRecord(row);
  const resource = skill.record.id;
  await addToCount(tx, { project, kind: 'skills', status: row.status }, 1);
  await recordDecision(tx, { actor, action: 'skill.create', resource, project, detail: { name: row.name } });
  await keep(tx, actor, skill);
  return skill;
}

/** Sets these fields. Without any, the record stays as it is. @throws AppError not_found, precondition_failed, conflict */
export async function changeSkillRecord(
  tx: Tx,
  { project, actor }: Caller,
  target: Target,
  changes: SkillChanges,
): Promise<Versioned<Skill>> {
  const current = await lockRecord(tx, 'skills', project, decodeId('sk', target.id), target.ifMatch);
  const where = { id: current.id };
  if (Object.keys(changes).length === 0) return toSkillRecord(await tx.skill.findUniqueOrThrow({ where }));
  const data = { ...changes, version: { increment: 1 }, updated_at: new Date() };
  const row = await tx.skill.update({ where, data }).catch(conflictWhenTaken);
  await moveCount(tx, { project, kind: 'skills', status: current.status }, row.status);
  const detail = { fields: Object.keys(changes) };
  await recordDecision(tx, { actor, action: 'skill.update', resource: target.id, project, detail });
  const skill = toSkillRecord(row);
  await keep(tx, actor, skill);
  return skill;
}
