import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const getInstallation = endpoint({
  operationId: 'getInstallation',
  method: 'GET',
  path: '/.well-known/millwright.json',
  summary: 'Addresses of the installation',
  tag: 'Discovery',
  access: 'public',
  limit: 'public',
  success: {
    status: 200,
    description: 'The addresses of its services, for clients that know one of them',
    body: z.object({
      base_url: z.string(),
      runtime_url: z.string(),
      prompt_api_url: z.string(),
      docs_url: z.string().meta({ description: 'The documentation.' }),
    }),
  },
  errors: [],
});
