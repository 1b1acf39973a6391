import type { Database } from '@millwright/db';
import { countOf, totalOf } from './counts.js';

export interface RecordCounts {
  users: number;
  skills: number;
  agents: number;
  prompts: number;
}

const COUNTS = `
  SELECT ${countOf(`users WHERE status = 'active' AND project = ANY($1)`)} AS users,
         ${totalOf('skills', '$1')} AS skills, ${totalOf('agents', '$1')} AS agents, ${totalOf('prompts', '$1')} AS prompts`;

/** Counts the records of a project; only active users are counted. */
export async function countRecords(db: Database, projects: readonly string[]): Promise<RecordCounts | undefined> {
  const [counts] = await db.reads.prepared<RecordCounts>('dashboard-counts', COUNTS, [projects]);
  return counts;
}
