import type { Tx } from './database.js';
import { isDeadlock, isStatementTimeout } from './failures.js';
import type { Prisma } from './generated/client.js';

/** Runs `work` in a transaction of its own. */
export type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const BATCH = 2_000;
/** Divisor of a batch that takes longer than a statement may, or locks too many rows that others change. */
const SHRINK = 10;

/**
 * Deletes any number of rows, a batch in each step. A batch that runs into the statement's time limit, or into a deadlock with
 * others that change the rows, is repeated with a tenth of the rows.
 *
 * @param statement deletes at most `limit` rows and is repeated until it deletes fewer.
 * @returns the number of deleted rows.
 * @throws when a single row takes too long, and what `step` throws.
 */
export function deleteInSteps(step: Step, statement: (limit: number) => Prisma.Sql): Promise<number> {
  return inSteps(step, statement, (deleted, limit) => deleted < limit);
}

/**
 * Like `deleteInSteps`, for any change that takes rows out of its own condition; repeated until nothing is left to change, also when
 * others change the rows meanwhile.
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
