import { storableText } from '@millwright/db';
import type { Progress } from '../conversations/messages.contract.js';
import { createPaced, type Pause } from './paced.js';
import type { TaskChunk } from './tasks.store.js';

/** Limits of one statement. */
const MOST_CHUNKS = 500;
const MOST_CHARACTERS = 1_000_000;

export interface ChunkWriterOptions {
  /** Stores chunks, in their order for each task. */
  write: (chunks: readonly TaskChunk[]) => Promise<void>;
  onError: (error: unknown) => void;
  /** The pause after each statement; the default is a tenth of a second. */
  pause?: Pause | undefined;
}

/** Collects the answer of one task. */
export interface AnswerWriter {
  report: (progress: Progress) => void;
  /** Stops writing chunks, because the whole answer follows. */
  close: () => Promise<void>;
}

/**
 * Stores the answers of all tasks of this process while they are written, for followers in any process. The text that arrives between two
 * statements is stored together: as one chunk for each task. A chunk that cannot be stored is dropped; the whole answer is stored at the
 * end of its task.
 */
export function createChunkWriter({ write, onError, pause }: ChunkWriterOptions) {
  const waiting = new Map<string, TaskChunk>();
  let written = Promise.resolve();

  const requestWrite = createPaced(async () => {
    const pages = pagesOf([...waiting.values()]);
    waiting.clear();
    written = writePages(pages);
    await written;
  }, pause);

  async function writePages(pages: readonly TaskChunk[][]): Promise<void> {
    for (const page of pages) await write(page).catch(onError);
  }

  return {
    /** Begins to store the answer of a task. The text of a step that calls tools is not part of it, so the next step starts over. */
    open(taskId: string): AnswerWriter {
      let [step, seq] = [0, 0];
      return {
        report({ event, data }) {
          if (event !== 'message.delta') return;
          const text = storableText(data.delta);
          if (text === '') return;
          const starts = data.step !== step;
          step = data.step;
          const before = waiting.get(taskId);
          if (!before) waiting.set(taskId, { taskId, seq: (seq += 1), starts, text });
          else if (starts) waiting.set(taskId, { ...before, starts, text });
          else before.text += text;
          requestWrite();
        },

        async close() {
          waiting.delete(taskId);
          await written;
        },
      };
    },
  };
}
export type ChunkWriter = ReturnType<typeof createChunkWriter>;

function pagesOf(chunks: readonly TaskChunk[]): TaskChunk[][] {
  const pages: TaskChunk[][] = [];
  let characters = Infinity;
  for (const chunk of chunks) {
    const page = pages.at(-1);
    if (!page || page.length === MOST_CHUNKS || characters > MOST_CHARACTERS) {
      pages.push([chunk]);
      characters = 0;
    } else page.push(chunk);
    characters += chunk.text.length;
  }
  return pages;
}
