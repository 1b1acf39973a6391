import type { Database, Prisma, Tx } from '@millwright/db';
import type { TrailRow } from './content-hash.js';
import type { Seal, SealEntry } from './seal.js';

/** What of the trail is asked for. Times: `from` included, `to` not. */
export interface TrailFilter {
  /** UUID. */
  userId?: string | undefined;
  actorKind?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  resource?: string | undefined;
  decision?: string | undefined;
  requestId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export function whereOf(filter: TrailFilter): Prisma.GovernanceDecisionWhereInput {
  const { userId, actorKind, actor, action, resource, decision, requestId, from, to } = filter;
  return {
    ...(userId !== undefined && { user_id: userId }),
    ...(actorKind !== undefined && { actor_kind: actorKind }),
    ...(actor !== undefined && { actor_id: actor }),
    ...(action !== undefined && { action }),
    ...(resource !== undefined && { resource }),
    ...(decision !== undefined && { decision }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...((from ?? to) && { at: { ...(from && { gte: from }), ...(to && { lt: to }) } }),
  };
}

type DecisionRow = Prisma.GovernanceDecisionGetPayload<object>;

export function toTrailRow({ seq, at, ...row }: DecisionRow): TrailRow {
  return { ...row, seq: Number(seq), at: at.toISOString() };
}

/** Before every place that a row can stand at, one that nobody gave out included. */
export const BEFORE_ALL = -(2n ** 63n);

/** Rows in the order of writing: after `after`, up to `through`. */
export async function readRows(
  tx: Pick<Tx, 'governanceDecision'>,
  { after, through, limit, filter = {} }: { after: bigint; through?: bigint; limit: number; filter?: TrailFilter },
): Promise<TrailRow[]> {
  const rows = await tx.governanceDecision.findMany({
    where: { ...whereOf(filter), seq: { gt: after, ...(through !== undefined && { lte: through }) } },
    orderBy: { seq: 'asc' },
    take: limit,
  });
  return rows.map(toTrailRow);
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

/** The seal with this number. */
export async function readSeal(tx: Pick<Tx, 'auditSeal'>, number: number): Promise<StoredSeal | undefined> {
  const row = await tx.auditSeal.findUnique({ where: { number } });
  return row ? toSeal(row) : undefined;
}

/** Seals in order, after the one with this number. */
export async function readSealsAfter(db: Database, number: number, limit: number): Promise<StoredSeal[]> {
  const rows = await db.prisma.auditSeal.findMany({
    where: { number: { gt: number } },
    orderBy: { number: 'asc' },
    take: limit,
  });
  return rows.map(toSeal);
}

/** Where the chain ends, without its list of rows. */
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
