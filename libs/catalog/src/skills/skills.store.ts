import type { Caller } from '@millwright/auth';
import { encodeId, type Target, type Tx, type Versioned } from '@millwright/db';
import { defineRecords } from '@millwright/records';
import { removeUsed } from '../agents/agents.store.js';
import { keepVersions } from '../versions.store.js';
import { SkillParameters } from './skill-parameters.schema.js';
import { SkillState, type NewSkill, type Skill, type SkillChanges } from './skills.schema.js';

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

function toResponse({ id, name, description, instructions, parameters, status, ...row }: SkillRow): Skill {
  return {
    id: encodeId('sk', id),
    name,
    description,
    instructions,
    parameters: SkillParameters.parse(parameters),
    status: status === 'active' ? 'active' : 'inactive',
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Skills in the form of the platform API's answers and of their stored versions. */
export const SKILLS = defineRecords<SkillRow, Skill>({
  table: 'skills',
  prefix: 'sk',
  noun: 'skill',
  columns: 'r.id, r.name, r.description, r.instructions, r.parameters, r.status, r.version, r.created_at, r.updated_at',
  bytes: 'octet_length(r.instructions) + octet_length(r.description) + octet_length(r.parameters::text)',
  toResponse,
});

async function keepVersion(tx: Tx, { actor }: Caller, row: SkillRow): Promise<Versioned<Skill>> {
  const skill = SKILLS.toVersioned(row);
  await keepVersions(tx, 'skill', actor, [{ ...skill, state: SkillState.parse(skill.record) }]);
  return skill;
}

export async function readSkillRecord(tx: Tx, uuid: string): Promise<Versioned<Skill>> {
  return SKILLS.toVersioned(await tx.skill.findUniqueOrThrow({ where: { id: uuid } }));
}

/**
 * Creates a skill, its first version and its audit row, and increments the total of skills.
 * @throws AppError conflict when the project has a skill of that name
 */
export async function createSkillRecord(tx: Tx, caller: Caller, input: NewSkill): Promise<Versioned<Skill>> {
  const row = await SKILLS.create(
    tx,
    caller,
    (columns) => tx.skill.create({ data: { ...input, ...columns } }),
    ({ name }) => ({ name }),
  );
  return keepVersion(tx, caller, row);
}

/**
 * Sets the given fields. When no field is given, the record stays unchanged.
 * @throws AppError not_found when the skill does not exist, precondition_failed when `If-Match` names other versions,
 * conflict when the name is taken
 */
export async function changeSkillRecord(
  tx: Tx,
  caller: Caller,
  target: Target,
  changes: SkillChanges,
): Promise<Versioned<Skill>> {
  const current = await SKILLS.lock(tx, caller, target);
  const fields = Object.keys(changes);
  if (fields.length === 0) return readSkillRecord(tx, current.id);
  const row = await SKILLS.change(
    tx,
    caller,
    current,
    (next) => tx.skill.update({ where: { id: current.id }, data: { ...changes, ...next } }),
    () => ({ fields }),
  );
  return keepVersion(tx, caller, row);
}

/** Deletes a skill. It is removed from the agents that use it, and the next version of these agents is stored. */
export const removeSkillRecord = (tx: Tx, caller: Caller, target: Target): Promise<void> =>
  removeUsed(tx, caller, target, 'skills', SKILLS);
