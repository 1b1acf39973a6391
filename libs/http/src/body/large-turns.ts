import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Gives each caller a separate turn of the event loop, in their order: requests, timers and sockets are served between two of them. One
 * large body blocks the event loop for some 80 ms; without turns, bodies that arrive together block it for the sum.
 */
export function createLoopTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => nextTurn()));
}
