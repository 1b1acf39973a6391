import { createHash } from 'node:crypto';
import type { Principal } from '@millwright/auth';
import { changeOwner, type Database, type MetricCounts } from '@millwright/db';
import { AppError } from '@millwright/errors';
import {
  ipKey,
  limitHeaders,
  tightest,
  type Budget,
  type Counted,
  type Decision,
  type RateLimiter,
} from '@millwright/rate-limit';
import type { Request, Response } from 'express';
import { requestIdOf } from '../process/index.js';
import { needsCredential, requireAccess, type PrincipalFor, type Access } from './access.js';
import type { LimitClass } from './contract.js';

/** The requests that a service admits in a calendar minute. */
export interface Budgets {
  /** Budget of each IP address: for public endpoints, and for every request whose credential is missing or wrong. */
  anonymous: Budget;
  /**
   * Budget of each IP address for requests of a sign-in. It is separate, so that other requests from the same address
   * do not prevent a sign-in. Default: `anonymous`.
   */
  signIn?: Budget;
  /** Returns the budget of a credential. */
  credential: (principal: Principal) => Budget;
  /** Budget of each credential for endpoints of the class `messages`, in addition to `credential`. */
  messages?: Budget;
  /**
   * Budgets of each account and of each project over all their credentials, because a user can create several
   * credentials.
   */
  ceilings?: Ceilings;
}

export interface Ceilings {
  account: Budget;
  project: Budget;
  /** Budget of each account for endpoints of the class `messages`. */
  messages?: Budget;
}

export interface GateOptions<Caller extends Principal = Principal> {
  /** Stores the audit rows of refused attempts. */
  db: Database;
  authenticate: (request: Request, response: Response) => Promise<Caller | undefined>;
  limiter: RateLimiter;
  budgets: Budgets;
  /**
   * The `WWW-Authenticate` challenge of a 401 (RFC 9110 §11.6.1). It may differ for a wrong and for a missing
   * credential.
   */
  challenge: string | ((request: Request, credential: 'missing' | 'wrong') => string);
  /** Counts the requests of authenticated callers. */
  counts?: Pick<MetricCounts, 'add' | 'addRequest'> | undefined;
}

/** The 401 for a request without the credential that it needs. */
export class CredentialMissing extends AppError {
  constructor(challenge: string) {
    super('unauthorized', { headers: { 'WWW-Authenticate': challenge } });
  }
}

/**
 * Checks the credential, then the limit, then the access, before any of the body is read. Sets the limit headers on every answer. Refused
 * attempts of authenticated callers are recorded; `action` is the name of the attempt in the audit row.
 *
 * @throws AppError unauthorized for a missing or wrong credential; rate_limited beyond a limit; unavailable beyond the limit of the
 *   process; forbidden and step_up_required without the access
 */
export type Gate<Caller extends Principal = Principal> = <const Required extends Access>(
  request: Request,
  response: Response,
  limit: LimitClass,
  access: Required,
  action?: string,
) => Promise<PrincipalFor<Required, Caller>>;

export const challengeFor = (
  challenge: GateOptions['challenge'],
  request: Request,
  credential: 'missing' | 'wrong',
): string => (typeof challenge === 'string' ? challenge : challenge(request, credential));

/** Returns the budget for requests with a refused credential: it has the same limit as the given budget, but is counted separately. */
export const refusedBudget = ({ name, limit }: Budget): Budget => ({ name: `${name}-refused`, limit });

/**
 * Counts a request against a further budget of its address, and refuses the request beyond the limit. When `account` is
 * given, the budget counts only requests of the address for this name of an account.
 */
export type AddressLimit = (request: Request, response: Response, account?: string) => Promise<void>;

/** Creates the limit of a budget per address in addition to {@link Budgets}. Requests beyond the limit are answered 429. */
export function createAddressLimit(limiter: RateLimiter, budget: Budget): AddressLimit {
  return async (request, response, account) => {
    const address = ipKey(request.ip ?? '');
    const key = account === undefined ? address : `${address}:${digest(account)}`;
    requireAdmitted(await limiter.consume(budget, key), response);
  };
}

/**
 * Sets the limit headers of a decision that refuses the request. Use it for budgets that the gate does not check itself.
 *
 * @throws AppError rate_limited when the decision refuses the request
 */
export function requireAdmitted(decision: Decision, response: Response): void {
  if (decision.admitted) return;
  response.set(limitHeaders(decision));
  throw new AppError('rate_limited', { retryAfter: secondsUntil(decision.resetAt) });
}

/** Makes the part of a counter's key that stands for an account: a digest, because names of accounts are personal and may be long. */
const digest = (account: string) => createHash('sha256').update(account).digest('base64url');

const secondsUntil = (unixSeconds: number) => Math.max(1, unixSeconds - Math.floor(Date.now() / 1_000));

export function createGate<Caller extends Principal = Principal>({
  db,
  authenticate,
  limiter,
  budgets,
  challenge,
  counts,
}: GateOptions<Caller>): Gate<Caller> {
  /** Counts a request against the budgets in order: first the caller's own budgets, then shared budgets. */
  async function count(response: Response, counted: readonly Counted[]) {
    const decisions = await limiter.consumeAll(counted);
    const shown = tightest(decisions);
    response.set(limitHeaders(shown));
    if (decisions.some((decision) => !decision.admitted)) {
      throw new AppError('rate_limited', { retryAfter: secondsUntil(shown.resetAt) });
    }
  }

  function wrongCredential(error: AppError, request: Request): AppError {
    // When the authenticator has set a challenge, this challenge is kept. For some credentials, it has more parameters than the challenge
    // of the service.
    if (error.status !== 401 || error.headers['WWW-Authenticate'] !== undefined) return error;
    return new AppError('unauthorized', { headers: { 'WWW-Authenticate': challengeFor(challenge, request, 'wrong') } });
  }

  async function admit(request: Request, response: Response, limit: LimitClass, access: Access) {
    const startedAt = performance.now();
    const { admission } = response.locals;
    const address = ipKey(request.ip ?? '');
    const anonymous = [{ budget: budgets.anonymous, key: address }];
    if (limit === 'public' || limit === 'sign-in') {
      const { signIn = budgets.anonymous } = budgets;
      await count(response, limit === 'sign-in' ? [{ budget: signIn, key: address }] : anonymous);
      await admission?.admitAnonymous();
      return access === 'setup' ? authenticate(request, response) : undefined;
    }
    if (limit !== 'client') await admission?.authenticate();
    // Requests with refused credentials are also counted in a separate budget. When it is used up, requests of the address are refused
    // before their credentials are read.
    const refused = [{ budget: refusedBudget(budgets.anonymous), key: address }, ...anonymous];
    if (limiter.isSpent(refusedBudget(budgets.anonymous), address)) await count(response, refused);
    if (limit === 'client') {
      await admission?.admitAnonymous();
      return undefined;
    }
    let principal: Caller | undefined;
    try {
      principal = await authenticate(request, response);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      await count(response, refused);
      throw wrongCredential(error, request);
    }
    if (!principal) {
      await count(response, anonymous);
      if (needsCredential(access)) throw new CredentialMissing(challengeFor(challenge, request, 'missing'));
      await admission?.admitAnonymous();
      return undefined;
    }
    if (counts) countWhenAnswered(counts, principal, response, startedAt);
    const key = principal.credential.id;
    const counted = [{ budget: budgets.credential(principal), key }];
    if (limit === 'messages' && budgets.messages) counted.push({ budget: budgets.messages, key });
    const { ceilings } = budgets;
    if (ceilings) counted.push({ budget: ceilings.account, key: principal.user.id });
    if (ceilings?.messages && limit === 'messages') counted.push({ budget: ceilings.messages, key: principal.user.id });
    if (ceilings) counted.push({ budget: ceilings.project, key: principal.project });
    response.locals.principalId = principal.user.id;
    changeOwner(principal.user.id);
    await count(response, counted);
    await admission?.admit(principal);
    return principal;
  }

  return async <const Required extends Access>(
    request: Request,
    response: Response,
    limit: LimitClass,
    access: Required,
    action = 'request',
  ) => {
    const principal = await admit(request, response, limit, access);
    if (principal && needsCredential(access)) {
      const path = request.baseUrl + request.path;
      await requireAccess(db, access, principal, {
        requestId: requestIdOf(request),
        ip: request.ip ?? '',
        path,
        action,
      });
    }
    // The cast is safe, because the access was checked above.
    return principal as PrincipalFor<Required, Caller>;
  };
}

function countWhenAnswered(
  counts: Pick<MetricCounts, 'add' | 'addRequest'>,
  { project }: Principal,
  response: Response,
  startedAt: number,
): void {
  response.once('finish', () => {
    counts.addRequest(project, performance.now() - startedAt);
    if (response.statusCode >= 400) counts.add(project, 'errors');
  });
}
