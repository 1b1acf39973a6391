import { Worker } from 'node:worker_threads';
import type { ExtractFailure } from './block.js';
import type { CutPassage } from './cut-passages.js';
import type { Source } from './extract-blocks.js';

interface Failed {
  failure: ExtractFailure;
}
export type Extraction = { passages: CutPassage[] } | Failed;
export type DocumentText = { text: string } | Failed;

/** The file that the thread reads, and the wanted form of its text. */
export interface Order {
  source: Source;
  as: 'passages' | 'text';
}
export type Extracted = Extraction | DocumentText;

export interface ExtractionBudget {
  workerUrl?: URL;
  /** Limit of the processor time that the thread uses, in milliseconds. Other work on a busy machine does not count. */
  timeoutMs?: number;
  /** Limit in MiB, both of the thread's heap and of its memory outside the heap, such as unpacked bytes. */
  memoryMb?: number;
}

const LOOK_MS = 25;
const MIB = 1_048_576;

/** Reads the passages of a file in the form in which search finds them. @throws AbortError when the signal ends it */
export const runExtraction = (source: Source, budget?: ExtractionBudget, signal?: AbortSignal): Promise<Extraction> =>
  runThread({ source, as: 'passages' }, budget, signal) as Promise<Extraction>;

/** Reads the whole text of a file: its headings and paragraphs, with an empty line between them. */
export const readDocument = (source: Source, budget?: ExtractionBudget): Promise<DocumentText> =>
  runThread({ source, as: 'text' }, budget) as Promise<DocumentText>;

/**
 * Reads a file in a separate thread with limits of time and memory, so that no file can stop or end the process. The
 * thread has no environment, and opens no file and no connection.
 *
 * @throws AbortError when the signal ends it
 */
function runThread(
  order: Order,
  {
    workerUrl = new URL('./extract.worker.js', import.meta.url),
    timeoutMs = 60_000,
    memoryMb = 128,
  }: ExtractionBudget = {},
  signal?: AbortSignal,
): Promise<Extracted> {
  signal?.throwIfAborted();
  const worker = new Worker(workerUrl, {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    workerData: order,
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: Math.max(1, memoryMb / 8),
      stackSizeMb: 4,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Extracted>();
  const onAbort = () =>
    reject(signal?.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError'));
  signal?.addEventListener('abort', onAbort, { once: true });
  worker.once('message', (extracted: Extracted) => resolve(extracted));
  worker.once('error', (error: Error) =>
    'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ failure: 'too_complex' }) : reject(error),
  );
  worker.once('exit', () => reject(new Error('The thread that reads files ended')));

  const isOver = async () => {
    const { user, system } = await worker.cpuUsage();
    if ((user + system) / 1_000 > timeoutMs) return true;
    const { external_memory: held } = await worker.getHeapStatistics();
    return held > memoryMb * MIB + order.source.bytes.length;
  };
  let looks: Promise<void> | undefined;
  const timer = setInterval(() => {
    looks ??= isOver()
      .then((over) => {
        if (over) resolve({ failure: 'too_complex' });
      })
      // A thread that has ended does not answer. Its `exit` event reports the end.
      .catch(() => undefined)
      .finally(() => (looks = undefined));
  }, LOOK_MS);
  return endWith(promise, worker, () => {
    clearInterval(timer);
    signal?.removeEventListener('abort', onAbort);
  });
}

/** Settles like `promise`, but only after the thread has ended. */
async function endWith(promise: Promise<Extracted>, worker: Worker, release: () => void): Promise<Extracted> {
  try {
    return await promise;
  } finally {
    release();
    await worker.terminate();
  }
}
