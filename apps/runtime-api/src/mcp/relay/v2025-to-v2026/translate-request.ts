import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Database } from '@millwright/db';
import {
  CALL_SILENCE_MS,
  findApprovedSchema,
  STREAM_SILENCE_MS,
  withoutUnavailableTools,
  type ServerConnections,
  attributedInstructions,
} from '@millwright/mcp';
import type { ServerMessage } from '@millwright/mcp/messages';
import { createOwnerCounts } from '@millwright/rate-limit';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  JsonRpcRefusal,
  METHOD_NOT_FOUND,
  SESSION_NOT_FOUND,
  textOf,
  type McpMessage,
  type McpRequest,
  type RequestId,
} from '@millwright/mcp/json-rpc';
import { eventsAnswer, jsonAnswer, type McpAnswer } from '../../endpoint/mcp-call.js';
import { requestIdIn, type TranslatedCall } from '../relayed-call.js';
import type { ClientSession, ClientSessionStore, SessionChanges } from '@millwright/mcp/client-sessions';
import { messagesOf, toEvent, translatedAnswer, type Exchange } from '../translated-answer.js';
import {
  IN_BOTH_VERSIONS,
  LOG_LEVELS,
  meetsLogLevel,
  metaOf,
  objectOrEmpty,
  toV2025Meta,
  toV2025Result,
  toV2026Request,
  createdTask,
  hasTaskExtension,
  TASK_CAPABILITY,
} from '../../endpoint/v2026-terms.js';
import {
  CAPABILITIES_MAX_BYTES,
  inputCapabilities,
  inputRequestsIn,
  requestInput,
  type InputRequired,
} from '../input-requests.js';
import { followTask, type FollowedCall } from '../tasks.js';

interface V2025ToV2026Deps {
  db: Database;
  connections: Pick<ServerConnections, 'send'>;
  sessions: ClientSessionStore;
  sessionChanges: Pick<SessionChanges, 'until'>;
}

const V2025 = '2025-11-25';
const PROGRESS = 'notifications/progress';
const CHANGED = /^notifications\/((tools|prompts|resources)\/list_changed|resources\/updated)$/;
const SUBSCRIBING = /^resources\/(un)?subscribe$/;
const LONGEST_URI = 2_000;
/** Limit of one user's calls that wait for input in this process. */
const MOST_PARKED = 16;
/** Limit of the rounds in which a server may request input for one call. */
const MOST_ROUNDS = 10;

/**
 * Relays 2025-11-25 clients to 2026-07-28 servers. Each request is translated. Sessions exist only at this installation, because 2026-07-28
 * has no sessions.
 */
export function createV2025ToV2026({ db, connections, sessions, sessionChanges }: V2025ToV2026Deps) {
  const parked = createOwnerCounts(MOST_PARKED);
  async function exchange(relayed: TranslatedCall, request: McpRequest, session?: ClientSession): Promise<McpAnswer> {
    const { server, call, available, held } = relayed;
    const { id, method, params } = request;
    const schema =
      method === 'tools/call' ? await findApprovedSchema(db, server.id, textOf(params['name'])) : undefined;
    const cancelled = session && sessionChanges.until(session.id, () => sessions.isRequestCancelled(session.id, id));
    const signal = cancelled ? AbortSignal.any([call.signal, cancelled.signal]) : call.signal;
    // Input requests are sent only to clients that read streams.
    const readsStreams = session && call.headers['accept']?.includes('text/event-stream') === true;
    const capabilities = readsStreams ? session.capabilities : {};
    const makesTasks = method === 'tools/call' && hasTaskExtension(relayed.probe.capabilities);
    const stated = { ...capabilities, ...(makesTasks && TASK_CAPABILITY) };

    async function post(sent: McpRequest, over = signal) {
      const { headers, body } = toV2026Request(sent, call.headers, {
        ...(sent.method === method && { schema }),
        ...{ logLevel: session?.logLevel, capabilities: stated },
      });
      const options = { method: 'POST', headers, body, signal: over, silenceMs: CALL_SILENCE_MS, held };
      return { answer: await connections.send(server, options), upstreamId: sent.id };
    }

    const exchangeOf: FollowedCall['exchangeOf'] = ({ answer, upstreamId }, translated) => ({
      ...{ answer, server: server.name, ids: { upstream: upstreamId, client: id } },
      translateMessage: (message) => (isForCall(message, session?.logLevel) ? notificationOf(message) : undefined),
      ...translated,
      isCancelled: () => cancelled?.signal.aborted === true,
      onEnd: () => cancelled?.stop(),
    });

    async function send(upstreamId: RequestId, more: object, round: number): Promise<Exchange> {
      const sent: McpRequest = { ...request, id: upstreamId, params: { ...params, ...more } };
      return exchangeOf(await post(sent), {
        translateReply: (message) => ({ status: 200, reply: replyOf(withoutUnavailableTools(message, available)) }),
        continueWith: ({ result }) => {
          const task = makesTasks ? createdTask(result) : undefined;
          if (task) return followTask(followedCall, task);
          const required = round < MOST_ROUNDS ? inputRequestsIn(result, { capabilities }) : undefined;
          return session && required && repeatWithInput(session, required, round);
        },
      });
    }

    const followedCall: FollowedCall = {
      ...{ id, signal, exchangeOf, progressToken: metaOf(params)['progressToken'] },
      post: ({ method: asked, params: more }, over) =>
        post({ kind: 'request', id: randomUUID(), method: asked, params: more }, over),
      requestInput:
        session &&
        async function* (inputRequests) {
          const required = inputRequestsIn({ resultType: 'input_required', inputRequests }, { capabilities });
          return required && (yield* askClient(session, required));
        },
    };

    async function* askClient(session: ClientSession, required: InputRequired) {
      const end = parked.begin(call.principal.user.id);
      if (!end) throw new JsonRpcRefusal(503, INTERNAL_ERROR, 'Too many calls of the user wait for an answer', id);
      try {
        return yield* requestInput({ sessions, sessionChanges }, session, required, { id, signal });
      } finally {
        end();
      }
    }

    /** Repeats the call with the client's input and a new id (2026-07-28, "Multi round-trip requests"). */
    async function* repeatWithInput(session: ClientSession, required: InputRequired, round: number) {
      const more = yield* askClient(session, required);
      return send(randomUUID(), more, round + 1);
    }

    try {
      return await translatedAnswer(await send(id, {}, 1));
    } catch (error) {
      cancelled?.stop();
      // A cancelled request gets no answer (2025-11-25, "Cancellation").
      if (cancelled?.signal.aborted) return { status: 202 };
      throw error;
    }
  }

  /** Opens a session's stream, which contains the server's notifications of changes (2026-07-28, "Subscriptions"). */
  function listen(relayed: TranslatedCall, session: ClientSession): McpAnswer {
    const { tools, prompts, resources } = relayed.probe.capabilities;
    const changes = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
    };
    if (Object.keys(changes).length === 0 && !resources?.subscribe) return notAllowed();
    return eventsAnswer(sessionEvents(relayed, session, changes));
  }

  /**
   * The events of a session. A change of the session's subscriptions also applies to an open stream. The events end when the server ends
   * its stream.
   */
  async function* sessionEvents({ server, call, held }: TranslatedCall, session: ClientSession, changes: object) {
    // A comment at the start shows the client that the stream is open.
    yield ':\n\n';
    for (let wanted = session.subscriptions, isOver = false; !isOver && !call.signal.aborted;) {
      let now = wanted;
      const changed = sessionChanges.until(session.id, async () => {
        now = await sessions.subscriptionsOf(session.id);
        return String(now) !== String(wanted);
      });
      const signal = AbortSignal.any([call.signal, changed.signal]);
      const notifications = { ...changes, ...(wanted.length > 0 && { resourceSubscriptions: wanted }) };
      try {
        if (Object.keys(notifications).length > 0) yield* serverEvents({ server, call, held }, notifications, signal);
        else if (!signal.aborted) await once(signal, 'abort');
      } finally {
        changed.stop();
      }
      isOver = !changed.signal.aborted;
      wanted = now;
    }
  }

  async function* serverEvents(
    { server, call, held }: Pick<TranslatedCall, 'server' | 'call' | 'held'>,
    notifications: object,
    signal: AbortSignal,
  ) {
    const id = randomUUID();
    const request: McpRequest = { kind: 'request', id, method: 'subscriptions/listen', params: { notifications } };
    const { headers, body } = toV2026Request(request, call.headers, {});
    try {
      const sent = { method: 'POST', headers, body, signal, silenceMs: STREAM_SILENCE_MS, stream: true, held };
      for await (const { id, method, params } of messagesOf(await connections.send(server, sent))) {
        if (id !== undefined && method === undefined) return;
        if (CHANGED.test(textOf(method))) yield toEvent({ jsonrpc: '2.0', method, ...withV2025Meta(params) });
      }
    } catch {
      // Ends the client's stream without an error. The stream of a session may end at any time, and the client then opens another stream.
    }
  }

  async function subscribe(session: ClientSession, { id, method, params: { uri } }: McpRequest): Promise<void> {
    if (typeof uri !== 'string' || uri.length > LONGEST_URI || uri.includes('\0'))
      throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: uri is not the address of a resource', id);
    if (method === 'resources/unsubscribe') await sessions.unsubscribe(session.id, uri);
    else if (!(await sessions.subscribe(session.id, uri)))
      throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: there are too many subscriptions', id);
  }

  async function serveRequest(relayed: TranslatedCall, request: McpRequest): Promise<McpAnswer> {
    const { server, call, probe } = relayed;
    const answer = (result: object, headers = {}) =>
      jsonAnswer({ jsonrpc: '2.0', id: request.id, result }, { headers });
    if (request.method === 'initialize') {
      const capabilities = inputCapabilities(request.params['capabilities']);
      if (Buffer.byteLength(JSON.stringify(capabilities)) > CAPABILITIES_MAX_BYTES)
        throw new JsonRpcRefusal(
          200,
          INVALID_PARAMS,
          'Invalid params: capabilities are larger than 4096 bytes',
          request.id,
        );
      const owner = { userId: call.principal.user.id, server };
      const sessionId = await sessions.open(owner, null, capabilities);
      return answer(initializeResult(relayed, request.params), { 'mcp-session-id': sessionId });
    }
    const session = requireSession(relayed);
    if (request.method === 'ping') return answer({});
    if (request.method === 'logging/setLevel' && session && probe.capabilities.logging) {
      const level = textOf(request.params['level']);
      if (!LOG_LEVELS.includes(level))
        throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: there is no such level', request.id);
      await sessions.setLogLevel(session.id, level);
      return answer({});
    }
    if (SUBSCRIBING.test(request.method) && session && probe.capabilities.resources?.subscribe) {
      await subscribe(session, request);
      return answer({});
    }
    if (IN_BOTH_VERSIONS.has(request.method)) return exchange(relayed, request, session);
    throw new JsonRpcRefusal(200, METHOD_NOT_FOUND, 'Method not found', request.id);
  }

  /** Stores a cancellation, or a response to an input request, for the replica that makes the call. */
  async function keepForSession({ id }: ClientSession, message: McpMessage): Promise<void> {
    if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
      const { requestId } = message.params;
      if (typeof requestId === 'string' || typeof requestId === 'number') await sessions.cancelRequest(id, requestId);
    }
    if (message.kind === 'response') await sessions.keepResponse(id, message);
  }

  /** Relays one message. @throws JsonRpcRefusal for a session that does not exist, and for a request that cannot be translated */
  return async (relayed: TranslatedCall): Promise<McpAnswer> => {
    const { message, method } = relayed.call;
    if (message?.kind === 'request') return serveRequest(relayed, message);
    const session = requireSession(relayed);
    if (message) {
      if (session) await keepForSession(session, message);
      return { status: 202 };
    }
    if (!session) return notAllowed();
    if (method !== 'DELETE') return listen(relayed, session);
    await sessions.close(session.id);
    return { status: 200 };
  };
}

/**
 * Returns the session that the request names; `undefined` when the request names no session. @throws JsonRpcRefusal for an unknown session
 */
function requireSession({ call, session }: TranslatedCall): ClientSession | undefined {
  if (call.headers['mcp-session-id'] === undefined) return undefined;
  if (session?.upstreamId === null) return session;
  throw new JsonRpcRefusal(404, SESSION_NOT_FOUND, 'Session not found', requestIdIn(call));
}

const notAllowed = (): McpAnswer => ({ status: 405, headers: { Allow: 'POST' } });

/**
 * Whether a message is progress, or a log message of at least the requested level. The level is checked, because servers may also send
 * lower levels.
 */
function isForCall(message: ServerMessage, level: unknown): boolean {
  if (message.id !== undefined) return false;
  return message.method === 'notifications/message' ? meetsLogLevel(message, level) : message.method === PROGRESS;
}

const notificationOf = ({ method, params }: ServerMessage) => ({ jsonrpc: '2.0', method, params });

/** The requested version if supported, and the capabilities that can be translated (2025-11-25, "Initialization"). */
function initializeResult(
  { server, probe: { capabilities, info, instructions } }: TranslatedCall,
  { protocolVersion: asked }: McpRequest['params'],
) {
  const isKnown = typeof asked === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(asked);
  const { tools, prompts, resources, completions, logging } = capabilities;
  const changes = ({ listChanged }: { listChanged?: boolean | undefined }) => (listChanged ? { listChanged } : {});
  return {
    protocolVersion: isKnown ? asked : V2025,
    capabilities: {
      ...(tools && { tools: changes(tools) }),
      ...(prompts && { prompts: changes(prompts) }),
      ...(resources && { resources: { ...changes(resources), ...(resources.subscribe && { subscribe: true }) } }),
      ...(completions && { completions: {} }),
      ...(logging && { logging: {} }),
    },
    serverInfo: info,
    ...(instructions !== undefined && { instructions: attributedInstructions(instructions, server.name) }),
  };
}

/** Converts the answer to 2025-11-25, which cannot express input requests. */
function replyOf({ result, error }: ServerMessage): object {
  if (error !== undefined) return { error };
  const { resultType } = objectOrEmpty(result);
  if (resultType === 'input_required')
    return {
      error: { code: INTERNAL_ERROR, message: 'The server asks for input that cannot be carried to this client' },
    };
  return { result: toV2025Result(result) };
}

function withV2025Meta(params: unknown): object {
  const _meta = toV2025Meta(metaOf(params));
  const rest = Object.entries(params ?? {}).filter(([name]) => name !== '_meta');
  const kept = { ...Object.fromEntries(rest), ...(Object.keys(_meta).length > 0 && { _meta }) };
  return Object.keys(kept).length > 0 ? { params: kept } : {};
}
