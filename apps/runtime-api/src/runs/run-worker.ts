import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@millwright/db';
import type { Logger, Work } from '@millwright/http/process';
import {
  createLeases,
  type ClaimedRun,
  type Fence,
  type Leases,
  type RunSignals,
  type RunStore,
} from '@millwright/runs';

/** Milliseconds between two scans for runs without a worker. */
const LOOK_MS = 1_000;
/** Limit of the runs that one scan takes, so that the runs of a dead process are shared by all other processes. */
const MOST_AT_ONCE = 20;
/** Pause in milliseconds before the next scan, after a scan that reached the limit. */
const LOOK_AGAIN_MS = 50;

export interface WorkerDeps {
  db: Database;
  runs: RunStore;
  signals: Pick<RunSignals, 'watch' | 'watchQueue'>;
  logger: Logger;
  work: Work;
  limits: RunLimits;
  /** Milliseconds since any fixed time. Default: the monotonic clock. */
  now?: (() => number) | undefined;
}

/** Limits of concurrently executed runs. Further runs are queued. */
export interface RunLimits {
  /** Maximum number of runs per process. */
  process: number;
  /** Maximum number of runs per project, across all processes. */
  project: number;
  /** Limit of the ancestors of a run whose agent was called by another agent. */
  depth: number;
}

/** Continues a run that this process has taken. Never throws. */
export type Continue = (run: ClaimedRun, signal: AbortSignal) => Promise<void>;

/** Executes the runs of this process: renews their leases, stops ended runs, and takes runs that no process executes. */
export function createRunWorker({ db, runs, signals, logger, work, limits, now }: WorkerDeps) {
  const onError = (err: unknown) => logger.warn({ err }, 'the leases of runs could not be renewed or given up');
  const leases: Leases = createLeases({ runs, signals, onError, now });
  /** Executed runs for which a parent run waits. They use the places of their parents. */
  const children = new Set<string>();
  /** Number of places that are reserved for runs whose start is not committed yet. */
  let reserved = 0;
  let looking: NodeJS.Timeout | undefined;
  let isLooking = false;
  /** Whether runs were queued during the current scan. */
  let looksAgain = false;
  let continueRun: Continue | undefined;
  let unwatch: (() => void) | undefined;

  /**
   * Renews the lease of a run until `letGo` is called. @returns a signal that aborts when another process ends the run or the lease is lost
   */
  function hold(fence: Fence, isChild: boolean): AbortSignal {
    if (isChild) children.add(fence.runId);
    return leases.hold(fence);
  }

  /**
   * Ends this process's work on a run and frees the run's place. `mayHaveWaiting`: whether to scan for another run immediately, and not
   * only at the next interval.
   */
  function letGo(fence: Fence, mayHaveWaiting = true): void {
    if (!leases.letGo(fence)) return;
    children.delete(fence.runId);
    if (looking && mayHaveWaiting) void look();
  }

  const placesInUse = () => leases.count() - children.size + reserved;

  /**
   * Reserves up to `wanted` places while `start` starts or takes runs. `start` receives the number of reserved places. Before `start`
   * resolves, it must call `hold` for the runs that it started.
   */
  async function withPlaces<Result>(wanted: number, start: (places: number) => Promise<Result>): Promise<Result> {
    const places = Math.max(0, Math.min(wanted, limits.process - placesInUse()));
    reserved += places;
    try {
      return await start(places);
    } finally {
      reserved -= places;
    }
  }

  async function begin(run: ClaimedRun): Promise<void> {
    if (!continueRun) return;
    const signal = hold(run, run.depth > 0);
    await continueRun(run, signal).finally(() => letGo(run));
  }

  /**
   * Takes runs that no process executes. Child runs are taken even when no place is free, because their parents could otherwise not end.
   * @returns whether there may be more such runs
   */
  const takeRuns = (): Promise<boolean> =>
    withPlaces(MOST_AT_ONCE, async (room) => {
      const waiting = await runs.waitingForWorker();
      if (!waiting.children && (room === 0 || !waiting.roots)) return false;
      const taken = await db.transaction(async (tx) => {
        if (waiting.children) await runs.resumeParents(tx, MOST_AT_ONCE);
        const begun = waiting.children ? await runs.takeChildren(tx, leases.id, MOST_AT_ONCE) : [];
        const lapsed = room > 0 ? await runs.takeLapsed(tx, leases.id, room) : [];
        const queued = await runs.takeNext(tx, leases.id, room - lapsed.length, limits.project);
        return [...begun, ...lapsed, ...queued];
      });
      for (const run of taken) void work.track(begin(run));
      return taken.length >= MOST_AT_ONCE;
    });

  function shouldLookAgain(): boolean {
    const again = looksAgain;
    looksAgain = false;
    return again;
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      while (looking && ((await takeRuns()) || shouldLookAgain()))
        await sleep(LOOK_AGAIN_MS, undefined, { ref: false });
    } catch (err) {
      logger.warn({ err }, 'runs without a worker could not be taken');
    }
    isLooking = false;
  }

  /** Scans for runs immediately, and not only at the next interval. */
  function takeSoon(): void {
    looksAgain = isLooking;
    if (looking) void look();
  }

  return {
    id: leases.id,
    requireLease: (fence: Fence) => leases.requireLease(fence),
    hold,
    letGo,
    withPlaces,
    takeSoon,

    /** Starts the scan for runs that no process executes. */
    start(onRun: Continue): void {
      continueRun = onRun;
      looking = setInterval(() => void look(), LOOK_MS);
      unwatch = signals.watchQueue(takeSoon);
    },

    /** Releases all runs, so that other processes can take them immediately. */
    async close(): Promise<void> {
      clearInterval(looking);
      unwatch?.();
      looking = undefined;
      continueRun = undefined;
      await leases.close();
    },
  };
}
export type RunWorker = ReturnType<typeof createRunWorker>;
