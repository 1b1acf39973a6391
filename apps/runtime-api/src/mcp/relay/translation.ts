import type { McpMessage } from '../json-rpc.js';
import type { McpCall } from '../mcp-call.js';
import type { Seen } from './inspect.js';
import type { RelayedServer } from './relayed-server.js';
import type { Offered } from './tool-guard.js';

/** A client's request to a server of the other era. */
export interface Translation {
  server: RelayedServer;
  call: McpCall;
  seen: Seen;
  offered: Offered;
}

export type McpRequest = Extract<McpMessage, { kind: 'request' }>;
