import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@millwright/db';
import { attributed, findTaskSupport, type ServerAnswer } from '@millwright/mcp';
import type { ServerMessage } from '@millwright/mcp/messages';
import {
  brokenOff,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  JsonRpcRefusal,
  METHOD_NOT_FOUND,
  textOf,
  type McpRequest,
  type RequestId,
} from '@millwright/mcp/json-rpc';
import { jsonAnswer, type McpAnswer, type Outgoing } from '../endpoint/mcp-call.js';
import {
  CAPABILITIES_KEY,
  hasTaskEnded,
  hasTaskExtension,
  makesTasksOfCalls,
  metaOf,
  objectOrEmpty,
  TASK_CAPABILITY,
  toV2025Result,
  toV2026Error,
  toV2026Result,
  toV2026Task,
} from '../endpoint/v2026-terms.js';
import type { SentRequest, TranslatedCall } from './relayed-call.js';
import { messagesOf, type Exchange } from './translated-answer.js';

/**
 * Shortest, usual and longest pause between two polls of a task, in milliseconds. The pause that the server suggests is used within these
 * limits.
 */
const [SHORTEST_PAUSE_MS, USUAL_PAUSE_MS, LONGEST_PAUSE_MS] = [500, 1_000, 30_000];
/**
 * Milliseconds after which the relay stops waiting for the task of a call. The limit is the same as for calls without a task, which end
 * after this time even when they report progress.
 */
const LONGEST_MS = 3_600_000;
const CANCEL_MS = 10_000;

export interface FollowedCall {
  /** Id of the call, as the client chose it. */
  id: RequestId;
  progressToken: unknown;
  /** The signal aborts when the client disconnects or cancels the call. */
  signal: AbortSignal;
  /** Sends a request to the server on behalf of the call. */
  post: (
    request: Pick<McpRequest, 'method' | 'params'>,
    signal?: AbortSignal,
  ) => Promise<{ answer: ServerAnswer; upstreamId: RequestId }>;
  /** Builds the exchange that converts an answer of the server to the version of the client. */
  exchangeOf: (
    sent: { answer: ServerAnswer; upstreamId: RequestId },
    translated: Pick<Exchange, 'translateReply' | 'continueWith'>,
  ) => Exchange;
  /** Requests input from the client. @returns the responses; undefined when the client supports no input requests */
  requestInput:
    ((inputRequests: Record<string, ServerMessage>) => AsyncGenerator<Outgoing, object | undefined>) | undefined;
}

/**
 * Follows a task that a server of 2026-07-28 created instead of answering a call. For the client, which uses 2025-11-25, the task is one
 * long call with progress, input requests and a result. When the call ends early, the task is canceled (extension, "Task Polling").
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

  /**
   * Requests from the client the input that was not requested before, and sends the responses to the task.
   * @returns whether input was requested
   */
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

/** Reads the stream of an answer until the response has arrived. */
async function end({ answer }: { answer: ServerAnswer }): Promise<void> {
  for await (const message of messagesOf(answer)) if (message.method === undefined) return;
}

/** Error code for a client capability that the request needs (2026-07-28, "Missing client capability"). */
const MISSING_CAPABILITY = -32021;

const METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);

interface TasksDeps {
  db: Database;
  /**
   * Sends a request in the user's session that declares no input requests. All requests about tasks use this session, because a server may
   * bind a task to the session in which the task began.
   */
  send: (relayed: TranslatedCall, request: McpRequest) => Promise<SentRequest>;
}

/**
 * Makes the tasks of a 2025-11-25 server usable for 2026-07-28 clients. A call of a tool that the server can run only as a task is answered
 * with a task. Methods of the Tasks extension are translated. A translated task never requests input from the client.
 */
export function createTranslatedTasks({ db, send }: TasksDeps) {
  /** Sends a request and reads its answer. @throws JsonRpcRefusal when the stream ends without the answer */
  async function ask(relayed: TranslatedCall, request: McpRequest): Promise<ServerMessage> {
    const { answer, upstreamId } = await send(relayed, request);
    for await (const received of messagesOf(answer)) {
      const message = attributed(received, relayed.server.name);
      if (message && message.method === undefined && message.id === upstreamId) return message;
    }
    throw brokenOff(request.id);
  }

  const answerWith = ({ probe }: TranslatedCall, { id, method }: McpRequest, result: object): McpAnswer =>
    jsonAnswer({ jsonrpc: '2.0', id, result: { ...toV2026Result(method, result, probe), ...result } });

  function refusal({ id }: McpRequest, error: unknown): McpAnswer {
    const { status, reply } = toV2026Error(error);
    return jsonAnswer({ jsonrpc: '2.0', id, ...reply }, { status });
  }

  /** Adds the result or the error to a task that has ended. A 2025-11-25 server sends it in a separate answer. */
  async function detailed(relayed: TranslatedCall, request: McpRequest, task: Record<string, unknown>) {
    if (!hasTaskEnded(task['status']) || task['status'] === 'cancelled') return task;
    const { result, error } = await ask(relayed, { ...request, method: 'tasks/result' });
    return error === undefined ? { ...task, status: 'completed', result } : { ...task, status: 'failed', error };
  }

  async function serveTask(relayed: TranslatedCall, request: McpRequest): Promise<McpAnswer> {
    const { method, params } = request;
    const taskId = textOf(params['taskId']);
    const isCancel = method === 'tasks/cancel';
    const asked = { ...request, method: isCancel ? method : 'tasks/get', params: { taskId } };
    const { result, error } = await ask(relayed, asked);
    if (error !== undefined) return refusal(request, error);
    // No input request is outstanding, so responses are ignored (extension, "Task Update Requests").
    if (method !== 'tasks/get') return answerWith(relayed, request, {});
    return answerWith(relayed, request, await detailed(relayed, asked, toV2026Task(result)));
  }

  /**
   * Answers a request about tasks, and a call that becomes a task. Returns undefined for every other request.
   * @throws JsonRpcRefusal when the client or the server does not support tasks, or the task id is missing
   */
  return async (relayed: TranslatedCall, request: McpRequest): Promise<McpAnswer | undefined> => {
    const { server, probe } = relayed;
    const { id, method, params } = request;
    const isAboutTask = METHODS.has(method);
    if (!isAboutTask && method !== 'tools/call') return undefined;
    if (!makesTasksOfCalls(probe.capabilities)) {
      if (!isAboutTask) return undefined;
      throw new JsonRpcRefusal(404, METHOD_NOT_FOUND, 'Method not found', id);
    }
    if (!isAboutTask && (await findTaskSupport(db, server.id, textOf(params['name']))) !== 'required') return undefined;
    if (!hasTaskExtension(metaOf(params)[CAPABILITIES_KEY]))
      throw new JsonRpcRefusal(400, MISSING_CAPABILITY, 'Missing required client capability', id, {
        data: { requiredCapabilities: TASK_CAPABILITY },
      });
    if (isAboutTask) {
      if (typeof params['taskId'] !== 'string')
        throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: taskId is required', id);
      return serveTask(relayed, request);
    }
    const { result, error } = await ask(relayed, { ...request, params: { ...params, task: {} } });
    if (error !== undefined) return refusal(request, error);
    const { task, ...rest } = objectOrEmpty(result);
    // A server may answer with the result of the call instead of a task.
    if (task === undefined) return answerWith(relayed, request, objectOrEmpty(result));
    return answerWith(relayed, request, { ...rest, ...toV2026Task(task), resultType: 'task' });
  };
}
