import type { Request, RequestHandler, Response } from 'express';
import { hasBody, mediaType } from '../body/read-body.js';
import type { Capacity } from '../process/service-config.js';

/**
 * Refuses bodies that arrive too slowly, measured from the start of reading: forms and JSON that take longer than BODY_TIMEOUT_MS,
 * uploads slower than UPLOAD_MIN_RATE in an interval of BODY_TIMEOUT_MS.
 */
export function limitBodyTime(
  { BODY_TIMEOUT_MS, UPLOAD_MIN_RATE }: Pick<Capacity, 'BODY_TIMEOUT_MS' | 'UPLOAD_MIN_RATE'>,
  refuse: (request: Request, response: Response) => void,
): RequestHandler {
  const leastBytes = (UPLOAD_MIN_RATE * BODY_TIMEOUT_MS) / 1_000;

  function watch(request: Request, response: Response) {
    const { socket } = request;
    const isUpload = mediaType(request) === 'multipart/form-data';
    const isOver = () => request.complete || request.destroyed || socket.destroyed;
    // A request that closed before it was read emits no further event.
    if (isOver()) return;
    let read = socket.bytesRead;

    /** Also counts bytes that waited in the socket while this process was busy. */
    function refuseUnlessMoving(seen: number) {
      if (isOver()) return;
      if (socket.bytesRead > seen) setImmediate(refuseUnlessMoving, socket.bytesRead);
      else refuse(request, response);
    }
    const timer = setInterval(() => {
      const arrived = socket.bytesRead - read;
      read = socket.bytesRead;
      // A paused request means that this process reads slower than the client sends.
      if (isUpload && (arrived >= leastBytes || request.isPaused())) return;
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
