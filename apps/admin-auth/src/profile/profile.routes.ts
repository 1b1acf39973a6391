import { renameUser } from '@millwright/auth';
import { decodeId, encodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import type { RelyingParty } from '../passkeys/relying-party.js';
import { userDetails } from '../passkeys/signals.js';
import { requireUser, type SignedIn } from '../protection/signed-in.js';
import { revokeOtherSessions, revokeSession, type SessionStore } from '../sessions/sessions.store.js';
import * as contract from './profile.contract.js';

const toMe = ({ user, roles, project, context }: SignedIn) => ({
  user_id: encodeId('usr', user.id),
  username: user.name,
  email: user.email,
  roles,
  project,
  is_admin: context.isAdmin,
  fresh_until: context.fresh ? context.freshUntil.toISOString() : null,
});

export function profileRoutes(sessions: SessionStore, party: RelyingParty): Route[] {
  return [
    route(contract.getMe, (call) => Promise.resolve({ body: toMe(requireUser(call)) })),

    route(contract.updateMe, (call) =>
      call.commit(async (tx) => {
        const signedIn = requireUser(call);
        const { user, actor } = signedIn;
        const renamed = await renameUser(tx, user.id, call.body.name, actor);
        const me = toMe({ ...signedIn, user: { ...user, name: renamed.name } });
        return { body: { ...me, signals: [userDetails(party, renamed)] } };
      }),
    ),

    route(contract.listSessions, async (call) => {
      const { user, context } = requireUser(call);
      const rows = await sessions.list(user.id);
      const items = rows.map(({ id, method, ip, user_agent, created_at, last_seen_at }) => ({
        id: encodeId('ses', id),
        method,
        ip,
        user_agent,
        created_at: created_at.toISOString(),
        last_seen_at: last_seen_at.toISOString(),
        current: id === context.sessionId,
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

    route(contract.revokeOtherSessions, (call) =>
      call.commit(async (tx) => {
        const { user, actor, context } = requireUser(call);
        return { body: { revoked: await revokeOtherSessions(tx, user.id, context.sessionId, actor) } };
      }),
    ),
  ];
}
