import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ipKey } from '@millwright/rate-limit';

/** Milliseconds of one turn of the event loop in which requests begin. Few, because Node accepts one connection in each turn. */
const TURN_MS = 2;

type Waiting = Set<readonly [IncomingMessage, ServerResponse]>;

/**
 * Begins requests that arrive together in several turns of the event loop: a thousand in one turn would delay every answer that is
 * under way. Addresses take turns, so that a thousand requests of one delay no other's; those of one address begin in the order of
 * their arrival. Requests whose clients have left meanwhile are dropped.
 *
 * @param trustedProxyHops number of proxies in front, whose word about the client's address counts
 */
export function paceRequests(listener: RequestListener, trustedProxyHops: number): RequestListener {
  /** By address, the one that has waited longest for its turn first. */
  const waiting = new Map<string, Waiting>();
  let turnBegan: number | undefined;

  /** Whether requests may still begin in this turn. */
  function isOpen(): boolean {
    if (turnBegan === undefined) {
      turnBegan = performance.now();
      setImmediate(() => void takeTurn());
    }
    return performance.now() - turnBegan < TURN_MS;
  }

  /** Takes the oldest request of the next address out of the queue. */
  function takeNext() {
    const [next] = waiting;
    if (!next) return undefined;
    const [address, requests] = next;
    const [oldest] = requests;
    if (oldest) requests.delete(oldest);
    waiting.delete(address);
    if (requests.size > 0) waiting.set(address, requests);
    return oldest;
  }

  async function takeTurn(): Promise<void> {
    turnBegan = performance.now();
    for (let next = takeNext(); next; next = takeNext()) {
      const [request, response] = next;
      if (!response.closed && !response.destroyed) {
        listener(request, response);
        // What the listener does after its first await belongs to the same turn.
        await Promise.resolve();
        if (!isOpen()) break;
      }
    }
    if (waiting.size > 0) setImmediate(() => void takeTurn());
    else turnBegan = undefined;
  }

  return (request, response) => {
    if (isOpen() && waiting.size === 0) {
      listener(request, response);
      return;
    }
    const address = addressOf(request, trustedProxyHops);
    const requests: Waiting = waiting.get(address) ?? new Set();
    waiting.set(address, requests.add([request, response]));
  };
}

/** The address of the client, as Express's `trust proxy` reads it. */
function addressOf({ headers, socket }: IncomingMessage, trustedProxyHops: number): string {
  const forwarded = headers['x-forwarded-for'];
  const named = trustedProxyHops === 0 || typeof forwarded !== 'string' ? [] : forwarded.split(',').reverse();
  const addresses = [socket.remoteAddress ?? '', ...named.slice(0, trustedProxyHops)];
  return ipKey(addresses.at(-1)?.trim() ?? '');
}
