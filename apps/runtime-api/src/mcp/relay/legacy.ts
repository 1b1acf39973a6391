import { JsonRpcRefusal, SESSION_NOT_FOUND, type RequestId } from '../json-rpc.js';
import type { McpAnswer, McpCall } from '../mcp-call.js';
import { relayedAnswer } from './relayed-answer.js';
import type { Offered, RelayedServer } from './relayed-server.js';
import type { Session, SessionStore } from './sessions.store.js';
import type { CallUpstream } from './upstream-call.js';
import {
  CALL_SILENCE_MS,
  JSON_HEADERS,
  sessionHeaders,
  STREAM_SILENCE_MS,
  type UpstreamSessions,
} from './upstream-session.js';

export interface LegacyRequest {
  server: RelayedServer;
  call: McpCall;
  id: RequestId | null;
  /** Whether the server gives its clients sessions. */
  sessions: boolean;
  offered: Offered;
  /** That the client named, if it is theirs. */
  session: Session | undefined;
}

/** Legacy client, legacy server: what is said passes as it is, and session ids are exchanged (2025-11-25, "Session management"). */
export function createLegacyRelay(callUpstream: CallUpstream, own: UpstreamSessions, sessions: SessionStore) {
  function send({ server, call, id }: LegacyRequest, added: Record<string, string>) {
    const { request, body, message, signal } = call;
    const headers = { ...call.headers };
    delete headers['mcp-session-id']; // ours
    const silenceMs = message ? CALL_SILENCE_MS : STREAM_SILENCE_MS;
    const posted = message ? { ...JSON_HEADERS, ...added } : added;
    const upstream = { method: request.method, headers: { ...headers, ...posted }, id, signal, silenceMs };
    return callUpstream(server, message ? { ...upstream, body } : upstream);
  }

  async function initialize(request: LegacyRequest): Promise<McpAnswer> {
    const { server, call, id, offered } = request;
    const answer = await send(request, {});
    const upstreamId = answer.response.ok ? answer.response.headers.get('mcp-session-id') : null;
    const owner = { userId: call.principal.user.id, server };
    const sessionId = upstreamId === null ? undefined : await sessions.open(owner, upstreamId);
    return relayedAnswer({ answer, id, offered, sessionId });
  }

  async function inSession(request: LegacyRequest): Promise<McpAnswer> {
    const { call, id, offered, session } = request;
    if (!session || session.upstreamId === null) throw sessionNotFound(id);
    const answer = await send(request, { 'mcp-session-id': session.upstreamId });
    const isOver = answer.response.status === 404 || call.request.method === 'DELETE';
    if (!isOver) return relayedAnswer({ answer, id, offered });
    answer.ended();
    await answer.response.body?.cancel();
    await sessions.close(session.id);
    if (call.request.method === 'DELETE') return { status: 200 };
    throw sessionNotFound(id);
  }

  /** For one call of a client that has no session, one is opened where the server insists. */
  async function withoutSession(request: LegacyRequest): Promise<McpAnswer> {
    const { server, call, id, offered } = request;
    if (!request.sessions || call.message?.kind !== 'request')
      return relayedAnswer({ answer: await send(request, {}), id, offered });
    const session = await own.open(server, id, call.signal);
    const onEnd = () => own.end(server, session);
    try {
      return await relayedAnswer({ answer: await send(request, sessionHeaders(session)), id, offered, onEnd });
    } catch (error) {
      onEnd();
      throw error;
    }
  }

  /** @throws JsonRpcRefusal */
  return (request: LegacyRequest): Promise<McpAnswer> => {
    const { message, headers } = request.call;
    if (message?.kind === 'request' && message.method === 'initialize') return initialize(request);
    return headers['mcp-session-id'] === undefined ? withoutSession(request) : inSession(request);
  };
}

const sessionNotFound = (id: RequestId | null) => new JsonRpcRefusal(404, SESSION_NOT_FOUND, 'Session not found', id);
