import type { Project } from '@millwright/auth';
import { isLockTimeout, newId, Prisma, type Step, type Tx } from '@millwright/db';
import type { Logger } from '@millwright/http/process';
import { longestRetention, type Retention } from './retention-config.js';

/** Tables with partitions by month, and the kind of rows whose retention they have. */
const PARTITIONED = {
  run_events: 'runs',
  run_steps: 'runs',
  usage_events: 'usageEvents',
} as const satisfies Record<string, keyof Retention>;
type PartitionedTable = keyof typeof PARTITIONED;
const TABLES = Object.keys(PARTITIONED) as PartitionedTable[];

const DAY_MS = 86_400_000;

export interface KeptPartitions {
  made: number;
  /** Tables that were in use for longer than their lock may be waited for: their partitions are made by the next run. */
  delayed: number;
  /** Tables with rows in their default partition: rows for whose months there is no partition. */
  unplaced: number;
}

/**
 * Makes the partitions of the next three months, each in a separate step, and reports rows that are in no month's partition in the log.
 * Such rows are read and written like others; only retention does not drop them at once.
 */
export async function keepPartitions(step: Step, logger: Pick<Logger, 'warn'>): Promise<KeptPartitions> {
  let [made, delayed] = [0, 0];
  for (const table of TABLES) {
    const changed = await changePartitions(step, table, Prisma.sql`'made', NULL`);
    made += changed.number;
    delayed += changed.isDelayed ? 1 : 0;
  }
  const unplaced = await step(tablesWithUnplacedRows);
  for (const { table, bytes } of unplaced)
    logger.warn({ table, bytes: Number(bytes) }, 'rows are in no partition of a month');
  return { made, delayed, unplaced: unplaced.length };
}

const tablesWithUnplacedRows = (tx: Tx) =>
  tx.$queryRaw<{ table: string; bytes: bigint }[]>`
    SELECT name AS table, bytes FROM unnest(${TABLES}::text[]) name, partitions_of(name::regclass)
     WHERE ends_at IS NULL AND bytes > 0`;

/**
 * Drops each partition whose rows are all past the retention of every project, and empty partitions of past months. A partition whose
 * table is in use is left for the next run.
 *
 * @returns the number of dropped partitions
 */
export async function dropPartitions(
  step: Step,
  retention: Retention,
  projects: readonly Project[],
  now: Date,
): Promise<number> {
  let dropped = 0;
  for (const table of TABLES) {
    const days = longestRetention(retention[PARTITIONED[table]], projects);
    const olderThan = days === undefined ? null : new Date(now.getTime() - days * DAY_MS);
    dropped += (await changePartitions(step, table, Prisma.sql`'dropped', ${olderThan}::timestamptz`)).number;
  }
  return dropped;
}

/** Changes one partition in each step, until there is none to change or the table is in use. */
async function changePartitions(
  step: Step,
  table: PartitionedTable,
  change: Prisma.Sql,
): Promise<{ number: number; isDelayed: boolean }> {
  for (let number = 0; ; number += 1) {
    try {
      const changed = await step(
        (tx) => tx.$executeRaw`
          INSERT INTO partition_changes (id, table_name, change, older_than)
          SELECT ${newId()}::uuid, ${table}, ${change}`,
      );
      if (changed === 0) return { number, isDelayed: false };
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return { number, isDelayed: true };
    }
  }
}
