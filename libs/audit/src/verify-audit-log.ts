import { newId, type Database } from '@millwright/db';
import { createAuditVerifier, type AuditVerifier, type AuditFault, type AuditFindings } from './audit-verifier.js';
import { ERASE_ACTION } from './erasure-check.js';
import { FIRST_PREVIOUS, Seal, type FindSealKey } from './seal.js';
import { BEFORE_ALL, readLastSeal, readRows, readSealsAfter } from './audit-log.store.js';

/** Seals read at once; each lists up to a thousand rows. */
const SEALS_AT_ONCE = 10;
const ROWS_AT_ONCE = 2_000;
/** Each lists up to some hundred rows. */
const STATEMENTS_AT_ONCE = 20;
/** Number of faults stored with a verification. */
const KEPT_FAULTS = 1_000;

/** Verifies every sealed row of the database and the chain of seals, and counts the unsealed rows. */
export async function verifyAuditLog(db: Database, findKey: FindSealKey): Promise<AuditFindings> {
  const check = createAuditVerifier({ findKey, previous: FIRST_PREVIOUS, firstSeal: 1 });
  let [number, after] = [0, BEFORE_ALL];
  for (;;) {
    const seals = await readSealsAfter(db, number, SEALS_AT_ONCE);
    if (seals.length === 0) break;
    for (const seal of seals) {
      await checkRows(db, check, after, seal.through);
      const parsed = Seal.safeParse(seal);
      if (parsed.success) await check.seal(parsed.data);
      else check.fault(`seal ${seal.number} cannot be read`);
      [number, after] = [seal.number, seal.through > after ? seal.through : after];
    }
  }
  for await (const row of statementsAfter(db, after)) check.unsealedStatement(row);
  const findings = check.end();
  const earlier = await db.prisma.auditCheck.aggregate({ _max: { seals: true } });
  const cut = (earlier._max.seals ?? 0) - number;
  if (cut > 0) {
    const reason = `the last ${cut} seals that an earlier check saw are gone`;
    findings.faults.push({ kind: 'seal', row: null, seal: number + 1, reason });
  }
  const unsealed = await db.prisma.governanceDecision.count({ where: { seq: { gt: after } } });
  return { ...findings, unsealed };
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

/** Keys that a verification trusts: those pinned outside of the database, or those that it lists. */
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
  /** Where the keys of the last verification came from. Keys of the database prove nothing about who owns the database. */
  verified_with: TrustedKeys['source'] | null;
  faults: AuditFault[];
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
  const [row, unsealed, check] = await Promise.all([
    db.prisma.governanceDecision.findUnique({ where: { seq: through }, select: { at: true } }),
    db.prisma.governanceDecision.count({ where: { seq: { gt: through } } }),
    db.prisma.auditCheck.findFirst({ orderBy: [{ at: 'desc' }, { id: 'desc' }] }),
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
  };
}
