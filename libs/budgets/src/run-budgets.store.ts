import type { Database, Tx } from '@millwright/db';
import { toCounted, windowStart } from './budget.js';
import type { RunBudget } from './run-budget.schema.js';
import type { Refusal } from './windows.store.js';

/** Maximum number of a user's runs that wait for budgets. */
const MOST_WAITING = 1_000;
/** Maximum number of runs that one poll continues. */
const MOST_AT_ONCE = 20;

/**
 * SQL that selects runs that may continue, because their budget has room again or was deleted, or because they no
 * longer wait. For each budget, the runs are selected in the order of their start, as long as all of them fit together.
 * A run that does not even fit alone does not block later runs.
 */
const CONTINUABLE = `
  SELECT run_id FROM (
    SELECT run_id, is_free, room - sum(need) FILTER (WHERE need <= room) OVER (PARTITION BY budget_id ORDER BY run_id) AS rest,
           need <= room AS fits
      FROM (SELECT t.run_id, t.budget_id, t.need, b.id IS NULL OR r.waiting_for IS DISTINCT FROM 'budget' AS is_free,
                   b.amount - coalesce(w.spent + w.reserved, 0) AS room
              FROM budget_waits t JOIN runs r ON r.id = t.run_id LEFT JOIN budgets b ON b.id = t.budget_id AND b.status = 'active'
              LEFT JOIN budget_windows w ON w.budget_id = b.id AND w.starts_on = ${windowStart('b')}) waiting) summed
   WHERE is_free OR (fits AND rest >= 0) ORDER BY run_id LIMIT ${MOST_AT_ONCE}`;

/** Store of the budgets of single runs, and of the runs that wait for a budget. */
export function createRunBudgets(db: Database) {
  return {
    /** Adds the budget of a run, in the transaction that stores the run. */
    async add(
      tx: Tx,
      id: string,
      run: { id: string; project: string; userId: string },
      budget: RunBudget,
    ): Promise<void> {
      await tx.$executeRaw`
        INSERT INTO budgets (id, project, name, level, run_id, period, unit, amount, created_by)
        VALUES (${id}::uuid, ${run.project}, 'run', 'run', ${run.id}::uuid, 'total', ${budget.unit},
                ${toCounted(budget.unit, budget.amount)}, ${run.userId}::uuid)`;
    },

    /** Whether one more run of the user may wait. */
    async mayWait(userId: string): Promise<boolean> {
      const [row] = await db.prepared<{ waiting: number }>(
        'count-budget-waits-of-user',
        `SELECT count(*)::int AS waiting FROM (
           SELECT FROM runs WHERE user_id = $1 AND waiting_for = 'budget' LIMIT ${MOST_WAITING}) w`,
        [userId],
      );
      return (row?.waiting ?? 0) < MOST_WAITING;
    },

    /** Stores the amount that a run needs, in the transaction that makes the run wait. */
    async wait(tx: Tx, runId: string, { budgetId, need = 0 }: Refusal): Promise<void> {
      await tx.$executeRaw`
        INSERT INTO budget_waits (run_id, budget_id, need) VALUES (${runId}::uuid, ${budgetId}::uuid, ${need}::bigint)
        ON CONFLICT (run_id) DO UPDATE SET budget_id = excluded.budget_id, need = excluded.need, since = now()`;
    },

    /** Ends the wait of a run. */
    async endWait(tx: Tx, runId: string): Promise<void> {
      await tx.$executeRaw`DELETE FROM budget_waits WHERE run_id = ${runId}::uuid`;
    },

    /** Lists the runs whose wait may end. */
    async continuable(): Promise<string[]> {
      const rows = await db.prepared<{ run_id: string }>('list-runs-with-budget-again', CONTINUABLE, []);
      return rows.map(({ run_id }) => run_id);
    },

    /** Whether any run waits for a budget. */
    async areWaiting(): Promise<boolean> {
      const [row] = await db.prepared<{ found: boolean }>(
        'find-budget-waits',
        'SELECT EXISTS (SELECT FROM budget_waits) AS found',
        [],
      );
      return row?.found ?? false;
    },
  };
}
export type RunBudgets = ReturnType<typeof createRunBudgets>;
