import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const SigningKey = z.object({
  kid: z.string(),
  issuer: z.string(),
  created_at: z.string(),
  active_at: z.string().nullable(),
  retired_at: z.string().nullable(),
  current: z.boolean(),
});

export const getSigningKeys = endpoint({
  operationId: 'getSigningKeys',
  method: 'GET',
  path: '/admin/api/signing-keys',
  summary: 'Keys that tokens are signed with, newest first; `millwright signing-keys rotate` makes the next one',
  tag: 'Keys',
  access: { role: 'admin' },
  limit: 'credential',
  success: { status: 200, description: 'Their public halves', body: z.object({ items: z.array(SigningKey) }) },
  errors: [],
});
