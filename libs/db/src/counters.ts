import type { Database, Tx } from './database.js';
import { Prisma } from './generated/client.js';

/** Lists whose number of records (`total`) is stored, by the name of the table. */
export type CountedKind =
  | 'skills'
  | 'agents'
  | 'plugins'
  | 'content_items'
  | 'mcp_servers'
  | 'prompts'
  | 'conversations'
  | 'blocks'
  | 'artifacts'
  | 'webhooks'
  | 'triggers'
  | 'budgets'
  | 'models';

export interface Counted {
  project: string;
  kind: CountedKind;
  status: string;
}

/**
 * Number of rows that together contain one total. With one row, all writers would wait for its lock. Reading the sum of
 * 32 rows costs almost nothing more.
 */
const SLOTS = 32;

/** SQL that adds `by` to a total. Use it as a part of the statement that makes the counted change. */
export function countChange({ project, kind, status }: Counted, by: 1 | -1): Prisma.Sql {
  const slot = Math.floor(Math.random() * SLOTS);
  return Prisma.sql`
    INSERT INTO record_counts (project, kind, status, slot, n) VALUES (${project}, ${kind}, ${status}, ${slot}::int, ${by}::int)
    ON CONFLICT (project, kind, status, slot) DO UPDATE SET n = record_counts.n + excluded.n`;
}

/** Adds `by` to a total, in the transaction of the change that it counts. */
export async function addToCount(tx: Tx, counted: Counted, by: 1 | -1): Promise<void> {
  await tx.$executeRaw(countChange(counted, by));
}

/**
 * Moves one record from one status to another. The totals are changed in a fixed order of statuses, so that opposite
 * moves cannot deadlock.
 */
export async function moveCount(tx: Tx, counted: Counted, to: string): Promise<void> {
  if (counted.status === to) return;
  const steps = [
    { status: counted.status, by: -1 as const },
    { status: to, by: 1 as const },
  ];
  for (const { status, by } of steps.sort((a, b) => (a.status < b.status ? -1 : 1)))
    await addToCount(tx, { ...counted, status }, by);
}

/** Returns the total of a list, over all statuses or one status. */
export async function readCount(
  db: Pick<Database, 'prepared'>,
  { project, kind, status }: Omit<Counted, 'status'> & { status?: string | undefined },
): Promise<number> {
  const rows = await db.prepared<{ n: string }>(
    'read-count',
    `SELECT coalesce(sum(n), 0)::text AS n FROM record_counts
      WHERE project = $1 AND kind = $2 AND ($3::text IS NULL OR status = $3)`,
    [project, kind, status ?? null],
  );
  return Number(rows[0]?.n ?? 0);
}
