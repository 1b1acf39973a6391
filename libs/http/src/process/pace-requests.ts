import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ipKey } from '@millwright/rate-limit';
import { createTurns } from '@millwright/db/turns';

/** Milliseconds of one turn of the event loop in which requests begin. */
const TURN_MS = 2;
/** Turns in a row in which connections are accepted and no request begins. A number, because turns are long where cores are few. */
const ACCEPT_TURNS = 64;

export interface Pace {
  listener: RequestListener;
  /** Called for each accepted connection. */
  accepted: () => void;
}

/**
 * Begins requests that arrive together in several turns of the event loop: a thousand in one turn would delay every answer that is
 * under way. Addresses take turns, so that a thousand requests of one delay no other's; those of one address begin in the order of
 * their arrival. Node accepts one connection in each turn, so that turns are short while connections arrive: otherwise the request of
 * one address would wait in the system's queue for the work of all connections before it. Requests whose clients have left meanwhile
 * are dropped.
 *
 * @param trustedProxyHops number of proxies in front, whose word about the client's address counts
 */
export function paceRequests(listener: RequestListener, trustedProxyHops: number): Pace {
  const waiting = createTurns<readonly [IncomingMessage, ServerResponse]>();
  let turnBegan: number | undefined;
  let hasAccepted = false;
  let acceptTurns = 0;

  function beginTurn(): number {
    if (turnBegan === undefined) {
      turnBegan = performance.now();
      setImmediate(() => void takeTurn());
    }
    return turnBegan;
  }

  /** Whether requests may still begin in this turn. */
  const isOpen = () => performance.now() - beginTurn() < TURN_MS;

  async function takeTurn(): Promise<void> {
    turnBegan = performance.now();
    // Where one was accepted, more may wait.
    acceptTurns = hasAccepted && acceptTurns < ACCEPT_TURNS ? acceptTurns + 1 : 0;
    hasAccepted = false;
    if (acceptTurns === 0) await beginWaiting();
    if (waiting.size > 0 || acceptTurns > 0) setImmediate(() => void takeTurn());
    else turnBegan = undefined;
  }

  async function beginWaiting(): Promise<void> {
    for (let next = waiting.take(); next; next = waiting.take()) {
      const [request, response] = next;
      if (response.closed || response.destroyed) continue;
      listener(request, response);
      // What the listener does after its first await belongs to the same turn.
      await Promise.resolve();
      if (!isOpen()) break;
    }
  }

  return {
    listener: (request, response) => {
      if (isOpen() && waiting.size === 0 && !hasAccepted && acceptTurns === 0) listener(request, response);
      else waiting.add(addressOf(request, trustedProxyHops), [request, response]);
    },
    accepted: () => {
      hasAccepted = true;
      beginTurn();
    },
  };
}

/** The address of the client, as Express's `trust proxy` reads it. */
function addressOf({ headers, socket }: IncomingMessage, trustedProxyHops: number): string {
  const forwarded = headers['x-forwarded-for'];
  const named = trustedProxyHops === 0 || typeof forwarded !== 'string' ? [] : forwarded.split(',').reverse();
  const addresses = [socket.remoteAddress ?? '', ...named.slice(0, trustedProxyHops)];
  return ipKey(addresses.at(-1)?.trim() ?? '');
}
