import { isUtf8 } from 'node:buffer';
import { storableText } from '@millwright/db';
import { z } from 'zod';
import { isAmbiguous } from './ambiguous.js';

export type RequestId = string | number;

/** One message of a client, as far as we look into it. */
export type McpMessage =
  | { kind: 'request'; id: RequestId; method: string; params: Record<string, unknown> }
  | { kind: 'notification'; method: string; params: Record<string, unknown> }
  | { kind: 'response'; id: RequestId; result?: unknown; error?: unknown };

export type McpRequest = Extract<McpMessage, { kind: 'request' }>;

/** The tool that a call names, as text that can be kept. */
export const calledTool = ({ params }: Pick<McpRequest, 'params'>): string =>
  storableText(String(params['name']).slice(0, 200));

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** 2026-07-28, "Standard headers": a header is missing or unlike the body. */
export const HEADER_MISMATCH = -32020;
/** The code that SDKs use for a session that is not there. */
export const SESSION_NOT_FOUND = -32001;

/** Ours, of those that mean nothing in particular (2026-07-28, "Error codes"): the user has to connect an account first. */
export const NOT_CONNECTED = -32010;

/** A refusal in the protocol's own shape (JSON-RPC 2.0 §5.1). `message` is a constant text. */
export class JsonRpcRefusal extends Error {
  override readonly name = 'JsonRpcRefusal';
  readonly data: object | undefined;

  constructor(
    readonly status: 200 | 400 | 403 | 404 | 503,
    readonly code: number,
    message: string,
    readonly id: RequestId | null = null,
    { data, ...options }: { cause?: unknown; data?: object } = {},
  ) {
    super(message, options);
    this.data = data;
  }
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

/** Reads one message. Arrays are refused: only 2025-03-26 had them. @throws JsonRpcRefusal */
export function parseMessage(bytes: Buffer): McpMessage {
  if (bytes.length === 0 || !isUtf8(bytes)) throw new JsonRpcRefusal(400, PARSE_ERROR, 'Parse error: not JSON');
  const text = bytes.toString('utf8');
  const { success, data } = Message.safeParse(parseJson(text));
  if (!success || isAmbiguous(text))
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
