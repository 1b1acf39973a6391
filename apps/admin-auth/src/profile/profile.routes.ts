import { renameUser } from '@millwright/accounts';
import { decodeId, encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route, type SessionPrincipal } from '@millwright/http';
import type { RelyingParty } from '../passkeys/relying-party.js';
import { userDetails } from '../passkeys/signals.js';
import { revokeOtherSessions, revokeSession, type SessionStore } from '../sessions/sessions.store.js';
import * as contract from './profile.contract.js';
import { listSecurityActivity } from './security-activity.store.js';

const toMe = ({ user, roles, project, session }: SessionPrincipal) => ({
  user_id: encodeId('usr', user.id),
  username: user.name,
  email: user.email,
  roles,
  project,
  is_admin: roles.includes('admin'),
  fresh_until: session.fresh ? session.freshUntil.toISOString() : null,
});

export function profileRoutes(db: Database, sessions: SessionStore, party: RelyingParty): Route[] {
  return [
    route(contract.getMe, ({ principal }) => Promise.resolve({ body: toMe(principal) })),

    route(contract.updateMe, ({ principal, caller, body, commit }) =>
      commit(async (tx) => {
        const renamed = await renameUser(tx, body.name, caller.actor);
        const me = toMe({ ...principal, user: { ...principal.user, name: renamed.name } });
        return { body: { ...me, signals: [userDetails(party, renamed)] } };
      }),
    ),

    route(contract.listSecurityActivity, async ({ principal }) => {
      const rows = await listSecurityActivity(db, principal.user.id);
      return { body: { items: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })) } };
    }),

    route(contract.listSessions, async ({ principal: { user, session } }) => {
      const rows = await sessions.list(user.id);
      const items = rows.map(({ id, method, ip, user_agent, created_at, last_seen_at }) => ({
        id: encodeId('ses', id),
        method,
        ip,
        user_agent,
        created_at: created_at.toISOString(),
        last_seen_at: last_seen_at.toISOString(),
        current: id === session.id,
      }));
      return { body: { items } };
    }),

    route(contract.revokeSession, ({ principal, caller, params, commit }) =>
      commit(async (tx) => {
        const id = decodeId('ses', params.session_id);
        if (!id || !(await revokeSession(tx, principal.user.id, id, caller.actor, 'revoked by its user')))
          throw new AppError('not_found');
        return {};
      }),
    ),

    route(contract.revokeOtherSessions, ({ principal: { user, session }, caller, commit }) =>
      commit(async (tx) => {
        return { body: { revoked: await revokeOtherSessions(tx, user.id, session.id, caller.actor) } };
      }),
    ),
  ];
}
