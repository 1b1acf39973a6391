import { returnExpired, type RunBudgets } from '@millwright/budgets';
import type { Database } from '@millwright/db';
import type { Logger } from '@millwright/http/process';
import { createPaced, type RunStore } from '@millwright/runs';
import type { RunWorker } from './run-worker.js';

export interface BudgetWaitsDeps {
  db: Database;
  runs: Pick<RunStore, 'resume'>;
  runBudgets: Pick<RunBudgets, 'continuable' | 'areWaiting' | 'endWait'>;
  worker: Pick<RunWorker, 'takeSoon'>;
  logger: Logger;
}

/** Interval of scans while runs wait. */
const LOOK_MS = 1_000;
/** Ticks between two scans when this process knows of no waiting run: a process that knew of one may have died. */
const IDLE_LOOKS = 30;

/** Continues runs that waited for a budget once it has room: it was raised, its period ended, or other calls needed less. */
export function createBudgetWaits({ db, runs, runBudgets, worker, logger }: BudgetWaitsDeps) {
  let looking: NodeJS.Timeout | undefined;
  let areWaiting = true;
  let idle = 0;

  /** Queues a waiting run, and deletes the record of its wait; the record is also deleted when the run no longer waits. */
  const resume = (runId: string): Promise<void> =>
    db.transaction(async (tx) => {
      await runs.resume(tx, runId, 'budget');
      await runBudgets.endWait(tx, runId);
    });

  async function continueRuns(): Promise<void> {
    await db.transaction(returnExpired);
    const ids = await runBudgets.continuable();
    for (const id of ids) await resume(id);
    if (ids.length > 0) worker.takeSoon();
    areWaiting = await runBudgets.areWaiting();
  }

  const look = createPaced(async () => {
    await continueRuns().catch((err: unknown) =>
      logger.warn({ err }, 'runs that wait for a budget could not be taken'),
    );
  });

  function lookIfNeeded(): void {
    idle += 1;
    if (!areWaiting && idle < IDLE_LOOKS) return;
    idle = 0;
    look();
  }

  return {
    /** Scans at once, and then each second while runs wait. */
    watch(): void {
      areWaiting = true;
      if (looking) look();
    },
    start(): void {
      looking = setInterval(lookIfNeeded, LOOK_MS);
    },
    close(): void {
      clearInterval(looking);
      looking = undefined;
    },
  };
}
