import type { ServerResponse } from 'node:http';

/**
 * Calls the listener once the response has closed, or at once when its connection has closed before. In that case the `close` event is
 * over, and a listener added after an `await` would never be called.
 */
export function onClose(response: ServerResponse, listener: () => void): void {
  if (response.closed || response.destroyed) listener();
  else response.once('close', listener);
}
