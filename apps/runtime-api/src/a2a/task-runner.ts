import { decodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Logger, Work } from '@millwright/http/process';
import type { AskAgentService, OpenRequest } from '../conversations/ask-agent.service.js';
import type { ChunkWriter } from './chunk-writer.js';
import type { TaskSignals } from './task-signals.js';
import { TaskEnded, type TaskStore } from './tasks.store.js';

/** The interval of renewal: a quarter of a lease. */
const RENEW_MS = 2_500;

export interface TaskRun {
  taskId: string;
  request: OpenRequest;
  /** Whether the answer is stored while it is written. */
  streamed: boolean;
}

export interface RunnerDeps {
  tasks: TaskStore;
  chunks: ChunkWriter;
  askAgent: Pick<AskAgentService, 'answer'>;
  signals: Pick<TaskSignals, 'watch'>;
  logger: Logger;
  work: Work;
}

/** Runs tasks in this process until they end, by their answer or because this or another process ended them. */
export function createTaskRunner({ tasks, chunks, askAgent, signals, logger, work }: RunnerDeps) {
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
    const { taskId, request, streamed } = run;
    const writer = streamed ? chunks.open(taskId) : undefined;
    try {
      await askAgent.answer(request, { onProgress: writer?.report, signal }, async (store) => {
        await writer?.close();
        await tasks.complete(taskId, async (tx) => decodeId('msg', (await store(tx)).id) ?? '');
      });
    } finally {
      await writer?.close();
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
    /** Resolves when this process has finished with the task. A failure is stored in the task. */
    start(run: TaskRun): Promise<void> {
      const done = carryOut(run).catch((err: unknown) =>
        logger.error({ err }, 'the end of a task could not be written'),
      );
      return work.track(done);
    },
  };
}
export type TaskRunner = ReturnType<typeof createTaskRunner>;
