import { ACCOUNT_ROLES } from '@millwright/auth';
import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Enterprise = z.object({
  project: ProjectId,
  name: z.string().optional().meta({ description: 'Name of a project that a platform admin made' }),
  members: z.int().meta({ description: 'Active accounts of the project, admins included; at most 10,000' }),
  admins: z.int(),
  agents: z.int(),
  skills: z.int(),
  keys: z.int().meta({ description: 'Usable API keys; at most 10,000' }),
  clients: z.int().meta({ description: 'OAuth clients that are not revoked; at most 10,000' }),
  usage_30d: z.object({
    /** Requests to all services with credentials of the project. */
    requests: z.int(),
    agent_messages: z.int(),
    model_tokens: z.int(),
    /** Cost in US dollars; null when the price of a used model is unknown. */
    model_cost_usd: z.number().nullable(),
    unpriced_events: z.int().meta({ description: 'Calls of models whose price is not known' }),
  }),
});
export type Enterprise = z.output<typeof Enterprise>;

const Member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ACCOUNT_ROLES),
  platform_admin: z.boolean(),
  status: z.string(),
});
export type Member = z.output<typeof Member>;

export const listEnterprises = endpoint({
  operationId: 'listEnterprises',
  method: 'GET',
  path: '/admin/api/enterprises',
  summary: 'The projects, what each has and what it used in the last 30 days',
  tag: 'Enterprises',
  access: { role: 'platform_admin' },
  limit: 'credential',
  success: {
    status: 200,
    description: '`Core` and `Commerce`, then others by name',
    body: z.object({ items: z.array(Enterprise) }),
  },
  errors: [],
});

export const getEnterprise = endpoint({
  operationId: 'getEnterprise',
  method: 'GET',
  path: '/admin/api/enterprises/{project}',
  summary: 'One project with its members',
  tag: 'Enterprises',
  access: { role: 'platform_admin' },
  limit: 'credential',
  params: z.object({ project: ProjectId }),
  success: {
    status: 200,
    description: 'The project',
    body: z.object({
      ...Enterprise.shape,
      member_list: z.array(Member).meta({ description: 'The first 100 accounts by name' }),
    }),
  },
  errors: ['not_found'],
});
