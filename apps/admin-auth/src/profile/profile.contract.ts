import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Signal } from '../passkeys/signals.js';

const UserSession = z.object({
  id: z.string(),
  method: z.string(),
  ip: z.string(),
  user_agent: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  current: z.boolean(),
});

const Me = z.object({
  user_id: z.string(),
  username: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  project: z.string(),
  is_admin: z.boolean(),
  /** End of the time in which the session is fresh; null when it is not fresh. */
  fresh_until: z.string().nullable(),
});

export const getMe = endpoint({
  operationId: 'getMe',
  method: 'GET',
  path: '/admin/api/me',
  summary: 'The signed-in user',
  tag: 'Profile',
  access: 'session',
  limit: 'credential',
  success: { status: 200, description: 'The UserContext', body: Me },
  errors: [],
});

export const updateMe = endpoint({
  operationId: 'updateMe',
  grants: 'nothing',
  method: 'PATCH',
  path: '/admin/api/me',
  summary: 'Change the own name',
  tag: 'Profile',
  access: 'session',
  limit: 'credential',
  body: z.strictObject({ name: z.string().trim().min(1).max(200) }),
  success: {
    status: 200,
    description: 'The UserContext; `signals` are what a page tells the browser of the new name',
    body: Me.extend({ signals: z.array(Signal) }),
  },
  errors: ['validation_error'],
});

export const SECURITY_EVENTS = [
  'passkey_added',
  'passkey_removed',
  'device_linked',
  'token_created',
  'identity_linked',
  'recovery_used',
  'email_changed',
  'setup_link_created',
  'credentials_revoked',
  'role_changed',
  'session_limit_reached',
  'identity_unlinked',
] as const;

const SecurityActivity = z.object({
  id: z.string(),
  at: z.string(),
  event: z.enum(SECURITY_EVENTS),
  by: z.enum(['you', 'administrator']),
  ip: z.string().nullable(),
});

export const listSecurityActivity = endpoint({
  operationId: 'listSecurityActivity',
  method: 'GET',
  path: '/admin/api/me/security-activity',
  summary: 'What changed the ways into the own account in the last 90 days',
  tag: 'Profile',
  access: 'session',
  limit: 'credential',
  success: {
    status: 200,
    description: 'The latest 20, latest first',
    body: z.object({ items: z.array(SecurityActivity) }),
  },
  errors: [],
});

export const listSessions = endpoint({
  operationId: 'listSessions',
  method: 'GET',
  path: '/admin/api/sessions',
  summary: 'Own sessions',
  tag: 'Profile',
  access: 'session',
  limit: 'credential',
  success: { status: 200, description: 'Live sessions, latest first', body: z.object({ items: z.array(UserSession) }) },
  errors: [],
});

export const revokeSession = endpoint({
  operationId: 'revokeSession',
  grants: 'nothing',
  method: 'DELETE',
  path: '/admin/api/sessions/{session_id}',
  summary: 'End an own session',
  tag: 'Profile',
  access: 'session',
  limit: 'credential',
  params: z.object({ session_id: z.string() }),
  success: { status: 204, description: 'It is refused from the next request on' },
  errors: ['not_found'],
});

export const revokeOtherSessions = endpoint({
  operationId: 'revokeOtherSessions',
  grants: 'nothing',
  method: 'POST',
  path: '/admin/api/sessions/revoke-others',
  summary: 'End all own sessions but this one',
  tag: 'Profile',
  access: 'session',
  limit: 'credential',
  success: { status: 200, description: 'How many there were', body: z.object({ revoked: z.int() }) },
  errors: [],
});
