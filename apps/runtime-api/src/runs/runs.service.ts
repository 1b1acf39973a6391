import { createRunBudgets, returnExpired, type Spending } from '@millwright/budgets';
import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { AskFilter } from '@millwright/guards';
import { createWork, type Logger, type Work } from '@millwright/http/process';
import type { ProjectModels } from '@millwright/models';
import {
  createConnectionWaits,
  createRunNotifier,
  createRunStore,
  createStepStore,
  followRun,
  hasEnded,
  RunLost,
  RunWaits,
  type RunSignals,
} from '@millwright/runs';
import type { ContextStore } from '../conversations/contexts.store.js';
import type { AgentMessage } from '../conversations/agent-message.js';
import { createInputGuard } from '../tools/run-guards.js';
import type { AgentLoop } from './agent-loop.js';
import { awaitEnd, isGone } from './await-run.js';
import { createOutsideWaits } from './outside-waits.js';
import { createChildRuns } from './child-runs.js';
import { createRunContinuation } from './continue-run.js';
import { createRunEnder } from './end-runs.js';
import { createEventWriter } from './event-writer.js';
import { createRunExecutor } from './execute-run.js';
import { createRunControl } from './run-control.js';
import { NOTHING_KEPT } from './run-journal.js';
import type { AwaitedRun, Commit, ExecuteOptions, RunRequest, StartedRun, StoredRun } from './run-request.js';
import { createRunWorker, type RunLimits } from './run-worker.js';
import { createRunStarter } from './store-run.js';

export interface RunServiceDeps {
  db: Database;
  models: ProjectModels;
  contexts: ContextStore;
  loop: AgentLoop;
  signals: Pick<RunSignals, 'watch' | 'watchQueue'>;
  logger: Logger;
  work?: Work | undefined;
  limits: RunLimits;
  spending: Pick<Spending, 'reserve' | 'returnOf' | 'hasBudgets'>;
  /** Calls external guards. */
  askFilter: AskFilter;
}

/** Runs agents. The message endpoint, A2A, the built-in MCP server and all other channels use this service. */
export function createRunService(deps: RunServiceDeps) {
  const { db, models, contexts, loop, signals, logger, work = createWork(), limits, spending } = deps;
  const inputGuard = createInputGuard({ db, askFilter: deps.askFilter, work, logger });
  const runBudgets = createRunBudgets(db);
  const [runs, steps] = [createRunStore(db), createStepStore(db)];
  const worker = createRunWorker({ db, runs, signals, logger, work, limits });
  const notifier = createRunNotifier({
    db,
    onError: (err) => logger.warn({ err }, 'changes of runs were not notified'),
  });
  const writer = createEventWriter({
    write: async (batch) => {
      await runs.addEvents(batch);
      notifier.changed(batch.map(({ runId }) => runId));
    },
    onError: (err) => logger.warn({ err }, 'events of runs could not be stored'),
  });

  const { prepareRun, storeRun, claimRun, startRun } = createRunStarter({
    db,
    models,
    contexts,
    runs,
    worker,
    limits,
    inputGuard,
    runBudgets,
  });
  const execute = createRunExecutor({
    ...{ db, contexts, runs, steps, worker, notifier, writer, loop, spending, runBudgets, logger },
    callAgentOf: (parent) => callAgentOf(parent),
    onWait: (reason) => {
      if (reason === 'budget') budgetWaits.watch();
      if (reason === 'connection') connectionWaits.watch();
    },
  });
  const continueRun = createRunContinuation({ db, models, contexts, runs, steps, notifier, spending, logger, execute });
  const awaited = { runs, signals, contexts };

  /**
   * Runs the agent and stores its answer, or waits for the answer when another process executes the run.
   *
   * @throws AppError unavailable when the run failed; guard_blocked when a guard blocked a text; conflict when the run was canceled or
   * waits; not_found when the agent was deleted meanwhile
   */
  async function executeRun<Result>(
    run: StartedRun,
    { onProgress, onWaiting, signal, isStreamed = onProgress !== undefined }: ExecuteOptions<Result>,
    commit: Commit<Result>,
  ): Promise<Result> {
    const { held, context, agent } = run;
    const ids = { context_id: encodeId('ctx', context.id), run_id: encodeId('run', run.id) };
    onProgress?.({ event: 'message.started', data: { agent: agent.slug, ...ids } });
    try {
      if (!held) return await awaitEnd(awaited, run, { onProgress, onWaiting, signal }, commit);
      return await execute(
        { ...run, ...held, kept: NOTHING_KEPT, isStreamed, onProgress, startsTrace: false },
        commit,
      ).catch((error: unknown) => {
        if (error instanceof RunLost || error instanceof RunWaits)
          return awaitEnd(awaited, run, { onProgress, onWaiting, signal }, commit, held.fence.attempt);
        throw error;
      });
    } catch (error) {
      throw namingContext(
        error instanceof AppError && isGone(error.code) ? new AppError('not_found') : error,
        context.id,
      );
    }
  }

  /** Cancels a run in any process, with an audit row. @returns whether this call ended the run */
  async function cancelRun(caller: Caller, runId: string, audit: { action: string; resource: string; detail: object }) {
    const canceled = await db.transaction(async (tx) => {
      const ended = await runs.cancel(tx, runId);
      if (ended.length > 0) await recordDecision(tx, { ...caller, ...audit, detail: { ...audit.detail } });
      return ended;
    });
    canceled.forEach(notifier.ended);
    return canceled.length > 0;
  }

  /** Executes a run whose request was already answered. To be called after the commit of the transaction that stores the run. */
  function runOn(stored: StoredRun): void {
    const executed = executeRun<unknown>(
      claimRun(stored),
      { isStreamed: true, onWaiting: () => Promise.resolve() },
      (store) => db.transaction(store),
    );
    const reported = executed.catch((err: unknown) => {
      logger.warn({ err }, 'a run has no answer');
    });
    void work.track(reported);
  }

  /**
   * Waits until a run of any process has ended, until the run or one of its descendants waits for a person or a resource, or until the
   * signal aborts.
   */
  async function settle(runId: string, signal: AbortSignal): Promise<void> {
    for await (const { status } of followRun({ runs, signals }, runId, 0, signal))
      if (await runs.waitsForOthers(status)) return;
  }

  const waiting = { db, runs, worker, logger };
  const budgetWaits = createOutsideWaits({
    ...waiting,
    reason: 'budget',
    waits: runBudgets,
    prepare: () => db.transaction(returnExpired),
  });
  const connectionWaits = createOutsideWaits({ ...waiting, reason: 'connection', waits: createConnectionWaits(db) });

  const ender = createRunEnder({ db, runs, notifier, logger });

  const control = createRunControl({ runs, steps, worker, notifier });
  const childDeps = { db, runs, contexts, worker, work, mostDepth: limits.depth };
  /** Waits for the answer of a run that any process executes, in the same way as {@link executeRun}. */
  const awaitRun = async <Result>(
    run: AwaitedRun,
    options: Pick<ExecuteOptions<Result>, 'onWaiting' | 'signal'>,
    commit: Commit<Result>,
  ): Promise<Result> => awaitEnd(awaited, run, options, commit);

  const callAgentOf = createChildRuns({ ...childDeps, prepareRun, storeRun, claimRun, executeRun, awaitRun });

  return {
    prepareRun,
    storeRun,
    runOn,
    settle,
    startRun,
    executeRun,
    cancelRun,
    awaitRun,
    control,

    /** Starts a run and stores its answer in a separate transaction. */
    async ask(request: RunRequest, options: ExecuteOptions<AgentMessage> = {}): Promise<AgentMessage> {
      return executeRun(await startRun(request), options, (store) => db.transaction(store));
    },

    /** Yields the events of a run after `seq` until the run has ended. Any process may execute the run. */
    followRun: (runId: string, seq: number, signal: AbortSignal) => followRun({ runs, signals }, runId, seq, signal),

    /** Begins to take queued runs, and runs of processes that died. */
    start: () => {
      worker.start(continueRun);
      ender.start();
      budgetWaits.start();
      connectionWaits.start();
    },
    close: async () => {
      budgetWaits.close();
      connectionWaits.close();
      await ender.close();
      await worker.close();
    },
    /** Scans for runs whose budget may have room again. */
    lookForBudgets: () => budgetWaits.watch(),
    /** Scans for runs whose user has connected an account. */
    lookForConnections: () => connectionWaits.watch(),
    /** Parts of this service that other code uses to change or read runs. */
    parts: { runs, steps, worker, notifier, work, ender, hasEnded },
  };
}
export type RunService = ReturnType<typeof createRunService>;

/** Response header of a failure. It names the conversation in which the message is stored. */
export const CONTEXT_HEADER = 'X-Context-Id';

/**
 * Adds to the failure of a run the header that names the conversation in which a retry continues. Adds no header when the agent was
 * deleted.
 */
function namingContext(error: unknown, contextId: string): unknown {
  if (!(error instanceof AppError) || error.code === 'not_found') return error;
  const { code, fields, retryAfter, headers } = error;
  return new AppError(code, {
    cause: error,
    fields,
    ...(retryAfter !== undefined && { retryAfter }),
    headers: { ...headers, [CONTEXT_HEADER]: encodeId('ctx', contextId) },
  });
}
