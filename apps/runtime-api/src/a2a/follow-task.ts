import { once } from 'node:events';
import type { StreamResponse } from '@a2a-js/sdk';
import type { TaskSignals } from './task-signals.js';
import { artifactUpdate, statusUpdate, toTask, withChunks } from './task-form.js';
import type { StoredTask } from './tasks.store.js';

/** A change that was not heard of is found after this time, and so is a task that nobody works on any more. */
const LOOK_AGAIN_MS = 2_000;

export interface Follow {
  task: StoredTask;
  /** The task, with those of its chunks that come after `seq`. */
  find: (seq: number) => Promise<StoredTask | undefined>;
  signals: Pick<TaskSignals, 'watch'>;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  historyLength?: number | undefined;
}

/**
 * What becomes of a task, as the protocol tells it (A2A 1.0 §3.1.2, §3.1.6): the task as it is, then its answer as it grows, then its last
 * state. The stored task is the source, so it does not matter which process works on it, nor which followed it before.
 */
export async function* followTask({
  task: first,
  find,
  signals,
  signal,
  historyLength,
}: Follow): AsyncGenerator<StreamResponse, void, undefined> {
  const changes = watchChanges(first.id, signals, signal);
  try {
    let task: StoredTask | undefined = first;
    yield { payload: { $case: 'task', value: toTask(task, { historyLength }) } };
    let [text, seq] = ['', 0];
    const note = ({ chunks }: StoredTask) => {
      text = withChunks(text, chunks);
      seq = chunks.at(-1)?.seq ?? seq;
    };
    note(task);
    while (task.state === 'working') {
      await changes.next();
      if (signal.aborted) return;
      task = await find(seq);
      if (!task) return; // deleted, with its agent
      for (const chunk of task.chunks) yield artifactUpdate(task, chunk.text, { append: !chunk.starts });
      note(task);
    }
    if (first.state !== 'working') return;
    if (task.answer !== null) yield lastUpdate(task, text, task.answer);
    yield statusUpdate(task);
  } finally {
    changes.end();
  }
}

/** What is still to be told of the answer: what was told so far need not be how it begins. */
function lastUpdate(task: StoredTask, told: string, answer: string): StreamResponse {
  const append = told !== '' && answer.startsWith(told);
  return artifactUpdate(task, append ? answer.slice(told.length) : answer, { append, lastChunk: true });
}

/** Waits for changes; one that comes while nobody waits is not missed, nor one that came before the watch. */
function watchChanges(taskId: string, signals: Pick<TaskSignals, 'watch'>, signal: AbortSignal) {
  const target = new EventTarget();
  let changed = true;
  const onChange = () => {
    changed = true;
    target.dispatchEvent(new Event('change'));
  };
  const unwatch = signals.watch(taskId, onChange);
  return {
    async next(): Promise<void> {
      const waiting = AbortSignal.any([signal, AbortSignal.timeout(LOOK_AGAIN_MS)]);
      if (!changed) await once(target, 'change', { signal: waiting }).catch(() => undefined);
      changed = false;
    },
    end: unwatch,
  };
}
