import type { Database, Tx } from '../database.js';
import type { QuotaKind } from '../quota.js';

export interface QuotaLimit {
  rows: number;
  bytes: number;
}

export interface QuotaState {
  project: string;
  kind: QuotaKind;
  used: QuotaLimit;
  limit: QuotaLimit;
  /** Whether the limit is set for this project and is not the limit of all projects. */
  own: boolean;
  /** Time of the last refused change; null when no change was refused. */
  refused_at: Date | null;
}

/** Stands for a project id in the limit of every project that has no separate limit. */
const EVERY_PROJECT = '*';

/** Reads the usage and the limit of each project and kind. */
export async function readQuotas(db: Pick<Database, 'prepared'>, projects: readonly string[]): Promise<QuotaState[]> {
  const rows = await db.prepared<
    Omit<QuotaState, 'used' | 'limit'> & Record<'rows' | 'bytes' | 'max_rows' | 'max_bytes', string>
  >(
    'read-quotas',
    `SELECT p.project, l.kind, coalesce(own.max_rows, l.max_rows) AS max_rows, coalesce(own.max_bytes, l.max_bytes) AS max_bytes,
            own.kind IS NOT NULL AS own, u.rows, u.bytes, r.at AS refused_at
       FROM unnest($1::text[]) WITH ORDINALITY AS p (project, place) CROSS JOIN quota_limits l
       LEFT JOIN quota_limits own ON own.project = p.project AND own.kind = l.kind
       LEFT JOIN quota_refusals r ON r.project = p.project AND r.kind = l.kind
       CROSS JOIN LATERAL (
         SELECT greatest(coalesce(sum(s.rows), 0), 0)::text AS rows, greatest(coalesce(sum(s.bytes), 0), 0)::text AS bytes
           FROM quota_usage s WHERE s.project = p.project AND s.kind = l.kind) u
      WHERE l.project = '${EVERY_PROJECT}' ORDER BY p.place, l.kind`,
    [projects],
  );
  return rows.map(({ project, kind, own, refused_at, rows, bytes, max_rows, max_bytes }) => ({
    project,
    kind,
    used: { rows: Number(rows), bytes: Number(bytes) },
    limit: { rows: Number(max_rows), bytes: Number(max_bytes) },
    own,
    refused_at,
  }));
}

/** Returns the used share of the rows or the used share of the bytes, whichever is larger; 1 when the quota is used up. */
export const quotaShare = ({ used, limit }: Pick<QuotaState, 'used' | 'limit'>): number =>
  Math.max(used.rows / Math.max(limit.rows, 1), used.bytes / Math.max(limit.bytes, 1));

/**
 * Sets the limit of one project, or of every project that has no separate limit. Existing records above the limit are
 * kept.
 */
export async function setQuota(
  tx: Tx,
  kind: QuotaKind,
  { rows, bytes }: QuotaLimit,
  project: string = EVERY_PROJECT,
): Promise<void> {
  const max = { max_rows: BigInt(rows), max_bytes: BigInt(bytes) };
  await tx.quotaLimit.upsert({
    where: { project_kind: { project, kind } },
    create: { project, kind, ...max },
    update: max,
  });
}

/**
 * Removes the limit that was set for one project, so that the limit of all projects applies again.
 * @returns false when no limit was set for the project
 */
export async function removeQuota(tx: Tx, kind: QuotaKind, project: string): Promise<boolean> {
  return (await tx.quotaLimit.deleteMany({ where: { project, kind } })).count === 1;
}

/**
 * Stores the time of a refused change. @returns false when a refusal for this project and kind was already stored in
 * this hour.
 */
export async function noteQuotaRefusal(
  tx: Tx,
  { project, kind }: { project: string; kind: QuotaKind },
): Promise<boolean> {
  const noted = await tx.$executeRaw`
    INSERT INTO quota_refusals AS r (project, kind, at) VALUES (${project}, ${kind}, now())
    ON CONFLICT (project, kind) DO UPDATE SET at = excluded.at WHERE r.at < date_trunc('hour', excluded.at)`;
  return noted === 1;
}
