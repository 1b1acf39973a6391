import type { Spending } from '@millwright/budgets';
import { decodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Logger } from '@millwright/http/process';
import type { ProjectModels } from '@millwright/models';
import {
  RunLost,
  RunWaits,
  type ClaimedRun,
  type EndState,
  type RunNotifier,
  type RunStore,
  type StepStore,
} from '@millwright/runs';
import type { ContextStore } from '../conversations/contexts.store.js';
import { findSubject } from './find-subject.js';
import type { ExecuteRun } from './execute-run.js';
import { readKept } from './run-journal.js';

export interface RunContinuationDeps {
  db: Database;
  models: ProjectModels;
  contexts: ContextStore;
  runs: RunStore;
  steps: StepStore;
  notifier: RunNotifier;
  spending: Pick<Spending, 'returnOf' | 'hasBudgets'>;
  logger: Logger;
  execute: ExecuteRun;
}

/**
 * Limits for a run whose attempts finish no step, for example because each process dies during the run. The run fails only when the number
 * of attempts and the time both exceed their limits, so that an overloaded machine has enough time.
 */
const MOST_FRUITLESS_ATTEMPTS = 10;
const MOST_FRUITLESS_MS = 600_000;

/** Continues runs that this process has taken. */
export function createRunContinuation(deps: RunContinuationDeps) {
  const { db, models, contexts, runs, steps, notifier, spending, logger, execute } = deps;

  /** Continues a run that this process has taken: a queued run, a run whose process died, or a run that waited. */
  async function continueRun(claimed: ClaimedRun, signal: AbortSignal): Promise<void> {
    const { runId, attempt, caller, subject, contextId, messageId, idempotencyKey, depth } = claimed;
    const fence = { runId, attempt };
    notifier.changed([runId]);
    const endAs = async (state: EndState, change: Parameters<typeof runs.end>[3]) => {
      const { below } = await db.transaction((tx) => runs.end(tx, fence, state, change));
      for (const id of [runId, ...below]) notifier.ended(id);
    };
    try {
      const agent = await findSubject(db, claimed);
      const user = await db.prisma.user.findUnique({ where: { id: caller.actor.userId }, select: { status: true } });
      if (claimed.isTakenOver) await db.transaction((tx) => steps.markUnknown(tx, fence));
      const triggerId = claimed.trigger === null ? undefined : decodeId('trg', claimed.trigger);
      const spends = { budgetId: claimed.budgetId, triggerId };
      if (claimed.isTakenOver && (spends.budgetId !== null || (await spending.hasBudgets(caller.project))))
        await spending.returnOf(runId, attempt);
      const kept = readKept(await steps.list(runId));
      const context = contextId && messageId ? await contexts.reopen(contextId, messageId, kept.stored) : undefined;
      if (agent?.id !== subject.id) {
        await endAs('failed', { error: { code: 'agent_deleted', text: 'The agent was deleted.' } });
        return;
      }
      if (agent.is_stopped) {
        await endAs('canceled', { reason: 'agent_stopped' });
        return;
      }
      if (!context) {
        await endAs('failed', { error: { code: 'not_found', text: 'The conversation was deleted.' } });
        return;
      }
      const quietMs = Date.now() - (kept.lastAt ?? claimed.startedAt).getTime();
      if (attempt - kept.attempt > MOST_FRUITLESS_ATTEMPTS && quietMs > MOST_FRUITLESS_MS) {
        const text = `More than ${MOST_FRUITLESS_ATTEMPTS} processes in a row ended before they had finished a step.`;
        await endAs('failed', { error: { code: 'unavailable', text } });
        return;
      }
      if (agent.status !== 'active' || user?.status !== 'active') {
        await endAs('failed', {
          error: { code: 'forbidden', text: 'The agent is inactive, or the account is not active.' },
        });
        return;
      }
      if (context.answer !== undefined) {
        await endAs('completed', { answerId: context.answer });
        return;
      }
      const model = claimed.model ?? agent.model ?? (await models.of(caller.project)).defaultModel;
      await execute(
        {
          ...{ fence, signal, spends, caller, agent, context, content: context.content, model, kept, isStreamed: true },
          idempotencyKey: idempotencyKey ?? undefined,
          ...{ depth, startsTrace: true, keepsAnswer: claimed.channel === 'chat' || claimed.channel === 'responses' },
        },
        (store) => db.transaction(store),
      );
    } catch (error) {
      if (error instanceof RunLost || error instanceof RunWaits) return;
      logger[error instanceof AppError && error.code === 'unavailable' ? 'warn' : 'error'](
        { err: error },
        'a run failed',
      );
    }
  }

  return continueRun;
}
