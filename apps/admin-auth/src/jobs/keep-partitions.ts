import type { Project } from '@millwright/auth';
import type { Step } from '@millwright/db';
import {
  dropPartitions,
  makePartitions,
  PARTITIONED_TABLES,
  tablesWithUnplacedRows,
  type PartitionedTable,
} from '@millwright/db/partitions';
import type { Logger } from '@millwright/http/process';
import { longestRetention, type Retention } from './retention-config.js';

/** The kind of rows whose retention applies to each table. */
const RETENTION_OF: Record<PartitionedTable, keyof Retention> = {
  run_events: 'runs',
  run_steps: 'runs',
  usage_events: 'usageEvents',
};

const DAY_MS = 86_400_000;

/**
 * Makes the partitions of the next three months, and logs the tables that have rows outside the partitions of months. Such rows are read
 * and written like others, but cannot be dropped with a partition: retention deletes them in steps.
 *
 * @returns `made`: the number of new partitions; `delayed`: the number of tables in use, whose partitions the next run makes; `unplaced`:
 *   the number of tables with rows outside the partitions of months
 */
export async function keepPartitions(
  step: Step,
  logger: Pick<Logger, 'warn'>,
): Promise<Record<'made' | 'delayed' | 'unplaced', number>> {
  let [made, delayed] = [0, 0];
  for (const table of PARTITIONED_TABLES) {
    const { number, isDelayed } = await makePartitions(step, table);
    made += number;
    delayed += isDelayed ? 1 : 0;
  }
  const unplaced = await step(tablesWithUnplacedRows);
  for (const rows of unplaced) logger.warn(rows, 'rows are in no partition of a month');
  return { made, delayed, unplaced: unplaced.length };
}

/**
 * Drops each partition whose rows are all past the retention of every project, and empty partitions of past months. Partitions of a table
 * that is in use are left for the next run.
 *
 * @returns the number of dropped partitions
 */
export async function dropOldPartitions(
  step: Step,
  retention: Retention,
  projects: readonly Project[],
  now: Date,
): Promise<number> {
  let dropped = 0;
  for (const table of PARTITIONED_TABLES) {
    const days = longestRetention(retention[RETENTION_OF[table]], projects);
    const olderThan = days === undefined ? undefined : new Date(now.getTime() - days * DAY_MS);
    dropped += (await dropPartitions(step, table, olderThan)).number;
  }
  return dropped;
}
