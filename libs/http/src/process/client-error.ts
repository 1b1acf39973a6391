import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type ErrorRenderer } from '@millwright/errors';

/** Answers a request that Node's HTTP parser refused, which no middleware receives. */
export function answerClientError(failure: Error & { code?: string }, socket: Duplex, render: ErrorRenderer): void {
  // A client would read a second answer as a part of the answer being sent.
  const { _httpMessage: answering }: Duplex & { _httpMessage?: ServerResponse | null } = socket;
  if (failure.code === 'ECONNRESET' || !socket.writable || answering) {
    socket.destroy();
    return;
  }
  const overflow = failure.code === 'HPE_HEADER_OVERFLOW';
  writeAndClose(socket, new AppError(overflow ? 'header_fields_too_large' : 'bad_request', { cause: failure }), render);
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
