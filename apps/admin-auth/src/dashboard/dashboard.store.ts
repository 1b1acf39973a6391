import { toAuditRow } from '@millwright/audit';
import { encodeId, type Database } from '@millwright/db';
import type { Decision } from '../audit/audit.contract.js';

export interface RecordCounts {
  users: number;
  skills: number;
  agents: number;
  prompts: number;
}

const COUNTS = `
  SELECT (SELECT count(*)::int FROM users WHERE status = 'active' AND project = ANY($1)) AS users,
         (SELECT count(*)::int FROM skills WHERE project = ANY($1)) AS skills,
         (SELECT count(*)::int FROM agents WHERE project = ANY($1)) AS agents,
         (SELECT count(*)::int FROM prompts WHERE project = ANY($1) AND deleted_at IS NULL) AS prompts`;

/** Counts the records of a project; of users only the active ones. */
export async function countRecords(db: Database, projects: readonly string[]): Promise<RecordCounts | undefined> {
  const [counts] = await db.prepared<RecordCounts>('dashboard-counts', COUNTS, [projects]);
  return counts;
}

const SHOWN = 8;

/** The newest entries of the whole audit log, which every admin may read. */
export async function newestDecisions(db: Database): Promise<Decision[]> {
  const rows = await db.prisma.governanceDecision.findMany({
    include: { user: { select: { id: true, name: true, email: true } } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: SHOWN,
  });
  return rows.map(({ user: { id, name, email }, ...row }) => ({
    ...toAuditRow(row),
    user: { id: encodeId('usr', id), name, email },
  }));
}
