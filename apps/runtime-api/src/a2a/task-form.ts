import { Message, Task, TaskState, type StreamResponse } from '@a2a-js/sdk';
import { encodeId } from '@millwright/db';
import { MEDIA_TYPE } from './interfaces.js';
import type { Chunk, StoredTask, TaskState as StoredState } from './tasks.store.js';

const STATES: Record<StoredState, TaskState> = {
  working: TaskState.TASK_STATE_WORKING,
  input_required: TaskState.TASK_STATE_INPUT_REQUIRED,
  auth_required: TaskState.TASK_STATE_AUTH_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
};

/** The stored state of a protocol state. `undefined`: tasks of this installation never have it. */
export const storedState = (state: TaskState): StoredState | undefined =>
  (Object.keys(STATES) as StoredState[]).find((name) => STATES[name] === state);

export const taskId = (id: string) => encodeId('task', id);
export const contextId = (id: string) => encodeId('ctx', id);

/** The answer with these chunks added. */
export const withChunks = (text: string, chunks: readonly Chunk[]): string =>
  chunks.reduce((said, chunk) => (chunk.starts ? chunk.text : said + chunk.text), text);

/** An agent's answer is one artifact (A2A 1.0 §3.7). */
const answerPart = (text: string) => ({
  artifactId: 'answer',
  name: 'answer',
  parts: [{ text, mediaType: MEDIA_TYPE }],
});

function statusOf({ id, contextId: context, state, reason, statusAt }: StoredTask) {
  const said = {
    messageId: `${taskId(id)}-${state}`,
    taskId: taskId(id),
    contextId: contextId(context),
    role: 'ROLE_AGENT',
    parts: [{ text: reason ?? '', mediaType: MEDIA_TYPE }],
  };
  return { state: STATES[state], timestamp: statusAt.toISOString(), ...(reason !== null && { message: said }) };
}

/** A task in the protocol's form, with at most `historyLength` messages; without it, with all stored ones. */
export function toTask(stored: StoredTask, { historyLength }: { historyLength?: number | undefined } = {}): Task {
  const text = stored.answer ?? withChunks('', stored.chunks);
  return Task.fromJSON({
    id: taskId(stored.id),
    contextId: contextId(stored.contextId),
    status: statusOf(stored),
    artifacts: text === '' ? [] : [answerPart(text)],
    history: historyLength === 0 ? [] : [Message.fromJSON(stored.message)].map((message) => Message.toJSON(message)),
  });
}

/** An event that adds a part to the answer, or replaces the answer. */
export const artifactUpdate = (
  stored: StoredTask,
  text: string,
  { append = false, lastChunk = false },
): StreamResponse => {
  const [artifact] = Task.fromJSON({ artifacts: [answerPart(text)] }).artifacts;
  const ids = { taskId: taskId(stored.id), contextId: contextId(stored.contextId) };
  return { payload: { $case: 'artifactUpdate', value: { ...ids, artifact, append, lastChunk, metadata: undefined } } };
};

export function statusUpdate(stored: StoredTask): StreamResponse {
  const { id, contextId: context, status } = toTask(stored);
  return { payload: { $case: 'statusUpdate', value: { taskId: id, contextId: context, status, metadata: undefined } } };
}
