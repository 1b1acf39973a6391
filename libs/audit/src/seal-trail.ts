import type { Database, Tx } from '@millwright/db';
import { FIRST_PREVIOUS, hashOfSeal, sealRows, type SealKey } from './seal.js';
import { insertSeal, readLastSeal, readRows } from './trail.store.js';

/** Rows of one seal. */
const BATCH = 1_000;
/** Any constant: sealers of one installation queue on it. */
const LOCK = 7_246_102;
/** How long a sealer waits for transactions that may still add an earlier row; then it leaves the rest for later. */
const SETTLE_MS = 5_000;
const POLL_MS = 20;

/** Runs `work` in a transaction; a scheduled job's refuses once it may not go on. */
export type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

export interface Sealed {
  rows: number;
  seals: number;
  /** A transaction that had written to the trail was open too long to wait for it: some rows were left. */
  waiting: boolean;
}

/** Seals what the trail holds, in batches. */
export async function sealTrail(
  db: Database,
  key: SealKey,
  step: Step = (work) => db.transaction(work),
): Promise<Sealed> {
  const through = await settledSeq(db);
  const sealed = { rows: 0, seals: 0, waiting: through === undefined };
  if (through === undefined) return sealed;
  for (;;) {
    const rows = await step((tx) => sealBatch(tx, through, key));
    sealed.rows += rows;
    sealed.seals += rows > 0 ? 1 : 0;
    if (rows < BATCH) return sealed;
  }
}

/** One seal over the next rows, up to `through`. @returns how many. */
async function sealBatch(tx: Tx, through: bigint, key: SealKey): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
  const last = await readLastSeal(tx);
  const rows = await readRows(tx, { after: last?.through_seq ?? 0n, through, limit: BATCH });
  if (rows.length === 0) return 0;
  const place = { number: (last?.number ?? 0) + 1, previous: last?.hash ?? FIRST_PREVIOUS, sealedAt: new Date() };
  const seal = await sealRows(rows, place, key);
  await insertSeal(tx, seal, hashOfSeal(seal));
  return rows.length;
}

/**
 * A place in the trail that no row will be written before any more. Places are given out when a row is inserted, and rows are seen
 * when their transaction commits: a late commit appears before rows that were long there. Whoever has been given a place holds a
 * lock on the table until its transaction ends; so once everyone who held it when the place was read has let go, all is seen.
 */
async function settledSeq(db: Database): Promise<bigint | undefined> {
  const [newest] = await db.prisma.$queryRaw<
    { seq: bigint | null }[]
  >`SELECT max(seq) AS seq FROM governance_decisions`;
  const writers = await readWriters(db);
  const deadline = Date.now() + SETTLE_MS;
  for (let open = writers; open.size > 0; open = await readWriters(db)) {
    if (![...open].some((id) => writers.has(id))) break;
    if (Date.now() > deadline) return undefined;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return newest?.seq ?? 0n;
}

/** The transactions that have written to the trail and are still open. */
async function readWriters(db: Database): Promise<Set<string>> {
  const rows = await db.prisma.$queryRaw<{ id: string }[]>`
    SELECT virtualtransaction AS id FROM pg_locks
     WHERE locktype = 'relation' AND relation = 'governance_decisions'::regclass AND mode = 'RowExclusiveLock'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return new Set(rows.map(({ id }) => id));
}
