import { Message, Task, TaskState, type StreamResponse } from '@a2a-js/sdk';
import { encodeId } from '@millwright/db';
import { questionOf } from './decisions.js';
import { MEDIA_TYPE } from '../agents/a2a-interfaces.js';
import type { Chunk, StoredTask, TaskState as StoredState } from './tasks.store.js';

const STATES: Record<StoredState, TaskState> = {
  working: TaskState.TASK_STATE_WORKING,
  input_required: TaskState.TASK_STATE_INPUT_REQUIRED,
  auth_required: TaskState.TASK_STATE_AUTH_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
};

/** Converts a state of the protocol to a stored state. Returns `undefined` for a state that tasks of this installation never have. */
export const storedState = (state: TaskState): StoredState | undefined =>
  (Object.keys(STATES) as StoredState[]).find((name) => STATES[name] === state);

export const taskId = (id: string) => encodeId('task', id);
export const contextId = (id: string) => encodeId('ctx', id);

/** Appends chunks to the text of an answer. */
export const withChunks = (text: string, chunks: readonly Chunk[]): string =>
  chunks.reduce((said, chunk) => (chunk.starts ? chunk.text : said + chunk.text), text);

/** Builds the only artifact of a task, which is the agent's answer (A2A 1.0 §3.7). */
const answerPart = (text: string) => ({
  artifactId: 'answer',
  name: 'answer',
  parts: [{ text, mediaType: MEDIA_TYPE }],
});

/** Options of a request that change the form of a task. */
export interface TaskView {
  /** Limit of messages. Without it, the task contains all stored messages. */
  historyLength?: number | undefined;
  /** URL of the page where people decide about tool calls. */
  inboxUrl?: string;
  /** Whether the client activated the extension for decisions. */
  isHitl?: boolean;
}

function statusOf(stored: StoredTask, { inboxUrl = '', isHitl = false }: TaskView) {
  const { id, contextId: context, state, reason, statusAt, pending } = stored;
  const [first] = pending;
  const content = first
    ? questionOf(pending, inboxUrl, isHitl)
    : reason !== null && { parts: [{ text: reason, mediaType: MEDIA_TYPE }] };
  const message = {
    messageId: first ? `${taskId(id)}-${encodeId('apr', first.id)}` : `${taskId(id)}-${state}`,
    taskId: taskId(id),
    contextId: contextId(context),
    role: 'ROLE_AGENT',
    ...content,
  };
  return { state: STATES[state], timestamp: statusAt.toISOString(), ...(content && { message }) };
}

/** Converts a stored task to the protocol's form. */
export function toTask(stored: StoredTask, view: TaskView = {}): Task {
  const text = stored.answer ?? withChunks('', stored.chunks);
  return Task.fromJSON({
    id: taskId(stored.id),
    contextId: contextId(stored.contextId),
    status: statusOf(stored, view),
    artifacts: text === '' ? [] : [answerPart(text)],
    history:
      view.historyLength === 0 ? [] : [Message.fromJSON(stored.message)].map((message) => Message.toJSON(message)),
  });
}

/** Builds an event that appends the text to the answer (`append`) or replaces the answer by the text. */
export const artifactUpdate = (
  stored: StoredTask,
  text: string,
  { append = false, lastChunk = false },
): StreamResponse => {
  const [artifact] = Task.fromJSON({ artifacts: [answerPart(text)] }).artifacts;
  const ids = { taskId: taskId(stored.id), contextId: contextId(stored.contextId) };
  return { payload: { $case: 'artifactUpdate', value: { ...ids, artifact, append, lastChunk, metadata: undefined } } };
};

export function statusUpdate(stored: StoredTask, view?: TaskView): StreamResponse {
  const { id, contextId: context, status } = toTask(stored, view);
  return { payload: { $case: 'statusUpdate', value: { taskId: id, contextId: context, status, metadata: undefined } } };
}
