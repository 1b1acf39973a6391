import { hashSecret, holdActive, newOneTimeToken } from '@millwright/auth';
import { newId, type Database, type Tx } from '@millwright/db';
import { openSession, revokeSession, type NewSession, type OpenedSession } from '../sessions/sessions.store.js';

const LIFE_MS = 60_000;

interface ConsumedCode {
  id: string;
  user_id: string;
  code_challenge: string;
}

export type Exchange = { opened: OpenedSession; isAdmin: boolean } | undefined;

/** Authorization codes of the console: 60 seconds, once; a second use ends what the first one minted (RFC 6749 §4.1.2). */
export function createCodeStore(db: Database) {
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

    /** Uses the code up, and opens a session when `challenge` (made of the verifier) is the code's. */
    exchange: (
      code: string,
      challenge: string,
      from: Pick<NewSession, 'ip' | 'userAgent' | 'requestId'>,
    ): Promise<Exchange> =>
      db.transaction(async (tx) => {
        const hash = new Uint8Array(hashSecret(code));
        const known = await tx.consoleCode.findUnique({ where: { code_hash: hash }, select: { user_id: true } });
        const isActive = known !== null && (await holdActive(tx, known.user_id));
        const [row] = await tx.$queryRaw<ConsumedCode[]>`
          UPDATE console_codes SET used_at = now() WHERE code_hash = ${hash} AND used_at IS NULL AND expires_at > now()
          RETURNING id, user_id, code_challenge`;
        if (!row) return endReplayed(tx, hash);
        if (!isActive || row.code_challenge !== challenge) return undefined;
        const user = await tx.user.findUniqueOrThrow({ where: { id: row.user_id } });
        const opened = await openSession(tx, { user, method: 'passkey', ...from });
        await tx.consoleCode.update({ where: { id: row.id }, data: { session_id: opened.sessionId } });
        return { opened, isAdmin: user.role === 'admin' };
      }),
  };
}
export type CodeStore = ReturnType<typeof createCodeStore>;

async function endReplayed(tx: Tx, code_hash: Uint8Array<ArrayBuffer>): Promise<undefined> {
  const replayed = await tx.consoleCode.findUnique({ where: { code_hash }, include: { user: true } });
  if (!replayed?.session_id) return undefined;
  const actor = { userId: replayed.user_id, kind: 'user', label: replayed.user.name } as const;
  await revokeSession(tx, replayed.user_id, replayed.session_id, actor, 'authorization code replayed');
  return undefined;
}
