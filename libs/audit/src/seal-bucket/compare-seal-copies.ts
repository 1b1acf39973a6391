import type { Database } from '@millwright/db';
import { readCheckpoint, readHashes, readLastSeal } from '../audit-log.store.js';
import type { AuditFault } from '../audit-verifier.js';
import { readSealCopies, type SealCopy } from './read-seal-copies.js';
import type { SealBucket } from './seal-bucket-config.js';

export interface CopyFindings {
  /** Number of objects in the bucket, including older versions. */
  copies: number;
  /** Number of seals in the database that have a copy with the same hash. */
  copied: number;
  /** Number of seals without a copy that are either too new to have one, or so old that the lock of their copy has ended. */
  uncopied: number;
  faults: AuditFault[];
}

const DAY_MS = 86_400_000;
/** Age from which every seal must have its copy. It is a multiple of the interval of the job `send-seals`. */
const COPIED_AFTER_MS = 3_600_000;
/** Maximum number of seals that one query reads from the database. */
const SEALS_AT_ONCE = 1_000;
/** The comparison ends at this number of faults, because each fault is kept in memory; a log with more faults is broken as a whole. */
const MOST_FAULTS = 10_000;

/**
 * Compares the seals of the database with their copies in the bucket with Object Lock, which the owner of the database
 * cannot change. Reports a fault for a seal that differs from a copy, for a copy without a seal, and for a seal that is
 * older than an hour and has no copy. Seals that retention removed are no faults; the last removed seal is compared
 * with the checkpoint.
 *
 * @throws any error of the bucket's server.
 */
export async function compareSealCopies(db: Database, bucket: SealBucket, now = Date.now()): Promise<CopyFindings> {
  const comparison = await createComparison(db, { now, lockMs: bucket.days * DAY_MS });
  for await (const copy of readSealCopies(bucket)) {
    await comparison.read(copy);
    if (comparison.findings.faults.length >= MOST_FAULTS) return comparison.findings;
  }
  await comparison.end();
  return comparison.findings;
}

async function createComparison(db: Database, { now, lockMs }: { now: number; lockMs: number }) {
  const findings: CopyFindings = { copies: 0, copied: 0, uncopied: 0, faults: [] };
  /** Number of the last seal that was handled: every seal up to it has a copy or a fault. */
  let through = (await readCheckpoint(db.prisma))?.number ?? 0;
  let isAfterCopy = false;
  const differing = new Set<number>();

  const fault = (seal: number | null, reason: string) =>
    findings.faults.push({ kind: 'copy', row: null, seal, reason });

  /**
   * Handles the seals `first` to `last`, which have no copy. Locks end in the order of the seals, so only seals before
   * the first copy may have lost their copy.
   */
  async function passUncopied(first: number, last: number): Promise<void> {
    for (let after = first - 1; after < last && findings.faults.length < MOST_FAULTS; after += SEALS_AT_ONCE) {
      for (const { number, sealed_at } of await readHashes(db, after, Math.min(last, after + SEALS_AT_ONCE))) {
        const age = now - sealed_at.getTime();
        if (age < COPIED_AFTER_MS || (!isAfterCopy && age > lockMs)) findings.uncopied += 1;
        else fault(number, 'has no copy in the bucket');
      }
    }
  }

  /** Compares one seal of a copy with the database. Adds at most one fault for a seal, even when several versions of its copy differ. */
  function compare({ number, hash }: { number: number; hash: string }, known: string | undefined, where: string): void {
    if (known === hash) findings.copied += number > through ? 1 : 0;
    else if (!differing.has(number)) {
      differing.add(number);
      fault(number, known === undefined ? `is gone: ${where} has it` : `differs from ${where}`);
    }
  }

  return {
    findings,

    async read({ key, storedAt, seals }: SealCopy): Promise<void> {
      findings.copies += 1;
      const where = `its copy ${key} of ${storedAt.toISOString()}`;
      if (!seals) {
        fault(null, `the object ${key} of ${storedAt.toISOString()} is no copy of seals`);
        return;
      }
      const numbers = seals.map(({ number }) => number);
      const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
      if (first > through + 1) await passUncopied(through + 1, first - 1);
      const known = new Map((await readHashes(db, first - 1, last)).map(({ number, hash }) => [number, hash]));
      // Read the checkpoint after the seals, because retention may remove seals meanwhile. The checkpoint names the last removed seal.
      const checkpoint = await readCheckpoint(db.prisma);
      if (checkpoint) known.set(checkpoint.number, checkpoint.hash);
      for (const seal of seals)
        if (seal.number >= (checkpoint?.number ?? 1)) compare(seal, known.get(seal.number), where);
      [through, isAfterCopy] = [Math.max(through, last), true];
    },

    /** Handles the seals after the last copy, and returns the result. */
    async end(): Promise<void> {
      await passUncopied(through + 1, (await readLastSeal(db.prisma))?.number ?? 0);
    },
  };
}
