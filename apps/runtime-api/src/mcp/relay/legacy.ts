import { JsonRpcRefusal, SESSION_NOT_FOUND, type RequestId } from '../json-rpc.js';
import type { McpCall } from '../mcp-call.js';
import { asJson } from '../send-answer.js';
import { relayedAnswer } from './relayed-answer.js';
import type { RelayedServer } from './relayed-server.js';
import type { SessionStore } from './sessions.store.js';
import type { Offered } from './tool-guard.js';
import { unavailable, type CallUpstream } from './upstream-call.js';

export interface LegacyRequest {
  server: RelayedServer;
  call: McpCall;
  id: RequestId | null;
  /** Whether the server gives its clients sessions. */
  sessions: boolean;
  offered: Offered;
}

/** A call may be silent this long; signs of progress extend it. */
export const CALL_SILENCE_MS = 60_000;
/** A stream without a call. */
export const STREAM_SILENCE_MS = 300_000;

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Legacy client, legacy server: what is said passes as it is, and session ids are exchanged (2025-11-25, "Session management"). */
export function createLegacyRelay(callUpstream: CallUpstream, sessions: SessionStore) {
  const ownerOf = ({ call, server }: LegacyRequest) => ({ userId: call.principal.user.id, server });

  function send({ server, call, id }: LegacyRequest, own: Record<string, string>) {
    const { request, body, message, signal } = call;
    const headers = { ...call.headers };
    delete headers['mcp-session-id']; // ours
    const silenceMs = message ? CALL_SILENCE_MS : STREAM_SILENCE_MS;
    const posted = message ? { ...JSON_HEADERS, ...own } : own;
    const upstream = { method: request.method, headers: { ...headers, ...posted }, id, signal, silenceMs };
    return callUpstream(server, message ? { ...upstream, body } : upstream);
  }

  async function initialize(request: LegacyRequest): Promise<Response> {
    const { id, offered } = request;
    const answer = await send(request, {});
    const upstreamId = answer.response.ok ? answer.response.headers.get('mcp-session-id') : null;
    const sessionId = upstreamId === null ? undefined : await sessions.open(ownerOf(request), upstreamId);
    return relayedAnswer({ answer, id, offered, sessionId });
  }

  async function inSession(request: LegacyRequest, sessionId: string): Promise<Response> {
    const { call, id, offered } = request;
    const upstreamId = await sessions.find(ownerOf(request), sessionId);
    if (upstreamId === undefined) throw sessionNotFound(id);
    const answer = await send(request, { 'mcp-session-id': upstreamId });
    const isOver = answer.response.status === 404 || call.request.method === 'DELETE';
    if (!isOver) return relayedAnswer({ answer, id, offered });
    answer.ended();
    await answer.response.body?.cancel();
    await sessions.close(sessionId);
    if (call.request.method === 'DELETE') return new Response(null, { status: 200 });
    throw sessionNotFound(id);
  }

  /** A session for one call of a client that has none. */
  async function openForOnce(request: LegacyRequest) {
    const { server, call, id } = request;
    const upstream = { method: 'POST', id, signal: call.signal, silenceMs: CALL_SILENCE_MS };
    const opened = await callUpstream(server, { ...upstream, headers: JSON_HEADERS, body: INITIALIZE });
    const { result } = (await (await asJson(opened.response, 0)).json().catch((error: unknown) => {
      throw unavailable(id, error);
    })) as { result?: { protocolVersion?: unknown } };
    opened.ended();
    const version = result?.protocolVersion;
    if (typeof version !== 'string') throw unavailable(id);
    const sessionId = opened.response.headers.get('mcp-session-id');
    const headers: Record<string, string> = {
      'mcp-protocol-version': version,
      ...(sessionId !== null && { 'mcp-session-id': sessionId }),
    };
    const initialized = { ...upstream, headers: { ...JSON_HEADERS, ...headers }, body: INITIALIZED };
    const told = await callUpstream(server, initialized);
    told.ended();
    await told.response.body?.cancel();
    const close = () => {
      const signal = AbortSignal.timeout(5_000);
      // A server that keeps the session forgets it in its own time.
      callUpstream(server, { ...upstream, method: 'DELETE', headers, signal }).then(
        ({ response, ended }) => {
          ended();
          return response.body?.cancel();
        },
        () => undefined,
      );
    };
    return { headers, close };
  }

  async function withoutSession(request: LegacyRequest): Promise<Response> {
    const { call, id, offered } = request;
    if (!request.sessions || call.message?.kind !== 'request')
      return relayedAnswer({ answer: await send(request, {}), id, offered });
    const { headers, close } = await openForOnce(request);
    try {
      return await relayedAnswer({ answer: await send(request, headers), id, offered, onEnd: close });
    } catch (error) {
      close();
      throw error;
    }
  }

  /** @throws JsonRpcRefusal */
  return (request: LegacyRequest): Promise<Response> => {
    const { message, headers } = request.call;
    if (message?.kind === 'request' && message.method === 'initialize') return initialize(request);
    const sessionId = headers['mcp-session-id'];
    return sessionId === undefined ? withoutSession(request) : inSession(request, sessionId);
  };
}

const sessionNotFound = (id: RequestId | null) => new JsonRpcRefusal(404, SESSION_NOT_FOUND, 'Session not found', id);

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'millwright', version: '1' } },
});
const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
