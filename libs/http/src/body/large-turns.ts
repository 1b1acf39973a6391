import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Gives each caller a separate turn of the event loop, in the order of their calls. Between two of them, requests,
 * timers and sockets are served. One large body blocks the event loop for some 80 ms; without turns, bodies that arrive
 * together would block it for the sum of their times.
 */
export function createLoopTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => nextTurn()));
}
