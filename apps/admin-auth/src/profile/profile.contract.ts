import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Session = z.object({
  id: z.string(),
  method: z.string(),
  ip: z.string(),
  user_agent: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  current: z.boolean(),
});

export const getMe = endpoint({
  operationId: 'getMe',
  method: 'GET',
  path: '/admin/api/me',
  summary: 'The signed-in user',
  tag: 'Profile',
  scope: null,
  limit: 'credential',
  success: {
    status: 200,
    description: 'The UserContext',
    body: z.object({
      user_id: z.string(),
      username: z.string(),
      email: z.string(),
      roles: z.array(z.string()),
      project: z.string(),
      is_admin: z.boolean(),
    }),
  },
  errors: ['unauthorized'],
});

export const listSessions = endpoint({
  operationId: 'listSessions',
  method: 'GET',
  path: '/admin/api/sessions',
  summary: 'Own sessions',
  tag: 'Profile',
  scope: null,
  limit: 'credential',
  success: { status: 200, description: 'Live sessions, latest first', body: z.object({ items: z.array(Session) }) },
  errors: ['unauthorized'],
});

export const revokeSession = endpoint({
  operationId: 'revokeSession',
  method: 'DELETE',
  path: '/admin/api/sessions/{session_id}',
  summary: 'End an own session',
  tag: 'Profile',
  scope: null,
  limit: 'credential',
  params: z.object({ session_id: z.string() }),
  success: { status: 204, description: 'It is refused from the next request on' },
  errors: ['unauthorized', 'not_found'],
});
