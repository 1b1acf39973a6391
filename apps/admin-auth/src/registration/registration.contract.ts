import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const register = endpoint({
  operationId: 'register',
  grants: 'account',
  method: 'POST',
  path: '/admin/api/register',
  summary: 'Register: an account that a passkey completes',
  tag: 'Sign-in',
  access: 'public',
  limit: 'public',
  body: z.strictObject({
    name: z.string().trim().min(1).max(200),
    email: z.email().max(254),
    role: z.enum(['user', 'admin']),
  }),
  success: {
    status: 201,
    description:
      'Registered. `setup_token` enrols the first passkey within 15 minutes; null when the account is claimed otherwise, or the link is sent to its address.',
    body: z.object({ email: z.string(), setup_token: z.string().nullable(), setup_url: z.string().nullable() }),
  },
  errors: ['forbidden', 'sso_required'],
});
