import { Worker } from 'node:worker_threads';
import type { ExtractFailure } from './block.js';
import type { CutPassage } from './cut-passages.js';
import type { Source } from './extract-blocks.js';

export type Extraction = { passages: CutPassage[] } | { failure: ExtractFailure };

export interface ExtractionBudget {
  workerUrl?: URL;
  /** Processor time of the thread in milliseconds, which a busy machine does not use up. */
  timeoutMs?: number;
  /** Limits, in MiB each, of the thread's heap and of its memory outside the heap, such as unpacked bytes. */
  memoryMb?: number;
}

const LOOK_MS = 25;
const MIB = 1_048_576;

/**
 * Reads the passages of a file in a separate thread with a budget of time and memory, so that no file stops or ends the
 * process. The thread has no environment; it opens no file and no connection.
 *
 * @throws AbortError when the signal ends it
 */
export function runExtraction(
  source: Source,
  {
    workerUrl = new URL('./extract.worker.js', import.meta.url),
    timeoutMs = 60_000,
    memoryMb = 128,
  }: ExtractionBudget = {},
  signal?: AbortSignal,
): Promise<Extraction> {
  signal?.throwIfAborted();
  const worker = new Worker(workerUrl, {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    workerData: source,
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: Math.max(1, memoryMb / 8),
      stackSizeMb: 4,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Extraction>();
  const onAbort = () =>
    reject(signal?.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError'));
  signal?.addEventListener('abort', onAbort, { once: true });
  worker.once('message', (extraction: Extraction) => resolve(extraction));
  worker.once('error', (error: Error) =>
    'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ failure: 'too_complex' }) : reject(error),
  );
  worker.once('exit', () => reject(new Error('The thread that reads files ended')));

  const isOver = async () => {
    const { user, system } = await worker.cpuUsage();
    if ((user + system) / 1_000 > timeoutMs) return true;
    const { external_memory: held } = await worker.getHeapStatistics();
    return held > memoryMb * MIB + source.bytes.length;
  };
  let looks: Promise<void> | undefined;
  const timer = setInterval(() => {
    looks ??= isOver()
      .then((over) => {
        if (over) resolve({ failure: 'too_complex' });
      })
      // A thread that has ended does not answer; its `exit` event reports the end.
      .catch(() => undefined)
      .finally(() => (looks = undefined));
  }, LOOK_MS);
  return endWith(promise, worker, () => {
    clearInterval(timer);
    signal?.removeEventListener('abort', onAbort);
  });
}

/** The returned promise settles after the thread has ended. */
async function endWith(promise: Promise<Extraction>, worker: Worker, release: () => void): Promise<Extraction> {
  try {
    return await promise;
  } finally {
    release();
    await worker.terminate();
  }
}
