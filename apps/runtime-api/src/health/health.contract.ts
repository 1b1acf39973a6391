import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const getHealth = endpoint({
  operationId: 'getHealth',
  method: 'GET',
  path: '/health',
  summary: 'Health of the running service',
  tag: 'Service',
  access: 'public',
  limit: 'public',
  unshed: true,
  success: {
    status: 200,
    description: 'Answered whenever the process can answer; `degraded` while the database cannot serve it',
    body: z.object({ status: z.enum(['ok', 'degraded']), version: z.string(), uptime_seconds: z.int() }),
  },
  errors: [],
});

export const getJwks = endpoint({
  operationId: 'getJwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Public keys of the access tokens (RFC 7517)',
  tag: 'OAuth',
  access: 'public',
  limit: 'public',
  success: {
    status: 200,
    description: 'A JWK Set',
    body: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  },
  errors: [],
});
