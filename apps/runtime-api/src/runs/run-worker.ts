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

/** The interval at which a process looks for runs without a worker. */
const LOOK_MS = 1_000;
/** Limit of the runs that one look takes, so that the processes share those of a dead one. */
const MOST_AT_ONCE = 20;
/** The pause before a process looks again that found as many. */
const LOOK_AGAIN_MS = 50;

export interface WorkerDeps {
  db: Database;
  runs: RunStore;
  signals: Pick<RunSignals, 'watch'>;
  logger: Logger;
  work: Work;
  limits: RunLimits;
  /** Milliseconds, from any start. Default: the monotonic clock. */
  now?: (() => number) | undefined;
}

/** Limits of the runs that are executed at once; further ones are queued. */
export interface RunLimits {
  /** Of this process. */
  process: number;
  /** Of a project, in all processes. */
  project: number;
  /** How many runs may be above a run that an agent starts. */
  depth: number;
}

/** Continues a run that this process has taken. Does not throw. */
export type Continue = (run: ClaimedRun, signal: AbortSignal) => Promise<void>;

/** The runs that this process executes: it renews their leases, stops those that have ended, and takes runs that no process executes. */
export function createRunWorker({ db, runs, signals, logger, work, limits, now }: WorkerDeps) {
  const onError = (err: unknown) => logger.warn({ err }, 'the leases of runs could not be renewed or given up');
  const leases: Leases = createLeases({ runs, signals, onError, now });
  /** Held runs that others wait for, whose places they use. */
  const children = new Set<string>();
  /** Places of runs whose start is not committed yet. */
  let reserved = 0;
  let looking: NodeJS.Timeout | undefined;
  let isLooking = false;
  /** Runs were queued while this process looked. */
  let looksAgain = false;
  let continueRun: Continue | undefined;

  /** Keeps the lease of a run until `letGo`. @returns a signal that is aborted when the run ends elsewhere or is lost */
  function hold(fence: Fence, isChild: boolean): AbortSignal {
    if (isChild) children.add(fence.runId);
    return leases.hold(fence);
  }

  function letGo(fence: Fence): void {
    if (!leases.letGo(fence)) return;
    children.delete(fence.runId);
    if (looking) void look();
  }

  const placesInUse = () => leases.count() - children.size + reserved;

  /**
   * Reserves places for runs while `start` starts or takes them, and passes how many of `wanted` there are. Until it is done, what it
   * starts has to be held.
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

  /** Children need no place: the runs that wait for them could not end otherwise. @returns whether there may be more */
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

  return {
    id: leases.id,
    requireLease: (fence: Fence) => leases.requireLease(fence),
    hold,
    letGo,
    withPlaces,

    /** Looks for runs to take at once, instead of at the next interval. */
    takeSoon: () => {
      looksAgain = isLooking;
      if (looking) void look();
    },

    /** Starts to take runs that no process executes. */
    start(onRun: Continue): void {
      continueRun = onRun;
      looking = setInterval(() => void look(), LOOK_MS);
    },

    /** Gives up all runs, so that another process takes them at once. */
    async close(): Promise<void> {
      clearInterval(looking);
      looking = undefined;
      continueRun = undefined;
      await leases.close();
    },
  };
}
export type RunWorker = ReturnType<typeof createRunWorker>;
