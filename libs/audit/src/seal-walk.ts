import type { Database } from '@millwright/db';
import { BEFORE_ALL, readRows, readSealsAfter } from './audit-log.store.js';
import { createAuditVerifier, type AuditFindings, type AuditVerifier, type VerifierState } from './audit-verifier.js';
import type { Checkpoint } from './checkpoint.js';
import { ERASE_ACTION } from './erasure-check.js';
import { FIRST_PREVIOUS, Seal, type FindSealKey } from './seal.js';

/** Maximum number of seals that one query reads. Each seal lists up to a thousand rows. */
const SEALS_AT_ONCE = 10;
const ROWS_AT_ONCE = 2_000;
/** Maximum number of statements of erasures that one query reads. Each statement lists up to a few hundred rows. */
const STATEMENTS_AT_ONCE = 20;

/** State of a verification between two seals, as JSON. */
export interface WalkState {
  /** Number of the checkpoint at which the log began; 0 without a checkpoint. */
  checkpoint: number;
  /** Number of the last verified seal. */
  next: number;
  number: number;
  /** `seq` of the last verified row, as text. */
  after: string;
  verifier: VerifierState;
}

/** Verifies seals with their rows in order, from the first seal on or from the state that another walk saved. */
export function createSealWalk(db: Database, findKey: FindSealKey, checkpoint?: Checkpoint, saved?: WalkState) {
  const place = { previous: checkpoint?.hash ?? FIRST_PREVIOUS, firstSeal: (checkpoint?.number ?? 0) + 1 };
  const check = createAuditVerifier({ findKey, checkpoint, ...place, saved: saved?.verifier });
  let { next, number } = saved ?? { next: 0, number: checkpoint?.number ?? 0 };
  // Also reads seals and rows before the checkpoint, because they must not exist.
  let after = saved ? BigInt(saved.after) : BEFORE_ALL;

  return {
    /** Verifies the next seals, up to the number `through`. @returns whether there were such seals */
    async advance(through = Infinity): Promise<boolean> {
      const seals = await readSealsAfter(db, next, SEALS_AT_ONCE);
      const covered = seals.filter((seal) => seal.number <= through);
      for (const seal of covered) {
        await checkRows(db, check, after, seal.through);
        const parsed = Seal.safeParse(seal);
        if (parsed.success) await check.seal(parsed.data);
        else check.fault(`seal ${seal.number} cannot be read`);
        [next, after] = [seal.number, seal.through > after ? seal.through : after];
      }
      number = Math.max(number, next);
      return covered.length > 0;
    },

    /** The number of differences found so far, which are kept in memory. */
    get found(): number {
      return check.found;
    },

    /** The number of rows verified since the walk began, including rows that earlier parts verified. */
    get rows(): number {
      return check.rows;
    },

    /** Returns the state from which a later walk can continue, also in another process. */
    save: (): WalkState => ({
      checkpoint: saved?.checkpoint ?? checkpoint?.number ?? 0,
      ...{ next, number, after: String(after), verifier: check.save() },
    }),

    /** Ends the walk. Returns the findings, the number of the last seal and the `seq` of its last row. */
    async end(): Promise<{ findings: AuditFindings; number: number; after: bigint }> {
      for await (const row of statementsAfter(db, after)) check.unsealedStatement(row);
      return { findings: await check.end(), number, after };
    },
  };
}

/** Yields the statements of erasures that are not sealed. */
async function* statementsAfter(db: Database, seq: bigint) {
  for (let after = seq; ;) {
    const rows = await readRows(db.prisma, { after, limit: STATEMENTS_AT_ONCE, filter: { action: ERASE_ACTION } });
    yield* rows;
    if (rows.length < STATEMENTS_AT_ONCE) return;
    after = BigInt(rows.at(-1)?.seq ?? 0);
  }
}

async function checkRows(db: Database, check: AuditVerifier, after: bigint, through: bigint) {
  let from = after;
  for (;;) {
    const rows = await readRows(db.prisma, { after: from, through, limit: ROWS_AT_ONCE });
    for (const row of rows) check.row(row);
    if (rows.length < ROWS_AT_ONCE) return;
    from = BigInt(rows.at(-1)?.seq ?? 0);
  }
}
