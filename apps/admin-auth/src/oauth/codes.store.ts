import { recordStrangerDenial, type Actor } from '@millwright/audit';
import { lockActiveAccountAlone } from '@millwright/accounts';
import { hashSecret, newOneTimeToken } from '@millwright/auth';
import { encodeId, newId, type Database, type Tx } from '@millwright/db';
import { openSession, revokeSession, type NewSession, type OpenedSession } from '../sessions/sessions.store.js';
import { MAX_SESSIONS } from '../sessions/sessions-config.js';

const LIFE_MS = 60_000;

interface ConsumedCode {
  id: string;
  code_challenge: string;
}

export type Exchange = { opened: OpenedSession; isAdmin: boolean } | undefined;

/**
 * Creates functions for the authorization codes of the console. A code is valid for 60 seconds and for one exchange. A second exchange ends
 * the session that the first exchange opened (RFC 6749 §4.1.2).
 */
export function createCodeStore(db: Database, maxSessions = MAX_SESSIONS) {
  return {
    async issue(tx: Tx, userId: string, codeChallenge: string): Promise<string> {
      const code = newOneTimeToken();
      const code_hash = new Uint8Array(hashSecret(code));
      const expires_at = new Date(Date.now() + LIFE_MS);
      await tx.consoleCode.create({
        data: { id: newId(), code_hash, user_id: userId, code_challenge: codeChallenge, expires_at },
      });
      return code;
    },

    /** Redeems the code, and opens a session when the verifier matches the code's challenge. */
    async exchange(
      code: string,
      challenge: string,
      from: Pick<NewSession, 'ip' | 'userAgent' | 'requestId' | 'held'>,
    ): Promise<Exchange> {
      const code_hash = new Uint8Array(hashSecret(code));
      const known = await db.prisma.consoleCode.findUnique({ where: { code_hash }, select: { user: true } });
      if (!known) return undefined;
      const { id: userId, name: label, project } = known.user;
      const actor: Actor = { userId, kind: 'user', label, requestId: from.requestId, ip: from.ip };
      const exchange = await db.transaction(async (tx): Promise<Exchange> => {
        const isActive = await lockActiveAccountAlone(tx, userId);
        const [row] = await tx.$queryRaw<ConsumedCode[]>`
          UPDATE console_codes SET used_at = now() WHERE code_hash = ${code_hash} AND used_at IS NULL AND expires_at > now()
          RETURNING id, code_challenge`;
        if (!row) return endReplayed(tx, code_hash, actor);
        if (!isActive || row.code_challenge !== challenge) return undefined;
        const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
        const opened = await openSession(tx, { user, method: 'passkey', ...from, maxSessions });
        await tx.consoleCode.update({ where: { id: row.id }, data: { session_id: opened.sessionId } });
        return { opened, isAdmin: user.role === 'admin' };
      });
      const refused = { actor, action: 'session.create', resource: encodeId('usr', userId), project };
      if (!exchange) await recordStrangerDenial(db, refused, 'authorization code not good');
      return exchange;
    },
  };
}
export type CodeStore = ReturnType<typeof createCodeStore>;

async function endReplayed(tx: Tx, code_hash: Uint8Array<ArrayBuffer>, actor: Actor): Promise<undefined> {
  const replayed = await tx.consoleCode.findUnique({ where: { code_hash }, select: { session_id: true } });
  if (!replayed?.session_id) return undefined;
  const stranger: Actor = { ...actor, origin: { by: 'stranger' } };
  await revokeSession(tx, actor.userId, replayed.session_id, stranger, 'authorization code replayed');
  return undefined;
}
