import type { Principal, Scope } from '@millwright/auth';
import type { InputWay } from '../builtin/ask-agent.js';
import type { McpMessage } from './json-rpc.js';

/** A request to an MCP endpoint that passed the checks of credential, limits and scopes. */
export interface McpCall {
  principal: Principal;
  from: { requestId: string; ip: string };
  /** HTTP method. */
  method: string;
  /** The URL of this endpoint. */
  url: string;
  /** The client's protocol headers, without credentials. */
  headers: Record<string, string>;
  /** The posted message; undefined for GET and DELETE. */
  message: McpMessage | undefined;
  /** The posted bytes. */
  body: Uint8Array<ArrayBuffer>;
  /** Whether the client found the tool by `search_tools`; such a client sends no headers for the tool's arguments. */
  isToolSearch?: boolean;
  /** Called before the call is sent to a registered server. */
  onSend?: () => void;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  /** Aborted when the answer has been sent or can no longer be sent. */
  over: AbortSignal;
}

/** The part of a call that a tool needs: the principal, the origin and the abort signal. */
export interface ToolCallContext extends Pick<McpCall, 'principal' | 'from' | 'signal'> {
  /** How the client's user can be asked; undefined when the client cannot ask. */
  input?: InputWay | undefined;
}

/** An HTTP answer: complete text, or server-sent events that are passed on as they arrive. */
export interface McpAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Each chunk holds whole events. */
  body?: string | AsyncIterable<string>;
}

/** A server behind an MCP endpoint: the built-in one, or a registered one. */
export interface McpTarget {
  /** The scopes that a message needs besides `mcp:read` or `mcp:call`. */
  scopesOf: (message: Exclude<McpMessage, { kind: 'response' }>) => readonly Scope[];
  /** @throws JsonRpcRefusal, AppError */
  serve: (call: McpCall) => Promise<McpAnswer>;
}

/** The URL under which clients reach an MCP server through this installation. */
export const endpointOf = (runtimeUrl: string, name: string) => `${runtimeUrl}/api/v1/mcp/${name}/mcp`;

export const eventsAnswer = (
  body: AsyncIterable<string>,
  headers: Readonly<Record<string, string>> = {},
): McpAnswer => ({
  status: 200,
  headers: { ...headers, 'content-type': 'text/event-stream' },
  body,
});

export const jsonAnswer = (
  message: unknown,
  { status = 200, headers = {} }: Pick<Partial<McpAnswer>, 'status' | 'headers'> = {},
): McpAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(message),
});
