import { Worker } from 'node:worker_threads';
import type { SchemaReply, SchemaRequest } from './schema-messages.js';

export type WorkerOutcome =
  Exclude<SchemaReply, { kind: 'ready' }> | { kind: 'out of time' } | { kind: 'out of memory' };

/** A worker thread that answers one request at a time and is replaced when a request exceeds its budget. */
export interface BudgetedWorker {
  /** Rejects when the worker cannot start or fails by a fault of ours. */
  run(request: SchemaRequest): Promise<WorkerOutcome>;
  /** Whether the thread that takes the next request has served the key before. */
  knows(key: string): boolean;
  close(): Promise<void>;
}

export interface WorkerBudget {
  workerUrl: URL;
  timeoutMs: number;
  memoryMb: number;
}

interface Thread {
  worker: Worker;
  ready: Promise<void>;
  known: Set<string>;
  ended: boolean;
}

const START_TIMEOUT_MS = 10_000;

const isOutOfMemory = (error: Error) => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function startThread({ workerUrl, memoryMb }: WorkerBudget): Thread {
  const worker = new Worker(workerUrl, {
    // User-written schemas become code in there: it gets no secrets and no flags of ours.
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: Math.max(1, memoryMb / 8),
      stackSizeMb: 4,
    },
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => reject(new Error('The schema worker did not start in time')), START_TIMEOUT_MS);
  worker.once('message', () => resolve(undefined));
  worker.once('error', reject);
  const thread: Thread = { worker, ready, known: new Set(), ended: false };
  worker.once('exit', () => {
    thread.ended = true;
    reject(new Error('The schema worker ended'));
  });
  // Whoever awaits it hears of it; a thread that ends unused must not be an unhandled rejection.
  ready.catch(() => undefined).finally(() => clearTimeout(timer));
  return thread;
}

function ask({ worker }: Thread, request: SchemaRequest, timeoutMs: number): Promise<WorkerOutcome> {
  return new Promise((resolve, reject) => {
    worker.postMessage(request);
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      finish();
    };
    const onMessage = (reply: WorkerOutcome) => settle(() => resolve(reply));
    const onError = (error: Error) =>
      settle(() => (isOutOfMemory(error) ? resolve({ kind: 'out of memory' }) : reject(error)));
    const onExit = () => settle(() => reject(new Error('The schema worker ended')));
    // When this thread was the slow one, the answer is already waiting: take it in before giving up.
    const onTimeout = () => setImmediate(() => settle(() => resolve({ kind: 'out of time' })));
    const timer = setTimeout(onTimeout, timeoutMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

export function createBudgetedWorker(budget: WorkerBudget): BudgetedWorker {
  let thread = startThread(budget);
  let closed = false;

  function replaceThread(): void {
    void thread.worker.terminate();
    if (!closed) thread = startThread(budget);
  }

  return {
    async run(request) {
      if (thread.ended) replaceThread();
      await thread.ready;
      const outcome = await ask(thread, request, budget.timeoutMs);
      if (outcome.kind === 'out of time' || outcome.kind === 'out of memory') replaceThread();
      else if (request.kind === 'validate' && outcome.kind === 'checked') thread.known.add(request.key);
      return outcome;
    },
    knows: (key) => !thread.ended && thread.known.has(key),
    async close() {
      closed = true;
      await thread.worker.terminate();
    },
  };
}
