import { jsonAnswer } from '../event-stream.js';
import type { McpAnswer, McpCall } from '../mcp-call.js';
import { MODERN, SUPPORTED_VERSIONS } from './modern-terms.js';

/** 2026-07-28, "Protocol version errors". */
const UNSUPPORTED_VERSION = -32022;

/** A modern version that is none of ours: the client learns which are. */
export function unsupportedVersion({ headers, message }: McpCall): McpAnswer | undefined {
  const requested = headers['mcp-protocol-version'];
  if (requested === MODERN) return undefined;
  const id = message?.kind === 'request' ? message.id : null;
  const data = { supported: SUPPORTED_VERSIONS, requested };
  const error = { code: UNSUPPORTED_VERSION, message: 'The server does not speak this version of MCP', data };
  return jsonAnswer({ jsonrpc: '2.0', id, error }, { status: 400 });
}
