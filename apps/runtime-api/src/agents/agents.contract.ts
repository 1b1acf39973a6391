import { endpoint } from '@millwright/http';
import { z } from 'zod';

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
});

export const listAgents = endpoint({
  operationId: 'listAgents',
  method: 'GET',
  path: '/api/v1/agents/registry',
  summary: 'List agents',
  tag: 'Agents',
  access: { scope: 'agents:read' },
  limit: 'credential',
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
