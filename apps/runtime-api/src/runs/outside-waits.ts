import type { RunBudgets } from '@millwright/budgets';
import type { Database } from '@millwright/db';
import type { Logger } from '@millwright/http/process';
import { createPaced, type RunStore, type WaitReason } from '@millwright/runs';
import type { RunWorker } from './run-worker.js';

export interface OutsideWaitsDeps {
  db: Database;
  runs: Pick<RunStore, 'resume'>;
  worker: Pick<RunWorker, 'takeSoon'>;
  logger: Logger;
  reason: WaitReason;
  /** The queries about runs that wait for this reason. */
  waits: Pick<RunBudgets, 'continuable' | 'areWaiting' | 'endWait'>;
  /** Called before each scan. */
  prepare?: (() => Promise<unknown>) | undefined;
}

/** Milliseconds between two scans while runs wait. */
const LOOK_MS = 1_000;
/**
 * Number of intervals of `LOOK_MS` between two scans when no run waited at the last scan. Such a scan finds runs that began to wait in
 * processes which then died.
 */
const IDLE_LOOKS = 30;

/** Continues runs that wait for a resource, such as an account of the user or room in a budget, as soon as the resource is available. */
export function createOutsideWaits({ db, runs, worker, logger, reason, waits, prepare }: OutsideWaitsDeps) {
  let looking: NodeJS.Timeout | undefined;
  let areWaiting = true;
  let idle = 0;

  /** Queues a waiting run and deletes the record of its wait. When the run no longer waits, only deletes the record. */
  const resume = (runId: string): Promise<void> =>
    db.transaction(async (tx) => {
      await runs.resume(tx, runId, reason);
      await waits.endWait(tx, runId);
    });

  async function continueRuns(): Promise<void> {
    await prepare?.();
    const ids = await waits.continuable();
    for (const id of ids) await resume(id);
    if (ids.length > 0) worker.takeSoon();
    areWaiting = await waits.areWaiting();
  }

  const look = createPaced(async () => {
    await continueRuns().catch((err: unknown) =>
      logger.warn({ err, waiting_for: reason }, 'runs that wait could not be continued'),
    );
  });

  function lookIfNeeded(): void {
    idle += 1;
    if (!areWaiting && idle < IDLE_LOOKS) return;
    idle = 0;
    look();
  }

  return {
    /** Scans immediately, and then every second while runs wait. */
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
