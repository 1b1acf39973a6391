import { storableText } from '@millwright/db';
import type { Progress } from '../conversations/messages.contract.js';
import type { Chunk } from './tasks.store.js';

/** Text that arrives within this time is written together, with one notification. */
const TOGETHER_MS = 150;

/**
 * Stores an answer while it is written, for followers in any process. The text of a step that calls tools is not part of the answer, so
 * the next step starts over. A chunk that cannot be written is dropped; the whole answer is stored at the end.
 */
export function createChunkWriter(write: (chunk: Chunk) => Promise<void>, onError: (error: unknown) => void) {
  let [step, seq, text, starts] = [0, 0, '', true];
  let timer: NodeJS.Timeout | undefined;
  let written = Promise.resolve();

  function flush() {
    timer = undefined;
    if (text === '') return;
    const chunk = { seq: (seq += 1), starts, text };
    [text, starts] = ['', false];
    written = written.then(() => write(chunk)).catch(onError);
  }

  return {
    report: ({ event, data }: Progress): void => {
      if (event !== 'message.delta') return;
      if (data.step !== step) [step, text, starts] = [data.step, '', true];
      text += storableText(data.delta);
      timer ??= setTimeout(flush, seq === 0 ? 0 : TOGETHER_MS);
    },
    /** Stops writing chunks, because the whole answer follows. */
    async close(): Promise<void> {
      clearTimeout(timer);
      await written;
    },
  };
}
