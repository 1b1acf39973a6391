import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageRequest, TaskState, type AgentCard, type Message, type Part, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import type { EgressFetch } from '@millwright/egress';
import { z } from 'zod';
import { abandoned, type McpLimits } from '../sdk-client.js';
import { shortened, type McpToolResult } from '../tool-result.js';

/** The arguments of a message to an agent. */
export const AgentArguments = z.strictObject({
  message: z.string().min(1),
  task_id: z.string().min(1).max(500).optional(),
  context_id: z.string().min(1).max(500).optional(),
});
export type AgentArguments = z.output<typeof AgentArguments>;

export interface AgentCall {
  card: AgentCard;
  /** Id of the message, equal for all attempts, so that agents recognise a repeated message. */
  messageId: string;
  fetch: EgressFetch;
  /** Sends the request that cancels the task, even when the call and its run have already ended. */
  fetchAfterwards: EgressFetch;
  limits: McpLimits;
  signal: AbortSignal | undefined;
}

const CANCEL_TIMEOUT_MS = 5_000;
/** Interval between two reads of a task, in milliseconds. It is doubled after each read, from `first` to `last`. */
const POLL_MS = { first: 250, last: 5_000 };
/** Number of consecutive failures to read a task after which the call fails. */
const MOST_FAILURES = 4;

const OPEN: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_UNSPECIFIED,
  TaskState.TASK_STATE_SUBMITTED,
  TaskState.TASK_STATE_WORKING,
]);
const FAILED: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_REJECTED,
  TaskState.TASK_STATE_CANCELED,
]);

/** Progress of a message that was sent. */
interface Sent {
  taskId?: string;
  answer?: Message | Task;
}

/**
 * Sends a message, and follows its task by a stream or by repeated reads until the task ends or needs input. When the
 * caller aborts or the time is over, the task is cancelled at the agent.
 *
 * @throws EgressError, the SDK's errors, or the reason of the signal
 */
export async function sendToAgent(args: AgentArguments, call: AgentCall): Promise<McpToolResult> {
  const { limits } = call;
  const scope = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), ...(call.signal ? [call.signal] : [])]);
  const over = new AbortController();
  const sent: Sent = {};
  const leave = () => {
    const taskId = sent.taskId ?? args.task_id;
    if (taskId === undefined) return;
    cancelAside(call, taskId);
    over.abort(scope.reason);
  };
  const onAbort = () => {
    leave();
    // The task can be cancelled only after the agent has sent its id. The first answer is therefore awaited, for a limited time.
    setTimeout(() => over.abort(scope.reason), CANCEL_TIMEOUT_MS).unref();
  };
  scope.addEventListener('abort', onAbort, { once: true });
  try {
    return await abandoned(
      scope,
      followTask(args, call, sent, over.signal, () => scope.aborted && leave()),
    );
  } finally {
    scope.removeEventListener('abort', onAbort);
  }
}

async function followTask(
  args: AgentArguments,
  call: AgentCall,
  sent: Sent,
  signal: AbortSignal,
  onNamed: () => void,
): Promise<McpToolResult> {
  const client = await openClient(call.card, call.fetch, call.limits);
  const isStream = call.card.capabilities?.streaming ?? false;
  const message = { request: toRequest(args, call, isStream), mayBeFormer: isStream && args.task_id !== undefined };
  await follow(client, message, sent, signal, onNamed);
  if (sent.answer) return toResult(sent.answer);
  if (sent.taskId === undefined) throw new Error('The agent started no task.');
  return toResult(await pollTask(client, sent.taskId, signal));
}

function toRequest({ message, task_id, context_id }: AgentArguments, { messageId }: AgentCall, isStream: boolean) {
  return SendMessageRequest.fromJSON({
    message: {
      messageId,
      role: 'ROLE_USER',
      parts: [{ text: message }],
      ...(task_id !== undefined && { taskId: task_id }),
      ...(context_id !== undefined && { contextId: context_id }),
    },
    // Without a stream, the agent returns the task immediately, and the task is read until it ends: a request that
    // waited for the end would exceed the timeout of the connection. A request that answers a task waits, because an
    // immediate answer could show the former state of the task.
    configuration: { returnImmediately: !isStream && task_id === undefined },
  });
}

/**
 * Reads the stream of a message. A stream that breaks off after it has named its task ends without an error: the task is then read. When
 * the message answers a task, the first event may show the task's former state, in which it needed input.
 */
async function follow(
  client: Client,
  { request, mayBeFormer }: { request: SendMessageRequest; mayBeFormer: boolean },
  sent: Sent,
  signal: AbortSignal,
  onNamed: () => void,
): Promise<void> {
  try {
    for await (const { payload } of client.sendMessageStream(request, { signal })) {
      if (payload?.$case === 'message') sent.answer = payload.value;
      else if (payload?.$case === 'task') {
        sent.taskId = payload.value.id;
        if (hasSettled(payload.value) && !mayBeFormer) sent.answer = payload.value;
      } else if (payload) {
        sent.taskId = payload.value.taskId;
        // After such an update, the task is read to get the answer: the update has the artifacts in parts, but the task
        // has the whole artifacts.
        if (payload.$case === 'statusUpdate' && hasSettled(payload.value)) return;
      }
      onNamed();
      if (sent.answer) return;
    }
  } catch (error) {
    if (signal.aborted || sent.taskId === undefined) throw error;
  }
}

const hasSettled = ({ status }: Pick<Task, 'status'>): boolean => status !== undefined && !OPEN.has(status.state);

async function pollTask(client: Client, id: string, signal: AbortSignal): Promise<Task> {
  let [wait, failures] = [POLL_MS.first, 0];
  for (;;) {
    try {
      const task = await client.getTask({ id, tenant: '', historyLength: 0 }, { signal });
      if (hasSettled(task)) return task;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (signal.aborted || failures >= MOST_FAILURES) throw error;
    }
    await sleep(wait, undefined, { signal });
    wait = Math.min(2 * wait, POLL_MS.last);
  }
}

/** Cancels a task without waiting for the answer. A failure is ignored, because the task may have ended. */
function cancelAside({ card, fetchAfterwards, limits }: AgentCall, id: string): void {
  const signal = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
  openClient(card, fetchAfterwards, { ...limits, timeoutMs: CANCEL_TIMEOUT_MS })
    .then((client) => client.cancelTask({ id, tenant: '', metadata: undefined }, { signal }))
    .catch(() => undefined);
}

function openClient(card: AgentCard, fetch: EgressFetch, profile: McpLimits): Promise<Client> {
  const fetchImpl: typeof globalThis.fetch = (input, init) =>
    fetch(input instanceof Request ? input.url : input, { ...init, redirect: 'error', kind: 'a2a', profile });
  const options = { fetchImpl, legacyCompat: { enabled: true } };
  return new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
    }),
  ).createFromAgentCard(card);
}

/**
 * Makes the answer for the model. For a task that needs input, the answer contains the id of the task, so that the next
 * message can answer it.
 */
function toResult(answer: Message | Task): McpToolResult {
  if ('messageId' in answer) return result('completed', textOf(answer.parts), { context_id: answer.contextId });
  const { id, contextId, status, artifacts } = answer;
  const state = status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
  const said = textOf(status?.message?.parts ?? []);
  const produced = artifacts.map(({ parts }) => textOf(parts)).filter((text) => text !== '');
  const text = [...produced, ...(said === '' ? [] : [said])].join('\n\n');
  const isOpen = state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED;
  const name = TaskState[state].replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
  return result(name, text, { ...(isOpen && { task_id: id }), context_id: contextId }, FAILED.has(state));
}

const result = (state: string, text: string, ids: object, is_error = false): McpToolResult => ({
  is_error,
  text: JSON.stringify({ state, answer: shortened(text), ...ids }),
});

const textOf = (parts: readonly Part[]): string =>
  parts
    .map(({ content, filename, mediaType }) => {
      if (content?.$case === 'text') return content.value;
      if (content?.$case === 'data') return JSON.stringify(content.value);
      const address = content?.$case === 'url' ? content.value : '';
      return `[${['file', filename, mediaType, address].filter((word) => word !== '').join(' ')}]`;
    })
    .join('\n');
