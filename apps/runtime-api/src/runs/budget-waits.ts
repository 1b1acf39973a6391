import { returnExpired, type RunBudgets } from '@millwright/budgets';
import type { Database } from '@millwright/db';
import type { Logger, Work } from '@millwright/http/process';
import type { RunStore } from '@millwright/runs';
import { createPaced } from './paced.js';
import type { RunWorker } from './run-worker.js';

export interface BudgetWaitsDeps {
  db: Database;
  runs: Pick<RunStore, 'resume'>;
  runBudgets: Pick<RunBudgets, 'continuable' | 'areWaiting' | 'endWait'>;
  worker: Pick<RunWorker, 'id' | 'begin' | 'withPlaces'>;
  work: Work;
  logger: Logger;
}

/** The interval of looks while runs wait. */
const LOOK_MS = 1_000;
/** Looks of a process that knows of no wait: another process may have died that did. */
const IDLE_LOOKS = 30;

/** Continues runs that waited for a budget, once it has room: it was raised, its period has turned, or other calls needed less. */
export function createBudgetWaits({ db, runs, runBudgets, worker, work, logger }: BudgetWaitsDeps) {
  let looking: NodeJS.Timeout | undefined;
  let areWaiting = true;
  let idle = 0;

  async function resume(runId: string): Promise<void> {
    const claimed = await db.transaction(async (tx) => {
      const taken = await runs.resume(tx, worker.id, runId, 'budget');
      await runBudgets.endWait(tx, runId);
      return taken;
    });
    // A process that dies before it begins loses the lease, and another one goes on.
    if (claimed) void work.track(worker.begin(claimed));
  }

  async function continueRuns(): Promise<void> {
    await db.transaction(returnExpired);
    const ids = await runBudgets.continuable();
    await worker.withPlaces(ids.length, async (places) => {
      for (const id of ids.slice(0, places)) await resume(id);
    });
    areWaiting = await runBudgets.areWaiting();
  }

  const look = createPaced(async () => {
    await continueRuns().catch((err: unknown) =>
      logger.warn({ err }, 'runs that wait for a budget could not be taken'),
    );
  });

  function tick(): void {
    idle += 1;
    if (!areWaiting && idle < IDLE_LOOKS) return;
    idle = 0;
    look();
  }

  return {
    /** Looks at once, and each second while runs wait. */
    watch(): void {
      areWaiting = true;
      if (looking) look();
    },
    start(): void {
      looking = setInterval(tick, LOOK_MS);
    },
    close(): void {
      clearInterval(looking);
      looking = undefined;
    },
  };
}
