import type { Response } from 'express';
import { onClose } from '../process/on-close.js';

/**
 * A signal that aborts when the connection closes before the whole answer has been written. The signal is already aborted for a
 * connection that closed earlier and emits no further `close` event.
 */
export function clientLeft(response: Response, reason?: unknown): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableEnded) controller.abort(reason);
  };
  onClose(response, abort);
  return controller.signal;
}
