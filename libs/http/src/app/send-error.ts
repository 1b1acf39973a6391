import type { ServerResponse } from 'node:http';
import { renderers, type AppError, type Area } from '@millwright/errors';

/**
 * Answers with an error in the service's envelope. The rest of the request's body is read and dropped: when the
 * connection closes while a client still sends, the client does not read the answer. After a malformed request, nothing
 * more is read.
 */
export function sendError(response: ServerResponse, area: Area, error: AppError): void {
  const { status, body, headers } = renderers[area](error);
  const text = JSON.stringify(body);
  response.statusCode = status;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  if (error.retryAfter !== undefined) response.setHeader('Retry-After', String(error.retryAfter));
  if (error.code === 'bad_request') response.setHeader('Connection', 'close');
  else response.req.unpipe().resume();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
