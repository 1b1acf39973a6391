import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const getDashboard = endpoint({
  operationId: 'getDashboard',
  method: 'GET',
  path: '/admin/api/dashboard',
  summary: 'What the installation holds, and what needs attention',
  tag: 'Dashboard',
  scope: 'admin',
  limit: 'credential',
  success: {
    status: 200,
    description: 'Counts of records, of all projects together',
    body: z.object({
      records: z.object({
        users: z.int(),
        skills: z.int(),
        agents: z.int(),
        prompts: z.int(),
      }),
      registration_open: z.boolean(),
    }),
  },
  errors: [],
});

export const getAddresses = endpoint({
  operationId: 'getAddresses',
  method: 'GET',
  path: '/admin/api/me/addresses',
  summary: 'Where programs reach the platform',
  tag: 'Profile',
  scope: null,
  limit: 'credential',
  success: {
    status: 200,
    description: 'The base addresses',
    body: z.object({ base_url: z.string(), runtime_url: z.string(), prompt_api_url: z.string() }),
  },
  errors: ['unauthorized'],
});
