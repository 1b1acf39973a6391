import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Signal } from './signals.js';

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  device_type: z.string(),
  backed_up: z.boolean(),
});

const params = z.object({ passkey_id: z.string() });
const base = { tag: 'Passkeys', access: 'session', limit: 'credential' } as const;

export const listPasskeys = endpoint({
  ...base,
  operationId: 'listPasskeys',
  method: 'GET',
  path: '/admin/api/passkeys',
  summary: 'Own passkeys',
  success: {
    status: 200,
    description: 'Oldest first; `signals` are what a page tells the browser after one was added or removed',
    body: z.object({ items: z.array(Passkey), signals: z.array(Signal) }),
  },
  errors: [],
});

export const renamePasskey = endpoint({
  ...base,
  operationId: 'renamePasskey',
  grants: 'nothing',
  method: 'PATCH',
  path: '/admin/api/passkeys/{passkey_id}',
  summary: 'Rename an own passkey',
  params,
  body: z.strictObject({ name: z.string().trim().min(1).max(100) }),
  success: { status: 200, description: 'The passkey', body: Passkey },
  errors: ['not_found', 'validation_error'],
});

export const removePasskey = endpoint({
  ...base,
  operationId: 'removePasskey',
  grants: 'nothing',
  access: 'fresh',
  action: 'passkey.remove',
  method: 'DELETE',
  path: '/admin/api/passkeys/{passkey_id}',
  summary: 'Remove an own passkey, but not the last',
  params,
  success: { status: 204, description: 'It signs nobody in any more' },
  errors: ['not_found', 'conflict'],
});
