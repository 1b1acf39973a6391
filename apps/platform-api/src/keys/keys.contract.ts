import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Plan = z.enum(['standard', 'professional']);

const Key = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().meta({ description: 'Start of the key, without its secret' }),
  scopes: z.array(z.string()),
  plan: Plan,
  project: ProjectId,
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  successor_id: z.string().nullable().meta({ description: 'Id of the key by which it was replaced' }),
});

/** Only the answer to the request that makes the key contains the key itself. */
const IssuedKey = Key.extend({ key: z.string().meta({ description: 'The key itself' }) });

export const NewKey = z.strictObject({
  name: z.string().trim().min(1).max(200),
  scopes: z
    .array(z.string().max(100))
    .min(1)
    .max(100)
    .meta({ description: 'Scopes of the key of the request, by name; never `*`, `keys:write` or those of admins' }),
  plan: Plan.default('standard').meta({ description: 'At most that of the key of the request' }),
  expires_in_days: z.int().min(1).max(3_650).nullable().optional().meta({
    description:
      'Null: no expiry. It ends no later than the key of the request; when left out, after 90 days or with that key',
  }),
});

const base = { tag: 'Keys', limit: 'credential' } as const;

export const listKeys = endpoint({
  ...base,
  operationId: 'listKeys',
  access: { scope: 'keys:read' },
  method: 'GET',
  path: '/api/v1/keys',
  summary: "List the owner's live API keys of the project",
  success: { status: 200, description: 'Newest first', body: z.object({ items: z.array(Key) }) },
  errors: [],
});

export const createKey = endpoint({
  ...base,
  operationId: 'createKey',
  access: { scope: 'keys:write' },
  grants: 'credential',
  action: 'api_key.create',
  method: 'POST',
  path: '/api/v1/keys',
  summary: 'Make an API key with at most the rights of the key of the request. The answer has the key, once.',
  description: 'The new key has the same owner and project. It works on when the key that made it ends.',
  body: NewKey,
  success: { status: 201, description: 'The new key', body: IssuedKey },
  errors: ['conflict'],
});

export const revokeKey = endpoint({
  ...base,
  operationId: 'revokeKey',
  access: { scope: 'keys:write' },
  grants: 'nothing',
  action: 'api_key.revoke',
  method: 'DELETE',
  path: '/api/v1/keys/{key_id}',
  summary: "Revoke one of the owner's API keys of the project",
  params: z.object({ key_id: z.string() }),
  query: z.object({
    self: z.enum(['true', 'false']).default('false').meta({
      description: '`true` allows that the key of the request revokes itself, which is otherwise a conflict',
    }),
  }),
  success: { status: 204, description: 'It is refused from the next request on' },
  errors: ['conflict'],
});
