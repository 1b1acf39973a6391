import { ADVISORY_LOCKS, type Database, type Tx } from '@millwright/db';
import { FIRST_PREVIOUS, hashOfSeal, sealRows, type SealKey } from './seal.js';
import { insertSeal, readLastSeal, readRows } from './audit-log.store.js';

/** Maximum rows of one seal. */
const BATCH = 1_000;
/**
 * Maximum time that a sealer waits for transactions that may still add earlier rows. The next run of the job seals the
 * rest.
 */
const SETTLE_MS = 5_000;
const POLL_MS = 20;

/** Runs `work` in a transaction. In a scheduled job, it rejects as soon as the job must stop. */
export type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

export interface Sealed {
  rows: number;
  seals: number;
  /** Whether rows stayed unsealed because a transaction with audit rows was open for too long. */
  waiting: boolean;
}

/** Seals the unsealed rows of the audit log, in batches. */
export async function sealAuditLog(
  db: Database,
  key: SealKey,
  step: Step = (work) => db.transaction(work),
  now: () => Date = () => new Date(),
): Promise<Sealed> {
  const through = await settledSeq(db);
  const sealed = { rows: 0, seals: 0, waiting: through === undefined };
  if (through === undefined) return sealed;
  for (;;) {
    const rows = await step((tx) => sealBatch(tx, through, key, now()));
    sealed.rows += rows;
    sealed.seals += rows > 0 ? 1 : 0;
    if (rows < BATCH) return sealed;
  }
}

/** Seals the next rows, up to `through`, in one seal. @returns the number of rows. */
async function sealBatch(tx: Tx, through: bigint, key: SealKey, sealedAt: Date): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.auditSeals})`;
  const last = await readLastSeal(tx);
  const rows = await readRows(tx, { after: last?.through_seq ?? 0n, through, limit: BATCH });
  if (rows.length === 0) return 0;
  const place = { number: (last?.number ?? 0) + 1, previous: last?.hash ?? FIRST_PREVIOUS, sealedAt };
  const seal = await sealRows(rows, place, key);
  await insertSeal(tx, seal, hashOfSeal(seal));
  return rows.length;
}

/**
 * Returns a `seq` up to which no further row will appear. A row gets its `seq` when it is inserted, but becomes visible when its
 * transaction commits. A late commit can therefore add a row before visible rows. A transaction that inserted a row has a lock of the table
 * until it ends. The function reads the highest `seq` and waits until all transactions that then have this lock have ended. After that, all
 * rows up to that `seq` are visible.
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

/** Returns the open transactions that have inserted audit rows. */
async function readWriters(db: Database): Promise<Set<string>> {
  const rows = await db.prisma.$queryRaw<{ id: string }[]>`
    SELECT virtualtransaction AS id FROM pg_locks
     WHERE locktype = 'relation' AND relation = 'governance_decisions'::regclass AND mode = 'RowExclusiveLock'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return new Set(rows.map(({ id }) => id));
}
