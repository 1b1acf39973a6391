import type { Actor } from '@millwright/audit';
import { announceRevocation } from '@millwright/accounts';
import { hashSecret } from '@millwright/auth';
import type { Database, Tx } from '@millwright/db';
import { revokeSession } from '../sessions/sessions.store.js';
import type { LogoutToken } from './logout-token.js';
import type { SsoIssuer } from './sso-file.js';

interface LiveSession {
  session_id: string;
  user_id: string;
  user_name: string;
}

/** Limit of the sessions that one logout ends; a user has fewer. */
const MOST = 1_000;

/** Reads the live sessions that the issuer opened with the `sid`. If the token has a subject, only sessions of this subject. */
const liveBySid = (tx: Tx, url: string, sid: string, subject: string | undefined) =>
  tx.$queryRaw<LiveSession[]>`
    SELECT o.session_id, s.user_id, u.name AS user_name
      FROM sso_sessions o JOIN user_sessions s ON s.id = o.session_id JOIN users u ON u.id = s.user_id
     WHERE o.issuer = ${url} AND o.sid = ${sid} AND o.subject = coalesce(${subject ?? null}, o.subject)
       AND s.revoked_at IS NULL ORDER BY s.id LIMIT ${MOST}`;

/**
 * Reads the live sessions that the issuer opened for the subject. The query starts at the live sessions of the account, because ended
 * sessions are also stored and may be many.
 */
const liveOf = (tx: Tx, url: string, subject: string | undefined) =>
  tx.$queryRaw<LiveSession[]>`
    SELECT o.session_id, s.user_id, u.name AS user_name
      FROM sso_identities i JOIN users u ON u.id = i.user_id
      JOIN user_sessions s ON s.user_id = i.user_id AND s.revoked_at IS NULL AND s.expires_at > now()
      JOIN sso_sessions o ON o.session_id = s.id AND o.issuer = i.issuer AND o.subject = i.subject
     WHERE i.issuer = ${url} AND i.subject = ${subject ?? null} ORDER BY s.id LIMIT ${MOST}`;

export function createLogoutStore(db: Database) {
  return {
    /**
     * Ends the sessions that a logout token names: the session of its `sid`, or all sessions that the issuer opened for its `sub`.
     *
     * @returns the number of ended sessions; `undefined` for a reused token.
     */
    end: (
      { url }: SsoIssuer,
      { subject, sid, jti, expiresAt }: LogoutToken,
      from: Pick<Actor, 'requestId' | 'ip'>,
    ): Promise<number | undefined> =>
      db.transaction(async (tx) => {
        const isNew = await tx.$executeRaw`
          INSERT INTO sso_logout_tokens (issuer, jti_hash, expires_at) VALUES (${url}, ${hashSecret(jti)}, ${expiresAt})
          ON CONFLICT DO NOTHING`;
        if (isNew === 0) return undefined;
        const sessions = sid === undefined ? await liveOf(tx, url, subject) : await liveBySid(tx, url, sid, subject);
        for (const { session_id, user_id: userId, user_name: label } of sessions) {
          const actor: Actor = { ...from, userId, kind: 'user', label, origin: { issuer: url } };
          await revokeSession(tx, userId, session_id, actor, 'signed out at the issuer');
        }
        for (const userId of new Set(sessions.map(({ user_id }) => user_id))) await announceRevocation(tx, userId);
        return sessions.length;
      }),
  };
}
export type LogoutStore = ReturnType<typeof createLogoutStore>;
