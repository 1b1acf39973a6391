import { createHash } from 'node:crypto';
import type { Database } from '@millwright/db';
import { canonical, contentHash, type AuditRow } from './content-hash.js';
import { FIRST_PREVIOUS, signEnd, type SealKey } from './seal.js';
import type { PublicSealKey, AuditFileEnd, AuditFileHeader } from './audit-file.js';
import {
  BEFORE_ALL,
  readCheckpoint,
  readLastSeal,
  readRows,
  readSeal,
  readSealsAfter,
  whereOf,
  type StoredSeal,
  type AuditFilter,
} from './audit-log.store.js';

const ROWS_AT_ONCE = 1_000;

export interface ExportOptions {
  filter?: AuditFilter;
  keys: readonly PublicSealKey[];
  /** Key that signs the end of the file. The signature shows whether the file was truncated. */
  endKey?: SealKey | undefined;
  now?: () => Date;
}

/** Exports the audit log, or the rows that match a filter, as JSON lines with the seals of the rows. */
export async function* exportAuditLog(db: Database, options: ExportOptions): AsyncGenerator<string> {
  const { filter = {}, keys, endKey, now = () => new Date() } = options;
  const { from, to, ...others } = filter;
  const partial = Object.keys(whereOf(others)).length > 0;
  const range = await readRange(db, filter);
  const before = range.firstSeal > 1 ? await readSeal(db.prisma, range.firstSeal - 1) : undefined;
  const checkpoint = before || partial ? undefined : await readCheckpoint(db.prisma);
  const header: AuditFileHeader = {
    type: 'header',
    format: 2,
    exported_at: now().toISOString(),
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    partial,
    first_seal: partial ? null : range.firstSeal,
    previous: partial ? null : (before?.hash ?? checkpoint?.hash ?? FIRST_PREVIOUS),
    ...(checkpoint && { checkpoint }),
    keys: [...keys],
  };
  const digest = createHash('sha256').update(canonical(header));
  const counts = { rows: 0, seals: 0, unsealed: 0 };
  yield line(header);

  function* decisions(rows: readonly AuditRow[]): Generator<string> {
    for (const row of rows) {
      counts.rows += 1;
      digest.update(contentHash(row));
      yield line({ type: 'decision', ...row });
    }
  }

  let after = before?.through ?? BEFORE_ALL;
  for await (const seal of sealsOf(db, range)) {
    const rows = await readRows(db.prisma, { after, through: seal.through, limit: ROWS_AT_ONCE, filter });
    after = seal.through;
    if (partial && rows.length === 0) continue;
    yield* decisions(rows);
    counts.seals += 1;
    const { number, sealed_at, entries, jws } = seal;
    yield line({ type: 'seal', number, sealed_at, entries, jws });
  }
  for (let isLast = false; !isLast;) {
    const rows = await readRows(db.prisma, { after, through: range.throughSeq, limit: ROWS_AT_ONCE, filter });
    yield* decisions(rows);
    counts.unsealed += rows.length;
    isLast = rows.length < ROWS_AT_ONCE;
    after = BigInt(rows.at(-1)?.seq ?? 0);
  }
  const end = { type: 'end' as const, ...counts, digest: digest.digest('hex') };
  const jws = endKey ? await signEnd(end, endKey) : null;
  yield line({ ...end, jws } satisfies AuditFileEnd);
}

const line = (value: object) => `${JSON.stringify(value)}\n`;

/** Returns the first and the last `seq` of the period. They are read from the index when there is no period, and otherwise from the rows. */
async function readEnds(db: Database, { from, to }: AuditFilter) {
  if (from !== undefined || to !== undefined)
    return db.prisma.governanceDecision.aggregate({
      where: whereOf({ from, to }),
      _min: { seq: true },
      _max: { seq: true },
    });
  const end = (seq: 'asc' | 'desc') =>
    db.prisma.governanceDecision.findFirst({ orderBy: { seq }, select: { seq: true } });
  const [first, last] = await Promise.all([end('asc'), end('desc')]);
  return { _min: { seq: first?.seq ?? null }, _max: { seq: last?.seq ?? null } };
}

/** Reads the seals that cover the period, and the current end of the audit log. Later rows are not exported. */
async function readRange(db: Database, filter: AuditFilter) {
  const { _min, _max } = await readEnds(db, filter);
  const [first, last] = await Promise.all([
    db.prisma.auditSeal.findFirst({
      where: { through_seq: { gte: _min.seq ?? 0n } },
      orderBy: { number: 'asc' },
      select: { number: true },
    }),
    db.prisma.auditSeal.findFirst({
      where: { through_seq: { gte: _max.seq ?? 0n } },
      orderBy: { number: 'asc' },
      select: { number: true },
    }),
  ]);
  const none = _max.seq === null;
  const newest = (await readLastSeal(db.prisma))?.number ?? 0;
  return {
    firstSeal: none || !first ? newest + 1 : first.number,
    lastSeal: none ? 0 : (last?.number ?? newest),
    throughSeq: _max.seq ?? 0n,
  };
}

async function* sealsOf(db: Database, range: { firstSeal: number; lastSeal: number }): AsyncGenerator<StoredSeal> {
  for (let number = range.firstSeal - 1; number < range.lastSeal;) {
    const seals = await readSealsAfter(db, number, Math.min(10, range.lastSeal - number));
    if (seals.length === 0) return;
    yield* seals;
    number = seals.at(-1)?.number ?? number + 1;
  }
}
