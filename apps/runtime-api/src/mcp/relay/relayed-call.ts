import type { HeldBytes, ServerProbe } from '@millwright/mcp';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { HEADER_MISMATCH, JsonRpcRefusal, type McpMessage, type RequestId } from '../endpoint/json-rpc.js';
import { jsonAnswer, type McpAnswer, type McpCall } from '../endpoint/mcp-call.js';
import type { ServerInSession } from '../sessions/client-sessions.store.js';
import { metaOf, NAMED_BY, SUPPORTED_VERSIONS, V2026, VERSION_KEY } from './v2026-terms.js';

/** A client's request to a registered server: the input of every route through the relay. */
export interface RelayedCall extends ServerInSession {
  call: McpCall;
  /** Counts the bytes of the server's messages in memory until the call ends. */
  held: HeldBytes;
}

/** A request to a server of the other generation. */
export interface TranslatedCall extends RelayedCall {
  /** The result of the server's last probe. */
  probe: ServerProbe;
}

export const requestIdIn = ({ message }: Pick<McpCall, 'message'>): RequestId | null =>
  message?.kind === 'request' ? message.id : null;

/** Whether the answer is the stream of a session or of subscriptions (2026-07-28, "Subscriptions"), not of a call. */
export const isStream = ({ method, message }: Pick<McpCall, 'method' | 'message'>): boolean =>
  message ? message.kind === 'request' && message.method === 'subscriptions/listen' : method === 'GET';

/** Whether the client speaks 2026-07-28. A request without that version is 2025-11-25 or earlier ("Backward compatibility"). */
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

/** Headers and body must name the same version, method and subject (2026-07-28, "Standard headers"). @throws JsonRpcRefusal */
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

/** Refuses a later version and names the supported versions; `undefined` for a supported version. */
export function unsupportedVersion({ headers, message }: McpCall): McpAnswer | undefined {
  const requested = headers['mcp-protocol-version'];
  if (requested === V2026) return undefined;
  const data = { supported: SUPPORTED_VERSIONS, requested };
  const error = { code: UNSUPPORTED_VERSION, message: 'The server does not speak this version of MCP', data };
  return jsonAnswer({ jsonrpc: '2.0', id: requestIdIn({ message }), error }, { status: 400 });
}
