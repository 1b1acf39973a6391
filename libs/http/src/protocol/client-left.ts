import type { Response } from 'express';
import { onClose } from '../process/on-close.js';

/**
 * A signal that aborts when the connection closes before the answer has been written to its end. It is aborted already for a
 * connection that closed earlier, whose `close` event is over.
 */
export function clientLeft(response: Response, reason?: unknown): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableEnded) controller.abort(reason);
  };
  onClose(response, abort);
  return controller.signal;
}
