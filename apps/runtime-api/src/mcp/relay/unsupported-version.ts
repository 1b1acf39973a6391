import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { McpCall } from '../mcp-call.js';

/** 2026-07-28, "Protocol version errors". */
const UNSUPPORTED_VERSION = -32022;

/** The server speaks legacy versions only: a client that does too learns which. */
export function unsupportedVersion({ headers, message }: McpCall): Response {
  const id = message?.kind === 'request' ? message.id : null;
  const data = { supported: SUPPORTED_PROTOCOL_VERSIONS, requested: headers['mcp-protocol-version'] ?? 'none' };
  const error = { code: UNSUPPORTED_VERSION, message: 'The server does not speak this version of MCP', data };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 });
}
