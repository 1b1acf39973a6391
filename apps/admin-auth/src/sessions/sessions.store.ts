import { createHmac, randomBytes } from 'node:crypto';
import { recordDecision, type Actor } from '@millwright/audit';
import { ACCOUNT_COLUMNS, hashSecret, newOpaqueSecret, type AccountRow, type Project } from '@millwright/auth';
import { encodeId, newId, Prisma, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { REFRESH_SECONDS } from './cookies.js';
import { reportNewBrowser, type SignedIn } from './report-new-browser.js';

export interface SessionRow extends AccountRow {
  session_id: string;
  project: Project;
  /** Time until which the last passkey proof is recent. */
  fresh_until: Date;
  fresh: boolean;
  proven_at: Date;
  seen_recently: boolean;
}

export type SignInMethod = 'passkey' | 'magic_link' | 'sso';

/** A session that a browser still has when its user signs in again. */
export interface HeldSession {
  sessionId: string;
  userId: string;
  userName: string;
}

export interface NewSession extends SignedIn {
  method: SignInMethod;
  /** The session that the browser had before. The sign-in ends it. */
  held?: HeldSession | undefined;
  /** Values that are added to the detail of the audit row. */
  detail?: Readonly<Record<string, string>>;
  /** Limit of concurrent sessions of the account, the new one included. */
  maxSessions: number;
}

/**
 * Hours after which the sessions of a role end, counted from the last request and from the sign-in. `admin` stands for all roles except
 * `user`.
 */
export interface RoleLimits {
  idleHours: number;
  maxHours: number;
}
export type SessionLimits = Record<'admin' | 'user', RoleLimits>;

/** The origin of a request, for the audit log. */
type From = Pick<Actor, 'requestId' | 'ip'>;

/**
 * A passkey proof is recent for 5 minutes. A sign-in by recovery link also counts as a proof, for 15 minutes, so that the user can enrol a
 * new passkey.
 */
const FRESH_UNTIL = `greatest(s.proven_at + interval '5 minutes',
  CASE s.method WHEN 'magic_link' THEN s.created_at + interval '15 minutes' END)`;

/** SQL condition of a live session: neither idle nor open for too long. `s` is the session, `u` its user. */
function goesOn({ admin, user }: SessionLimits): string {
  const forRole = (hours: (limits: RoleLimits) => number) =>
    `make_interval(hours => CASE WHEN u.role = 'admin' OR u.delegated_role IS NOT NULL THEN ${hours(admin)} ELSE ${hours(user)} END)`;
  return `s.last_seen_at > now() - ${forRole(({ idleHours }) => idleHours)}
    AND s.created_at > now() - ${forRole(({ maxHours }) => maxHours)}`;
}

/**
 * SQL that reads a request's session, account and project in one query. It finds no row when the session is revoked or expired or the
 * account is disabled.
 */
const findSession = (limits: SessionLimits) => `
  SELECT s.id AS session_id, u.project, ${ACCOUNT_COLUMNS}, ${FRESH_UNTIL} AS fresh_until, ${FRESH_UNTIL} > now() AS fresh,
         s.proven_at, s.last_seen_at > now() - interval '1 minute' AS seen_recently
    FROM user_sessions s JOIN users u ON u.id = s.user_id
   WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > now() AND u.status = 'active'
     AND ${goesOn(limits)}`;

/** Time within which a reused refresh token returns the same successor, for two tabs that refresh concurrently. */
const GRACE = '10 seconds';

/**
 * Returns the refresh token that replaces a token. It is derived from the old token and the salt, so it can be returned twice although only
 * its hash is stored.
 */
function successorOf(token: string, salt: Uint8Array): string {
  return `mw_rt_${createHmac('sha256', salt).update(token).digest('base64url')}`;
}

async function storeRefreshToken(tx: Tx, sessionId: string, token: string): Promise<void> {
  const expires = new Date(Date.now() + REFRESH_SECONDS * 1_000);
  const data = {
    id: newId(),
    session_id: sessionId,
    token_hash: new Uint8Array(hashSecret(token)),
    expires_at: expires,
  };
  await tx.sessionRefreshToken.create({ data });
}

export interface OpenedSession {
  sessionId: string;
  userId: string;
  refreshToken: string;
}

/** Stores a browser's session and its first refresh token. The caller must have locked the account by `lockActiveAccountAlone`. */
export async function openSession(tx: Tx, session: NewSession): Promise<OpenedSession> {
  const { user, method, ip, userAgent, requestId, held, detail, maxSessions } = session;
  if (held) {
    const actor: Actor = { userId: held.userId, kind: 'user', label: held.userName, ip, requestId };
    await revokeSession(tx, held.userId, held.sessionId, actor, 'signed in again in the same browser');
  }
  await endSurplus(tx, { userId: user.id, kind: 'user', label: user.name, ip, requestId }, maxSessions);
  // After a sign-in by recovery link, the user always gets a message, so a report of a new browser is not needed.
  if (method !== 'magic_link') await reportNewBrowser(tx, session);
  const sessionId = newId();
  const expires = new Date(Date.now() + REFRESH_SECONDS * 1_000);
  await tx.userSession.create({
    data: {
      ...{ id: sessionId, user_id: user.id, method, ip, user_agent: userAgent.slice(0, 400), expires_at: expires },
      // The proof counts as old, because the issuer may have authenticated the user days ago.
      ...(method === 'sso' && { proven_at: new Date(0) }),
    },
  });
  const refreshToken = newOpaqueSecret('mw_rt_');
  await storeRefreshToken(tx, sessionId, refreshToken);
  await recordDecision(tx, {
    actor: { userId: user.id, kind: 'user', label: user.name, ip, requestId },
    action: 'session.create',
    resource: encodeId('ses', sessionId),
    project: user.project,
    detail: { method, ...detail },
  });
  return { sessionId, userId: user.id, refreshToken };
}

/** The reason in the audit log and in the owner's security activity when a session is ended by the limit. */
export const SURPLUS = 'more sessions than allowed';
/** Limit of the sessions that one sign-in ends. After the session limit is lowered, later sign-ins end the rest. */
const ENDED_AT_ONCE = 100;

/** Ends the least recently used sessions, so that a new session stays within the limit. */
async function endSurplus(tx: Tx, actor: Actor, maxSessions: number): Promise<void> {
  const surplus = await tx.userSession.findMany({
    where: { user_id: actor.userId, revoked_at: null, expires_at: { gt: new Date() } },
    orderBy: [{ last_seen_at: 'desc' }, { id: 'desc' }],
    skip: maxSessions - 1,
    take: ENDED_AT_ONCE,
    select: { id: true },
  });
  for (const { id } of surplus) await revokeSession(tx, actor.userId, id, actor, SURPLUS);
}

/** Ends a session of the user. Returns `false` when the user has no live session with the id. */
export async function revokeSession(
  tx: Tx,
  userId: string,
  sessionId: string,
  actor: Actor,
  reason: string,
): Promise<boolean> {
  const { count } = await tx.userSession.updateMany({
    where: { id: sessionId, user_id: userId, revoked_at: null },
    data: { revoked_at: new Date(), revoked_reason: reason },
  });
  if (count > 0)
    await recordDecision(tx, {
      actor,
      action: 'session.revoke',
      resource: encodeId('ses', sessionId),
      detail: { reason },
    });
  return count > 0;
}

/** Ends all sessions of the user except one. @returns the number of ended sessions. */
export async function revokeOtherSessions(tx: Tx, userId: string, keptId: string, actor: Actor): Promise<number> {
  const { count } = await tx.userSession.updateMany({
    where: { user_id: userId, id: { not: keptId }, revoked_at: null, expires_at: { gt: new Date() } },
    data: { revoked_at: new Date(), revoked_reason: 'revoked by its user' },
  });
  const detail = { kept: encodeId('ses', keptId), revoked: count };
  if (count > 0)
    await recordDecision(tx, { actor, action: 'session.revoke_others', resource: encodeId('usr', userId), detail });
  return count;
}

/** Records in a live session a proof by passkey or by the session's issuer. @returns the time until which the proof is recent. */
export async function noteProof(
  tx: Tx,
  sessionId: string,
  actor: Actor,
  detail: Readonly<Record<string, string>> = {},
): Promise<Date> {
  const [row] = await tx.$queryRaw<{ fresh_until: Date }[]>`
    UPDATE user_sessions s SET proven_at = now() WHERE s.id = ${sessionId}::uuid AND s.revoked_at IS NULL
    RETURNING ${Prisma.raw(FRESH_UNTIL)} AS fresh_until`;
  if (!row) throw new AppError('unauthorized');
  await recordDecision(tx, { actor, action: 'session.step_up', resource: encodeId('ses', sessionId), detail });
  return row.fresh_until;
}

export interface ListedSession {
  id: string;
  method: string;
  ip: string;
  user_agent: string;
  created_at: Date;
  last_seen_at: Date;
}

interface UsedToken {
  session_id: string;
  user_id: string;
  user_name: string;
  salt: Uint8Array;
  within_grace: boolean;
}

export function createSessionStore(db: Database, limits: SessionLimits) {
  const goesOnNow = Prisma.raw(goesOn(limits));
  const find = findSession(limits);

  async function useUp(tx: Tx, token: string): Promise<OpenedSession | undefined> {
    const salt = new Uint8Array(randomBytes(32));
    const [used] = await tx.$queryRaw<{ session_id: string; user_id: string }[]>`
      UPDATE session_refresh_tokens t SET used_at = now(), successor_salt = ${salt} FROM user_sessions s JOIN users u ON u.id = s.user_id
       WHERE t.token_hash = ${hashSecret(token)} AND t.used_at IS NULL AND t.expires_at > now() AND s.id = t.session_id
         AND s.revoked_at IS NULL AND u.status = 'active' AND ${goesOnNow} RETURNING s.id AS session_id, s.user_id`;
    if (!used) return undefined;
    const refreshToken = successorOf(token, salt);
    await storeRefreshToken(tx, used.session_id, refreshToken);
    const expires = new Date(Date.now() + REFRESH_SECONDS * 1_000);
    await tx.userSession.update({ where: { id: used.session_id }, data: { expires_at: expires } });
    return { sessionId: used.session_id, userId: used.user_id, refreshToken };
  }

  async function useAgain(tx: Tx, token: string, from: From): Promise<OpenedSession | undefined> {
    const [used] = await tx.$queryRaw<UsedToken[]>`
      SELECT s.id AS session_id, s.user_id, u.name AS user_name, t.successor_salt AS salt, t.used_at > now() - ${GRACE}::interval AS within_grace
        FROM session_refresh_tokens t JOIN user_sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
       WHERE t.token_hash = ${hashSecret(token)} AND t.used_at IS NOT NULL AND s.revoked_at IS NULL AND u.status = 'active' AND ${goesOnNow}`;
    if (!used) return undefined;
    if (used.within_grace) {
      return { sessionId: used.session_id, userId: used.user_id, refreshToken: successorOf(token, used.salt) };
    }
    const owner = { userId: used.user_id, kind: 'user', label: used.user_name, ...from } as const;
    const actor: Actor = { ...owner, origin: { by: 'stranger' } };
    await revokeSession(tx, used.user_id, used.session_id, actor, 'refresh token reused');
    return undefined;
  }

  return {
    async find(sessionId: string, userId: string): Promise<SessionRow | undefined> {
      const [row] = await db.prepared<SessionRow>('find-session', find, [sessionId, userId]);
      return row;
    },

    /** Stores the time of use after the answer. A lost write is harmless: the next request stores a later time. */
    noteSeen(sessionId: string): void {
      db.prepared('note-session-seen', 'UPDATE user_sessions SET last_seen_at = now() WHERE id = $1', [
        sessionId,
      ]).catch(() => undefined);
    },

    /**
     * Consumes a refresh token and returns its successor. Reuse within ten seconds returns the same successor; later reuse
     * counts as theft and ends the session (RFC 9700 §4.14.2). `undefined` for an invalid token.
     */
    rotate: (token: string, from: From): Promise<OpenedSession | undefined> =>
      db.transaction(async (tx) => (await useUp(tx, token)) ?? (await useAgain(tx, token, from))),

    /** Lists the live sessions, latest first: not ended, not idle and not open for too long. */
    list: (userId: string, limit = 100) =>
      db.prisma.$queryRaw<ListedSession[]>`
        SELECT s.id, s.method, s.ip, s.user_agent, s.created_at, s.last_seen_at
          FROM user_sessions s JOIN users u ON u.id = s.user_id
         WHERE s.user_id = ${userId}::uuid AND s.revoked_at IS NULL AND s.expires_at > now() AND ${goesOnNow}
         ORDER BY s.last_seen_at DESC, s.id DESC LIMIT ${limit}`,
  };
}
export type SessionStore = ReturnType<typeof createSessionStore>;
