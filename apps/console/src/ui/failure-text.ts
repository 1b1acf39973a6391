import { ApiError } from '../api/client.js';

/** A failure in one line: the message, and the request id for an operator. */
export function failureText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const requestId = error instanceof ApiError ? error.requestId : null;
  return requestId === null ? text : `${text} (Request ID ${requestId})`;
}
