import type { Database } from '@millwright/db';
import { attributed, findTaskSupport } from '@millwright/mcp';
import type { ServerMessage } from '@millwright/mcp/messages';
import {
  brokenOff,
  INVALID_PARAMS,
  JsonRpcRefusal,
  METHOD_NOT_FOUND,
  textOf,
  type McpRequest,
} from '../../endpoint/json-rpc.js';
import { jsonAnswer, type McpAnswer } from '../../endpoint/mcp-call.js';
import type { TranslatedCall } from '../relayed-call.js';
import { hasTaskEnded, hasTaskExtension, makesTasksOfCalls, TASK_CAPABILITY, toV2026Task } from '../task-terms.js';
import { messagesOf } from '../translated-answer.js';
import { CAPABILITIES_KEY, metaOf, objectOrEmpty, toV2026Error, toV2026Result } from '../v2026-terms.js';
import type { SentRequest } from './held-calls.js';

/** Error code for a client capability that the request needs (2026-07-28, "Missing client capability"). */
const MISSING_CAPABILITY = -32021;

const METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);

interface TasksDeps {
  db: Database;
  /** Sends a request in the user's session whose client answers no input requests: a server may bind tasks to their session. */
  send: (relayed: TranslatedCall, request: McpRequest) => Promise<SentRequest>;
}

/**
 * Tasks of a 2025-11-25 server for clients of 2026-07-28: a call that the server takes only as a task becomes one, and the methods of the
 * Tasks extension become those of 2025-11-25. Tasks ask for no input.
 */
export function createTranslatedTasks({ db, send }: TasksDeps) {
  /** Sends a request and reads its answer. @throws JsonRpcRefusal */
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

  /** The task with its result or error, which a 2025-11-25 server has in an answer of its own. */
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
    // No input request is outstanding, so that responses have nothing to answer (extension, "Task Update Requests").
    if (method !== 'tasks/get') return answerWith(relayed, request, {});
    return answerWith(relayed, request, await detailed(relayed, asked, toV2026Task(result)));
  }

  /** The answer to a request about tasks, or to a call that becomes a task; undefined for every other request. @throws JsonRpcRefusal */
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
    // A server may answer with the result itself.
    if (task === undefined) return answerWith(relayed, request, objectOrEmpty(result));
    return answerWith(relayed, request, { ...rest, ...toV2026Task(task), resultType: 'task' });
  };
}
