import type { Database, Prisma, Tx } from '@millwright/db';
import type { Checkpoint } from './checkpoint.js';
import type { AuditRow, ErasedFields } from './content-hash.js';
import type { Seal, SealEntry } from './seal.js';

/** Filter of audit rows. The period includes `from` and excludes `to`. */
export interface AuditFilter {
  /** UUID of the user. */
  userId?: string | undefined;
  actorKind?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  resource?: string | undefined;
  decision?: string | undefined;
  /** Id of the request. An id without `~` also matches every request for which a client sent this id. */
  requestId?: string | undefined;
  /** Public id of the run that a row belongs to. */
  run?: string | undefined;
  /** Whether to leave out the rows that jobs write at the end of their runs. */
  withoutJobRuns?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export function whereOf(filter: AuditFilter): Prisma.GovernanceDecisionWhereInput {
  const { userId, actorKind, actor, action, resource, decision, requestId, run, withoutJobRuns, from, to } = filter;
  return {
    ...(userId !== undefined && { user_id: userId }),
    ...(actorKind !== undefined && { actor_kind: actorKind }),
    ...(actor !== undefined && { actor_id: actor }),
    ...(action !== undefined && { action }),
    ...(resource !== undefined && { resource }),
    ...(decision !== undefined && { decision }),
    ...(requestId !== undefined && {
      OR: [{ request_id: requestId }, { request_id: { startsWith: `${requestId}~` } }],
    }),
    ...(run !== undefined && { run }),
    ...(withoutJobRuns && { NOT: { action: 'job.run' } }),
    ...((from ?? to) && { at: { ...(from && { gte: from }), ...(to && { lt: to }) } }),
  };
}

type DecisionRow = Omit<Prisma.GovernanceDecisionGetPayload<object>, 'run'>;

export function toAuditRow({ seq, at, erased, ...row }: DecisionRow & { run?: string | null }): AuditRow {
  delete row.run;
  return { ...row, seq: Number(seq), at: at.toISOString(), erased: erased as ErasedFields | null };
}

/** A position before every row: lower than every possible `seq`, even that of a tampered row. */
export const BEFORE_ALL = -(2n ** 63n);

/** Returns audit rows in the order of `seq`, from the first row after `after` up to and including `through`. */
export async function readRows(
  tx: Pick<Tx, 'governanceDecision'>,
  { after, through, limit, filter = {} }: { after: bigint; through?: bigint; limit: number; filter?: AuditFilter },
): Promise<AuditRow[]> {
  const rows = await tx.governanceDecision.findMany({
    where: { ...whereOf(filter), seq: { gt: after, ...(through !== undefined && { lte: through }) } },
    orderBy: { seq: 'asc' },
    take: limit,
  });
  return rows.map(toAuditRow);
}

export interface StoredSeal extends Seal {
  hash: string;
  through: bigint;
}

type SealRow = Prisma.AuditSealGetPayload<object>;

const toSeal = ({ number, sealed_at, entries, jws, hash, through_seq }: SealRow): StoredSeal => ({
  number,
  sealed_at: sealed_at.toISOString(),
  entries: entries as unknown as SealEntry[],
  jws,
  hash,
  through: through_seq,
});

/** Returns the times of the first and the last row of a run; undefined when the run has no rows. */
export async function readPeriodOfRun(db: Database, run: string): Promise<{ from: Date; to: Date } | undefined> {
  const { _min, _max } = await db.prisma.governanceDecision.aggregate({
    where: { run },
    _min: { at: true },
    _max: { at: true },
  });
  if (!_min.at || !_max.at) return undefined;
  return { from: _min.at, to: new Date(_max.at.getTime() + 1) };
}

/** Finds a seal by its number. */
export async function readSeal(tx: Pick<Tx, 'auditSeal'>, number: number): Promise<StoredSeal | undefined> {
  const row = await tx.auditSeal.findUnique({ where: { number } });
  return row ? toSeal(row) : undefined;
}

/** Yields seals in order, after the given number. */
export async function readSealsAfter(db: Database, number: number, limit: number): Promise<StoredSeal[]> {
  const rows = await db.prisma.auditSeal.findMany({
    where: { number: { gt: number } },
    orderBy: { number: 'asc' },
    take: limit,
  });
  return rows.map(toSeal);
}

/** A seal without its list of rows. */
export interface SealHash {
  number: number;
  hash: string;
  sealed_at: Date;
}

/** Returns the hashes of the seals after `after`, up to and including `through`, in order. */
export function readHashes(db: Database, after: number, through: number): Promise<SealHash[]> {
  return db.prisma.auditSeal.findMany({
    where: { number: { gt: after, lte: through } },
    orderBy: { number: 'asc' },
    select: { number: true, hash: true, sealed_at: true },
  });
}

/** Returns the last seal, without its list of rows. */
export function readLastSeal(tx: Pick<Tx, 'auditSeal'>) {
  return tx.auditSeal.findFirst({
    orderBy: { number: 'desc' },
    select: { number: true, hash: true, through_seq: true, sealed_at: true },
  });
}

export async function insertSeal(tx: Tx, seal: Seal, hash: string): Promise<void> {
  const through = BigInt(seal.entries.at(-1)?.[0] ?? 0);
  await tx.auditSeal.create({
    data: {
      number: seal.number,
      through_seq: through,
      rows: seal.entries.length,
      hash,
      entries: seal.entries,
      jws: seal.jws,
      sealed_at: seal.sealed_at,
    },
  });
}

/** Returns the checkpoint that retention wrote last; undefined while the audit log is complete. */
export async function readCheckpoint(tx: Pick<Tx, 'auditCheckpoint'>): Promise<Checkpoint | undefined> {
  const row = await tx.auditCheckpoint.findFirst({ orderBy: { number: 'desc' } });
  if (!row) return undefined;
  const { through_seq, rows, sealed_at, at, ...rest } = row;
  const times = { sealed_at: sealed_at.toISOString(), at: at.toISOString() };
  return { ...rest, ...times, through_seq: Number(through_seq), rows: Number(rows) };
}

/** Inserts a checkpoint, which removes the seals that it covers and their rows. */
export async function insertCheckpoint(tx: Tx, checkpoint: Checkpoint): Promise<void> {
  await tx.auditCheckpoint.create({ data: checkpoint });
}

/**
 * Returns the next seals after the seal `number` that are older than `before`, without their lists of rows. The last
 * seal of the log is never included.
 */
export async function readOldSeals(tx: Pick<Tx, 'auditSeal'>, number: number, before: Date, limit: number) {
  const last = await readLastSeal(tx);
  const seals = await tx.auditSeal.findMany({
    where: { number: { gt: number, lt: last?.number ?? 0 } },
    orderBy: { number: 'asc' },
    take: limit,
    select: { number: true, through_seq: true, hash: true, rows: true, sealed_at: true },
  });
  const young = seals.findIndex(({ sealed_at }) => sealed_at >= before);
  return young < 0 ? seals : seals.slice(0, young);
}
