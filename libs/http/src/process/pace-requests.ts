import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Milliseconds of one turn of the event loop in which requests begin. Few, because Node accepts one connection in each turn. */
const TURN_MS = 2;

/**
 * Begins requests that arrive together in several turns of the event loop, in the order of their arrival: a thousand in one turn
 * would delay every answer that is under way. Requests whose clients have left meanwhile are dropped.
 */
export function paceRequests(listener: RequestListener): RequestListener {
  const waiting = new Set<readonly [IncomingMessage, ServerResponse]>();
  let turnBegan: number | undefined;

  /** Whether requests may still begin in this turn. */
  function isOpen(): boolean {
    if (turnBegan === undefined) {
      turnBegan = performance.now();
      setImmediate(() => void takeTurn());
    }
    return performance.now() - turnBegan < TURN_MS;
  }

  async function takeTurn(): Promise<void> {
    turnBegan = performance.now();
    for (const next of waiting) {
      waiting.delete(next);
      const [request, response] = next;
      if (response.closed || response.destroyed) continue;
      listener(request, response);
      // What the listener does after its first await belongs to the same turn.
      await Promise.resolve();
      if (!isOpen()) break;
    }
    if (waiting.size > 0) setImmediate(() => void takeTurn());
    else turnBegan = undefined;
  }

  return (request, response) => {
    if (isOpen() && waiting.size === 0) listener(request, response);
    else waiting.add([request, response]);
  };
}
