import type { Request, RequestHandler, Response } from 'express';
import { BODY_BYTES, hasBody, mediaType, statesLargeBody } from '../body/read-body.js';
import type { Capacity } from '../process/service-config.js';

/**
 * Refuses bodies that arrive too slowly, measured from the start of reading. A form or JSON must arrive within BODY_TIMEOUT_MS. Large JSON
 * may take longer, but at least BODY_BYTES of it must arrive in each interval of BODY_TIMEOUT_MS. An upload must not be slower than
 * UPLOAD_MIN_RATE.
 */
export function limitBodyTime(
  { BODY_TIMEOUT_MS, UPLOAD_MIN_RATE }: Pick<Capacity, 'BODY_TIMEOUT_MS' | 'UPLOAD_MIN_RATE'>,
  refuse: (request: Request, response: Response) => void,
): RequestHandler {
  const uploadBytes = (UPLOAD_MIN_RATE * BODY_TIMEOUT_MS) / 1_000;

  /** Bytes that must arrive in an interval; undefined for a body that must be complete after the first interval. */
  function leastBytesOf(request: Request): number | undefined {
    if (mediaType(request) === 'multipart/form-data') return uploadBytes;
    return statesLargeBody(request) ? BODY_BYTES : undefined;
  }

  function watch(request: Request, response: Response) {
    const { socket } = request;
    const leastBytes = leastBytesOf(request);
    const isOver = () => request.complete || request.destroyed || socket.destroyed;
    // No timer is started for a request that closed before it was read, because no later event would stop the timer.
    if (isOver()) return;
    let read = socket.bytesRead;

    /**
     * Refuses the body when no more bytes have arrived since `seen` was read. The check is repeated while the number
     * increases, because bytes may have waited in the socket while this process was busy.
     */
    function refuseUnlessMoving(seen: number) {
      if (isOver()) return;
      if (socket.bytesRead > seen) setImmediate(refuseUnlessMoving, socket.bytesRead);
      else refuse(request, response);
    }
    const timer = setInterval(() => {
      const arrived = socket.bytesRead - read;
      read = socket.bytesRead;
      // The body is not refused while the request is paused: in this case the process, and not the client, is too slow.
      if (leastBytes !== undefined && (arrived >= leastBytes || request.isPaused())) return;
      clearInterval(timer);
      setImmediate(refuseUnlessMoving, read);
    }, BODY_TIMEOUT_MS);
    const stop = () => clearInterval(timer);
    request.once('end', stop).once('close', stop);
  }

  return (request, response, next) => {
    if (hasBody(request)) request.once('resume', () => watch(request, response));
    next();
  };
}
