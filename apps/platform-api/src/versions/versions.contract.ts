import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Agent, AgentState } from '../agents/agents.contract.js';
import { listOf, wholeNumber } from '../lists/list.contract.js';
import { Skill, SkillState } from '../skills/skills.contract.js';

/** A record as it was from `at` until its next version. */
const versionOf = <State extends z.ZodType>(state: State) =>
  z.object({
    version: z.int(),
    at: z.string(),
    /** The accountable user, and the surface they acted through. */
    by: z.object({ user_id: z.string(), actor_kind: z.enum(['user', 'job', 'mcp']), actor_id: z.string() }),
    /** The fields that differ from the version before; all of them in the first. */
    changed: z.array(z.string()),
    state,
  });
export const SkillVersion = versionOf(SkillState);
export const AgentVersion = versionOf(AgentState);
export type Version = Omit<z.output<typeof SkillVersion>, 'state'> & { state: unknown };

/** Newest first. */
export const VersionQuery = z.object({
  page: wholeNumber(1, 10_000_000).default(1),
  per_page: wholeNumber(1, 100).default(20),
});
export type VersionQuery = z.output<typeof VersionQuery>;

const n = wholeNumber(1, 2_147_483_647);
const ofSkill = z.object({ skill_id: z.string() });
const ofAgent = z.object({ agent_id: z.string() });

export const listSkillVersions = endpoint({
  operationId: 'listSkillVersions',
  method: 'GET',
  path: '/api/v1/skills/{skill_id}/versions',
  summary: 'List the versions of a skill',
  tag: 'Skills',
  scope: 'skills:read',
  limit: 'credential',
  params: ofSkill,
  query: VersionQuery,
  success: { status: 200, description: 'A page of versions, newest first', body: listOf(SkillVersion) },
  errors: [],
});

export const getSkillVersion = endpoint({
  operationId: 'getSkillVersion',
  method: 'GET',
  path: '/api/v1/skills/{skill_id}/versions/{version}',
  summary: 'Retrieve a version of a skill',
  tag: 'Skills',
  scope: 'skills:read',
  limit: 'credential',
  params: ofSkill.extend({ version: n }),
  success: { status: 200, description: 'The version', body: SkillVersion },
  errors: [],
});

export const restoreSkillVersion = endpoint({
  operationId: 'restoreSkillVersion',
  method: 'POST',
  path: '/api/v1/skills/{skill_id}/versions/{version}/restore',
  summary: 'Restore a version of a skill as a new one',
  tag: 'Skills',
  scope: 'skills:write',
  limit: 'credential',
  params: ofSkill.extend({ version: n }),
  success: { status: 201, description: 'The skill in its new version', body: Skill },
  errors: ['conflict', 'precondition_failed'],
});

export const listAgentVersions = endpoint({
  operationId: 'listAgentVersions',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}/versions',
  summary: 'List the versions of an agent',
  tag: 'Agents',
  scope: 'agents:read',
  limit: 'credential',
  params: ofAgent,
  query: VersionQuery,
  success: { status: 200, description: 'A page of versions, newest first', body: listOf(AgentVersion) },
  errors: [],
});

export const getAgentVersion = endpoint({
  operationId: 'getAgentVersion',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}/versions/{version}',
  summary: 'Retrieve a version of an agent',
  tag: 'Agents',
  scope: 'agents:read',
  limit: 'credential',
  params: ofAgent.extend({ version: n }),
  success: { status: 200, description: 'The version', body: AgentVersion },
  errors: [],
});

export const restoreAgentVersion = endpoint({
  operationId: 'restoreAgentVersion',
  method: 'POST',
  path: '/api/v1/agents/{agent_id}/versions/{version}/restore',
  summary: 'Restore a version of an agent as a new one',
  tag: 'Agents',
  scope: 'agents:write',
  limit: 'credential',
  params: ofAgent.extend({ version: n }),
  success: { status: 201, description: 'The agent in its new version', body: Agent },
  errors: ['conflict', 'precondition_failed'],
});
