import { GuardRules } from '@millwright/guards';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

/** Limit of the countries of one policy. */
const MOST_COUNTRIES = 10;

const Rules = GuardRules.meta({
  description:
    'What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has',
});
const Countries = z
  .array(z.string().regex(/^[A-Z]{2}$/))
  .max(MOST_COUNTRIES)
  .meta({ description: 'Countries (ISO 3166-1 alpha-2) whose national telephone numbers count' });

const policy = { rules: Rules, phone_countries: Countries };

export const GuardPolicy = z.object({
  ...policy,
  updated_at: z.string().nullable().meta({ description: 'Null: nothing was ever set' }),
});
export type GuardPolicy = z.output<typeof GuardPolicy>;

export const AgentGuardPolicy = GuardPolicy.extend({
  effective: z.object(policy).meta({ description: 'What holds for runs of the agent, with the rules of its project' }),
});
export type AgentGuardPolicy = z.output<typeof AgentGuardPolicy>;

export const NewGuardPolicy = z.strictObject({ rules: Rules, phone_countries: Countries.default([]) });
export type NewGuardPolicy = z.output<typeof NewGuardPolicy>;

const guards = { tag: 'Guards', limit: 'credential' } as const;
const ofProject = { status: 200, description: 'The guards of the project', body: GuardPolicy } as const;
const ofAgent = { status: 200, description: 'The guards of the agent', body: AgentGuardPolicy } as const;
const params = z.object({ agent_id: z.string() });

export const getGuards = endpoint({
  ...guards,
  operationId: 'getGuards',
  method: 'GET',
  path: '/api/v1/guards',
  summary: 'Retrieve what is done with secrets and personal data in runs of the project',
  access: { scope: 'agents:read' },
  success: ofProject,
  errors: [],
});

export const putGuards = endpoint({
  ...guards,
  operationId: 'putGuards',
  method: 'PUT',
  path: '/api/v1/guards',
  summary: 'Set what is done with secrets and personal data. It holds for runs that start or go on from now on.',
  access: { scope: 'admin' },
  action: 'guards.update',
  body: NewGuardPolicy,
  success: ofProject,
  errors: [],
});

export const getAgentGuards = endpoint({
  ...guards,
  operationId: 'getAgentGuards',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}/guards',
  summary: 'Retrieve what is done with secrets and personal data in runs of an agent',
  access: { scope: 'agents:read' },
  params,
  success: ofAgent,
  errors: [],
});

export const putAgentGuards = endpoint({
  ...guards,
  operationId: 'putAgentGuards',
  method: 'PUT',
  path: '/api/v1/agents/{agent_id}/guards',
  summary: 'Set stricter guards for an agent. The rules of the project are the minimum',
  access: { scope: 'admin' },
  action: 'agent.set_guards',
  params,
  body: NewGuardPolicy,
  success: ofAgent,
  errors: [],
});
