import { once } from 'node:events';
import type { StreamResponse } from '@a2a-js/sdk';
import type { TaskSignals } from './task-signals.js';
import { artifactUpdate, statusUpdate, toTask, withChunks } from './task-form.js';
import type { StoredTask } from './tasks.store.js';

/** The interval at which a task is read again, so that a lost notification or an abandoned task is found. */
const LOOK_AGAIN_MS = 2_000;

export interface Follow {
  task: StoredTask;
  /** The task, with its chunks after `seq`. */
  find: (seq: number) => Promise<StoredTask | undefined>;
  signals: Pick<TaskSignals, 'watch'>;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  historyLength?: number | undefined;
}

/**
 * The events of a task (A2A 1.0 §3.1.2, §3.1.6): the task, then its growing answer, then its last state. They are read from the stored
 * task, so that any process can follow a task that another one runs.
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
      if (!task) return; // deleted together with its agent
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

/** The rest of the answer, or all of it when the text sent so far is not its beginning. */
function lastUpdate(task: StoredTask, sent: string, answer: string): StreamResponse {
  const append = sent !== '' && answer.startsWith(sent);
  return artifactUpdate(task, append ? answer.slice(sent.length) : answer, { append, lastChunk: true });
}

/** Waits for the next change. A change between two waits is not lost. */
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
