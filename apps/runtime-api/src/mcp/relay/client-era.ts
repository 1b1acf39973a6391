import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { HEADER_MISMATCH, JsonRpcRefusal, type McpMessage } from '../json-rpc.js';
import type { McpCall } from '../mcp-call.js';
import { VERSION_KEY } from './modern-terms.js';

/** 2026-07-28, "Backward compatibility": a request that says nothing of a modern version is a legacy one. */
export function isLegacyClient({ headers, request, message }: McpCall): boolean {
  const { kind } = classifyInboundRequest({
    httpMethod: request.method,
    ...(headers['mcp-protocol-version'] !== undefined && { protocolVersionHeader: headers['mcp-protocol-version'] }),
    ...(headers['mcp-method'] !== undefined && { mcpMethodHeader: headers['mcp-method'] }),
    ...(headers['mcp-name'] !== undefined && { mcpNameHeader: headers['mcp-name'] }),
    ...(message && { body: bodyOf(message) }),
  });
  return kind === 'legacy';
}

function bodyOf(message: McpMessage) {
  const { id, method, params } = { id: undefined, method: undefined, params: undefined, ...message };
  if (method === undefined) return { jsonrpc: '2.0', id, result: {} };
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params };
}

/** What of a request's parameters `Mcp-Name` says. */
export const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** 2026-07-28, "Standard headers": what they say is what the body says, or one of us looked at something else. @throws JsonRpcRefusal */
export function requireMirroredHeaders({ headers, message }: McpCall): void {
  if (!message || message.kind === 'response') return;
  const { method, params } = message;
  const meta = params['_meta'] as Record<string, unknown> | undefined;
  const nameKey = NAMED_BY[method];
  const isMirrored =
    headers['mcp-protocol-version'] !== undefined &&
    (meta?.[VERSION_KEY] === undefined || headers['mcp-protocol-version'] === meta[VERSION_KEY]) &&
    decoded(headers['mcp-method']) === method &&
    (nameKey === undefined || decoded(headers['mcp-name']) === params[nameKey]);
  if (isMirrored) return;
  const id = message.kind === 'request' ? message.id : null;
  throw new JsonRpcRefusal(400, HEADER_MISMATCH, 'A header is missing or is not what the body says', id);
}

/** 2026-07-28, "Encoding of header values". */
function decoded(value: string | undefined): string | undefined {
  const encoded = value && /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value)?.[1];
  return encoded === undefined || encoded === '' ? value : Buffer.from(encoded, 'base64').toString('utf8');
}
