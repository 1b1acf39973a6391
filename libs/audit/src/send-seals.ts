import type { Database, Tx } from '@millwright/db';
import { decodeProtectedHeader } from 'jose';
import { readSealsAfter } from './audit-log.store.js';

/**
 * The data of a seal that a receiver stores. They are enough to detect that the seal was replaced, or was removed with
 * its rows.
 */
export interface SealNotice {
  number: number;
  /** SHA-256 of the seal, which the next seal contains. */
  hash: string;
  /** Number of sealed rows. */
  rows: number;
  sealed_at: string;
  kid: string | null;
}

/** Maximum seals in one message. */
const BATCH = 20;
/** Limit of the messages that one run sends; the next run sends further messages. */
const BATCHES = 50;

type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/**
 * Sends the seals that a receiver has not received, in order. The position is stored after each message, so that
 * nothing is lost while the receiver is unavailable. When the process stops before the position is stored, the message
 * is sent again.
 *
 * @returns the number of sent seals.
 * @throws any error of `send`.
 */
export async function sendSeals(
  db: Database,
  step: Step,
  receiver: 'log' | 'webhook' | 's3',
  send: (seals: readonly SealNotice[]) => Promise<void> | void,
): Promise<number> {
  const stored = await db.prisma.auditSealCursor.findUnique({ where: { receiver } });
  let sent = 0;
  let number = stored?.number ?? 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const seals = await readSealsAfter(db, number, BATCH);
    const last = seals.at(-1)?.number;
    if (last === undefined) break;
    await send(seals.map(toNotice));
    await step((tx) => storeCursor(tx, receiver, last));
    [sent, number] = [sent + seals.length, last];
  }
  return sent;
}

/** Stores the position; it never moves back. */
const storeCursor = (tx: Tx, receiver: string, number: number) => tx.$executeRaw`
  INSERT INTO audit_seal_cursors AS c (receiver, number) VALUES (${receiver}, ${number})
  ON CONFLICT (receiver) DO UPDATE SET number = greatest(c.number, excluded.number), updated_at = now()`;

function toNotice({
  number,
  hash,
  entries,
  sealed_at,
  jws,
}: Awaited<ReturnType<typeof readSealsAfter>>[number]): SealNotice {
  const { kid } = decodeProtectedHeader(jws);
  return { number, hash, rows: entries.length, sealed_at, kid: kid ?? null };
}
