import { recordDecision, recordStrangerDenial, type Actor } from '@millwright/audit';
import { lockActiveAccount, lockActiveAccountAlone, queueNotice } from '@millwright/accounts';
import { accountRole, hashSecret, newOneTimeToken } from '@millwright/auth';
import { encodeId, newId, type Database, type Tx } from '@millwright/db';
import type { Recovery } from './delivery-config.js';
import { createDomainCapture, type DomainCapture, type RaiseAlarm } from '../sso/domain-capture.js';
import { MAX_SESSIONS } from '../sessions/sessions-config.js';
import { openSession, type NewSession, type OpenedSession } from '../sessions/sessions.store.js';

const WINDOW_MS = 15 * 60_000;
/** Maximum number of requests for a recovery link in 15 minutes, for an email address and for an IP address. */
const LIMITS = { email: 3, ip: 10 } as const;

/**
 * Counts a request in a sliding window of 15 minutes, exactly, across all replicas. The first request over the limit counts until
 * the oldest request expires; further requests are not counted.
 */
async function admit(tx: Tx, kind: keyof typeof LIMITS, text: string): Promise<'admitted' | 'first over' | 'over'> {
  const subject = hashSecret(text);
  const [row] = await tx.$queryRaw<{ times: Date[] }[]>`
    INSERT INTO magic_link_requests (kind, subject, times) VALUES (${kind}, ${subject}, '{}')
    ON CONFLICT (kind, subject) DO UPDATE SET times = magic_link_requests.times RETURNING times`;
  const now = Date.now();
  const recent = (row?.times ?? []).filter((time) => time.getTime() > now - WINDOW_MS);
  if (recent.length > LIMITS[kind]) return 'over';
  const isAdmitted = recent.length < LIMITS[kind];
  const [oldest] = recent;
  await tx.magicLinkRequest.update({
    where: { kind_subject: { kind, subject: new Uint8Array(subject) } },
    data: { times: isAdmitted || !oldest ? [...recent, new Date(now)] : [oldest, ...recent] },
  });
  return isAdmitted ? 'admitted' : 'first over';
}

interface Recoverable {
  role: string;
  delegated_role: string | null;
  recovery_after: Date | null;
}

/**
 * Whether the account may be recovered. After a change of its email address, recovery is refused while the owner can still object to the
 * change.
 */
const mayRecover = (recovery: Recovery, user: Recoverable) =>
  (recovery === 'all' || (recovery === 'users-only' && accountRole(user) === 'user')) &&
  (!user.recovery_after || user.recovery_after <= new Date());

export interface Recovered {
  opened: OpenedSession;
  isAdmin: boolean;
}

export interface IssuedLink {
  /** Email address as it is stored in the account. The user may have typed it in another letter case. */
  email: string;
  token: string;
  expiresAt: Date;
}

/** The default: no domain is captured, and no alarm is raised. */
const OPEN: Capture = { capture: createDomainCapture([]), raiseAlarm: () => Promise.resolve() };

interface Capture {
  capture: DomainCapture;
  raiseAlarm: RaiseAlarm;
}

export function createMagicLinkStore(
  db: Database,
  recovery: Recovery = 'all',
  { capture, raiseAlarm }: Capture = OPEN,
  maxSessions = MAX_SESSIONS,
) {
  const isRecoverable = (user: Recoverable & { email: string }) =>
    mayRecover(recovery, user) && !capture.isCaptured(user.email);
  return {
    /** Counts a request by its IP address; `false` over the limit. */
    admitIp: (ip: string): Promise<boolean> => db.transaction(async (tx) => (await admit(tx, 'ip', ip)) === 'admitted'),

    /**
     * Issues a token for the user with that email. Returns `undefined` when no user has the email, or when the email's limit is reached.
     */
    issue: (email: string, from: Pick<Actor, 'ip' | 'requestId'>): Promise<IssuedLink | undefined> =>
      db.transaction(async (tx) => {
        // Created for unknown emails too, so that the duration is the same.
        const token = newOneTimeToken();
        const expiresAt = new Date(Date.now() + WINDOW_MS);
        const token_hash = new Uint8Array(hashSecret(token));
        const admission = await admit(tx, 'email', email.toLowerCase());
        const user = await tx.user.findUnique({ where: { email } });
        if (!user || !isRecoverable(user) || !(await lockActiveAccount(tx, user.id))) return undefined;
        // Notifies the owner, because a stranger may have requested the earlier links. These links reached the owner and are still valid.
        if (admission === 'first over') await queueNotice(tx, user, 'recovery_limited', from);
        if (admission !== 'admitted') return undefined;
        await tx.magicLinkToken.create({
          data: { id: newId(), user_id: user.id, token_hash, expires_at: expiresAt },
        });
        const actor: Actor = { ...from, userId: user.id, kind: 'user', label: user.name };
        await recordDecision(tx, {
          actor,
          action: 'magic_link.create',
          resource: encodeId('usr', user.id),
          project: user.project,
          // The request counts as a stranger's, because anyone can request a link for another person's account.
          detail: { by: 'stranger' },
        });
        return { email: user.email, token, expiresAt };
      }),

    /** Returns the address of the account that a token signs in to, without consuming the token; `undefined` for an invalid token. */
    async emailOf(token: string): Promise<string | undefined> {
      const valid = { used_at: null, expires_at: { gt: new Date() }, user: { status: 'active' } };
      const found = await db.prisma.magicLinkToken.findFirst({
        where: { ...valid, token_hash: new Uint8Array(hashSecret(token)) },
        select: { user: true },
      });
      return found && isRecoverable(found.user) ? found.user.email : undefined;
    },

    /** Consumes a token and opens a session. Returns `undefined` for an invalid token. */
    async redeem(
      token: string,
      from: Pick<NewSession, 'ip' | 'userAgent' | 'requestId' | 'held'>,
    ): Promise<Recovered | undefined> {
      const token_hash = new Uint8Array(hashSecret(token));
      const known = await db.prisma.magicLinkToken.findUnique({ where: { token_hash }, select: { user: true } });
      if (!known) return undefined;
      const { id: userId, name: label, project } = known.user;
      const recovered = await db.transaction(async (tx): Promise<Recovered | undefined> => {
        if (!(await lockActiveAccountAlone(tx, userId)) || !isRecoverable(known.user)) return undefined;
        const [used] = await tx.$queryRaw<{ id: string }[]>`
          UPDATE magic_link_tokens SET used_at = now() WHERE token_hash = ${token_hash} AND used_at IS NULL AND expires_at > now()
          RETURNING id`;
        if (!used) return undefined;
        const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
        await raiseAlarm(tx, user, from, 'magic_link');
        const opened = await openSession(tx, { user, method: 'magic_link', ...from, maxSessions });
        await tx.magicLinkToken.update({ where: { id: used.id }, data: { session_id: opened.sessionId } });
        await queueNotice(tx, user, 'recovery_used', from);
        return { opened, isAdmin: user.role === 'admin' };
      });
      const actor: Actor = { userId, kind: 'user', label, requestId: from.requestId, ip: from.ip };
      const refused = { actor, action: 'session.create', resource: encodeId('usr', userId), project };
      if (!recovered) await recordStrangerDenial(db, refused, 'recovery link not good');
      return recovered;
    },
  };
}
export type MagicLinkStore = ReturnType<typeof createMagicLinkStore>;
