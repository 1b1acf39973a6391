import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createTurns } from '@millwright/db/turns';
import { ipKey } from '@millwright/rate-limit';
import { LRUCache } from 'lru-cache';
import { onClose } from './on-close.js';
import { userOf } from './user-of.js';

/**
 * Milliseconds for which requests are started in each turn of the event loop. The time is short, because a turn also continues the requests
 * in progress: a request that awaits twenty statements needs twenty turns.
 */
const TURN_MS = 1;
/**
 * Limit of consecutive turns in which connections are accepted and no requests are started. The limit is a count and
 * not a time, because turns are long on a machine with few cores.
 */
const ACCEPT_TURNS = 4;
/** Number of credentials whose accounts a process remembers. */
const CREDENTIALS = 10_000;

export interface Pace {
  listener: RequestListener;
  /** Call this for each accepted connection. */
  accepted: () => void;
}

/**
 * Spreads the start of requests that arrive together over several turns of the event loop, because the start of a
 * thousand requests in one turn would delay every answer in progress. Callers are served in turn, and callers with few
 * waiting requests are served more often: a thousand requests of ten callers hardly delay a request of another caller.
 * Requests of one caller start in the order of their arrival. A caller is the account of a credential that this process
 * has accepted, from any address. For other requests, a caller is an address.
 * Node accepts one connection of each accept queue per turn. Turns are therefore short while connections arrive;
 * otherwise a request would wait in the queue of the system for the work of all earlier connections. Requests whose
 * clients have disconnected before the start are dropped.
 * @param trustedProxyHops number of proxies in front that are trusted to name the client's address
 */
export function paceRequests(listener: RequestListener, trustedProxyHops: number): Pace {
  const waiting = createTurns<WaitingRequest>();
  const accountOf = rememberAccounts();
  let turnBegan: number | undefined;
  let hasAccepted = false;
  let acceptTurns = 0;

  const callerOf = ({ request, credential }: Omit<WaitingRequest, 'caller'>) =>
    (credential && accountOf(credential)) ?? addressOf(request, trustedProxyHops);

  function beginTurn(): number {
    if (turnBegan === undefined) {
      turnBegan = performance.now();
      setImmediate(() => void takeTurn());
    }
    return turnBegan;
  }

  /** Whether another request may start in this turn. */
  const isOpen = () => performance.now() - beginTurn() < TURN_MS;

  async function takeTurn(): Promise<void> {
    turnBegan = performance.now();
    // After a connection was accepted, further connections may be waiting. Such a turn therefore starts no requests.
    acceptTurns = hasAccepted && acceptTurns < ACCEPT_TURNS ? acceptTurns + 1 : 0;
    hasAccepted = false;
    if (acceptTurns === 0) await beginWaiting();
    if (waiting.size > 0 || acceptTurns > 0) setImmediate(() => void takeTurn());
    else turnBegan = undefined;
  }

  async function beginWaiting(): Promise<void> {
    for (let next = waiting.take(); next; next = waiting.take()) {
      if (next.response.closed || next.response.destroyed) continue;
      const caller = callerOf(next);
      // When the account of a request was found while the request waited as one of its address, the request now waits as one of its
      // account.
      if (caller !== next.caller) {
        waiting.add(caller, { ...next, caller });
        continue;
      }
      start(next);
      // Lets the listener continue after its first await within this turn.
      await Promise.resolve();
      if (!isOpen()) break;
    }
  }

  function start({ request, response, credential }: Omit<WaitingRequest, 'caller'>): void {
    if (credential) accountOf.learn(credential, response);
    listener(request, response);
  }

  return {
    listener: (request, response) => {
      const arrived = { request, response, credential: credentialOf(request) };
      if (isOpen() && waiting.size === 0 && !hasAccepted && acceptTurns === 0) start(arrived);
      else {
        const caller = callerOf(arrived);
        waiting.add(caller, { ...arrived, caller });
      }
    },
    accepted: () => {
      hasAccepted = true;
      beginTurn();
    },
  };
}

interface WaitingRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** Digest of the request's credential. */
  credential: string | undefined;
  caller: string;
}

/** Remembers the accounts of credentials that this process has accepted. */
function rememberAccounts() {
  /**
   * The account of each credential, or the response to the first request with this credential while it is in progress.
   */
  const known = new LRUCache<string, string | ServerResponse>({ max: CREDENTIALS });

  function accountOf(credential: string): string | undefined {
    const found = known.get(credential);
    if (typeof found !== 'object') return found;
    const account = userOf(found);
    if (account !== undefined) known.set(credential, account);
    return account;
  }

  /**
   * Reads the account of a credential from the response to a request, as soon as the gate has stored the account there.
   */
  function learn(credential: string, response: ServerResponse): void {
    if (!known.has(credential)) known.set(credential, response);
    onClose(response, () => {
      const account = userOf(response);
      if (account !== undefined) known.set(credential, account);
      else if (response.statusCode === 401 || known.get(credential) === response) known.delete(credential);
    });
  }

  return Object.assign(accountOf, { learn });
}

function credentialOf({ headers }: IncomingMessage): string | undefined {
  const credential = headers.authorization ?? headers.cookie;
  return credential === undefined ? undefined : createHash('sha256').update(credential).digest('base64');
}

/** The address of the client, as Express determines it with `trust proxy`. */
function addressOf({ headers, socket }: IncomingMessage, trustedProxyHops: number): string {
  const forwarded = headers['x-forwarded-for'];
  const named = trustedProxyHops === 0 || typeof forwarded !== 'string' ? [] : forwarded.split(',').reverse();
  const addresses = [socket.remoteAddress ?? '', ...named.slice(0, trustedProxyHops)];
  return ipKey(addresses.at(-1)?.trim() ?? '');
}
