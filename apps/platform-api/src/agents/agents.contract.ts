import { Agent, AgentChanges, AgentReplacement, NewAgent, Skill } from '@millwright/catalog';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

export { Agent, AgentChanges, AgentReplacement, AgentState, NewAgent } from '@millwright/catalog';

export const Assignment = z.strictObject({ skill_id: z.string().max(100) });

const params = z.object({ agent_id: z.string() });
const one = { status: 200, description: 'The agent', body: Agent } as const;

const agents = { tag: 'Agents', limit: 'credential' } as const;

export const AgentListQuery = ListQuery.extend({
  callable_by: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Id of an agent: those that it may call, without itself and those that call it in the end' }),
});
export type AgentListQuery = z.output<typeof AgentListQuery>;

export const listAgents = endpoint({
  ...agents,
  operationId: 'listAgents',
  method: 'GET',
  path: '/api/v1/agents',
  summary: 'List agents',
  access: { scope: 'agents:read' },
  query: AgentListQuery,
  success: { status: 200, description: 'A page of agents', body: listOf(Agent) },
  errors: [],
});

export const createAgent = endpoint({
  ...agents,
  operationId: 'createAgent',
  method: 'POST',
  path: '/api/v1/agents',
  summary: 'Create an agent',
  access: { scope: 'agents:write' },
  body: NewAgent,
  success: { status: 201, description: 'The new agent', body: Agent },
  errors: ['conflict'],
});

export const getAgent = endpoint({
  ...agents,
  operationId: 'getAgent',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}',
  summary: 'Retrieve an agent',
  access: { scope: 'agents:read' },
  params,
  success: one,
  errors: [],
});

export const replaceAgent = endpoint({
  ...agents,
  operationId: 'replaceAgent',
  method: 'PUT',
  path: '/api/v1/agents/{agent_id}',
  summary: 'Replace an agent',
  access: { scope: 'agents:write' },
  params,
  body: AgentReplacement,
  success: one,
  errors: ['conflict', 'precondition_failed', 'step_up_required'],
});

export const updateAgent = endpoint({
  ...agents,
  operationId: 'updateAgent',
  method: 'PATCH',
  path: '/api/v1/agents/{agent_id}',
  summary: 'Update fields of an agent',
  access: { scope: 'agents:write' },
  params,
  body: AgentChanges,
  success: one,
  errors: ['conflict', 'precondition_failed', 'step_up_required'],
});

export const deleteAgent = endpoint({
  ...agents,
  operationId: 'deleteAgent',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_id}',
  summary: 'Delete an agent',
  description:
    'Its conversations and versions are deleted. Runs that have begun finish on their version, for 30 days at most; those that are queued fail with `agent_deleted`. To end them all, stop the agent first, by `POST /api/v1/agents/{agent_name}/stop` of the runtime API. An agent that is stopped or inactive leaves no run that finishes.',
  access: { scope: 'agents:write' },
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['precondition_failed'],
});

export const listAgentSkills = endpoint({
  ...agents,
  operationId: 'listAgentSkills',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}/skills',
  summary: 'List the skills of an agent',
  access: { scope: 'agents:read' },
  params,
  query: ListQuery,
  success: { status: 200, description: "A page of the agent's skills", body: listOf(Skill) },
  errors: [],
});

export const assignSkill = endpoint({
  ...agents,
  operationId: 'assignSkill',
  method: 'POST',
  path: '/api/v1/agents/{agent_id}/skills',
  summary: 'Assign a skill',
  access: { scope: 'agents:write' },
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
  ...agents,
  operationId: 'removeAgentSkill',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_id}/skills/{skill_id}',
  summary: 'Remove a skill from the agent',
  access: { scope: 'agents:write' },
  params: z.object({ agent_id: z.string(), skill_id: z.string() }),
  success: { status: 204, description: 'Removed' },
  errors: ['precondition_failed'],
});

export const markDefaultAgent = endpoint({
  ...agents,
  operationId: 'markDefaultAgent',
  method: 'PUT',
  path: '/api/v1/agents/{agent_id}/default',
  summary: "Make an agent the installation's default",
  access: { scope: 'admin' },
  params,
  success: one,
  errors: ['precondition_failed'],
});

export const unmarkDefaultAgent = endpoint({
  ...agents,
  operationId: 'unmarkDefaultAgent',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_id}/default',
  summary: 'Unset the default agent. The oldest active, published agent takes its place.',
  access: { scope: 'admin' },
  params,
  success: { status: 204, description: 'It is not marked any more' },
  errors: ['precondition_failed'],
});
