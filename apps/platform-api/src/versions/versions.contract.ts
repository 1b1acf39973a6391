import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Agent, AgentState } from '../agents/agents.contract.js';
import { wholeNumber } from '@millwright/records';
import { listOf, PageQuery } from '../lists/list.contract.js';
import { Skill, SkillState } from '../skills/skills.contract.js';

/** A version of a record: the state of the record from `at` until its next version. */
const versionOf = <State extends z.ZodType>(state: State) =>
  z.object({
    version: z.int(),
    at: z.string(),
    /** The user who is accountable for the change, and the actor that made the change for this user. */
    by: z.object({ user_id: z.string(), actor_kind: z.enum(['user', 'job', 'mcp']), actor_id: z.string() }),
    /** The fields that differ from the previous version; the first version names all fields. */
    changed: z.array(z.string()),
    state,
  });
export const SkillVersion = versionOf(SkillState);
export const AgentVersion = versionOf(AgentState);
export type Version = Omit<z.output<typeof SkillVersion>, 'state'> & { state: unknown };

const n = wholeNumber(1, 2_147_483_647);
const ofSkill = z.object({ skill_id: z.string() });
const ofAgent = z.object({ agent_id: z.string() });

const skills = { tag: 'Skills', limit: 'credential' } as const;
const agents = { tag: 'Agents', limit: 'credential' } as const;

export const listSkillVersions = endpoint({
  ...skills,
  operationId: 'listSkillVersions',
  method: 'GET',
  path: '/api/v1/skills/{skill_id}/versions',
  summary: 'List the versions of a skill',
  access: { scope: 'skills:read' },
  params: ofSkill,
  query: PageQuery,
  success: { status: 200, description: 'A page of versions, newest first', body: listOf(SkillVersion) },
  errors: [],
});

export const getSkillVersion = endpoint({
  ...skills,
  operationId: 'getSkillVersion',
  method: 'GET',
  path: '/api/v1/skills/{skill_id}/versions/{version}',
  summary: 'Retrieve a version of a skill',
  access: { scope: 'skills:read' },
  params: ofSkill.extend({ version: n }),
  success: { status: 200, description: 'The version', body: SkillVersion },
  errors: [],
});

export const restoreSkillVersion = endpoint({
  ...skills,
  operationId: 'restoreSkillVersion',
  method: 'POST',
  path: '/api/v1/skills/{skill_id}/versions/{version}/restore',
  summary: 'Restore a version of a skill as a new one',
  access: { scope: 'skills:write' },
  params: ofSkill.extend({ version: n }),
  success: { status: 201, description: 'The skill in its new version', body: Skill },
  errors: ['conflict', 'precondition_failed'],
});

export const listAgentVersions = endpoint({
  ...agents,
  operationId: 'listAgentVersions',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}/versions',
  summary: 'List the versions of an agent',
  access: { scope: 'agents:read' },
  params: ofAgent,
  query: PageQuery,
  success: { status: 200, description: 'A page of versions, newest first', body: listOf(AgentVersion) },
  errors: [],
});

export const getAgentVersion = endpoint({
  ...agents,
  operationId: 'getAgentVersion',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}/versions/{version}',
  summary: 'Retrieve a version of an agent',
  access: { scope: 'agents:read' },
  params: ofAgent.extend({ version: n }),
  success: { status: 200, description: 'The version', body: AgentVersion },
  errors: [],
});

export const restoreAgentVersion = endpoint({
  ...agents,
  operationId: 'restoreAgentVersion',
  method: 'POST',
  path: '/api/v1/agents/{agent_id}/versions/{version}/restore',
  summary: 'Restore a version of an agent as a new one',
  access: { scope: 'agents:write' },
  params: ofAgent.extend({ version: n }),
  success: { status: 201, description: 'The agent in its new version', body: Agent },
  errors: ['conflict', 'precondition_failed', 'step_up_required'],
});
