import type { createRunBudgets, Spending } from '@millwright/budgets';
import { isDatabaseFailure, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Logger } from '@millwright/http/process';
import {
  runError,
  RunLost,
  RunWaits,
  type Fence,
  type RunNotifier,
  type RunStore,
  type StepStore,
  type WaitReason,
} from '@millwright/runs';
import { findAgent } from '../agents/find-agent.js';
import type { ContextStore } from '../conversations/contexts.store.js';
import type { Progress } from '../conversations/progress.js';
import type { AgentLoop } from './agent-loop.js';
import type { CallAgent } from '../tools/call-agent.js';
import type { ParentRun } from './child-runs.js';
import type { EventWriter } from './event-writer.js';
import { createJournal, type KeptRun, type Spends } from './run-journal.js';
import type { Commit, StartedRun } from './run-request.js';
import type { RunWorker } from './run-worker.js';

/** An attempt of this process to execute a run. */
export interface Execution extends Omit<StartedRun, 'held' | 'id'> {
  fence: Fence;
  signal: AbortSignal;
  spends: Spends;
  kept: KeptRun;
  isStreamed: boolean;
  startsTrace: boolean;
  /**
   * Whether the row of the run stores a copy of the answer. The prompt API needs the copy, because it does not read agents' conversations.
   */
  keepsAnswer?: boolean;
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface RunExecutorDeps {
  db: Database;
  contexts: ContextStore;
  runs: RunStore;
  steps: StepStore;
  worker: RunWorker;
  notifier: RunNotifier;
  writer: EventWriter;
  loop: AgentLoop;
  spending: Pick<Spending, 'reserve' | 'returnOf' | 'hasBudgets'>;
  runBudgets: ReturnType<typeof createRunBudgets>;
  logger: Logger;
  /** Returns the function with which a run calls other agents. */
  callAgentOf: (parent: ParentRun) => CallAgent;
  /** The function is called when a run starts to wait. */
  onWait: (reason: WaitReason) => void;
}

/** Executes runs and stores their results. */
export function createRunExecutor(deps: RunExecutorDeps) {
  const { db, contexts, runs, steps, worker, notifier, writer, loop, spending, runBudgets, logger } = deps;

  /**
   * Executes an attempt of a run.
   * @throws AppError when the run failed; RunLost when this process no longer has the run; RunWaits when the run waits
   */
  async function execute<Result>(run: Execution, commit: Commit<Result>): Promise<Result> {
    const { fence, signal, caller, agent, context, content, model, idempotencyKey, kept, onProgress } = run;
    const { isStreamed, startsTrace, spends, depth = 0 } = run;
    const { runId } = fence;
    const requireLease = () => worker.requireLease(fence);
    const place = { contextId: context.id, messageId: context.messageId };
    const journalRun = { fence, caller, agent, ...place, spends, requireLease };
    const journal = createJournal({ db, contexts, runs, steps, spending, runBudgets }, journalRun);
    const recorder = writer.open(fence);
    const report = (progress: Progress) => {
      recorder.report(progress);
      onProgress?.(progress);
    };
    let mayHaveWaiting = true;
    try {
      const request = {
        caller,
        agent,
        context,
        content,
        model,
        idempotencyKey,
        journal,
        kept,
        isStreamed,
        signal,
        startsTrace,
        callAgent: deps.callAgentOf({ fence, caller, depth }),
      };
      const answer = await loop.run({ ...request, onProgress: report });
      const events = await recorder.rest();
      const result = await commit(async (tx) => {
        const change = { events, ...(run.keepsAnswer && { output: answer.text }) };
        const { message, hasWaiting } = await journal.complete(tx, answer, change);
        mayHaveWaiting = hasWaiting;
        return message;
      });
      notifier.ended(runId);
      return result;
    } catch (thrown) {
      const failure = await journal.keepLast(thrown).then(
        () => thrown,
        (unkept: unknown) => unkept,
      );
      const error = await namingDeletion(failure, run);
      const events = await recorder.rest();
      if (signal.aborted || error instanceof RunLost) throw new RunLost();
      if (error instanceof RunWaits) {
        await db.transaction(async (tx) => {
          await runs.wait(tx, fence, error.reason, { data: error.data, events });
          await error.alongside(tx);
        });
        notifier.changed(depth > 0 ? [runId, ...(await runs.listAbove(runId))] : [runId]);
        deps.onWait(error.reason);
        throw error;
      }
      // When the database does not answer, the run must not fail. This process gives up its lease, and a process takes the run again, at
      // the latest when the lease has expired.
      if (isDatabaseFailure(error)) {
        logger.warn({ err: error }, 'a run is given up because the database did not answer');
        await runs.giveUp(fence).catch(() => undefined);
        throw new RunLost();
      }
      await journal.fail(runError(error), context.messageId, { events }).catch((err: unknown) => {
        if (!(err instanceof RunLost)) logger.warn({ err }, 'the failure of a run could not be stored');
      });
      notifier.ended(runId);
      throw error;
    } finally {
      worker.letGo(fence, mayHaveWaiting);
    }
  }

  /** Returns the failure that is stored: `agent_deleted` when the agent was deleted in the meantime, otherwise the given error. */
  async function namingDeletion(error: unknown, { caller, agent }: Pick<Execution, 'caller' | 'agent'>) {
    if (!(error instanceof AppError) || error.code !== 'not_found' || agent.draftId !== undefined) return error;
    const present = await findAgent(db, caller.project, agent.slug);
    return present?.id === agent.id
      ? error
      : new AppError('agent_deleted', { cause: new Error('The agent was deleted.') });
  }

  return execute;
}
export type ExecuteRun = ReturnType<typeof createRunExecutor>;
