import type { Database, Tx } from '@millwright/db';
import { decodeProtectedHeader } from 'jose';
import { readSealsAfter } from './audit-log.store.js';

/** What a receiver keeps of a seal: enough to find that it was exchanged, or cut off with its rows. */
export interface SealNotice {
  number: number;
  /** SHA-256 of the seal, which the next one contains. */
  hash: string;
  /** Number of sealed rows. */
  rows: number;
  sealed_at: string;
  kid: string | null;
}

/** Seals of one message. */
const BATCH = 20;
/** Limit of the messages of a run: the next one goes on. */
const BATCHES = 50;

type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/**
 * Sends the seals that a receiver has not received, in order. Where it stopped is stored after each message, so that nothing is lost while
 * the receiver is away; a message whose acceptance was not stored is sent again.
 *
 * @returns the number of sent seals.
 * @throws what `send` throws.
 */
export async function sendSeals(
  db: Database,
  step: Step,
  receiver: 'log' | 'webhook',
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

/** Never moves back. */
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
