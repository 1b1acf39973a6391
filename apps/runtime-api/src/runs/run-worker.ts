import { newId, type Database } from '@millwright/db';
import type { Logger, Work } from '@millwright/http/process';
import { RunLost, type ClaimedRun, type Fence, type RunStore } from '@millwright/runs';
import type { RunSignals } from './run-signals.js';

/** The interval of renewal: a third of a lease. */
const RENEW_MS = 3_000;
/** The interval at which a process looks for runs without a worker. */
const LOOK_MS = 1_000;
/** Limit of the runs that one look takes, so that the processes share those of a dead one. */
const MOST_AT_ONCE = 20;

export interface WorkerDeps {
  db: Database;
  runs: RunStore;
  signals: Pick<RunSignals, 'watch'>;
  logger: Logger;
  work: Work;
  limits: RunLimits;
}

/** Limits of the runs that are executed at once; further ones are queued. */
export interface RunLimits {
  /** Of this process. */
  process: number;
  /** Of a project, in all processes. */
  project: number;
}

/** Continues a run that this process has taken. Does not throw. */
export type Continue = (run: ClaimedRun, signal: AbortSignal) => Promise<void>;

/** The runs that this process executes: it renews their leases, stops those that have ended, and takes runs that no process executes. */
export function createRunWorker({ db, runs, signals, logger, work, limits }: WorkerDeps) {
  const id = newId();
  const held = new Map<string, { fence: Fence; controller: AbortController; unwatch: () => void }>();
  let renewing: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let isLooking = false;
  let continueRun: Continue | undefined;

  const stop = (runId: string) => held.get(runId)?.controller.abort(new RunLost());

  async function renew(): Promise<void> {
    const fences = [...held.values()].map(({ fence }) => fence);
    const kept = new Set((await runs.renew(id, fences)).map(({ runId }) => runId));
    for (const { runId } of fences) if (!kept.has(runId)) stop(runId);
  }

  /** Keeps the lease of a run until `letGo`. @returns a signal that is aborted when the run ends elsewhere or is lost */
  function hold(fence: Fence): AbortSignal {
    // A process that was frozen may take its own run: its former execution of it ends.
    stop(fence.runId);
    held.get(fence.runId)?.unwatch();
    const controller = new AbortController();
    const unwatch = signals.watch(fence.runId, (ended) => ended && stop(fence.runId));
    held.set(fence.runId, { fence, controller, unwatch });
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

  async function begin(run: ClaimedRun): Promise<void> {
    if (!continueRun) return;
    const signal = hold(run);
    await continueRun(run, signal).finally(() => letGo(run));
  }

  async function takeRuns(): Promise<void> {
    const room = Math.min(limits.process - held.size, MOST_AT_ONCE);
    if (room <= 0 || !(await runs.areWaitingForWorker())) return;
    const taken = await db.transaction(async (tx) => {
      const lapsed = await runs.takeLapsed(tx, id, room);
      const queued = await runs.takeNext(tx, id, room - lapsed.length, limits.project);
      return [...lapsed, ...queued];
    });
    for (const run of taken) void work.track(begin(run));
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    await takeRuns().catch((err: unknown) => logger.warn({ err }, 'runs without a worker could not be taken'));
    isLooking = false;
  }

  return {
    id,
    hold,
    letGo,
    /** Executes a run that this process has taken. */
    begin,
    hasRoom: () => held.size < limits.process,

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
