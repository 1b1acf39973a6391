import type { Principal, Scope } from '@millwright/auth';
import type { Request } from 'express';
import type { McpMessage } from './json-rpc.js';

/** One request to an MCP endpoint that passed credential, limits and scopes. */
export interface McpCall {
  principal: Principal;
  from: { requestId: string; ip: string };
  request: Request;
  /** Of this endpoint. */
  url: string;
  /** What of the client's headers concerns the protocol: nothing that proves who it is. */
  headers: Record<string, string>;
  /** What was posted; undefined for GET and DELETE. */
  message: McpMessage | undefined;
  /** The bytes that were posted. */
  body: Uint8Array<ArrayBuffer>;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
}

/** What is answered over HTTP: at once, or as server-sent events that are passed on as they come. */
export interface McpAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Pieces hold whole events. */
  body?: string | AsyncIterable<string>;
}

/** A server behind an MCP endpoint. */
export interface McpTarget {
  /** What a message needs besides what every MCP server needs. */
  scopesOf: (message: Exclude<McpMessage, { kind: 'response' }>) => readonly Scope[];
  /** @throws JsonRpcRefusal, AppError */
  serve: (call: McpCall) => Promise<McpAnswer>;
}
