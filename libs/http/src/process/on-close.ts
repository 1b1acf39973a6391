import type { ServerResponse } from 'node:http';

/**
 * Calls the listener once the response has closed, or at once when its connection closed before: its `close` event is over then,
 * and a listener that is registered after an `await` would never be called.
 */
export function onClose(response: ServerResponse, listener: () => void): void {
  if (response.closed || response.destroyed) listener();
  else response.once('close', listener);
}
