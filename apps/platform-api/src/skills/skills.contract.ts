import { SkillParameters } from '@millwright/catalog';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

const Status = z.enum(['active', 'inactive']);

/** Spec, "Skill". */
export const Skill = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  parameters: SkillParameters,
  status: Status,
  created_at: z.string(),
  updated_at: z.string(),
});
export type Skill = z.output<typeof Skill>;

const fields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000),
  instructions: z.string().min(1).max(100_000),
  parameters: SkillParameters,
};
export const NewSkill = z.strictObject({ ...fields, parameters: SkillParameters.default({}) });
export type NewSkill = z.output<typeof NewSkill>;

/** A replacement is whole: what is left out goes to its default. */
export const SkillReplacement = z.strictObject({ ...NewSkill.shape, status: Status.default('active') });
export const SkillChanges = z.strictObject({ ...fields, status: Status }).partial();
export type SkillChanges = z.output<typeof SkillChanges>;

/** What a version of it holds: what requests may set. */
export const SkillState = Skill.omit({ id: true, created_at: true, updated_at: true });

const params = z.object({ skill_id: z.string() });
const one = { status: 200, description: 'The skill', body: Skill } as const;

export const listSkills = endpoint({
  operationId: 'listSkills',
  method: 'GET',
  path: '/api/v1/skills',
  summary: 'List skills',
  tag: 'Skills',
  scope: 'skills:read',
  limit: 'credential',
  query: ListQuery,
  success: { status: 200, description: 'A page of skills', body: listOf(Skill) },
  errors: [],
});

export const createSkill = endpoint({
  operationId: 'createSkill',
  method: 'POST',
  path: '/api/v1/skills',
  summary: 'Create a skill',
  tag: 'Skills',
  scope: 'skills:write',
  limit: 'credential',
  body: NewSkill,
  success: { status: 201, description: 'The new skill', body: Skill },
  errors: ['conflict'],
});

export const importSkill = endpoint({
  operationId: 'importSkill',
  method: 'POST',
  path: '/api/v1/skills/import',
  summary: 'Import a SKILL.md as a skill',
  tag: 'Skills',
  scope: 'skills:write',
  limit: 'credential',
  text: 'text/markdown',
  success: { status: 201, description: 'The new skill', body: Skill },
  errors: ['conflict'],
});

export const getSkill = endpoint({
  operationId: 'getSkill',
  method: 'GET',
  path: '/api/v1/skills/{skill_id}',
  summary: 'Retrieve a skill',
  tag: 'Skills',
  scope: 'skills:read',
  limit: 'credential',
  params,
  success: one,
  errors: [],
});

export const exportSkill = endpoint({
  operationId: 'exportSkill',
  method: 'GET',
  path: '/api/v1/skills/{skill_id}/skill.md',
  summary: 'Export a skill as a SKILL.md',
  tag: 'Skills',
  scope: 'skills:read',
  limit: 'credential',
  params,
  success: { status: 200, description: 'The skill', body: z.string(), type: 'text/markdown' },
  errors: [],
});

export const replaceSkill = endpoint({
  operationId: 'replaceSkill',
  method: 'PUT',
  path: '/api/v1/skills/{skill_id}',
  summary: 'Replace a skill entirely',
  tag: 'Skills',
  scope: 'skills:write',
  limit: 'credential',
  params,
  body: SkillReplacement,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const updateSkill = endpoint({
  operationId: 'updateSkill',
  method: 'PATCH',
  path: '/api/v1/skills/{skill_id}',
  summary: 'Update fields of a skill',
  tag: 'Skills',
  scope: 'skills:write',
  limit: 'credential',
  params,
  body: SkillChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteSkill = endpoint({
  operationId: 'deleteSkill',
  method: 'DELETE',
  path: '/api/v1/skills/{skill_id}',
  summary: 'Delete a skill; agents lose it',
  tag: 'Skills',
  scope: 'skills:write',
  limit: 'credential',
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['precondition_failed'],
});
