import { randomUUID } from 'node:crypto';
import type { Database } from '@millwright/db';
import {
  CALL_SILENCE_MS,
  type ServerAnswer,
  type ServerConnections,
  attributedInstructions,
  type SharedSessionStore,
} from '@millwright/mcp';
import { JSON_HEADERS, sessionHeaders, type ServerSession, type ServerSessions } from '@millwright/mcp/server-sessions';
import type { ServerMessage } from '@millwright/mcp/messages';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  JsonRpcRefusal,
  METHOD_NOT_FOUND,
  type McpRequest,
} from '@millwright/mcp/json-rpc';
import { jsonAnswer, type McpAnswer } from '../../endpoint/mcp-call.js';
import type { SentRequest, TranslatedCall } from '../relayed-call.js';
import { type SessionChanges, parseState, withoutInput, type WaitingCallStore } from '@millwright/mcp/client-sessions';
import { knownCapabilities } from '../input-requests.js';
import { answerWith } from '../translated-answer.js';
import {
  CAPABILITIES_KEY,
  IN_BOTH_VERSIONS,
  LOG_LEVEL_KEY,
  meetsLogLevel,
  metaOf,
  objectOrEmpty,
  SUPPORTED_VERSIONS,
  toV2025Meta,
  toV2026Result,
  TRACING,
  VERSION_KEY,
  makesTasksOfCalls,
  TASKS,
} from '../../endpoint/v2026-terms.js';
import { createHeldCalls, MAY_REQUIRE_INPUT } from './held-calls.js';
import { createSubscriptions } from './subscriptions.js';
import { createTranslatedTasks } from '../tasks.js';

/** A session with the server. `key` identifies a session that requests share; a session without `key` is used by one request only. */
type OwnSession = ServerSession & { key?: string };

interface V2026ToV2025Deps {
  db: Database;
  connections: Pick<ServerConnections, 'send'>;
  serverSessions: ServerSessions;
  shared: SharedSessionStore;
  waiting: WaitingCallStore;
  sessionChanges: Pick<SessionChanges, 'until'>;
  draining?: AbortSignal | undefined;
}

/** Relays 2026-07-28 clients to 2025-11-25 servers. Clients of one user that have the same capabilities share a session. */
export function createV2026ToV2025(deps: V2026ToV2025Deps) {
  const { connections, serverSessions, shared } = deps;
  const listen = createSubscriptions(connections, serverSessions);
  const heldCalls = createHeldCalls(deps);
  const serveTasks = createTranslatedTasks({ db: deps.db, send: (relayed, request) => send(relayed, request, {}) });

  /**
   * Returns the user's session, or a new session that replaces `stale`. When two sessions are opened concurrently, the one that is stored
   * first is used.
   */
  async function sessionOf(
    { server, call }: TranslatedCall,
    capabilities: object,
    stale?: OwnSession,
  ): Promise<OwnSession> {
    const owner = { userId: call.principal.user.id, server, capabilities: JSON.stringify(capabilities) };
    const known = await shared.find(owner);
    if (known && known.key !== stale?.key) return known;
    const opened = await serverSessions.open(server, call.signal, capabilities);
    const kept = await shared.keep(owner, opened, stale?.key);
    if (kept) return kept;
    const first = await shared.find(owner);
    if (!first) return opened;
    serverSessions.end(server, opened);
    return first;
  }

  async function send(
    relayed: TranslatedCall,
    request: McpRequest,
    capabilities = knownCapabilities(metaOf(request.params)[CAPABILITIES_KEY]),
  ): Promise<SentRequest> {
    const { server, call, held } = relayed;
    const upstreamId = randomUUID();
    const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => TRACING.includes(name)));
    const body = JSON.stringify({ jsonrpc: '2.0', ...inV2025Terms(request, upstreamId) });
    const over = new AbortController();
    const sendIn = (session: OwnSession) =>
      connections.send(server, {
        method: 'POST',
        headers: { ...headers, ...JSON_HEADERS, ...sessionHeaders(session) },
        body,
        signal: AbortSignal.any([call.signal, over.signal]),
        silenceMs: CALL_SILENCE_MS,
        held,
      });
    let session = await sessionOf(relayed, capabilities);
    const cancel = () => serverSessions.notify(server, session, cancelled(upstreamId));
    try {
      let answer: ServerAnswer = await sendIn(session);
      // The status 404 means that the session has ended (2025-11-25, "Session management"). A new session replaces it.
      if (answer.response.status === 404 && session.id !== null) {
        answer.ended();
        await answer.cancel();
        session = await sessionOf(relayed, capabilities, session);
        answer = await sendIn(session);
      }
      const { progressToken, [LOG_LEVEL_KEY]: level } = metaOf(request.params);
      const translateNotification = (message: ServerMessage) => {
        if (message.method !== 'notifications/message') return progressFor(message, upstreamId, progressToken);
        return meetsLogLevel(message, level) ? message : undefined;
      };
      // Without a session, the server could not assign responses to its input requests. The client therefore receives no input requests.
      const receivable = session.id === null ? {} : capabilities;
      const sent = { relayed, request, session, answer, upstreamId, capabilities: receivable };
      return { ...sent, over, cancel, translateNotification };
    } catch (error) {
      // A 2025-11-25 server does not cancel a call when the connection closes, so the call is cancelled explicitly.
      if (call.signal.aborted) cancel();
      throw error;
    }
  }

  async function exchange(relayed: TranslatedCall, request: McpRequest): Promise<McpAnswer> {
    const { requestState } = request.params;
    const isHeld = MAY_REQUIRE_INPUT.has(request.method) && requestState !== undefined;
    const messages = isHeld
      ? heldCalls.proceed(relayed, request, parseState(requestState))
      : heldCalls.answer(await send(relayed, request));
    return answerWith(messages, request.id);
  }

  /** Relays one request. @throws JsonRpcRefusal for a request that cannot be translated */
  return async (relayed: TranslatedCall): Promise<McpAnswer> => {
    const { call, probe } = relayed;
    const { message } = call;
    if (message?.kind === 'notification') return { status: 202 };
    if (message?.kind !== 'request')
      throw new JsonRpcRefusal(400, INVALID_REQUEST, 'Invalid request: nothing was asked', null);
    const { id, method, params } = message;
    const missing = REQUIRED_META.find(([key, type]) => typeof metaOf(params)[key] !== type);
    if (missing) throw new JsonRpcRefusal(400, INVALID_PARAMS, `Invalid params: _meta has to hold ${missing[0]}`, id);
    if (method === 'server/discover')
      return jsonAnswer({ jsonrpc: '2.0', id, result: toV2026Result(method, discoverResult(relayed), probe) });
    if (method === 'subscriptions/listen') return listen(relayed, message);
    const ofTask = await serveTasks(relayed, message);
    if (ofTask) return ofTask;
    if (!IN_BOTH_VERSIONS.has(method)) throw new JsonRpcRefusal(404, METHOD_NOT_FOUND, 'Method not found', id);
    return exchange(relayed, message);
  };
}

/** The required members of `_meta` (2026-07-28, "Request metadata"). */
const REQUIRED_META = [
  [VERSION_KEY, 'string'],
  [CAPABILITIES_KEY, 'object'],
] as const;

/** The result of `server/discover` (2026-07-28, "Discovery"). */
function discoverResult({ server, probe: { capabilities, instructions } }: TranslatedCall) {
  const supported = { ...capabilities };
  delete supported.tasks;
  return {
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: {
      ...supported,
      ...(makesTasksOfCalls(capabilities) && { extensions: { ...supported.extensions, [TASKS]: {} } }),
    },
    ...(instructions !== undefined && { instructions: attributedInstructions(instructions, server.name) }),
  };
}

/** Converts a request to 2025-11-25, with a new id and progress token, because clients that share a session could use equal ids. */
function inV2025Terms({ method, params }: McpRequest, upstreamId: string): object {
  const meta = toV2025Meta(metaOf(params));
  if (meta['progressToken'] !== undefined) meta['progressToken'] = upstreamId;
  const rest = withoutInput(params);
  delete rest['_meta'];
  return { id: upstreamId, method, params: { ...rest, ...(Object.keys(meta).length > 0 && { _meta: meta }) } };
}

function progressFor(message: ServerMessage, upstreamId: string, progressToken: unknown): object | undefined {
  const params = objectOrEmpty(message.params);
  const isOurs = message.method === 'notifications/progress' && params['progressToken'] === upstreamId;
  if (!isOurs || progressToken === undefined) return undefined;
  return { ...message, params: { ...params, progressToken } };
}

const cancelled = (requestId: string) => ({
  method: 'notifications/cancelled',
  params: { requestId, reason: 'The client left.' },
});
