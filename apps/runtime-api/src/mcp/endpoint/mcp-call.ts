import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Principal, Scope } from '@millwright/auth';
import { clientLeft, createEventStreamWriter } from '@millwright/http/protocol';
import { findReply, type ServerMessage } from '@millwright/mcp/messages';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Response } from 'express';
import { errorBody, INTERNAL_ERROR, JsonRpcRefusal, type McpMessage, type RequestId } from '@millwright/mcp/json-rpc';

/** A request to an MCP endpoint whose credential, limits and scopes have been checked. */
export interface McpCall {
  principal: Principal;
  from: { requestId: string; ip: string };
  /** HTTP method of the request. */
  method: string;
  /** URL of the MCP endpoint. */
  url: string;
  /** The client's protocol headers, without credentials. */
  headers: Record<string, string>;
  /** The posted message; undefined for GET and DELETE. */
  message: McpMessage | undefined;
  /** Body of the request. */
  body: Uint8Array<ArrayBuffer>;
  /**
   * Whether this request replaces a client's call of `search_tools` or `call_tool`. The client's headers then do not repeat the tool's
   * arguments.
   */
  isToolSearch?: boolean;
  /** Called before the call is sent to a registered server. */
  onSend?: () => void;
  /** The signal aborts when the client disconnects. */
  signal: AbortSignal;
  /** The signal aborts when the answer has been sent completely or can no longer be sent. */
  over: AbortSignal;
}

/** Whether the answer is a stream of a session or of subscriptions, instead of the answer to a call (2026-07-28, "Subscriptions"). */
export const isStream = ({ method, message }: Pick<McpCall, 'method' | 'message'>): boolean =>
  message ? message.kind === 'request' && message.method === 'subscriptions/listen' : method === 'GET';

/**
 * How the client of a call receives input requests: either in a result, after which the client repeats the call with its responses, or on
 * the stream of the call.
 */
export type InputWay =
  | { by: 'result'; requestState: unknown; inputResponses: unknown }
  | {
      by: 'stream';
      ask: (requests: Readonly<Record<string, ServerMessage>>) => Promise<Readonly<Record<string, unknown>>>;
    };

/** The part of a call that a tool needs: the principal, the origin and the abort signal. */
export interface ToolCallContext extends Pick<McpCall, 'principal' | 'from' | 'signal'> {
  /** The way to request input from the client's user; undefined when the client supports no such way. */
  input?: InputWay | undefined;
}

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

export const failure = (text: string): CallToolResult => ({ ...textResult(text), isError: true });

/** An HTTP answer: a complete text, or server-sent events that are forwarded as they arrive. */
export interface McpAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Body of the answer. Each chunk consists of whole events. */
  body?: string | AsyncIterable<string>;
}

/** A message that is sent to the client. */
export interface Outgoing {
  message: object;
  /** HTTP status of the answer, which only the last message has. */
  status?: number;
}

/** A server that an MCP endpoint reaches: the built-in server or a registered server. */
export interface McpTarget {
  /** The scopes that a message needs in addition to `mcp:read` or `mcp:call`. */
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

/** Sends an answer as it arrives. Each chunk of a stream contains whole events, so that comments can be sent between chunks. */
export async function sendAnswer({ status, headers, body }: McpAnswer, response: Response): Promise<void> {
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .set({ ...headers });
  if (body === undefined || typeof body === 'string') {
    response.end(body);
    // The call ends when its answer has been sent or can no longer be sent.
    await finished(response).catch(() => undefined);
    return;
  }
  response.set('X-Accel-Buffering', 'no').flushHeaders();
  const left = clientLeft(response);
  const stream = createEventStreamWriter(response, { comment: ':\n\n' });
  try {
    for await (const event of body) {
      if (response.destroyed) return;
      // The signal ends this wait when the client disconnects. A listener of `close` for each event would accumulate while the stream is
      // open.
      if (!stream.write(event)) await once(response, 'drain', { signal: left }).catch(() => undefined);
    }
    response.end();
  } catch (error) {
    // Breaks the connection, so that the waiting client detects that the answer is incomplete.
    if (!response.destroyed) response.destroy(error instanceof Error ? error : undefined);
  } finally {
    stream.stop();
  }
}

/** Converts a stream for a client that accepts only JSON. The result is the message that answers the request. */
export async function asJson(answer: McpAnswer, id: RequestId | null): Promise<McpAnswer> {
  const { status, headers, body } = answer;
  if (body === undefined || typeof body === 'string') return answer;
  const message = await findReply(body, id, { maxBytes: Infinity });
  const refusal = new JsonRpcRefusal(200, INTERNAL_ERROR, 'The server ended its answer early', id);
  return jsonAnswer(message ?? errorBody(refusal), { status: message ? status : 200, headers });
}
