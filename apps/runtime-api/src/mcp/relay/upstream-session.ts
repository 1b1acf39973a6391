import { METHOD_NOT_FOUND, type RequestId } from '../json-rpc.js';
import { isEventStream } from '../event-stream.js';
import { replyIn } from '../send-answer.js';
import type { RelayedServer } from './relayed-server.js';
import type { UpstreamMessage } from './translated-answer.js';
import { unavailable, type CallUpstream, type UpstreamAnswer } from './upstream-call.js';

/** A session of ours with a legacy server. */
export interface UpstreamSession {
  /** Null where the server gives none. */
  id: string | null;
  version: string;
}

/** A call may be silent this long; signs of progress extend it. */
export const CALL_SILENCE_MS = 60_000;
/** A stream without a call. */
export const STREAM_SILENCE_MS = 300_000;
/** What nobody waits for. */
const ASIDE_MS = 5_000;

export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** What every request in the session carries (2025-11-25, "Session management", "Protocol version header"). */
export const sessionHeaders = ({ id, version }: UpstreamSession): Record<string, string> => ({
  'mcp-protocol-version': version,
  ...(id !== null && { 'mcp-session-id': id }),
});

/** Opens and ends sessions of our own, which promise the server nothing: it asks their client nothing. */
export function createUpstreamSessions(callUpstream: CallUpstream) {
  const posted = (id: RequestId | null, signal: AbortSignal) => ({
    method: 'POST',
    id,
    signal,
    silenceMs: CALL_SILENCE_MS,
  });

  /** For a client that asked with this id. @throws JsonRpcRefusal */
  async function open(server: RelayedServer, id: RequestId | null, signal: AbortSignal): Promise<UpstreamSession> {
    const upstream = posted(id, signal);
    const opened = await callUpstream(server, { ...upstream, headers: JSON_HEADERS, body: INITIALIZE });
    const introduced = await introductionIn(opened).catch((error: unknown) => {
      throw unavailable(id, error);
    });
    opened.ended();
    const version = introduced?.result?.protocolVersion;
    if (typeof version !== 'string') throw unavailable(id);
    const session = { id: opened.response.headers.get('mcp-session-id'), version };
    const headers = { ...JSON_HEADERS, ...sessionHeaders(session) };
    const told = await callUpstream(server, { ...upstream, headers, body: INITIALIZED });
    told.ended();
    await told.response.body?.cancel();
    return session;
  }

  function aside(server: RelayedServer, request: { method: string; headers: Record<string, string>; body?: string }) {
    const signal = AbortSignal.timeout(ASIDE_MS);
    callUpstream(server, { ...request, id: null, signal, silenceMs: ASIDE_MS }).then(
      ({ response, ended }) => {
        ended();
        return response.body?.cancel();
      },
      () => undefined,
    );
  }

  const tell = (server: RelayedServer, session: UpstreamSession, message: object): void =>
    aside(server, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...sessionHeaders(session) },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });

  return {
    open,
    /** Says something in the session, and waits for nothing. */
    tell,

    /** Answers what the server asks: its client has promised nothing but to be there. */
    refuse(server: RelayedServer, session: UpstreamSession, { id, method }: UpstreamMessage): void {
      const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
      tell(server, session, method === 'ping' ? { id, result: {} } : { id, error });
    },

    /** A server that keeps the session forgets it in its own time. */
    end(server: RelayedServer, session: UpstreamSession): void {
      if (session.id !== null) aside(server, { method: 'DELETE', headers: sessionHeaders(session) });
    },
  };
}
export type UpstreamSessions = ReturnType<typeof createUpstreamSessions>;

async function introductionIn({ response }: UpstreamAnswer) {
  const message = response.body && isEventStream(response) ? await replyIn(response.body, 0) : await response.json();
  return message as { result?: { protocolVersion?: unknown } } | undefined;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'millwright', version: '1' } },
});
const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
