import type { Principal } from '@millwright/auth';
import { AppError, type Area } from '@millwright/errors';
import { ipKey, type RateLimiter } from '@millwright/rate-limit';
import type { Request, RequestHandler, Response } from 'express';
import { hasBody } from '../body/read-body.js';
import type { Metrics } from '../process/metrics.js';
import { onClose } from '../process/on-close.js';
import { clientLeft } from '../protocol/client-left.js';
import type { Capacity } from '../process/service-config.js';
import { createShares, type Shares } from './shares.js';

/** The places that the gate reserves for one request. They are released when the request is answered. */
export interface Admission {
  /**
   * Reserves a place of the credential and a place of the address, until the check of the credential has ended.
   * @throws AppError rate_limited when no place becomes free in time
   */
  authenticate(): Promise<void>;
  /**
   * Reserves a place of the address and a place of the process, for a request without a known caller.
   * @throws AppError rate_limited when no place becomes free in time; unavailable when the process has reached its limit
   */
  admitAnonymous(): Promise<void>;
  /**
   * Reserves a place of the account, a place of the account's project and a place of the process.
   * @throws AppError rate_limited when no place becomes free in time; unavailable when the process has reached its limit
   */
  admit(caller: Pick<Principal, 'user' | 'project'>): Promise<void>;
  /**
   * Reserves a place for a read that uses much of the database or the process. Call this after `admit` or
   * `admitAnonymous`. The place is free again when the read has ended, when the client has its answer or has
   * disconnected, and when a pause has passed. The pause is as long as the read took, or as long as the bytes of the
   * answer take at EXPENSIVE_BYTES_PER_S, whichever is longer.
   *
   * @returns the function to call at the end of the read
   * @throws AppError rate_limited when no place becomes free in time
   */
  admitExpensive(): Promise<() => void>;
  /**
   * Reserves a place for a large body. Call this after `admit`. The place is free again once the request is answered.
   * @throws AppError rate_limited when no place becomes free in time
   */
  admitLargeBody(): Promise<void>;
  /**
   * Counts the request as an event stream from now on, and frees its place: a stream may stay open for an hour, so
   * streams have a separate limit.
   *
   * @throws AppError rate_limited when the account or the project has too many streams; unavailable when the process has too many
   */
  becomeStream(): Promise<void>;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express declares what a response carries in this namespace
  namespace Express {
    interface Locals {
      /** Admission of the request; undefined for requests that are always answered, such as those for health. */
      admission?: Admission;
    }
  }
}

/**
 * Limits of concurrent expensive reads in a process. A user has one read at a time, which keeps either the database or the process busy,
 * but not both. A pause that is as long as the read follows. So one account uses at most half of a core in each service. The address of an
 * anonymous caller counts as a user; all anonymous callers share one place.
 */
const EXPENSIVE = { perUser: 1, perProject: 3, anonymous: 1 };
/**
 * Bytes per second of answers that an account or an address can receive from expensive reads. The cost of such a read grows with the bytes
 * of its answer. With this limit, an account that requests large pages without end uses only a small share of one core.
 */
const EXPENSIVE_BYTES_PER_S = 8 * 1_048_576;

/**
 * Limits of requests with large bodies in a process. Each such request needs some 25 MiB until it is answered, for the
 * body and for the request to the model.
 */
const LARGE_BODIES = { perUser: 4, perProject: 8, perProcess: 12 };

/**
 * Limit of concurrent checks of one credential in a process. Four checks are enough to use a whole core. Without the
 * limit, an account could have hundreds of requests from many addresses in progress, and each of them would delay every
 * step of every other request.
 */
const CHECKS_PER_CREDENTIAL = 4;

/** Seconds after which a client may try to open one more stream. */
const STREAM_RETRY_S = 10;

export interface AdmissionOptions {
  /** The service. Its streams are counted separately from the streams of other services. */
  area: Area;
  capacity: Capacity;
  metrics: Metrics;
  /** Counts the open streams over all processes. */
  limiter: Pick<RateLimiter, 'hold'>;
}

/**
 * Attaches an admission to each request, so that one caller can never take all places: an address, an account and a
 * project each have a share. Requests whose bodies are still being received are counted separately from requests that
 * are being answered.
 */
export function admitRequests({ area, capacity, metrics, limiter }: AdmissionOptions): RequestHandler {
  // These requests are counted separately, so that slow anonymous uploads from an address do not delay the checks of
  // credentials from the same address.
  const authenticating = createShares(capacity.MAX_IN_FLIGHT_PER_ADDRESS);
  const authenticatingCredentials = createShares(CHECKS_PER_CREDENTIAL);
  const anonymous = createShares(capacity.MAX_IN_FLIGHT_PER_ADDRESS);
  const users = createShares(capacity.MAX_IN_FLIGHT_PER_USER);
  const projects = createShares(capacity.MAX_IN_FLIGHT_PER_PROJECT);
  const expensiveOfUsers = createShares(EXPENSIVE.perUser);
  const expensiveOfProjects = createShares(EXPENSIVE.perProject);
  const expensiveAnonymous = createShares(EXPENSIVE.anonymous);
  const largeOfUsers = createShares(LARGE_BODIES.perUser);
  const largeOfProjects = createShares(LARGE_BODIES.perProject);
  const large = createShares(LARGE_BODIES.perProcess);
  const expensive: readonly Shares[] = [expensiveOfUsers, expensiveOfProjects, expensiveAnonymous];
  const streamsOf = (caller: Pick<Principal, 'user' | 'project'> | undefined, address: string) => {
    const user = { name: `${area}-streams-user`, limit: capacity.MAX_STREAMS_PER_USER };
    if (!caller) return [{ ...user, key: address }];
    const project = { name: `${area}-streams-project`, limit: capacity.MAX_STREAMS_PER_PROJECT, key: caller.project };
    return [{ ...user, key: caller.user.id }, project];
  };
  const most = {
    receiving: capacity.MAX_IN_FLIGHT,
    answering: capacity.MAX_IN_FLIGHT,
    streaming: capacity.MAX_STREAMS,
  };
  const underWay = { receiving: 0, answering: 0, streaming: 0 };

  function shedBeyond(stage: keyof typeof underWay) {
    if (underWay[stage] < most[stage]) return;
    metrics.countShed();
    throw new AppError('unavailable');
  }

  function admissionOf(request: Request, response: Response): Admission {
    const held = new Map<Shares, () => void>();
    let giveBackStream: (() => void) | undefined;
    let stage: keyof typeof underWay | undefined;
    let closed = response.closed;
    let isReading = false;
    /** Duration of the expensive read in milliseconds. */
    let readMs = 0;
    /** Whether the response has closed. Call this again after each await, because the response may close meanwhile. */
    const isClosed = () => closed;
    let caller: Pick<Principal, 'user' | 'project'> | undefined;

    function setStage(next: typeof stage) {
      if (stage) underWay[stage] -= 1;
      if (next) underWay[next] += 1;
      stage = next;
    }
    const giveBack = (shares: Shares) => {
      held.get(shares)?.();
      held.delete(shares);
    };
    // The listener is registered before any await: when a response has already closed, a listener that is added later
    // is never called.
    onClose(response, () => {
      closed = true;
      for (const shares of [...held.keys()]) if (!expensive.includes(shares)) giveBack(shares);
      if (!isReading) giveBackExpensive();
      giveBackStream?.();
      setStage(undefined);
    });

    function giveBackExpensive() {
      giveBack(expensiveOfProjects);
      const bytes = Number(response.getHeader('Content-Length') ?? 0);
      giveBackAfter(Math.max(readMs, (1_000 * bytes) / EXPENSIVE_BYTES_PER_S), expensiveOfUsers);
    }
    function giveBackAfter(ms: number, shares: Shares) {
      if (held.has(shares)) setTimeout(() => giveBack(shares), ms).unref();
    }

    function endAuthentication() {
      giveBack(authenticating);
      giveBack(authenticatingCredentials);
    }

    async function take(shares: Shares, key: string) {
      if (held.has(shares)) return;
      held.set(shares, await shares.take(key, () => clientLeft(response)));
      if (closed) giveBack(shares);
    }

    function begin() {
      if (stage || closed) return;
      const first = hasBody(request) && !request.complete ? 'receiving' : 'answering';
      shedBeyond(first);
      setStage(first);
      if (first === 'receiving') request.once('end', () => stage === 'receiving' && setStage('answering'));
    }
    const address = ipKey(request.ip ?? '');

    return {
      async authenticate() {
        const { authorization, cookie } = request.headers;
        const credential = authorization ?? cookie;
        // The place of the credential is reserved before the place of the address. Requests that wait for one
        // credential must not take the places of other credentials at the same address.
        if (credential !== undefined) await take(authenticatingCredentials, credential);
        await take(authenticating, address);
      },
      async admitAnonymous() {
        endAuthentication();
        await take(anonymous, address);
        begin();
      },
      async admit(known) {
        caller = known;
        endAuthentication();
        await take(users, known.user.id);
        await take(projects, known.project);
        begin();
      },
      async admitExpensive() {
        await take(expensiveOfUsers, caller?.user.id ?? address);
        if (caller) await take(expensiveOfProjects, caller.project);
        else await take(expensiveAnonymous, '');
        isReading = true;
        const began = performance.now();
        return () => {
          isReading = false;
          readMs = performance.now() - began;
          // A client that reads its answer slowly must not keep the place that all anonymous callers share.
          giveBackAfter(readMs, expensiveAnonymous);
          if (closed) giveBackExpensive();
        };
      },
      async admitLargeBody() {
        await take(largeOfUsers, caller?.user.id ?? address);
        if (caller) await take(largeOfProjects, caller.project);
        await take(large, '');
      },
      async becomeStream() {
        if (stage === 'streaming' || isClosed()) return;
        shedBeyond('streaming');
        const before = stage;
        setStage('streaming');
        giveBackStream = await limiter.hold(streamsOf(caller, address));
        if (!giveBackStream) {
          if (!isClosed()) setStage(before);
          throw new AppError('rate_limited', { retryAfter: STREAM_RETRY_S });
        }
        if (isClosed()) giveBackStream();
        for (const shares of [anonymous, users, projects]) giveBack(shares);
      },
    };
  }

  return (request, response, next) => {
    shedBeyond('answering');
    response.locals.admission = admissionOf(request, response);
    next();
  };
}
