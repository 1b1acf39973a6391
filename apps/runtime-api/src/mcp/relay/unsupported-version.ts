import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { McpCall } from '../mcp-call.js';

const MODERN = '2026-07-28';
/** 2026-07-28, "Protocol version errors". */
const UNSUPPORTED_VERSION = -32022;

/** The server speaks the other era: a client of both learns which to use. */
export function unsupportedVersion({ headers, message }: McpCall, era: 'legacy' | 'modern'): Response {
  const id = message?.kind === 'request' ? message.id : null;
  if (!message) return new Response(null, { status: 405, headers: { Allow: 'POST' } });
  const supported = era === 'modern' ? [MODERN] : SUPPORTED_PROTOCOL_VERSIONS;
  const data = { supported, requested: headers['mcp-protocol-version'] ?? 'none' };
  const error = { code: UNSUPPORTED_VERSION, message: 'The server does not speak this version of MCP', data };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 });
}
