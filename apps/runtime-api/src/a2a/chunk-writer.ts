import { storableText } from '@millwright/db';
import type { Progress } from '../messages/messages.contract.js';
import type { Chunk } from './tasks.store.js';

/** What comes within this time is written, and told to those who follow, at once. */
const TOGETHER_MS = 150;

/**
 * Keeps an answer as it comes, for those who follow it, here or elsewhere. Words that a step said before it called tools are no answer:
 * the next step begins anew. What cannot be written is lost, which is made up for when the whole answer is there.
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
    report({ event, data }: Progress): void {
      if (event !== 'message.delta') return;
      if (data.step !== step) [step, text, starts] = [data.step, '', true];
      text += storableText(data.delta);
      timer ??= setTimeout(flush, seq === 0 ? 0 : TOGETHER_MS);
    },
    /** What is still to come with the whole answer is not written any more. */
    async close(): Promise<void> {
      clearTimeout(timer);
      await written;
    },
  };
}
