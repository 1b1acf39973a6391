import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type Database } from '@millwright/db';
import type { Logger, Work } from '@millwright/http/process';
import { LEASE_MS, RunLost, type ClaimedRun, type Fence, type RunStore } from '@millwright/runs';
import type { RunSignals } from './run-signals.js';

/** The interval of renewal: a third of a lease. */
const RENEW_MS = 3_000;
/** Time by which a process deems its leases over before they are. */
const LEASE_MARGIN_MS = 1_000;
/** The longest transaction: a new lease began within it. */
const TRANSACTION_MS = 4_000;
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

interface HeldRun {
  fence: Fence;
  controller: AbortController;
  unwatch: () => void;
  /** The end of its lease by this process's monotonic clock. */
  until: number;
  /** Another run waits for it, whose place it uses. */
  isChild: boolean;
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
export function createRunWorker({
  db,
  runs,
  signals,
  logger,
  work,
  limits,
  now = () => performance.now(),
}: WorkerDeps) {
  const id = newId();
  const held = new Map<string, HeldRun>();
  /** Places of runs whose start is not committed yet. */
  let reserved = 0;
  let renewing: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let isLooking = false;
  /** Runs were queued while this process looked. */
  let looksAgain = false;
  let continueRun: Continue | undefined;

  const leaseFromNow = () => now() + LEASE_MS - LEASE_MARGIN_MS;

  const stop = (runId: string) => held.get(runId)?.controller.abort(new RunLost());

  async function renew(): Promise<void> {
    const renewed = [...held.values()];
    const until = leaseFromNow();
    const kept = new Set(
      (
        await runs.renew(
          id,
          renewed.map(({ fence }) => fence),
        )
      ).map(({ runId }) => runId),
    );
    for (const run of renewed) {
      if (kept.has(run.fence.runId)) run.until = until;
      else run.controller.abort(new RunLost());
    }
  }

  /** Keeps the lease of a run until `letGo`. @returns a signal that is aborted when the run ends elsewhere or is lost */
  function hold(fence: Fence, isChild: boolean): AbortSignal {
    // A process that was frozen may take its own run: its former execution of it ends.
    stop(fence.runId);
    held.get(fence.runId)?.unwatch();
    const controller = new AbortController();
    const unwatch = signals.watch(fence.runId, (ended) => ended && stop(fence.runId));
    held.set(fence.runId, { fence, controller, unwatch, until: leaseFromNow() - TRANSACTION_MS, isChild });
    renewing ??= setInterval(() => {
      renew().catch((err: unknown) => logger.warn({ err }, 'the leases of runs could not be renewed'));
    }, RENEW_MS);
    return controller.signal;
  }

  function letGo({ runId, attempt }: Fence): void {
    const run = held.get(runId);
    if (run?.fence.attempt !== attempt) return;
    run.unwatch();
    held.delete(runId);
    if (held.size === 0) {
      clearInterval(renewing);
      renewing = undefined;
    }
    if (looking) void look();
  }

  const placesInUse = () => [...held.values()].filter(({ isChild }) => !isChild).length + reserved;

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
        const children = waiting.children ? await runs.takeChildren(tx, id, MOST_AT_ONCE) : [];
        const lapsed = room > 0 ? await runs.takeLapsed(tx, id, room) : [];
        const queued = await runs.takeNext(tx, id, room - lapsed.length, limits.project);
        return [...children, ...lapsed, ...queued];
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
    id,
    hold,
    letGo,
    withPlaces,

    /** Looks for runs to take at once, instead of at the next interval. */
    takeSoon: () => {
      looksAgain = isLooking;
      if (looking) void look();
    },

    /**
     * Required right before something is sent that cannot be taken back: a process that was frozen does not know yet that it has lost its
     * runs.
     *
     * @throws RunLost
     */
    requireLease({ runId, attempt }: Fence): void {
      const run = held.get(runId);
      if (run?.fence.attempt === attempt && now() < run.until) return;
      if (run?.fence.attempt === attempt) run.controller.abort(new RunLost());
      throw new RunLost();
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
      const fences = [...held.keys()];
      for (const runId of fences) stop(runId);
      clearInterval(renewing);
      renewing = undefined;
      if (fences.length > 0)
        await runs.release(id).catch((err: unknown) => logger.warn({ err }, 'runs were not given up'));
    },
  };
}
export type RunWorker = ReturnType<typeof createRunWorker>;
