import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ListedDecision } from '../audit/audit.contract.js';
import { ShownProject } from './usage.contract.js';

export const getDashboard = endpoint({
  operationId: 'getDashboard',
  method: 'GET',
  path: '/admin/api/dashboard',
  summary: 'What there is, and what needs attention',
  tag: 'Dashboard',
  access: { role: ['admin', 'project_admin'] },
  limit: 'credential',
  query: z.object({ project: ShownProject }),
  success: {
    status: 200,
    description: 'Of one project, or of all of them for a platform admin who names none',
    body: z.object({
      /** Id of the project; null for all projects. */
      project: ProjectId.nullable(),
      records: z.object({
        users: z.int().meta({ description: 'Active accounts, at most 10,000' }),
        skills: z.int(),
        agents: z.int(),
        prompts: z.int(),
      }),
      registration_open: z.boolean(),
      /** Servers with tools that wait for approval; at most 20. */
      quarantined: z.array(z.object({ server_id: z.string(), name: z.string(), project: z.string(), tools: z.int() })),
      /** API keys that expire within 14 days; at most 20. */
      expiring_keys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          project: z.string(),
          expires_at: z.string(),
          owner: z.object({ id: z.string(), name: z.string() }),
        }),
      ),
    }),
  },
  errors: [],
});

export const getAreaHealth = endpoint({
  operationId: 'getAreaHealth',
  method: 'GET',
  path: '/admin/api/dashboard/areas',
  summary: 'Whether the other areas answer',
  tag: 'Dashboard',
  access: { role: ['admin', 'project_admin'] },
  limit: 'credential',
  success: {
    status: 200,
    description: 'Each area, as it is now',
    body: z.object({
      items: z.array(
        z.object({
          area: z.enum(['platform', 'runtime', 'prompt']),
          state: z.enum(['answers', 'silent', 'off']).meta({ description: '`off`: it is not deployed' }),
          ms: z.int().nullable(),
        }),
      ),
    }),
  },
  errors: [],
});

export const listActivity = endpoint({
  operationId: 'listActivity',
  method: 'GET',
  path: '/admin/api/dashboard/activity',
  summary: 'The newest rows of the audit log',
  tag: 'Dashboard',
  access: { role: 'admin' },
  limit: 'credential',
  query: z.object({
    job_runs: z
      .enum(['shown', 'hidden'])
      .default('hidden')
      .meta({ description: '`hidden` leaves out the rows that jobs write when they end' }),
  }),
  success: {
    status: 200,
    description: 'Latest first',
    body: z.object({ items: z.array(ListedDecision) }),
  },
  errors: [],
});

export const getAddresses = endpoint({
  operationId: 'getAddresses',
  method: 'GET',
  path: '/admin/api/me/addresses',
  summary: 'Where programs reach the platform',
  tag: 'Profile',
  access: { role: 'user' },
  limit: 'credential',
  success: {
    status: 200,
    description: 'The base addresses',
    body: z.object({ base_url: z.string(), runtime_url: z.string(), prompt_api_url: z.string() }),
  },
  errors: [],
});
