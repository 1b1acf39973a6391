import { isUtf8 } from 'node:buffer';
import { storableText } from '@millwright/db';
import { hasCaseVariant, isJsonObject, jsonShapeOf } from '@millwright/json';
import { z } from 'zod';
import { MessageRefused } from './server-message.js';
import { ServerBusy, ServerUnavailable } from './server-unavailable.js';

export type RequestId = string | number;

/** The parts of a client's message that this service reads. */
export type McpMessage =
  | { kind: 'request'; id: RequestId; method: string; params: Record<string, unknown> }
  | { kind: 'notification'; method: string; params: Record<string, unknown> }
  | { kind: 'response'; id: RequestId; result?: unknown; error?: unknown };

export type McpRequest = Extract<McpMessage, { kind: 'request' }>;

/** The value if it is a text, or else the empty text, which matches no name. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The name of the called tool, as a text that can be stored. */
export const calledTool = ({ params }: Pick<McpRequest, 'params'>): string =>
  storableText((typeof params['name'] === 'number' ? String(params['name']) : textOf(params['name'])).slice(0, 200));

/**
 * The refusal of a call of a tool. It is the same for a tool that is unknown, unavailable or not allowed, so that a
 * client cannot find out which of these applies.
 */
export const unknownTool = (message: McpRequest) =>
  new JsonRpcRefusal(200, INVALID_PARAMS, `Unknown tool: ${calledTool(message)}`, message.id);

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Error code when a header is missing or differs from the body (2026-07-28, "Standard headers"). */
export const HEADER_MISMATCH = -32020;
/** The code that SDKs use for an unknown session. */
export const SESSION_NOT_FOUND = -32001;

/** Error code when the user must connect an account first. The code is in the range for implementations (2026-07-28, "Error codes"). */
export const NOT_CONNECTED = -32010;

/** Error code when a call with an idempotency key was sent, but its answer was lost. The code is in the same range as {@link NOT_CONNECTED}. */
export const OUTCOME_UNKNOWN = -32011;

/** A refusal in the form of a JSON-RPC error (JSON-RPC 2.0 §5.1). `message` is a constant text. */
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

/** The refusal when a registered server is unreachable or has too many calls in progress. */
export const unavailable = (id: RequestId | null, cause?: unknown) => {
  const text = cause instanceof ServerBusy ? 'Too many calls to the MCP server' : 'The MCP server cannot be reached';
  return new JsonRpcRefusal(503, INTERNAL_ERROR, text, id, { cause });
};

/** The refusal when a registered server closed its answer too early. */
export const brokenOff = (id: RequestId | null, cause?: unknown) =>
  new JsonRpcRefusal(503, INTERNAL_ERROR, 'The MCP server broke off its answer', id, { cause });

/** The refusal for an error that interrupts an answer. */
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

/** Number of outer levels of a message that determine its meaning: the message itself and its `params`. */
const LEVELS = 2;
const MEMBERS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/** Reads one message that all parsers read in the same way. Arrays are refused: only 2025-03-26 had them. @throws JsonRpcRefusal for other bytes */
export function parseMessage(bytes: Buffer): McpMessage {
  if (bytes.length === 0 || !isUtf8(bytes)) throw new JsonRpcRefusal(400, PARSE_ERROR, 'Parse error: not JSON');
  const text = bytes.toString('utf8');
  const value = parseJson(text);
  const { success, data } = Message.safeParse(value);
  if (!success || jsonShapeOf(text, LEVELS).isAmbiguous || (isJsonObject(value) && hasCaseVariant(value, MEMBERS)))
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
