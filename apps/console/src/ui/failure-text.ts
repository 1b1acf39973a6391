import { ApiError } from '../api/client.js';

/** Why something failed, with what to name to an operator, where there is room for a line only. */
export function failureText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const requestId = error instanceof ApiError ? error.requestId : null;
  return requestId === null ? text : `${text} (Request ID ${requestId})`;
}
