import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { RegistryQuery } from '../lists/registry-page.js';

/** An agent as the registry lists it. */
export const RegistryEntry = z.object({
  name: z.string(),
  status: z.enum(['running', 'stopped', 'degraded']),
  endpoint: z.string(),
  capabilities: z.array(z.string()),
});
export type RegistryEntry = z.output<typeof RegistryEntry>;

export const RegisteredAgent = z.object({
  ...RegistryEntry.shape,
  description: z.string(),
  skills: z.array(z.object({ name: z.string(), description: z.string() })),
  stopped_at: z
    .string()
    .nullable()
    .meta({ description: 'Time at which an admin stopped the agent; no run of it starts' }),
});

export const StoppedAgent = z.object({ name: z.string(), stopped_at: z.string().nullable() });
export type StoppedAgent = z.output<typeof StoppedAgent>;

export const listAgents = endpoint({
  operationId: 'listAgents',
  method: 'GET',
  path: '/api/v1/agents/registry',
  summary: 'List agents',
  tag: 'Agents',
  access: { scope: 'agents:read' },
  limit: 'credential',
  query: RegistryQuery,
  success: { status: 200, description: 'The registry', body: z.object({ agents: z.array(RegistryEntry) }) },
  errors: [],
});

export const getAgent = endpoint({
  operationId: 'getAgent',
  method: 'GET',
  path: '/api/v1/agents/{agent_name}',
  summary: 'Retrieve an agent',
  tag: 'Agents',
  access: { scope: 'agents:read' },
  limit: 'credential',
  params: z.object({ agent_name: z.string() }),
  success: { status: 200, description: 'The agent', body: RegisteredAgent },
  errors: [],
});

const atWork = {
  tag: 'Agents',
  method: 'POST',
  access: { scope: 'admin' },
  limit: 'credential',
  params: z.object({ agent_name: z.string() }),
} as const;

export const stopAgent = endpoint({
  ...atWork,
  operationId: 'stopAgent',
  path: '/api/v1/agents/{agent_name}/stop',
  summary: 'Stop an agent at work: its runs are canceled in every process, and none starts until it is released',
  action: 'agent.stop',
  success: { status: 200, description: 'The agent is stopped; stopping it again succeeds', body: StoppedAgent },
  errors: ['validation_error'],
});

export const releaseAgent = endpoint({
  ...atWork,
  operationId: 'releaseAgent',
  path: '/api/v1/agents/{agent_name}/release',
  summary: 'Release a stopped agent, so that its runs start again',
  action: 'agent.release',
  success: { status: 200, description: 'The agent is not stopped', body: StoppedAgent },
  errors: ['validation_error', 'conflict'],
});
