import {
  CALL_SILENCE_MS,
  ServerBusy,
  ServerUnavailable,
  STREAM_SILENCE_MS,
  toJudgedText,
  type McpServers,
  type ServerAnswer,
  type ServerConnections,
} from '@millwright/mcp';
import { JSON_HEADERS, sessionHeaders, type ServerSessions } from '@millwright/mcp/server-sessions';
import { dataOf, isMessageEvent, MessageRefused, readLines, readMessage, withData } from '@millwright/mcp/messages';
import {
  brokenOff,
  errorBody,
  JsonRpcRefusal,
  refusalOf,
  SESSION_NOT_FOUND,
  type RequestId,
} from '@millwright/mcp/json-rpc';
import { eventsAnswer, isStream, type McpAnswer, type McpCall } from '../../endpoint/mcp-call.js';
import { requestIdIn, type RelayedCall } from '../relayed-call.js';
import type { ClientSessionStore } from '@millwright/mcp/client-sessions';
import { CAPABILITIES_MAX_BYTES, inputCapabilities } from '../input-requests.js';

interface RelayUnchangedDeps {
  connections: Pick<ServerConnections, 'send'>;
  probes: Pick<McpServers['probes'], 'recent'>;
  serverSessions: ServerSessions;
  sessions: ClientSessionStore;
}

/** Relays between a client and a server of the same version: messages are not changed, except that unavailable tools are removed. */
export function createRelayUnchanged({ connections, probes, serverSessions, sessions }: RelayUnchangedDeps) {
  function send({ server, call, held }: RelayedCall, added: Record<string, string> = {}): Promise<ServerAnswer> {
    const { method, body, message, signal } = call;
    // Client and server use different ids for the session.
    const headers = headersOf(call, V2025_HEADERS);
    const stream = isStream(call);
    const silenceMs = stream ? STREAM_SILENCE_MS : CALL_SILENCE_MS;
    const posted = message ? { ...JSON_HEADERS, ...added } : added;
    const request = { method, headers: { ...headers, ...posted }, signal, silenceMs, stream, held };
    return connections.send(server, message ? { ...request, body } : request);
  }

  /** Relays a 2026-07-28 message, which is always posted and has no session. */
  async function relayV2026(relayed: RelayedCall): Promise<McpAnswer> {
    const { server, call, held } = relayed;
    const { body, signal } = call;
    const stream = isStream(call);
    const silenceMs = stream ? STREAM_SILENCE_MS : CALL_SILENCE_MS;
    const headers = { ...headersOf(call, V2026_HEADERS), accept: JSON_HEADERS.accept };
    const answer = await connections.send(server, { method: 'POST', headers, body, signal, silenceMs, stream, held });
    return relayedAnswer({ relayed, answer });
  }

  /** Relays a 2025-11-25 message. Client and server use different ids for the session (2025-11-25, "Session management"). */
  async function relayV2025(relayed: RelayedCall): Promise<McpAnswer> {
    const { message, headers } = relayed.call;
    if (message?.kind === 'request' && message.method === 'initialize') return initialize(relayed);
    return headers['mcp-session-id'] === undefined ? withoutSession(relayed) : inSession(relayed);
  }

  async function initialize(relayed: RelayedCall): Promise<McpAnswer> {
    const { server, call } = relayed;
    const answer = await send(relayed);
    const upstreamId = answer.response.ok ? answer.response.headers.get('mcp-session-id') : null;
    const owner = { userId: call.principal.user.id, server };
    const sessionId = upstreamId === null ? undefined : await sessions.open(owner, upstreamId, capabilitiesOf(call));
    return relayedAnswer({ relayed, answer, sessionId });
  }

  async function inSession(relayed: RelayedCall): Promise<McpAnswer> {
    const { call, session } = relayed;
    if (!session || session.upstreamId === null) throw sessionNotFound(requestIdIn(call));
    const answer = await send(relayed, { 'mcp-session-id': session.upstreamId });
    const isOver = answer.response.status === 404 || call.method === 'DELETE';
    if (!isOver) return relayedAnswer({ relayed, answer });
    answer.ended();
    await answer.cancel();
    await sessions.close(session.id);
    if (call.method === 'DELETE') return { status: 200 };
    throw sessionNotFound(requestIdIn(call));
  }

  /** Opens a session for one call when the client has no session and the server requires a session. */
  async function withoutSession(relayed: RelayedCall): Promise<McpAnswer> {
    const { server, call } = relayed;
    if (call.message?.kind !== 'request' || !(await probes.recent(server, 'v2025')).sessions)
      return relayedAnswer({ relayed, answer: await send(relayed) });
    const session = await serverSessions.open(server, call.signal);
    const onEnd = () => serverSessions.end(server, session);
    try {
      return await relayedAnswer({ relayed, answer: await send(relayed, sessionHeaders(session)), onEnd });
    } catch (error) {
      onEnd();
      throw error;
    }
  }

  return { relayV2025, relayV2026 };
}

/** For each version, the client's headers that are passed to the server. */
const V2025_HEADERS = /^(accept|content-type|last-event-id|mcp-protocol-version|traceparent|tracestate)$/;
const V2026_HEADERS = /^(content-type|mcp-(protocol-version|method|name|param-.+)|traceparent|tracestate)$/;

const headersOf = ({ headers }: Pick<McpCall, 'headers'>, known: RegExp): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => known.test(name)));

/** The client's capabilities for input requests; empty when the capabilities are too large to be stored. */
function capabilitiesOf({ message }: McpCall): Record<string, object> {
  const capabilities = message?.kind === 'request' ? inputCapabilities(message.params['capabilities']) : {};
  return Buffer.byteLength(JSON.stringify(capabilities)) > CAPABILITIES_MAX_BYTES ? {} : capabilities;
}

const sessionNotFound = (id: RequestId | null) => new JsonRpcRefusal(404, SESSION_NOT_FOUND, 'Session not found', id);

interface AnswerOptions {
  relayed: RelayedCall;
  answer: ServerAnswer;
  /** The session id that the client uses. */
  sessionId?: string | undefined;
  /** Called after the last byte, or when the answer ends early. */
  onEnd?: () => void;
}

/** Forwards the server's status and message, without unavailable tools. @throws JsonRpcRefusal, ServerUnavailable, MessageRefused */
async function relayedAnswer({ relayed, answer, sessionId, onEnd }: AnswerOptions): Promise<McpAnswer> {
  const { call } = relayed;
  // The id is null for the stream of a session, because it may contain answers to requests of other connections.
  const id = requestIdIn(call);
  const { status, ok } = answer.response;
  const headers: Record<string, string> = sessionId === undefined ? {} : { 'mcp-session-id': sessionId };
  const end = () => {
    answer.ended();
    onEnd?.();
  };
  if (answer.events) return { ...eventsAnswer(relayedEvents(relayed, answer, answer.events(), end), headers), status };
  try {
    const text = await answer.text();
    if (text === '' || id === null) return { status: withoutBody(status), headers };
    if (isLines(text)) {
      const events = relayedEvents(relayed, answer, readLines([Buffer.from(text)]), () => undefined);
      return { ...eventsAnswer(events, headers), status };
    }
    headers['content-type'] = 'application/json';
    return { status, headers, body: judgedJson(text, id, ok, relayed) };
  } finally {
    end();
  }
}

/** Whether a server wrote one message per line instead of server-sent events. */
function isLines(text: string): boolean {
  const end = text.indexOf('\n');
  return end > 0 && end < text.length - 1 && readMessage(text.slice(0, end)) !== undefined;
}

const withoutBody = (status: number) => (status === 200 ? 202 : status);

function judgedJson(text: string, id: RequestId, ok: boolean, { available, server }: RelayedCall): string {
  const message = readMessage(text);
  // An error response may have the id null (JSON-RPC 2.0 §5).
  if (!message || (message.id !== id && (ok || message.id !== null)))
    throw new ServerUnavailable('The answer is not one to this request.');
  const judged = toJudgedText(message, text, available, server.name);
  if (judged === undefined) throw new ServerUnavailable('The answer asks for an address that cannot be passed on.');
  return judged;
}

/**
 * Forwards the events of a stream. They are written again, so that every parser reads the same text that was checked here. Drops an event
 * whose data is not a single message. Forwards an event without data, because a client can resume from its id (2025-11-25, "Resumability
 * and redelivery").
 */
async function* relayedEvents(
  { available, call, server }: RelayedCall,
  answer: ServerAnswer,
  events: AsyncIterable<string>,
  end: () => void,
): AsyncGenerator<string> {
  const id = requestIdIn(call);
  let isIncomplete = false;
  try {
    for await (const event of events) {
      answer.alive();
      const data = dataOf(event);
      if (data === '') {
        yield withData(event, '');
        continue;
      }
      const message = isMessageEvent(event) ? readMessage(data) : undefined;
      // An answer to another request is dropped, because the stream of a request may contain only the answer to this request.
      const isStray = id !== null && message?.id !== undefined && message.method === undefined && message.id !== id;
      const judged = message && !isStray ? toJudgedText(message, data, available, server.name) : undefined;
      isIncomplete ||= judged === undefined && !isStray;
      if (!message || judged === undefined) continue;
      if (message.method === undefined) isIncomplete = false;
      yield withData(event, judged);
    }
    if (isIncomplete && id !== null) throw new ServerUnavailable('A message of the stream cannot be passed on.');
  } catch (error) {
    if (id !== null) yield withData('event: message', JSON.stringify(errorBody(refusalIn(error, id))));
  } finally {
    end();
  }
}

const refusalIn = (error: unknown, id: RequestId) =>
  error instanceof MessageRefused || error instanceof ServerBusy ? refusalOf(error, id) : brokenOff(id, error);
