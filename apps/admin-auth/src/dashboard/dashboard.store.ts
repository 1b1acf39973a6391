import type { Database } from '@millwright/db';

export interface RecordCounts {
  users: number;
  skills: number;
  agents: number;
  prompts: number;
}

const COUNTS = `
  SELECT (SELECT count(*)::int FROM users WHERE status = 'active') AS users, (SELECT count(*)::int FROM skills) AS skills,
         (SELECT count(*)::int FROM agents) AS agents, (SELECT count(*)::int FROM prompts) AS prompts`;

/** Of all projects; only users who may sign in. */
export async function countRecords(db: Database): Promise<RecordCounts | undefined> {
  const [counts] = await db.prepared<RecordCounts>('dashboard-counts', COUNTS, []);
  return counts;
}
