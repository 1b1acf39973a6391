import type { Tx } from './database.js';
import type { Step } from './delete-in-steps.js';
import { isLockTimeout } from './failures.js';
import { Prisma } from './generated/client.js';
import { newId } from './ids.js';

/** Tables with partitions by month. */
export const PARTITIONED_TABLES = ['run_events', 'run_steps', 'usage_events'] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

export interface ChangedPartitions {
  number: number;
  /** Whether the change ended early because the table was in use for too long to be locked. The remaining partitions can be changed later. */
  isDelayed: boolean;
}

/** Makes the partitions of a table until they reach three months ahead, each in one step. */
export const makePartitions = (step: Step, table: PartitionedTable): Promise<ChangedPartitions> =>
  changePartitions(step, table, Prisma.sql`'made', NULL`);

/**
 * Drops, each in one step, the partitions of a table whose rows are all older than their retention, and empty partitions of past months.
 *
 * @param olderThan time before which rows are older than every retention; undefined: only empty partitions are dropped
 */
export const dropPartitions = (
  step: Step,
  table: PartitionedTable,
  olderThan: Date | undefined,
): Promise<ChangedPartitions> =>
  changePartitions(step, table, Prisma.sql`'dropped', ${olderThan ?? null}::timestamptz`);

/**
 * Changes one partition after the other. For each inserted row, a trigger chooses and changes the next partition. The trigger discards the
 * row when no partition is left to change.
 */
async function changePartitions(step: Step, table: PartitionedTable, change: Prisma.Sql): Promise<ChangedPartitions> {
  for (let number = 0; ; number += 1) {
    try {
      const changed = await step(
        (tx) => tx.$executeRaw`
          INSERT INTO partition_changes (id, table_name, change, older_than) SELECT ${newId()}::uuid, ${table}, ${change}`,
      );
      if (changed === 0) return { number, isDelayed: false };
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return { number, isDelayed: true };
    }
  }
}

/** Returns the tables with rows in their default partition. These are rows of times for which no partition exists. */
export async function tablesWithUnplacedRows(tx: Tx): Promise<{ table: PartitionedTable; bytes: number }[]> {
  const rows = await tx.$queryRaw<{ table: PartitionedTable; bytes: bigint }[]>`
    SELECT name AS table, bytes FROM unnest(${PARTITIONED_TABLES}::text[]) name, partitions_of(name::regclass)
     WHERE ends_at IS NULL AND bytes > 0`;
  return rows.map(({ table, bytes }) => ({ table, bytes: Number(bytes) }));
}
