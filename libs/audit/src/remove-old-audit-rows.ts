import type { Database, Tx } from '@millwright/db';
import { insertCheckpoint, readCheckpoint, readOldSeals } from './audit-log.store.js';
import { signCheckpoint, type Checkpoint } from './checkpoint.js';
import { recordDecision, type Actor } from './record.js';
import type { FindSealKey, SealKey } from './seal.js';
import { verifySeals } from './verify-audit-log.js';

/** Limits of a step, which keep the statements of the step short. A seal has up to a thousand rows. */
const ROWS_PER_STEP = 2_000;
const SEALS_PER_STEP = 300;

type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

export interface AuditRemoval {
  /** Seals made before this time are removed, together with all their rows. */
  before: Date;
  key: SealKey;
  /** Finds the keys that verify the rows and seals of a step before they are removed. */
  findKey: FindSealKey;
  actor: Actor;
}

/**
 * Removes seals older than the retention, with their rows, in steps. Each step first verifies its range of seals, then
 * signs a checkpoint of the range, and writes an audit row. The last seal is kept.
 *
 * @throws when a range has faults: the range is kept, so that its faults can be examined.
 */
export async function removeOldAuditRows(
  db: Database,
  step: Step,
  { before, key, findKey, actor }: AuditRemoval,
): Promise<number> {
  for (let removed = 0; ;) {
    const former = await readCheckpoint(db.prisma);
    const range = await nextRange(db, former, before);
    if (!range) return removed;
    const { findings } = await verifySeals(db, findKey, former, range.number);
    if (findings.faults.length > 0)
      throw new Error(`the audit log has faults up to seal ${range.number}: verify it; nothing of it is removed`);
    const { count, ...place } = range;
    const rows = (former?.rows ?? 0) + count;
    const checkpoint = await signCheckpoint({ ...place, rows, at: new Date().toISOString() }, key);
    await step((tx) => removeRange(tx, checkpoint, count, actor));
    removed += count;
  }
}

async function nextRange(db: Database, former: Checkpoint | undefined, before: Date) {
  const seals = await readOldSeals(db.prisma, former?.number ?? 0, before, SEALS_PER_STEP);
  let count = 0;
  const chosen = seals.filter(({ rows }, index) => (count += rows) <= ROWS_PER_STEP || index === 0);
  const last = chosen.at(-1);
  if (!last) return undefined;
  return {
    number: last.number,
    through_seq: Number(last.through_seq),
    hash: last.hash,
    sealed_at: last.sealed_at.toISOString(),
    count: chosen.reduce((sum, { rows }) => sum + rows, 0),
  };
}

async function removeRange(tx: Tx, checkpoint: Checkpoint, rows: number, actor: Actor): Promise<void> {
  await insertCheckpoint(tx, checkpoint);
  const { number, hash, sealed_at } = checkpoint;
  const detail = { rows, seal: number, hash, sealed_at };
  await recordDecision(tx, { actor, action: 'audit.remove', resource: 'audit', detail });
}
