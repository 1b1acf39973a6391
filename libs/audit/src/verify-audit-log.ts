import { newId, Prisma, type Database, type Tx } from '@millwright/db';
import type { AuditFault, AuditFindings } from './audit-verifier.js';
import type { FindSealKey } from './seal.js';
import { createSealWalk, type WalkState } from './seal-walk.js';
import type { Checkpoint } from './checkpoint.js';
import { readCheckpoint, readLastSeal } from './audit-log.store.js';

/** Number of faults stored with a verification. */
const KEPT_FAULTS = 1_000;
/**
 * A verification ends at this number of differences, because each difference is kept in memory; a log with more differences is broken as a
 * whole.
 */
const MOST_FOUND = 10_000;

/** Maximum number of attempts to verify a log from which retention removes rows meanwhile. */
const ATTEMPTS = 10;

/** State of an unfinished verification, as JSON. */
export interface VerificationState {
  attempt: number;
  /** State of the walk; undefined when the verification starts from the beginning. */
  walk?: WalkState | undefined;
}

/** Result of a part of a verification: the findings after the last part; after any other part, the state from which the next part continues. */
export type VerificationPart = { findings: AuditFindings } | { state: VerificationState };

/**
 * Verifies every sealed row of the database and the chain of seals, from the checkpoint of retention on, and counts the unsealed rows. Rows
 * that retention removes during the check are not faults.
 */
export async function verifyAuditLog(db: Database, findKey: FindSealKey): Promise<AuditFindings> {
  for (let state: VerificationState | undefined; ;) {
    const part = await verifyPart(db, findKey, state, () => false);
    if ('findings' in part) return part.findings;
    state = part.state;
  }
}

/**
 * Verifies a part of the audit log: from `state` until `isEnough` accepts the number of rows that this part has
 * verified, or until the end. Only a few seals and the findings are in memory.
 */
export async function verifyPart(
  db: Database,
  findKey: FindSealKey,
  { attempt, walk: saved }: VerificationState = { attempt: 1 },
  isEnough: (rows: number) => boolean,
): Promise<VerificationPart> {
  const checkpoint = await readCheckpoint(db.prisma);
  // Retention has removed seals that this verification has not verified yet.
  const isPassed = saved !== undefined && (checkpoint?.number ?? 0) > Math.max(saved.next, saved.checkpoint);
  const from = isPassed ? undefined : saved;
  const walk = createSealWalk(db, findKey, checkpoint, from);
  const begun = from?.checkpoint ?? checkpoint?.number ?? 0;
  const rowsBefore = from?.verifier.rows ?? 0;
  while (walk.found < MOST_FOUND && (await walk.advance()))
    if (isEnough(walk.rows - rowsBefore)) return { state: { attempt, walk: walk.save() } };
  const findings = await endVerification(db, walk);
  const hasMoved = ((await readCheckpoint(db.prisma))?.number ?? 0) !== begun;
  if (hasMoved && findings.faults.length > 0 && attempt < ATTEMPTS) return { state: { attempt: attempt + 1 } };
  return { findings };
}

async function endVerification(db: Database, walk: ReturnType<typeof createSealWalk>): Promise<AuditFindings> {
  const isWhole = walk.found < MOST_FOUND;
  const { findings, number, after } = await walk.end();
  if (isWhole) {
    const longest = await db.prisma.auditCheck.findFirst({ orderBy: { seals: 'desc' }, select: { seals: true } });
    const cut = (longest?.seals ?? 0) - number;
    if (cut > 0) {
      const reason = `the last ${cut} seals that an earlier check saw are gone`;
      findings.faults.push({ kind: 'seal', row: null, seal: number + 1, reason });
    }
  }
  return { ...findings, unsealed: await countUnsealed(db.prisma, after) };
}

/** Limit up to which unsealed rows are counted. The seal job runs every few minutes, so more rows are unsealed only when the job fails. */
const MOST_UNSEALED = 100_000;

const countUnsealed = (tx: Tx, after: bigint) =>
  tx.governanceDecision.count({ where: { seq: { gt: after } }, take: MOST_UNSEALED });

/** Verifies the checkpoint, and the seals up to the given number with their rows. */
export async function verifySeals(
  db: Database,
  findKey: FindSealKey,
  checkpoint: Checkpoint | undefined,
  through = Infinity,
): Promise<{ findings: AuditFindings; number: number; after: bigint }> {
  const walk = createSealWalk(db, findKey, checkpoint);
  while (await walk.advance(through));
  return walk.end();
}

/** Keys that a verification trusts: either pinned outside of the database, or listed in the database. */
export interface TrustedKeys {
  source: 'pinned' | 'database';
  findKey: FindSealKey;
}

/** State of the chain of seals, with the faults of the last verification. */
export interface ChainState {
  /** Time of the last row that a seal covers. */
  sealed_through: string | null;
  batches: number;
  unsealed: number;
  last_sealed_at: string | null;
  verified: 'ok' | 'broken' | 'unchecked';
  verified_at: string | null;
  /**
   * Source of the keys of the last verification. Keys from the database do not reveal a forgery by the owner of the database, who can
   * replace them.
   */
  verified_with: TrustedKeys['source'] | null;
  faults: AuditFault[];
  /** The verification in progress: the number of verified seals, the number of seals at its start, and the time of the request. */
  verifying: { verified: number; seals: number; since: string } | null;
  /** Rows that retention removed; null when no rows were removed. */
  removed: { rows: number; sealed_through: string } | null;
}

/** Stores the faults of a verification, so that every replica can report them, and ends the verification in progress. */
export async function storeVerification(
  tx: Tx,
  { faults }: AuditFindings,
  { keys, seals }: { keys: TrustedKeys['source']; seals: number },
): Promise<void> {
  const kept = faults.slice(0, KEPT_FAULTS).map((fault) => ({ ...fault }));
  await tx.auditCheck.create({ data: { id: newId(), seals, faults: kept, keys } });
  await tx.auditVerification.deleteMany();
}

/** Verifies the whole audit log and stores the faults. */
export async function recordVerification(db: Database, { source, findKey }: TrustedKeys): Promise<void> {
  const seals = await lastSeal(db);
  const findings = await verifyAuditLog(db, findKey);
  await db.transaction((tx) => storeVerification(tx, findings, { keys: source, seals }));
}

/** Returns the number of the last seal; 0 without a seal. */
export const lastSeal = async (db: Database): Promise<number> => (await readLastSeal(db.prisma))?.number ?? 0;

/** Stores the state of a new verification. @returns false when another verification is in progress already */
export async function startVerification(tx: Tx, state: VerificationState, seals: number): Promise<boolean> {
  return (
    (await tx.$executeRaw`
      INSERT INTO audit_verification (seals, verified, state) VALUES (${seals}::int, ${state.walk?.number ?? 0}::int, ${JSON.stringify(state)}::json)
      ON CONFLICT (one) DO NOTHING`) > 0
  );
}

/** Stores the progress of the verification. */
export async function saveVerification(tx: Tx, state: VerificationState): Promise<void> {
  const data = { verified: state.walk?.number ?? 0, state: state as unknown as Prisma.InputJsonValue };
  await tx.auditVerification.updateMany({ data });
}

/** Returns the verification in progress. `seals`: the number of seals at its start. */
export async function readVerification(db: Database): Promise<{ state: VerificationState; seals: number } | undefined> {
  const row = await db.prisma.auditVerification.findFirst();
  return row ? { state: row.state as unknown as VerificationState, seals: row.seals } : undefined;
}

export async function readChain(tx: Tx): Promise<ChainState> {
  const last = await readLastSeal(tx);
  const through = last?.through_seq ?? 0n;
  const [row, unsealed, check, checkpoint, verifying] = await Promise.all([
    tx.governanceDecision.findUnique({ where: { seq: through }, select: { at: true } }),
    countUnsealed(tx, through),
    tx.auditCheck.findFirst({ orderBy: [{ at: 'desc' }, { id: 'desc' }] }),
    readCheckpoint(tx),
    tx.auditVerification.findFirst({ select: { verified: true, seals: true, at: true } }),
  ]);
  const faults = (check?.faults ?? []) as unknown as AuditFault[];
  return {
    sealed_through: row?.at.toISOString() ?? null,
    batches: last?.number ?? 0,
    unsealed,
    last_sealed_at: last?.sealed_at.toISOString() ?? null,
    verified: !check ? 'unchecked' : faults.length > 0 ? 'broken' : 'ok',
    verified_at: check?.at.toISOString() ?? null,
    verified_with: (check?.keys ?? null) as ChainState['verified_with'],
    faults,
    verifying: verifying && { verified: verifying.verified, seals: verifying.seals, since: verifying.at.toISOString() },
    removed: checkpoint ? { rows: checkpoint.rows, sealed_through: checkpoint.sealed_at } : null,
  };
}
