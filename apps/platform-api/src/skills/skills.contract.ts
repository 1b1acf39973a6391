import { NewSkill, Skill, SkillChanges, SkillReplacement } from '@millwright/catalog';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

export { NewSkill, Skill, SkillChanges, SkillReplacement, SkillState } from '@millwright/catalog';

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
