import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { MOST_SCHEMAS, type SchemaReply, type SchemaRequest } from './schema-messages.js';

export type WorkerOutcome =
  | Exclude<SchemaReply, { kind: 'ready' }>
  | { kind: 'out of time' }
  | { kind: 'out of memory' }
  /** The result when the machine was too busy to answer in time. The cause is not the request. */
  | { kind: 'starved' };

/** A worker thread that answers one request at a time and is replaced when a request exceeds its budget. */
export interface BudgetedWorker {
  /** Rejects when the worker cannot start, or fails for a reason other than the request. */
  run(request: SchemaRequest): Promise<WorkerOutcome>;
  /** Whether the thread that answers the next request probably has the schema of the key in its cache. */
  knows(key: string): boolean;
  close(): Promise<void>;
}

export interface WorkerBudget {
  workerUrl: URL;
  /**
   * Limit of the processor time of a request, in milliseconds. Only the time of the thread itself counts, so that a busy machine does not
   * make a request fail.
   */
  timeoutMs: number;
  /** Limit of the total time of a request, in milliseconds. */
  patienceMs: number;
  memoryMb: number;
}

interface Thread {
  worker: Worker;
  ready: Promise<'ready' | 'starved'>;
  known: LRUCache<string, true>;
  ended: boolean;
}

const START_TIMEOUT_MS = 10_000;
const SHORTEST_CHECK_MS = 5;

const isOutOfMemory = (error: Error) => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function startThread({ workerUrl, memoryMb }: WorkerBudget): Thread {
  const worker = new Worker(workerUrl, {
    // The thread gets no environment and no flags, because schemas of users become code in the thread.
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: Math.max(1, memoryMb / 8),
      stackSizeMb: 4,
    },
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<'ready' | 'starved'>();
  const thread: Thread = { worker, ready, known: new LRUCache({ max: MOST_SCHEMAS }), ended: false };
  const giveUp = () => {
    thread.ended = true;
    resolve('starved');
    void worker.terminate();
  };
  const timer = setTimeout(giveUp, START_TIMEOUT_MS);
  worker.once('message', () => resolve('ready'));
  worker.once('error', reject);
  worker.once('exit', () => {
    thread.ended = true;
    reject(new Error('The schema worker ended'));
  });
  // Callers that await the promise get the error. The empty handler prevents an unhandled rejection when an unused
  // thread ends.
  ready.catch(() => undefined).finally(() => clearTimeout(timer));
  return thread;
}

/** Processor time that the thread has used so far, in milliseconds. */
async function processorTime(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
}

async function ask({ worker }: Thread, request: SchemaRequest, { timeoutMs, patienceMs }: WorkerBudget) {
  const before = await processorTime(worker);
  return new Promise<WorkerOutcome>((resolve, reject) => {
    worker.postMessage(request);
    let settled = false;
    let check: NodeJS.Timeout;
    const settle = (finish: () => void) => {
      settled = true;
      clearTimeout(check);
      clearTimeout(patience);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      finish();
    };
    const onMessage = (reply: WorkerOutcome) => settle(() => resolve(reply));
    const onError = (error: Error) =>
      settle(() => (isOutOfMemory(error) ? resolve({ kind: 'out of memory' }) : reject(error)));
    const onExit = () => settle(() => reject(new Error('The schema worker ended')));
    // When the calling thread was busy, the answer of the worker may already be in its queue. One more turn of the event loop processes
    // such an answer before the request is given up.
    const giveUp = (kind: 'out of time' | 'starved') => setImmediate(() => settle(() => resolve({ kind })));
    const judge = (used: number) => {
      if (settled) return;
      if (used >= timeoutMs) giveUp('out of time');
      else checkAfter(Math.max(SHORTEST_CHECK_MS, timeoutMs - used));
    };
    // A failure is ignored: the time cannot be read once the thread has ended, and its event `exit` is handled
    // separately.
    const look = () =>
      void processorTime(worker)
        .then((now) => judge(now - before))
        .catch(() => undefined);
    const checkAfter = (milliseconds: number) => (check = setTimeout(look, milliseconds));
    const patience = setTimeout(giveUp, patienceMs, 'starved');
    checkAfter(timeoutMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

const LEAVES_THREAD_BUSY: ReadonlySet<WorkerOutcome['kind']> = new Set(['out of time', 'out of memory', 'starved']);

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
      if ((await thread.ready) === 'starved') return { kind: 'starved' };
      const outcome = await ask(thread, request, budget);
      if (LEAVES_THREAD_BUSY.has(outcome.kind)) replaceThread();
      else if (request.kind === 'validate' && outcome.kind === 'checked') thread.known.set(request.key, true);
      return outcome;
    },
    knows: (key) => !thread.ended && thread.known.has(key),
    async close() {
      closed = true;
      await thread.worker.terminate();
    },
  };
}
