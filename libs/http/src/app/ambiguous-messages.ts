import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler, Response } from 'express';

/**
 * Parts of a path that a proxy and a service could read differently: backslashes, empty segments and dot segments in
 * any encoding, and a fragment, which a request must not have.
 */
const ambiguous = /[\\#]|\/\/|%5c|(?:\/|%2f)(?:\.|%2e){1,2}(?=\/|%2f|;|$)/i;

/** Whether a request target has origin form (RFC 9112, section 3.2.1) and a path that all implementations read in the same way. */
function hasPlainPath(target: string): boolean {
  if (!target.startsWith('/')) return false;
  const query = target.indexOf('?');
  return !ambiguous.test(query === -1 ? target : target.slice(0, query));
}

/** Whether a request has exactly one Host header. The raw headers are read, because `headers.host` contains only the first one. */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  }
  return count === 1;
}

/**
 * Whether the end of the body is determined by Content-Length or by `chunked`, the only transfer coding that all
 * implementations read in the same way.
 */
function hasPlainFraming({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked';
}

/**
 * Refuses messages that two HTTP implementations could read differently. Bytes that follow such a message on the same
 * connection are not handled, because they may belong to the message (RFC 9112, section 9.6).
 *
 * @param refuse answers 400 and closes the connection
 */
export function refuseAmbiguousMessages(refuse: (response: Response) => void): RequestHandler {
  const refused = new WeakSet<Socket>();
  return (request, response, next) => {
    const { socket, url } = request;
    if (refused.has(socket)) return;
    if (hasOneHost(request) && hasPlainFraming(request) && hasPlainPath(url)) {
      next();
      return;
    }
    refused.add(socket);
    refuse(response);
  };
}
