import { Agent, AgentChanges, AgentReplacement, NewAgent, Skill } from '@millwright/catalog';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

export { Agent, AgentChanges, AgentReplacement, AgentState, NewAgent } from '@millwright/catalog';

export const Assignment = z.strictObject({ skill_id: z.string().max(100) });

const params = z.object({ agent_id: z.string() });
const one = { status: 200, description: 'The agent', body: Agent } as const;

export const listAgents = endpoint({
  operationId: 'listAgents',
  method: 'GET',
  path: '/api/v1/agents',
  summary: 'List agents',
  tag: 'Agents',
  scope: 'agents:read',
  limit: 'credential',
  query: ListQuery,
  success: { status: 200, description: 'A page of agents', body: listOf(Agent) },
  errors: [],
});

export const createAgent = endpoint({
  operationId: 'createAgent',
  method: 'POST',
  path: '/api/v1/agents',
  summary: 'Create an agent',
  tag: 'Agents',
  scope: 'agents:write',
  limit: 'credential',
  body: NewAgent,
  success: { status: 201, description: 'The new agent', body: Agent },
  errors: ['conflict'],
});

export const getAgent = endpoint({
  operationId: 'getAgent',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}',
  summary: 'Retrieve an agent',
  tag: 'Agents',
  scope: 'agents:read',
  limit: 'credential',
  params,
  success: one,
  errors: [],
});

export const replaceAgent = endpoint({
  operationId: 'replaceAgent',
  method: 'PUT',
  path: '/api/v1/agents/{agent_id}',
  summary: 'Replace an agent',
  tag: 'Agents',
  scope: 'agents:write',
  limit: 'credential',
  params,
  body: AgentReplacement,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const updateAgent = endpoint({
  operationId: 'updateAgent',
  method: 'PATCH',
  path: '/api/v1/agents/{agent_id}',
  summary: 'Update fields of an agent',
  tag: 'Agents',
  scope: 'agents:write',
  limit: 'credential',
  params,
  body: AgentChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteAgent = endpoint({
  operationId: 'deleteAgent',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_id}',
  summary: 'Delete an agent',
  tag: 'Agents',
  scope: 'agents:write',
  limit: 'credential',
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['precondition_failed'],
});

export const listAgentSkills = endpoint({
  operationId: 'listAgentSkills',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}/skills',
  summary: 'List skills assigned',
  tag: 'Agents',
  scope: 'agents:read',
  limit: 'credential',
  params,
  query: ListQuery,
  success: { status: 200, description: "A page of the agent's skills", body: listOf(Skill) },
  errors: [],
});

export const assignSkill = endpoint({
  operationId: 'assignSkill',
  method: 'POST',
  path: '/api/v1/agents/{agent_id}/skills',
  summary: 'Assign a skill',
  tag: 'Agents',
  scope: 'agents:write',
  limit: 'credential',
  params,
  body: Assignment,
  success: {
    status: 201,
    description: 'The skill, now assigned',
    body: Skill,
    also: { status: 200, description: 'The skill, which was assigned already' },
  },
  errors: ['precondition_failed'],
});

export const removeAgentSkill = endpoint({
  operationId: 'removeAgentSkill',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_id}/skills/{skill_id}',
  summary: 'Remove a skill from the agent',
  tag: 'Agents',
  scope: 'agents:write',
  limit: 'credential',
  params: z.object({ agent_id: z.string(), skill_id: z.string() }),
  success: { status: 204, description: 'Removed' },
  errors: ['precondition_failed'],
});

export const markDefaultAgent = endpoint({
  operationId: 'markDefaultAgent',
  method: 'PUT',
  path: '/api/v1/agents/{agent_id}/default',
  summary: "Mark the agent as the installation's default, in the place of the one that was",
  tag: 'Agents',
  scope: 'admin',
  limit: 'credential',
  params,
  success: one,
  errors: ['precondition_failed'],
});

export const unmarkDefaultAgent = endpoint({
  operationId: 'unmarkDefaultAgent',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_id}/default',
  summary: 'Take the mark away: the oldest active agent is the default then',
  tag: 'Agents',
  scope: 'admin',
  limit: 'credential',
  params,
  success: { status: 204, description: 'It is not marked any more' },
  errors: ['precondition_failed'],
});
