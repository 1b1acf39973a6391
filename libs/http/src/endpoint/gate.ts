import type { Principal } from '@millwright/auth';
import type { MetricCounts } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { ipKey, limitHeaders, tightest, type Budget, type RateLimiter } from '@millwright/rate-limit';
import type { Request, Response } from 'express';
import type { LimitClass } from './contract.js';

/** What an area admits in a calendar minute. */
export interface Budgets {
  /** Per IP: public endpoints, and every request whose credential is missing or wrong. */
  anonymous: Budget;
  /** Per credential. */
  credential: (principal: Principal) => Budget;
  /** Per credential, besides: endpoints of the class `messages`. */
  messages?: Budget;
}

export interface GateOptions<Caller extends Principal = Principal> {
  authenticate: (request: Request) => Promise<Caller | undefined>;
  limiter: RateLimiter;
  budgets: Budgets;
  /** The `WWW-Authenticate` challenge of a 401 (RFC 9110 §11.6.1); it may tell a wrong credential from a missing one. */
  challenge: string | ((request: Request, credential: 'missing' | 'wrong') => string);
  /** Where the requests of known callers are counted. */
  counts?: Pick<MetricCounts, 'add' | 'addRequest'> | undefined;
}

/** Credential, then limit: before anything of the body is read. Sets the limit headers on whatever is answered. */
export type Gate<Caller extends Principal = Principal> = (
  request: Request,
  response: Response,
  limit: LimitClass,
  required: boolean,
) => Promise<Caller | undefined>;

export function createGate<Caller extends Principal = Principal>({
  authenticate,
  limiter,
  budgets,
  challenge,
  counts,
}: GateOptions<Caller>): Gate<Caller> {
  async function count(response: Response, counted: readonly { budget: Budget; key: string }[]) {
    const decisions = await Promise.all(counted.map(({ budget, key }) => limiter.consume(budget, key)));
    const shown = tightest(decisions);
    response.set(limitHeaders(shown));
    if (decisions.some((decision) => !decision.admitted)) {
      throw new AppError('rate_limited', { retryAfter: Math.max(1, shown.resetAt - Math.floor(Date.now() / 1_000)) });
    }
  }

  function refuse(error: AppError, request: Request, credential: 'missing' | 'wrong'): AppError {
    if (error.status !== 401) return error;
    const value = typeof challenge === 'string' ? challenge : challenge(request, credential);
    return new AppError('unauthorized', { headers: { 'WWW-Authenticate': value } });
  }

  return async (request, response, limit, required) => {
    const startedAt = performance.now();
    const anonymous = [{ budget: budgets.anonymous, key: ipKey(request.ip ?? '') }];
    if (limit === 'public') {
      await count(response, anonymous);
      return undefined;
    }
    let principal: Caller | undefined;
    try {
      principal = await authenticate(request);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      await count(response, anonymous);
      throw refuse(error, request, 'wrong');
    }
    if (!principal) {
      await count(response, anonymous);
      if (required) throw refuse(new AppError('unauthorized'), request, 'missing');
      return undefined;
    }
    if (counts) countWhenAnswered(counts, principal, response, startedAt);
    const key = principal.credential.id;
    const counted = [{ budget: budgets.credential(principal), key }];
    if (limit === 'messages' && budgets.messages) counted.push({ budget: budgets.messages, key });
    response.locals['principalId'] = principal.user.id;
    await count(response, counted);
    return principal;
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
