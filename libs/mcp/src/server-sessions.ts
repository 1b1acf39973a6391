import { messageOf } from './event-stream.js';
import { CALL_SILENCE_MS, type ServerAnswer, type ServerConnections } from './server-connections.js';
import { readMessage, toMessage, type ServerMessage } from './server-message.js';
import { ServerUnavailable } from './server-unavailable.js';
import type { RegisteredServer } from './servers.store.js';

/** A session that this installation opened with a server of 2025-11-25. */
export interface ServerSession {
  /** Session id; null when the server uses no sessions. */
  id: string | null;
  version: string;
}

/** Timeout of requests whose answer is not used, in milliseconds. */
const ASIDE_MS = 5_000;
/** Error code "Method not found" (JSON-RPC 2.0 §5.1). */
const METHOD_NOT_FOUND = -32601;

export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Headers of every request in the session (2025-11-25, "Session management", "Protocol version header"). */
export const sessionHeaders = ({ id, version }: ServerSession): Record<string, string> => ({
  'mcp-protocol-version': version,
  ...(id !== null && { 'mcp-session-id': id }),
});

/** Opens and ends sessions with the given client capabilities. Without capabilities, the server cannot send requests to the client. */
export function createServerSessions({ send }: Pick<ServerConnections, 'send'>) {
  /** Opens a session. @throws ServerUnavailable when the server fails; NotConnected when its user has not connected an account */
  async function open(server: RegisteredServer, signal: AbortSignal, capabilities = {}): Promise<ServerSession> {
    const posted = { method: 'POST', signal, silenceMs: CALL_SILENCE_MS };
    const opened = await send(server, { ...posted, headers: JSON_HEADERS, body: initialize(capabilities) });
    const reply = await initializeReply(opened).catch((cause: unknown) => {
      throw new ServerUnavailable('The MCP server gave no usable answer.', { cause });
    });
    opened.ended();
    const version = versionIn(reply);
    if (version === undefined) throw new ServerUnavailable('The MCP server opened no session.');
    const session = { id: opened.response.headers.get('mcp-session-id'), version };
    const headers = { ...JSON_HEADERS, ...sessionHeaders(session) };
    const initialized = await send(server, { ...posted, headers, body: INITIALIZED });
    initialized.ended();
    await initialized.cancel();
    return session;
  }

  function sendAside(
    server: RegisteredServer,
    request: { method: string; headers: Record<string, string>; body?: string },
  ) {
    send(server, { ...request, signal: AbortSignal.timeout(ASIDE_MS), silenceMs: ASIDE_MS }).then(
      ({ cancel, ended }) => {
        ended();
        return cancel();
      },
      () => undefined,
    );
  }

  const notify = (server: RegisteredServer, session: ServerSession, message: object): void =>
    sendAside(server, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...sessionHeaders(session) },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });

  return {
    open,
    /** Sends a message in the session, without waiting for an answer. */
    notify,

    /** Refuses a request of the server for which the client has no capability; answers a ping. */
    refuse(server: RegisteredServer, session: ServerSession, { id, method }: ServerMessage): void {
      const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
      notify(server, session, method === 'ping' ? { id, result: {} } : { id, error });
    },

    /** Ends the session. A failure is ignored, because the session also expires by itself. */
    end(server: RegisteredServer, session: ServerSession): void {
      if (session.id !== null) sendAside(server, { method: 'DELETE', headers: sessionHeaders(session) });
    },
  };
}
export type ServerSessions = ReturnType<typeof createServerSessions>;

async function initializeReply({ events, text }: ServerAnswer): Promise<ServerMessage | undefined> {
  if (!events) return readMessage(await text());
  for await (const event of events()) {
    const message = messageOf(event);
    if (message?.id === 0 && message.method === undefined) return message;
  }
  return undefined;
}

function versionIn(reply: ServerMessage | undefined): string | undefined {
  const result = toMessage(reply?.result);
  const version = result && 'protocolVersion' in result ? result.protocolVersion : undefined;
  return typeof version === 'string' ? version : undefined;
}

const initialize = (capabilities: object) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'millwright', version: '1' } },
  });
const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
