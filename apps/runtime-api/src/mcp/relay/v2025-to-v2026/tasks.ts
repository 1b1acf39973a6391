import { setTimeout as pause } from 'node:timers/promises';
import type { ServerAnswer } from '@millwright/mcp';
import type { ServerMessage } from '@millwright/mcp/messages';
import { INTERNAL_ERROR, JsonRpcRefusal, type McpRequest, type RequestId } from '../../endpoint/json-rpc.js';
import { hasTaskEnded } from '../task-terms.js';
import { messagesOf, type Exchange, type Outgoing } from '../translated-answer.js';
import { objectOrEmpty, toV2025Result } from '../v2026-terms.js';

/** Limits of the pause between two polls of a task, in milliseconds; servers suggest a pause. */
const [SHORTEST_PAUSE_MS, USUAL_PAUSE_MS, LONGEST_PAUSE_MS] = [500, 1_000, 30_000];
/** Milliseconds after which a call gives its task up, as other calls end however much progress they report. */
const LONGEST_MS = 3_600_000;
const CANCEL_MS = 10_000;

export interface FollowedCall {
  /** Id of the call at the client. */
  id: RequestId;
  progressToken: unknown;
  /** Aborted when the client leaves or cancels the call. */
  signal: AbortSignal;
  /** Sends a request in the name of the call. */
  post: (
    request: Pick<McpRequest, 'method' | 'params'>,
    signal?: AbortSignal,
  ) => Promise<{ answer: ServerAnswer; upstreamId: RequestId }>;
  /** The exchange of an answer of the server. */
  exchangeOf: (
    sent: { answer: ServerAnswer; upstreamId: RequestId },
    translated: Pick<Exchange, 'translateReply' | 'continueWith'>,
  ) => Exchange;
  /** Asks the client for input. @returns the responses; undefined when the client cannot be asked */
  requestInput:
    ((inputRequests: Record<string, ServerMessage>) => AsyncGenerator<Outgoing, object | undefined>) | undefined;
}

/**
 * Follows a task that a server of 2026-07-28 made of a call, for a client of 2025-11-25, which gets the result as that of a long call: with
 * progress, input requests, and the end of the task when the call ends early (extension, "Task Polling").
 */
export function followTask(call: FollowedCall, created: Record<string, unknown>) {
  const { id, progressToken, signal, post, exchangeOf, requestInput } = call;
  const taskId = String(created['taskId']);
  const answered = new Set<string>();
  const until = Date.now() + LONGEST_MS;
  let polls = 0;

  async function cancel(): Promise<void> {
    await end(await post({ method: 'tasks/cancel', params: { taskId } }, AbortSignal.timeout(CANCEL_MS)));
  }

  /** Asks for the input that was not asked for before, and sends it to the task. */
  async function* answerInput(task: Record<string, unknown>): AsyncGenerator<Outgoing, boolean> {
    const asked = Object.entries(objectOrEmpty(task['inputRequests'])).filter(([key]) => !answered.has(key));
    if (task['status'] !== 'input_required' || asked.length === 0) return false;
    const responses = requestInput && (yield* requestInput(Object.fromEntries(asked) as Record<string, ServerMessage>));
    if (!responses)
      throw new JsonRpcRefusal(
        200,
        INTERNAL_ERROR,
        'The server asks for input that cannot be carried to this client',
        id,
      );
    for (const [key] of asked) answered.add(key);
    await end(await post({ method: 'tasks/update', params: { taskId, ...responses } }));
    return true;
  }

  async function* next(task: Record<string, unknown>): AsyncGenerator<Outgoing, Exchange> {
    try {
      if (Date.now() > until) throw new JsonRpcRefusal(200, INTERNAL_ERROR, 'The task took too long', id);
      const { statusMessage, pollIntervalMs } = task;
      const message = typeof statusMessage === 'string' ? { message: statusMessage } : {};
      if (progressToken !== undefined)
        yield {
          message: {
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken, progress: (polls += 1), ...message },
          },
        };
      if (!(yield* answerInput(task))) await pause(pauseOf(pollIntervalMs), undefined, { signal });
      return exchangeOf(await post({ method: 'tasks/get', params: { taskId } }), { translateReply, continueWith });
    } catch (error) {
      void cancel().catch(() => undefined);
      throw error;
    }
  }

  const continueWith: Exchange['continueWith'] = ({ result, error }) => {
    const task = objectOrEmpty(result);
    return error === undefined && !hasTaskEnded(task['status']) ? next(task) : undefined;
  };

  return next(created);
}

function translateReply({ result, error }: ServerMessage): { status: number; reply: object } {
  const task = objectOrEmpty(result);
  if (error !== undefined) return { status: 200, reply: { error } };
  if (task['status'] === 'completed') return { status: 200, reply: { result: toV2025Result(task['result']) } };
  const ended = task['error'] ?? { code: INTERNAL_ERROR, message: 'The server canceled the task' };
  return { status: 200, reply: { error: ended } };
}

const pauseOf = (suggested: unknown): number =>
  Math.min(Math.max(typeof suggested === 'number' ? suggested : USUAL_PAUSE_MS, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);

/** Reads an acknowledgement to its end. */
async function end({ answer }: { answer: ServerAnswer }): Promise<void> {
  for await (const message of messagesOf(answer)) if (message.method === undefined) return;
}
