import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { decodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Logger, Work } from '@millwright/http';
import type { ContextStore, OpenedContext } from '../messages/contexts.store.js';
import type { Progress } from '../messages/messages.contract.js';
import type { RunService } from '../messages/run.service.js';
import { createChunkWriter } from './chunk-writer.js';
import type { TaskSignals } from './task-signals.js';
import { TaskEnded, type TaskStore } from './tasks.store.js';

/** A quarter of a lease. */
const RENEW_MS = 2_500;

export interface TaskRun {
  taskId: string;
  caller: Caller;
  agent: RunnableAgent;
  context: OpenedContext;
  content: string;
  model: string;
  /** Whether the answer is kept as it comes. */
  streamed: boolean;
}

export interface RunnerDeps {
  db: Database;
  tasks: TaskStore;
  contexts: ContextStore;
  runs: RunService;
  signals: Pick<TaskSignals, 'watch'>;
  logger: Logger;
  work: Work;
}

/** Works on tasks in this process, until they have ended: by their answer, or because someone ended them, here or elsewhere. */
export function createTaskRunner({ db, tasks, contexts, runs, signals, logger, work }: RunnerDeps) {
  const running = new Map<string, AbortController>();
  let renewing: NodeJS.Timeout | undefined;
  const stop = (taskId: string) => running.get(taskId)?.abort(new TaskEnded());

  async function renew(): Promise<void> {
    const ids = [...running.keys()];
    const kept = new Set(await tasks.renew(ids));
    for (const id of ids) if (!kept.has(id)) stop(id);
  }

  function begin(taskId: string): AbortSignal {
    const controller = new AbortController();
    running.set(taskId, controller);
    renewing ??= setInterval(() => {
      renew().catch((err: unknown) => logger.warn({ err }, 'tasks could not be held on to'));
    }, RENEW_MS);
    return controller.signal;
  }

  function finish(taskId: string): void {
    running.delete(taskId);
    if (running.size > 0) return;
    clearInterval(renewing);
    renewing = undefined;
  }

  async function answer(run: TaskRun, signal: AbortSignal): Promise<void> {
    const { taskId, caller, agent, context, content, model, streamed } = run;
    const onError = (err: unknown) => logger.warn({ err }, 'what a task has said so far could not be written');
    const chunks = streamed ? createChunkWriter((chunk) => tasks.addChunk(taskId, chunk), onError) : undefined;
    try {
      const report = chunks && ((progress: Progress) => chunks.report(progress));
      const said = await runs.run({
        caller,
        agent,
        context,
        content,
        model,
        idempotencyKey: undefined,
        report,
        signal,
      });
      await chunks?.close();
      await db.transaction(async (tx) => {
        const { id } = await contexts.answer(tx, caller, agent, context.id, said);
        await tasks.complete(tx, taskId, decodeId('msg', id) ?? '');
      });
    } finally {
      await chunks?.close();
    }
  }

  async function carryOut(run: TaskRun): Promise<void> {
    const { taskId } = run;
    const signal = begin(taskId);
    const unwatch = signals.watch(taskId, (ended) => ended && stop(taskId));
    try {
      await answer(run, signal);
    } catch (error) {
      if (signal.aborted || error instanceof TaskEnded) return;
      const isDown = error instanceof AppError && error.code === 'unavailable';
      logger[isDown ? 'warn' : 'error']({ err: error }, 'a task failed');
      await tasks.fail(taskId, isDown ? 'The model could not be reached.' : 'The agent failed.');
    } finally {
      unwatch();
      finish(taskId);
    }
  }

  return {
    /** Resolves when there is nothing more to do here; what went wrong is in the task, or in its having been left. */
    start(run: TaskRun): Promise<void> {
      const done = carryOut(run).catch((err: unknown) =>
        logger.error({ err }, 'the end of a task could not be written'),
      );
      return work.track(done);
    },
  };
}
export type TaskRunner = ReturnType<typeof createTaskRunner>;
