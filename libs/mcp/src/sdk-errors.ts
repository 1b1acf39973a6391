import type { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';

/**
 * Whether an error of the MCP SDK has one of these names. `instanceof` would need the classes, and would load the SDK even in processes
 * that never connect to an MCP server.
 */
const isNamed = (error: unknown, ...names: string[]): boolean => error instanceof Error && names.includes(error.name);

/** Whether the server answered a request with a JSON-RPC error. */
export const isProtocolError = (error: unknown): error is ProtocolError => isNamed(error, 'ProtocolError');

/** Whether the server answered with an HTTP status that the protocol does not define for the request. */
export const isSdkHttpError = (error: unknown): error is SdkHttpError => isNamed(error, 'SdkHttpError');

/** Whether the SDK could not complete a request; `SdkHttpError` is such an error. */
export const isSdkError = (error: unknown): error is SdkError => isNamed(error, 'SdkError', 'SdkHttpError');

/** The codes of an `SdkError` for a server that sent no answer. */
export const SILENT: ReadonlySet<SdkErrorCode | `${SdkErrorCode}`> = new Set([
  'REQUEST_TIMEOUT',
  'CONNECTION_CLOSED',
] as const);
