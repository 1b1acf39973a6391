import { KEY_LIFE_DAYS } from '@millwright/accounts';
import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Key = z.object({
  id: z.string(),
  kind: z.enum(['api_key', 'pat']),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  plan: z.string(),
  project: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  successor_id: z.string().nullable(),
});
const IssuedKey = Key.extend({ key: z.string() });

/** Hours for which the rotated key or secret stays valid. */
export const Overlap = z.strictObject({ overlap_hours: z.int().min(0).max(720).default(24) });
export const Scopes = z.array(z.string().max(100)).min(1).max(100);

/** Days until the key expires; with null the key never expires. */
const expires_in_days = z.int().min(1).max(3_650).nullable().default(KEY_LIFE_DAYS);

const params = z.object({ key_id: z.string() });
const base = { tag: 'Keys', access: { role: 'user' }, limit: 'credential' } as const;

export const listScopes = endpoint({
  ...base,
  operationId: 'listScopes',
  method: 'GET',
  path: '/admin/api/scopes',
  summary: 'Scopes that the signed-in user may give a key or client',
  success: {
    status: 200,
    description: '`*` first',
    body: z.object({
      items: z.array(
        z.object({
          scope: z.string(),
          description: z.string(),
          keys_only: z.boolean().meta({ description: 'Whether no OAuth client can have it. `*` does not contain it' }),
        }),
      ),
    }),
  },
  errors: [],
});

export const listKeys = endpoint({
  ...base,
  operationId: 'listKeys',
  method: 'GET',
  path: '/admin/api/keys',
  summary: 'Own API keys and personal access tokens',
  success: { status: 200, description: 'Newest first', body: z.object({ items: z.array(Key) }) },
  errors: [],
});

export const createKey = endpoint({
  ...base,
  operationId: 'createKey',
  grants: 'credential',
  access: { role: 'user', fresh: true },
  action: 'api_key.create',
  method: 'POST',
  path: '/admin/api/keys',
  summary: 'Make an API key or a personal access token',
  body: z.strictObject({
    kind: z.enum(['api_key', 'pat']).default('api_key'),
    name: z.string().trim().min(1).max(200),
    scopes: Scopes.optional(),
    plan: z.enum(['standard', 'professional']).optional(),
    project: ProjectId.optional(),
    expires_in_days,
  }),
  success: { status: 201, description: 'The key, shown this once', body: IssuedKey },
  errors: ['conflict', 'validation_error'],
});

export const rotateKey = endpoint({
  ...base,
  operationId: 'rotateKey',
  grants: 'credential',
  access: { role: 'user', fresh: true },
  action: 'api_key.rotate',
  method: 'POST',
  path: '/admin/api/keys/{key_id}/rotate',
  summary: 'Make a successor with a life of its own, beside which the key works on for a while',
  params,
  body: Overlap.extend({ expires_in_days }),
  success: { status: 201, description: 'The successor, shown this once', body: IssuedKey },
  errors: ['not_found', 'conflict', 'validation_error'],
});

export const revokeKey = endpoint({
  ...base,
  operationId: 'revokeKey',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/keys/{key_id}',
  summary: 'Revoke an own key',
  params,
  success: { status: 204, description: 'It is refused from the next request on' },
  errors: ['not_found'],
});
