import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const getJwks = endpoint({
  operationId: 'getJwks',
  method: 'GET',
  path: '/admin/.well-known/jwks.json',
  summary: 'Public keys of console and gateway tokens (RFC 7517)',
  tag: 'Keys',
  access: 'public',
  limit: 'public',
  success: {
    status: 200,
    description: 'A JWK Set',
    body: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  },
  errors: [],
});
