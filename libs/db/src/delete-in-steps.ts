import type { Tx } from './database.js';
import { isDeadlock, isStatementTimeout } from './failures.js';
import type { Prisma } from './generated/client.js';

/** Runs `work` in a separate transaction. */
export type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const BATCH = 2_000;
/** Number by which the batch size is divided after a batch exceeded the statement timeout or ran into a deadlock. */
const SHRINK = 10;

/**
 * Deletes any number of rows, one batch per step. A batch that exceeds the statement timeout, or runs into a deadlock
 * with another change of the rows, is repeated with a tenth of the rows.
 *
 * @param statement deletes at most `limit` rows and is repeated until it deletes fewer.
 * @returns the number of deleted rows.
 * @throws when a single row takes too long, and any error of `step`.
 */
export function deleteInSteps(step: Step, statement: (limit: number) => Prisma.Sql): Promise<number> {
  return inSteps(step, statement, (deleted, limit) => deleted < limit);
}

/**
 * Changes rows in steps like `deleteInSteps`. A changed row must no longer match the condition of the statement. The statement is repeated
 * until no row matches, even when other transactions change rows meanwhile.
 */
export function changeInSteps(step: Step, statement: (limit: number) => Prisma.Sql): Promise<number> {
  return inSteps(step, statement, (changed) => changed === 0);
}

async function inSteps(
  step: Step,
  statement: (limit: number) => Prisma.Sql,
  isLast: (changed: number, limit: number) => boolean,
): Promise<number> {
  let total = 0;
  for (let limit = BATCH; ;) {
    try {
      const changed = await step((tx) => tx.$executeRaw(statement(limit)));
      total += changed;
      if (isLast(changed, limit)) return total;
    } catch (error) {
      if (limit === 1 || !(isStatementTimeout(error) || isDeadlock(error))) throw error;
      limit = Math.max(1, Math.floor(limit / SHRINK));
    }
  }
}
