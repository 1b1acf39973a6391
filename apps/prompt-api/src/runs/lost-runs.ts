import type { Spending } from '@millwright/budgets';
import type { Database } from '@millwright/db';
import { createScan, type Logger } from '@millwright/http/process';
import type { LapsedRun, RunNotifier, RunStore } from '@millwright/runs';
import { recordUsageOfRun } from './runs.store.js';

/** Milliseconds between two searches for runs with expired leases. The interval equals that of the renewal of leases. */
const LOOK_MS = 3_000;
/**
 * Number of consecutive scans that must find the same expired lease before the run is ended. After a pause of the database or of the whole machine,
 * live processes need this time to renew their leases.
 */
const LOOKS = 4;
/** Maximum number of runs in one scan. The next scan finds the other runs. */
const MOST_AT_ONCE = 100;

export interface LostRunsDeps {
  db: Database;
  runs: Pick<RunStore, 'lapsedPrompts' | 'endLapsed'>;
  spending: Pick<Spending, 'hasBudgets' | 'returnOf'>;
  notifier: Pick<RunNotifier, 'ended'>;
  logger: Pick<Logger, 'warn'>;
}

const LOST = {
  code: 'process_lost',
  text: 'The process that executed the run did not renew its lease: it ended, or did not reach the database.',
};

/** Ends runs of prompts whose processes died. The model is not called again: the client decides whether to retry. */
export function createLostRuns({ db, runs, spending, notifier, logger }: LostRunsDeps) {
  /** Number of consecutive scans that found a lease expired. The keys contain the run and the end of the lease. */
  let seen = new Map<string, number>();

  async function end(run: LapsedRun): Promise<void> {
    const owner = await db.transaction(async (tx) =>
      (await runs.endLapsed(tx, run, LOST)) ? recordUsageOfRun(tx, run.runId) : undefined,
    );
    if (!owner) return;
    notifier.ended(run.runId);
    // If this process dies before it returns the reservation, the reservation expires.
    if (await spending.hasBudgets(owner.project)) await spending.returnOf(run.runId, run.attempt + 1);
  }

  /** @returns the number of runs that this scan ended */
  async function look(): Promise<number> {
    const before = seen;
    seen = new Map();
    const lapsed = await runs.lapsedPrompts(MOST_AT_ONCE);
    let ended = 0;
    for (const run of lapsed) {
      const lease = `${run.runId} ${run.leaseUntil}`;
      const looks = (before.get(lease) ?? 0) + 1;
      if (looks < LOOKS) seen.set(lease, looks);
      else {
        try {
          await end(run);
          ended += 1;
        } catch (err) {
          // The next scan tries again. This failure must not keep the other runs from being ended.
          seen.set(lease, looks);
          logger.warn({ err, run: run.runId }, 'a run of a process that died could not be ended');
        }
      }
    }
    return ended;
  }

  const scan = createScan(look, LOOK_MS, (err) =>
    logger.warn({ err }, 'runs of processes that died could not be ended'),
  );

  return {
    look,
    start: scan.start,
    close: scan.close,
  };
}
