import { GUARD_POINTS, GuardRules, MOST_FILTERS, ON_FAILURE } from '@millwright/guards';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

/** Maximum number of countries in one policy. */
const MOST_COUNTRIES = 10;

const Rules = GuardRules.meta({
  description:
    'What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has',
});
const Countries = z
  .array(z.string().regex(/^[A-Z]{2}$/))
  .max(MOST_COUNTRIES)
  .meta({ description: 'Countries (ISO 3166-1 alpha-2) whose national telephone numbers count' });

const Points = z.array(z.enum(GUARD_POINTS)).min(1).max(GUARD_POINTS.length);
const OnFailure = z.enum(ON_FAILURE).meta({
  description: 'When the guard gives no valid answer in time: `block` ends the run, `allow` lets the text pass',
});

/** An external guard in a policy. */
const NewFilter = z.strictObject({
  plugin_id: z.string().meta({ description: 'A plugin of type `filter`' }),
  version: z
    .int()
    .min(1)
    .meta({ description: 'The version of the plugin that is approved: it must be the present one' }),
  points: Points,
  on_failure: OnFailure.default('block'),
});
const Filter = z.object({
  plugin_id: z.string(),
  name: z.string(),
  version: z.int().meta({ description: 'The approved version' }),
  is_current: z.boolean().meta({
    description: 'False: the plugin has changed since, or is inactive. It is not asked, and the runs end.',
  }),
  points: Points,
  on_failure: OnFailure,
});
const Filters = z.array(Filter).meta({ description: 'External guards, in the order in which they are asked' });
const NewFilters = z
  .array(NewFilter)
  .max(MOST_FILTERS)
  .refine(
    (filters) => new Set(filters.map((one) => one.plugin_id)).size === filters.length,
    'must not name a plugin twice',
  );

const policy = { rules: Rules, phone_countries: Countries };

export const GuardPolicy = z.object({
  ...policy,
  filters: Filters,
  updated_at: z.string().nullable().meta({ description: 'Null: nothing was ever set' }),
});
export type GuardPolicy = z.output<typeof GuardPolicy>;

export const AgentGuardPolicy = GuardPolicy.extend({
  effective: z
    .object({ ...policy, filters: Filters })
    .meta({ description: 'What holds for runs of the agent, with the rules of its project' }),
});
export type AgentGuardPolicy = z.output<typeof AgentGuardPolicy>;

export const NewGuardPolicy = z.strictObject({
  rules: Rules,
  phone_countries: Countries.default([]),
  filters: NewFilters.default([]).meta({ description: 'External guards, in the order in which they are asked' }),
});
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
