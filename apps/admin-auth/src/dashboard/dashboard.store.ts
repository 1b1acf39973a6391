import type { Database } from '@millwright/db';

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
