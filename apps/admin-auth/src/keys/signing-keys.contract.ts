import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const SigningKey = z.object({
  kid: z.string(),
  issuer: z.string(),
  created_at: z.string(),
  active_at: z.string().nullable(),
  retired_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
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

export const revokeSigningKey = endpoint({
  operationId: 'revokeSigningKey',
  grants: 'nothing',
  method: 'POST',
  path: '/admin/api/signing-keys/{kid}/revoke',
  summary: 'Revoke a signing key that may have leaked, with every token and session that it signed',
  tag: 'Keys',
  access: { role: 'platform_admin', fresh: true },
  action: 'signing_key.revoke',
  limit: 'credential',
  params: z.object({ kid: z.string().max(100) }),
  success: {
    status: 204,
    description:
      'It is in no JWK Set; all services refuse it within ten seconds, and its service signs with another one',
  },
  errors: ['not_found'],
});
