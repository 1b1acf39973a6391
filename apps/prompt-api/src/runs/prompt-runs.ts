import type { Caller } from '@millwright/auth';
import type { Spending, SpendingCall } from '@millwright/budgets';
import { idFor, newId, type Database, type Prisma, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Logger } from '@millwright/http/process';
import type { ModelRequest, ModelUse } from '@millwright/models';
import {
  createLeases,
  createRunNotifier,
  createRunStore,
  createStepStore,
  followRun,
  runError,
  RunLost,
  type ModelStep,
  type RunSignals,
  type RunStatus,
} from '@millwright/runs';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import { sumOfUses } from './check-answer.js';
import { createLostRuns } from './lost-runs.js';
import { usageInsert, type CompletableRun, type RunSubject } from './runs.store.js';

export interface PromptRunsDeps {
  db: Database;
  spending: Pick<Spending, 'reserve' | 'hasBudgets' | 'returnOf'>;
  signals: Pick<RunSignals, 'watch'>;
  logger: Pick<Logger, 'warn'>;
}

export const promptSubject = ({ id, version, metadata }: StoredPrompt): RunSubject => ({
  ...{ kind: 'prompt', id, name: metadata.title, version },
});

/** Returns the subject of a run that names a model. Such a model may have no row, so the id is made from the name. */
export const modelSubject = (name: string): RunSubject => ({
  ...{ kind: 'model', id: idFor(`model ${name}`), name, version: null },
});

/** A run of a prompt or a model that is about to start. */
export interface NewPromptRun {
  /** Id of the run; a new one by default. */
  id?: string | undefined;
  subject: RunSubject;
  channel: 'prompt' | 'draft' | 'responses' | 'chat';
  /** Whether messages and answers are stored. */
  keepsContent: boolean;
  /** Id of the conversation that the run continues. */
  conversationId: string | undefined;
  input: object;
  model: string;
}

/** A call of the model that has ended. */
export interface EndedCall {
  step: ModelStep;
  reserved: SpendingCall;
  /** The usage of the call. It includes earlier attempts of the call whose answers were cut off. */
  uses: readonly ModelUse[];
}

/** A run of a prompt or a model that this process executes, from its start to its end. */
export interface PromptRun extends CompletableRun {
  /** The signal aborts when the run was canceled or is lost. */
  signal: AbortSignal;
  /** Reserves the maximum cost of a model call. @throws BudgetExceeded */
  reserve: (request: ModelRequest) => Promise<SpendingCall>;
  /** Adds a model call to those that the next write of the run stores. */
  addCall: (call: EndedCall) => void;
  /**
   * Stores the added calls with their cost. After the last call, also records the usage of the whole run. If no budget applies, the last calls and
   * the usage are stored later, with the end of the run, even when the run fails or is lost.
   *
   * @throws RunLost
   */
  keepCalls: (isLast: boolean) => Promise<void>;
  /**
   * Executes a part of the run. When `work` fails, the run fails.
   *
   * @throws AppError conflict when the run was canceled, unauthorized when its user was disabled, unavailable when the run is lost; any error of
   * `work`.
   */
  doPart: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Executes the last part of the run. The transaction in `work` must call `complete`. */
  store: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Executes runs of prompts. Each run is stored at its start under a lease, so that a run whose process died is found and failed. */
export function createPromptRuns({ db, spending, signals, logger }: PromptRunsDeps) {
  const [runs, steps] = [createRunStore(db), createStepStore(db)];
  const leases = createLeases({
    runs,
    signals,
    onError: (err) => logger.warn({ err }, 'the leases of runs could not be renewed or given up'),
  });
  const notifier = createRunNotifier({
    db,
    onError: (err) => logger.warn({ err }, 'changes of runs were not notified'),
  });
  const lost = createLostRuns({ db, runs, spending, notifier, logger });

  /** Stores a run that starts now. */
  async function start(caller: Caller, begun: NewPromptRun): Promise<PromptRun> {
    const { id = newId(), subject, channel, keepsContent, conversationId, input, model } = begun;
    const run = { id, caller, subject, channel, model, conversationId, ...(keepsContent && { input }) };
    const { attempt } = await runs.start(db.raw, run, leases.id);
    const fence = { runId: id, attempt };
    const signal = leases.hold(fence);

    const kept: ModelUse[] = [];
    let added: EndedCall[] = [];
    const reservations: SpendingCall[] = [];
    let [isCounted, isCompleted] = [false, false];

    const storedStep = ({ step }: EndedCall): ModelStep =>
      keepsContent ? step : { ...step, added: undefined, answer: undefined };

    async function addSteps(tx: Tx, calls: readonly EndedCall[]): Promise<void> {
      for (const call of calls) await steps.addModelStep(tx, fence, storedStep(call));
    }

    const usesOf = (calls: readonly EndedCall[]) => calls.flatMap(({ uses }) => uses);

    /** Returns SQL that records the usage of calls under the id `usageId`; undefined without usage. */
    function usageOf(usageId: string, uses: readonly ModelUse[]): Prisma.Sql | undefined {
      const [first, ...rest] = uses;
      return first && usageInsert(caller, subject, usageId, rest.reduce(sumOfUses, first));
    }

    async function countUses(tx: Tx, usageId: string, uses: readonly ModelUse[]): Promise<void> {
      const insert = usageOf(usageId, uses);
      if (insert) await tx.$executeRaw(insert);
    }

    /** Settles the reservations of the added calls. Must be called as the last step of the transaction. */
    async function settle(tx: Tx): Promise<void> {
      for (const { reserved, uses } of added) for (const use of uses) await reserved.settle(tx, use);
    }

    function areKept(): void {
      kept.push(...usesOf(added));
      added = [];
    }

    async function keepCalls(isLast: boolean): Promise<void> {
      // When no budget applies, the transaction that stores the answer stores the last calls too.
      if (isLast && !added.some(({ reserved }) => reserved.isPaidOnce)) return;
      await db.transaction(async (tx) => {
        await addSteps(tx, added);
        if (isLast) await countUses(tx, id, [...kept, ...usesOf(added)]);
        await settle(tx);
      });
      isCounted = isLast;
      areKept();
    }

    async function endAsFailed(error: unknown): Promise<void> {
      await db.transaction(async (tx) => {
        await addSteps(tx, added);
        await runs.end(tx, fence, 'failed', { error: runError(error) });
        if (!isCounted) await countUses(tx, id, [...kept, ...usesOf(added)]);
        await settle(tx);
      });
      notifier.ended(id);
    }

    /** Records the usage of a run that has ended elsewhere. @returns the error for the client */
    async function countLost(): Promise<AppError> {
      const status = await runs.status(id);
      // A completed run needs no record here: the transaction that completed it has recorded the usage, even if its confirmation to this process was
      // lost.
      if (status?.state !== 'completed')
        await db.transaction(async (tx) => {
          if (!isCounted) await countUses(tx, id, kept);
          await countUses(tx, newId(), usesOf(added));
          await settle(tx);
        });
      if (status?.errorCode === 'forbidden' && !(await runs.hasActiveUser(id))) return new AppError('unauthorized');
      return status?.state === 'canceled'
        ? new AppError('conflict', { fields: [{ field: 'run', reason: 'was canceled' }] })
        : new AppError('unavailable', { cause: new RunLost() });
    }

    /** Ends the run as failed, and releases its reservations. @returns the error to throw in place of this error */
    async function fail(error: unknown): Promise<unknown> {
      try {
        if (signal.aborted || error instanceof RunLost) return await countLost();
        await endAsFailed(error);
        return error;
      } catch (failure) {
        if (failure instanceof RunLost) return await countLost().catch(() => error);
        // The client gets the original failure, not the failure to store it. The run ends once its lease has expired.
        logger.warn({ err: failure }, 'the failure of a run could not be stored');
        return error;
      } finally {
        for (const reserved of reservations) await reserved.release();
        leases.letGo(fence);
      }
    }

    async function doPart<Result>(work: () => Promise<Result>): Promise<Result> {
      try {
        return await work();
      } catch (error) {
        throw await fail(error);
      }
    }

    return {
      fence,
      subject,
      signal,
      async reserve(request) {
        const reserved = await spending.reserve({ caller, run: fence }, request);
        reservations.push(reserved);
        return reserved;
      },
      addCall: (call) => void added.push(call),
      keepCalls,
      doPart,

      async complete(tx, answer, { conversationId: stored, messageId } = {}, decision) {
        const place = { conversationId: stored, answerId: messageId };
        const last = added.at(-1);
        const usage = isCounted ? undefined : usageOf(id, [...kept, ...usesOf(added)]);
        await addSteps(tx, added.slice(0, -1));
        await runs.end(tx, fence, 'completed', {
          ...place,
          ...(keepsContent && { output: answer }),
          step: last && storedStep(last),
          also: [decision, ...(usage ? [usage] : [])],
        });
        isCompleted = true;
      },

      async store(work) {
        const result = await doPart(work);
        // `work` did not complete the run: while this process was frozen, another process answered the request under its Idempotency-Key.
        if (!isCompleted) await fail(new AppError('process_lost'));
        leases.letGo(fence);
        notifier.ended(id);
        return result;
      },
    };
  }

  return {
    start,
    status: (id: string): Promise<RunStatus | undefined> => runs.status(id),
    /** Waits until a run, which any process may execute, has ended, or until the signal aborts. */
    async ended(id: string, signal: AbortSignal): Promise<void> {
      const batches = followRun({ runs, signals }, id, 0, signal);
      while (!(await batches.next()).done);
    },
    /** Cancels a run. `notify`, called after the commit, makes the process that executes the run end its work. */
    async cancel(tx: Tx, id: string): Promise<{ isCanceled: boolean; notify: () => void }> {
      const ids = await runs.cancel(tx, id);
      return { isCanceled: ids.length > 0, notify: () => ids.forEach(notifier.ended) };
    },
    /** Starts the search for runs whose processes died. */
    watch: () => lost.start(),
    lost,
    async close(): Promise<void> {
      await lost.close();
      await leases.close();
    },
  };
}
export type PromptRuns = ReturnType<typeof createPromptRuns>;
