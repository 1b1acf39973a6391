import { isUtf8 } from 'node:buffer';
import { storableText } from '@millwright/db';
import { hasRespelt, isJsonObject, jsonShapeOf } from '@millwright/json';
import { ServerBusy, ServerUnavailable } from '@millwright/mcp';
import { MessageRefused } from '@millwright/mcp/messages';
import { z } from 'zod';

export type RequestId = string | number;

/** One message of a client, as far as this service reads it. */
export type McpMessage =
  | { kind: 'request'; id: RequestId; method: string; params: Record<string, unknown> }
  | { kind: 'notification'; method: string; params: Record<string, unknown> }
  | { kind: 'response'; id: RequestId; result?: unknown; error?: unknown };

export type McpRequest = Extract<McpMessage, { kind: 'request' }>;

/** The text itself; empty for another value, which names nothing. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The name of the called tool, as text that can be stored. */
export const calledTool = ({ params }: Pick<McpRequest, 'params'>): string =>
  storableText((typeof params['name'] === 'number' ? String(params['name']) : textOf(params['name'])).slice(0, 200));

/** A tool that is unknown, not available, or not allowed: all are answered alike. */
export const unknownTool = (message: McpRequest) =>
  new JsonRpcRefusal(200, INVALID_PARAMS, `Unknown tool: ${calledTool(message)}`, message.id);

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** 2026-07-28, "Standard headers": a header is missing or unlike the body. */
export const HEADER_MISMATCH = -32020;
/** The code of SDKs for a session that does not exist. */
export const SESSION_NOT_FOUND = -32001;

/** A code of this installation, of those that the protocol leaves free (2026-07-28, "Error codes"): the user has to connect an account first. */
export const NOT_CONNECTED = -32010;

/** Another one: a call with an idempotency key was sent, and its answer was lost. */
export const OUTCOME_UNKNOWN = -32011;

/** A refusal in the protocol's own shape (JSON-RPC 2.0 §5.1). `message` is a constant text. */
export class JsonRpcRefusal extends Error {
  override readonly name = 'JsonRpcRefusal';
  readonly data: object | undefined;
  readonly status: 200 | 400 | 403 | 404 | 503;
  readonly code: number;
  readonly id: RequestId | null;

  constructor(
    status: 200 | 400 | 403 | 404 | 503,
    code: number,
    message: string,
    id: RequestId | null = null,
    { data, ...options }: { cause?: unknown; data?: object } = {},
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.id = id;
    this.data = data;
  }
}

/** The answer for a registered server that cannot be reached or has too many calls in progress. */
export const unavailable = (id: RequestId | null, cause?: unknown) => {
  const text = cause instanceof ServerBusy ? 'Too many calls to the MCP server' : 'The MCP server cannot be reached';
  return new JsonRpcRefusal(503, INTERNAL_ERROR, text, id, { cause });
};

/** The answer where a registered server ended before its answer was complete. */
export const brokenOff = (id: RequestId | null, cause?: unknown) =>
  new JsonRpcRefusal(503, INTERNAL_ERROR, 'The MCP server broke off its answer', id, { cause });

/** The refusal for a failure that ends an answer before it is complete. */
export function refusalOf(error: unknown, id: RequestId | null): JsonRpcRefusal {
  if (error instanceof JsonRpcRefusal) return error;
  if (error instanceof MessageRefused) return new JsonRpcRefusal(200, INTERNAL_ERROR, error.message, id);
  return error instanceof ServerUnavailable ? unavailable(id, error) : brokenOff(id, error);
}

export function errorBody({ id, code, message, data }: JsonRpcRefusal) {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } };
}

const Id = z.union([z.string().max(1_000), z.number()]);
const Params = z.record(z.string(), z.unknown()).default({});
const Message = z.union([
  z
    .looseObject({ jsonrpc: z.literal('2.0'), id: Id, method: z.string(), params: Params })
    .transform(({ id, method, params }): McpMessage => ({ kind: 'request', id, method, params })),
  z
    .looseObject({ jsonrpc: z.literal('2.0'), id: z.undefined().optional(), method: z.string(), params: Params })
    .transform(({ method, params }): McpMessage => ({ kind: 'notification', method, params })),
  z
    .looseObject({ jsonrpc: z.literal('2.0'), id: Id, method: z.undefined().optional() })
    .refine((message) => 'result' in message || 'error' in message)
    .transform(({ id, result, error }): McpMessage => ({ kind: 'response', id, result, error })),
]);

/** The levels that decide what a message means: the message itself and its `params`. */
const LEVELS = 2;
const MEMBERS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/** Reads one message that all parsers read in the same way. Arrays are refused: only 2025-03-26 had them. @throws JsonRpcRefusal */
export function parseMessage(bytes: Buffer): McpMessage {
  if (bytes.length === 0 || !isUtf8(bytes)) throw new JsonRpcRefusal(400, PARSE_ERROR, 'Parse error: not JSON');
  const text = bytes.toString('utf8');
  const value = parseJson(text);
  const { success, data } = Message.safeParse(value);
  if (!success || jsonShapeOf(text, LEVELS).isAmbiguous || (isJsonObject(value) && hasRespelt(value, MEMBERS)))
    throw new JsonRpcRefusal(400, INVALID_REQUEST, 'Invalid request: not one JSON-RPC 2.0 message');
  return data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonRpcRefusal(400, PARSE_ERROR, 'Parse error: not JSON');
  }
}
