import type { StreamResponse } from '@a2a-js/sdk';
import type { Followed, WaitReason } from '@millwright/runs';
import { artifactUpdate, statusUpdate, toTask, withChunks, type TaskView } from './task-form.js';
import { createChunkReader, type StoredTask } from './tasks.store.js';

export interface Follow {
  task: StoredTask;
  find: () => Promise<StoredTask | undefined>;
  /** The events of the task's run. */
  events: AsyncIterable<Followed>;
  view: TaskView;
}

/** Wait reasons of runs whose task may be `input-required` or `auth-required`. With any other wait reason, the task is `working`. */
const INTERRUPTING: ReadonlySet<WaitReason> = new Set(['approval', 'input', 'connection', 'child']);

/** Whether the task's state ends its streams: the task has ended or waits for its user (A2A 1.0 §3.1.2). */
const isInterrupted = ({ state }: StoredTask) => state !== 'working';

/**
 * Yields the events of a task (A2A 1.0 §3.1.2, §3.1.6): first the task, then its growing answer, then its last state. The events are read from the
 * stored run, so that any process can follow a task that another process runs.
 */
export async function* followTask({
  task: first,
  find,
  events,
  view,
}: Follow): AsyncGenerator<StreamResponse, void, undefined> {
  const readChunks = createChunkReader();
  let text = '';
  let isShown = false;
  let last: StoredTask | undefined;
  if (isInterrupted(first)) {
    yield { payload: { $case: 'task', value: toTask(first, view) } };
    return;
  }
  for await (const { status, events: next } of events) {
    const chunks = readChunks(next);
    // The first event is the task with all of the answer that has been written so far.
    if (!isShown) {
      const shown = { ...first, chunks };
      yield { payload: { $case: 'task', value: toTask(shown, view) } };
      isShown = true;
    } else for (const chunk of chunks) yield artifactUpdate(first, chunk.text, { append: !chunk.starts });
    text = withChunks(text, chunks);
    if (status.waitingFor === null || !INTERRUPTING.has(status.waitingFor)) continue;
    last = await find();
    if (last && isInterrupted(last)) break;
  }
  const task = last && isInterrupted(last) ? last : await find();
  // The task was deleted together with its agent, or the client disconnected.
  if (!task || !isInterrupted(task)) return;
  if (task.answer !== null && isShown) yield* lastUpdate(task, text, task.answer);
  yield statusUpdate(task, view);
}

/** Sends the part of the answer that was not sent yet. When the text sent so far is not the beginning of the answer, the whole answer replaces it. */
function* lastUpdate(task: StoredTask, sent: string, answer: string): Generator<StreamResponse> {
  const append = sent !== '' && answer.startsWith(sent);
  yield artifactUpdate(task, append ? answer.slice(sent.length) : answer, { append, lastChunk: true });
}
