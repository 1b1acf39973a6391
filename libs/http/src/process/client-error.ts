import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type ErrorCode, type ErrorRenderer } from '@millwright/errors';

/** Error codes for the codes of Node's HTTP parser. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'header_fields_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Answers a request that Node's HTTP parser refused, because no middleware receives such a request. A connection on which no byte arrived
 * in time is closed without an answer: a browser opens connections before it has a request, and would read this answer as the answer to its
 * next request.
 */
export function answerClientError(failure: Error & { code?: string }, socket: Duplex, render: ErrorRenderer): void {
  // A client would read a second answer as part of the answer that is being sent.
  const { _httpMessage: answering, bytesRead }: Duplex & { _httpMessage?: ServerResponse | null; bytesRead?: number } =
    socket;
  if (failure.code === 'ECONNRESET' || !socket.writable || answering || bytesRead === 0) {
    socket.destroy();
    return;
  }
  writeAndClose(socket, new AppError(CODES[failure.code ?? ''] ?? 'bad_request', { cause: failure }), render);
}

/** Writes one complete answer directly to a socket, and closes it. */
export function writeAndClose(socket: Duplex, error: AppError, render: ErrorRenderer): void {
  const { status, body } = render(error);
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      ...(error.retryAfter === undefined ? [] : [`Retry-After: ${error.retryAfter}`]),
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}
