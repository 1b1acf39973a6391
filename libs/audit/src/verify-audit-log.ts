import { newId, type Database } from '@millwright/db';
import { createAuditVerifier, type AuditVerifier, type AuditFault, type AuditFindings } from './audit-verifier.js';
import { ERASE_ACTION } from './erasure-check.js';
import { FIRST_PREVIOUS, Seal, type FindSealKey } from './seal.js';
import type { Checkpoint } from './checkpoint.js';
import { BEFORE_ALL, readCheckpoint, readLastSeal, readRows, readSealsAfter } from './audit-log.store.js';

/** Seals per query; each lists up to a thousand rows. */
const SEALS_AT_ONCE = 10;
const ROWS_AT_ONCE = 2_000;
/** Statements per query; each lists up to a few hundred rows. */
const STATEMENTS_AT_ONCE = 20;
/** Number of faults stored with a verification. */
const KEPT_FAULTS = 1_000;

/** Maximum attempts to verify a log while retention removes rows. */
const ATTEMPTS = 10;

/**
 * Verifies every sealed row of the database and the chain of seals, from the checkpoint of retention on, and counts the unsealed rows.
 * Rows that retention removes during the check are no fault.
 */
export async function verifyAuditLog(db: Database, findKey: FindSealKey): Promise<AuditFindings> {
  for (let attempt = 1; ; attempt++) {
    const checkpoint = await readCheckpoint(db.prisma);
    const findings = await verifyFrom(db, findKey, checkpoint);
    const hasMoved = (await readCheckpoint(db.prisma))?.number !== checkpoint?.number;
    if (!hasMoved || findings.faults.length === 0 || attempt === ATTEMPTS) return findings;
  }
}

async function verifyFrom(
  db: Database,
  findKey: FindSealKey,
  checkpoint: Checkpoint | undefined,
): Promise<AuditFindings> {
  const { findings, number, after } = await verifySeals(db, findKey, checkpoint);
  const earlier = await db.prisma.auditCheck.aggregate({ _max: { seals: true } });
  const cut = (earlier._max.seals ?? 0) - number;
  if (cut > 0) {
    const reason = `the last ${cut} seals that an earlier check saw are gone`;
    findings.faults.push({ kind: 'seal', row: null, seal: number + 1, reason });
  }
  const unsealed = await db.prisma.governanceDecision.count({ where: { seq: { gt: after } } });
  return { ...findings, unsealed };
}

/** Verifies the checkpoint, and the seals up to a number with their rows. */
export async function verifySeals(
  db: Database,
  findKey: FindSealKey,
  checkpoint: Checkpoint | undefined,
  through = Infinity,
): Promise<{ findings: AuditFindings; number: number; after: bigint }> {
  const place = { previous: checkpoint?.hash ?? FIRST_PREVIOUS, firstSeal: (checkpoint?.number ?? 0) + 1 };
  const check = createAuditVerifier({ findKey, checkpoint, ...place });
  // Also reads seals and rows before the checkpoint: their presence is a fault.
  let [number, after] = [checkpoint?.number ?? 0, BEFORE_ALL];
  for (let next = 0; ;) {
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
    if (covered.length === 0) break;
  }
  for await (const row of statementsAfter(db, after)) check.unsealedStatement(row);
  return { findings: await check.end(), number, after };
}

/** Unsealed statements of erasures. */
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

/** Keys that a verification trusts: pinned outside of the database, or listed in the database. */
export interface TrustedKeys {
  source: 'pinned' | 'database';
  findKey: FindSealKey;
}

/** State of the chain of seals, with the faults of the last verification. */
export interface ChainState {
  /** Time of the last sealed row. */
  sealed_through: string | null;
  batches: number;
  unsealed: number;
  last_sealed_at: string | null;
  verified: 'ok' | 'broken' | 'unchecked';
  verified_at: string | null;
  /** Source of the keys of the last verification. Keys of the database prove nothing against the database's owner. */
  verified_with: TrustedKeys['source'] | null;
  faults: AuditFault[];
  /** Rows that retention removed; null when none. */
  removed: { rows: number; sealed_through: string } | null;
}

/** Verifies the audit log and stores the faults, so that every replica can report them. */
export async function recordVerification(db: Database, { source, findKey }: TrustedKeys): Promise<void> {
  const last = await readLastSeal(db.prisma);
  const { faults } = await verifyAuditLog(db, findKey);
  const kept = faults.slice(0, KEPT_FAULTS).map((fault) => ({ ...fault }));
  await db.prisma.auditCheck.create({ data: { id: newId(), seals: last?.number ?? 0, faults: kept, keys: source } });
}

export async function readChain(db: Database): Promise<ChainState> {
  const last = await readLastSeal(db.prisma);
  const through = last?.through_seq ?? 0n;
  const [row, unsealed, check, checkpoint] = await Promise.all([
    db.prisma.governanceDecision.findUnique({ where: { seq: through }, select: { at: true } }),
    db.prisma.governanceDecision.count({ where: { seq: { gt: through } } }),
    db.prisma.auditCheck.findFirst({ orderBy: [{ at: 'desc' }, { id: 'desc' }] }),
    readCheckpoint(db.prisma),
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
    removed: checkpoint ? { rows: checkpoint.rows, sealed_through: checkpoint.sealed_at } : null,
  };
}
