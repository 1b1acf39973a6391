import { NewSkill, Skill, SkillChanges, SkillReplacement } from '@millwright/catalog';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

export { NewSkill, Skill, SkillChanges, SkillReplacement, SkillState } from '@millwright/catalog';

const params = z.object({ skill_id: z.string() });
const one = { status: 200, description: 'The skill', body: Skill } as const;

const skills = { tag: 'Skills', limit: 'credential' } as const;

export const listSkills = endpoint({
  ...skills,
  operationId: 'listSkills',
  method: 'GET',
  path: '/api/v1/skills',
  summary: 'List skills',
  access: { scope: 'skills:read' },
  query: ListQuery,
  success: { status: 200, description: 'A page of skills', body: listOf(Skill) },
  errors: [],
});

export const createSkill = endpoint({
  ...skills,
  operationId: 'createSkill',
  method: 'POST',
  path: '/api/v1/skills',
  summary: 'Create a skill',
  access: { scope: 'skills:write' },
  body: NewSkill,
  success: { status: 201, description: 'The new skill', body: Skill },
  errors: ['conflict'],
});

export const importSkill = endpoint({
  ...skills,
  operationId: 'importSkill',
  method: 'POST',
  path: '/api/v1/skills/import',
  summary: 'Import a SKILL.md as a skill',
  access: { scope: 'skills:write' },
  text: 'text/markdown',
  success: { status: 201, description: 'The new skill', body: Skill },
  errors: ['conflict'],
});

export const getSkill = endpoint({
  ...skills,
  operationId: 'getSkill',
  method: 'GET',
  path: '/api/v1/skills/{skill_id}',
  summary: 'Retrieve a skill',
  access: { scope: 'skills:read' },
  params,
  success: one,
  errors: [],
});

export const exportSkill = endpoint({
  ...skills,
  operationId: 'exportSkill',
  method: 'GET',
  path: '/api/v1/skills/{skill_id}/skill.md',
  summary: 'Export a skill as a SKILL.md',
  access: { scope: 'skills:read' },
  params,
  success: { status: 200, description: 'The skill', body: z.string(), type: 'text/markdown' },
  errors: [],
});

export const replaceSkill = endpoint({
  ...skills,
  operationId: 'replaceSkill',
  method: 'PUT',
  path: '/api/v1/skills/{skill_id}',
  summary: 'Replace a skill',
  access: { scope: 'skills:write' },
  params,
  body: SkillReplacement,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const updateSkill = endpoint({
  ...skills,
  operationId: 'updateSkill',
  method: 'PATCH',
  path: '/api/v1/skills/{skill_id}',
  summary: 'Update fields of a skill',
  access: { scope: 'skills:write' },
  params,
  body: SkillChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteSkill = endpoint({
  ...skills,
  operationId: 'deleteSkill',
  method: 'DELETE',
  path: '/api/v1/skills/{skill_id}',
  summary: 'Delete a skill. Agents that use it lose it.',
  access: { scope: 'skills:write' },
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['precondition_failed'],
});
