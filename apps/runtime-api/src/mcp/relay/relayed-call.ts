import type { Scope } from '@millwright/auth';
import type { Generation, HeldBytes, ServerAnswer, ServerProbe } from '@millwright/mcp';
import type { ServerMessage } from '@millwright/mcp/messages';
import type { ServerSession } from '@millwright/mcp/server-sessions';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import {
  HEADER_MISMATCH,
  JsonRpcRefusal,
  METHOD_NOT_FOUND,
  SESSION_NOT_FOUND,
  type McpMessage,
  type McpRequest,
  type RequestId,
} from '@millwright/mcp/json-rpc';
import { jsonAnswer, type McpAnswer, type McpCall } from '../endpoint/mcp-call.js';
import type { ServerInSession } from '@millwright/mcp/client-sessions';
import { IN_BOTH_VERSIONS, metaOf, NAMED_BY, SUPPORTED_VERSIONS, V2026, VERSION_KEY } from '../endpoint/v2026-terms.js';

/** A client's request to a registered server, as all parts of the relay process it. */
export interface RelayedCall extends ServerInSession {
  call: McpCall;
  /** The bytes of the server's messages that the call has in memory. Their number is limited. They are released when the call ends. */
  held: HeldBytes;
}

/** A request of a client to a server that uses the other generation of MCP. */
export interface TranslatedCall extends RelayedCall {
  /** The result of the server's last probe. */
  probe: ServerProbe;
}

/** A request that was sent to a server of 2025-11-25. */
export interface SentRequest {
  relayed: TranslatedCall;
  request: McpRequest;
  session: ServerSession;
  answer: ServerAnswer;
  upstreamId: string;
  /** The client's capabilities for input requests. */
  capabilities: Readonly<Record<string, unknown>>;
  /** Aborting it closes the connection that delivers the answer. */
  over: AbortController;
  /** Cancels the request at the MCP server. */
  cancel: () => void;
  /** Converts a notification to the client's version; undefined when the notification must not be sent to the client. */
  translateNotification: (message: ServerMessage) => object | undefined;
}

export const requestIdIn = ({ message }: Pick<McpCall, 'message'>): RequestId | null =>
  message?.kind === 'request' ? message.id : null;

/** Whether the client uses 2026-07-28. A request that does not name that version is of 2025-11-25 or earlier ("Backward compatibility"). */
export function isV2026Client({ headers, method, message }: McpCall): boolean {
  const { kind } = classifyInboundRequest({
    httpMethod: method,
    ...(headers['mcp-protocol-version'] !== undefined && { protocolVersionHeader: headers['mcp-protocol-version'] }),
    ...(headers['mcp-method'] !== undefined && { mcpMethodHeader: headers['mcp-method'] }),
    ...(headers['mcp-name'] !== undefined && { mcpNameHeader: headers['mcp-name'] }),
    ...(message && { body: bodyOf(message) }),
  });
  return kind !== 'legacy';
}

function bodyOf(message: McpMessage) {
  const { id, method, params } = { id: undefined, method: undefined, params: undefined, ...message };
  if (method === undefined) return { jsonrpc: '2.0', id, result: {} };
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params };
}

/** Checks that headers and body name the same version, method and item (2026-07-28, "Standard headers"). @throws JsonRpcRefusal otherwise */
export function requireMirroredHeaders({ headers, message }: McpCall): void {
  if (!message || message.kind === 'response') return;
  const { method, params } = message;
  const meta = metaOf(params);
  const nameKey = NAMED_BY[method];
  const isMirrored =
    headers['mcp-protocol-version'] !== undefined &&
    (meta[VERSION_KEY] === undefined || headers['mcp-protocol-version'] === meta[VERSION_KEY]) &&
    decoded(headers['mcp-method']) === method &&
    (nameKey === undefined || decoded(headers['mcp-name']) === params[nameKey]);
  if (isMirrored) return;
  const id = requestIdIn({ message });
  throw new JsonRpcRefusal(400, HEADER_MISMATCH, 'A header is missing or is not what the body says', id);
}

/** Decodes a header value (2026-07-28, "Encoding of header values"). */
function decoded(value: string | undefined): string | undefined {
  const encoded = value && /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value)?.[1];
  return encoded === undefined || encoded === '' ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

/** Error code for an unsupported version (2026-07-28, "Protocol version errors"). */
const UNSUPPORTED_VERSION = -32022;

/**
 * Returns the refusal of a version that this installation does not support, with the list of supported versions. Returns `undefined` for a
 * supported version.
 */
export function unsupportedVersion({ headers, message }: McpCall): McpAnswer | undefined {
  const requested = headers['mcp-protocol-version'];
  if (requested === V2026) return undefined;
  const data = { supported: SUPPORTED_VERSIONS, requested };
  const error = { code: UNSUPPORTED_VERSION, message: 'The server does not speak this version of MCP', data };
  return jsonAnswer({ jsonrpc: '2.0', id: requestIdIn({ message }), error }, { status: 400 });
}

/**
 * The generation in which a request is sent to its server: the client's generation if the server supports it, and otherwise the generation
 * of the server. A 2025-11-25 session keeps the generation in which it was opened.
 * @throws JsonRpcRefusal for a session that the server cannot continue, so that the client opens another session
 */
export function generationFor({ server, session }: ServerInSession, call: McpCall, fromV2026: boolean): Generation {
  const { generations } = server;
  if (fromV2026) return generations.includes('v2026') ? 'v2026' : 'v2025';
  if (!session) return generations.includes('v2025') ? 'v2025' : 'v2026';
  const opened = session.upstreamId === null ? 'v2026' : 'v2025';
  if (generations.includes(opened)) return opened;
  throw new JsonRpcRefusal(404, SESSION_NOT_FOUND, 'Session not found', requestIdIn(call));
}

/** The methods of requests that the relay passes to servers, by the client's version. */
const REQUESTS = {
  v2025: new Set([
    ...IN_BOTH_VERSIONS,
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/get',
    'tasks/result',
    'tasks/list',
    'tasks/cancel',
  ]),
  v2026: new Set([
    ...IN_BOTH_VERSIONS,
    'server/discover',
    'subscriptions/listen',
    'tasks/get',
    'tasks/update',
    'tasks/cancel',
  ]),
};

const NOTIFICATIONS = {
  v2025: new Set([
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/progress',
    'notifications/roots/list_changed',
    'notifications/tasks/status',
  ]),
  v2026: new Set(['notifications/cancelled', 'notifications/progress']),
};

/**
 * The scopes that a relayed method needs in addition to `mcp:read`. Methods about tasks need `mcp:call`, because a task is a tool call that
 * takes long.
 */
export const relayedScopesOf = ({ method }: Exclude<McpMessage, { kind: 'response' }>): readonly Scope[] =>
  /^tasks\//i.test(method) ? ['mcp:call'] : [];

/**
 * Whether a message is relayed. Returns false for a notification with an unsupported method, which is then dropped.
 * @throws JsonRpcRefusal for a request with an unsupported method (2026-07-28, "Error codes": with status 404)
 */
export function isRelayed({ message }: Pick<McpCall, 'message'>, fromV2026: boolean): boolean {
  const version = fromV2026 ? 'v2026' : 'v2025';
  if (message?.kind === 'notification') return NOTIFICATIONS[version].has(message.method);
  if (message?.kind === 'request' && !REQUESTS[version].has(message.method))
    throw new JsonRpcRefusal(fromV2026 ? 404 : 200, METHOD_NOT_FOUND, 'Method not found', message.id);
  return true;
}
