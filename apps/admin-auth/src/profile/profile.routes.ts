import { decodeId, encodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { requireUser } from '../protection/require-user.js';
import { revokeSession, type SessionStore } from '../sessions/sessions.store.js';
import * as contract from './profile.contract.js';

export function profileRoutes(sessions: SessionStore): Route[] {
  return [
    route(contract.getMe, (call) => {
      const { user, roles, project } = requireUser(call);
      const is_admin = roles.includes('admin');
      const body = {
        user_id: encodeId('usr', user.id),
        username: user.name,
        email: user.email,
        roles,
        project,
        is_admin,
      };
      return Promise.resolve({ body });
    }),

    route(contract.listSessions, async (call) => {
      const { user, credential } = requireUser(call);
      const rows = await sessions.list(user.id);
      const items = rows.map(({ id, method, ip, user_agent, created_at, last_seen_at }) => ({
        id: encodeId('ses', id),
        method,
        ip,
        user_agent,
        created_at: created_at.toISOString(),
        last_seen_at: last_seen_at.toISOString(),
        current: encodeId('ses', id) === credential.id,
      }));
      return { body: { items } };
    }),

    route(contract.revokeSession, (call) =>
      call.commit(async (tx) => {
        const { user, actor } = requireUser(call);
        const id = decodeId('ses', call.params.session_id);
        if (!id || !(await revokeSession(tx, user.id, id, actor, 'revoked by its user')))
          throw new AppError('not_found');
        return {};
      }),
    ),
  ];
}
