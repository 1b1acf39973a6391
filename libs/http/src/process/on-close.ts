import type { ServerResponse } from 'node:http';

/**
 * Calls the listener when the response closes, or immediately when its connection has already closed. In the latter
 * case, `close` was emitted before, so a listener that is added after an `await` would never be called.
 */
export function onClose(response: ServerResponse, listener: () => void): void {
  if (response.closed || response.destroyed) listener();
  else response.once('close', listener);
}
