import { recordDenial } from '@millwright/audit';
import { callerOf, type Principal, type Scope } from '@millwright/auth';
import { DPOP_CHALLENGE } from '@millwright/auth/dpop';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requestOrigin } from '@millwright/http/protocol';
import { limitHeaders, type Budget, type RateLimiter } from '@millwright/rate-limit';
import type { Request, Response } from 'express';

/** The scope that every operation requires. The cards of agents publish it. */
const SCOPE: Scope = 'agents:message';

const metadataOf = (runtimeUrl: string) =>
  `resource_metadata="${runtimeUrl}/.well-known/oauth-protected-resource", scope="${SCOPE}"`;

/**
 * Builds the challenge of a 401. It names the endpoint's metadata (RFC 6750 §3, RFC 9728 §5.1), and has an error only when the request had a
 * credential.
 */
export const createA2AChallenge = (runtimeUrl: string) => (_request: Request, credential: 'missing' | 'wrong') =>
  `Bearer ${credential === 'wrong' ? 'error="invalid_token", ' : ''}${metadataOf(runtimeUrl)}, ${DPOP_CHALLENGE}`;

export function callerIn(request: Request, principal: Principal) {
  return callerOf(principal, requestOrigin(request));
}

/** Requires the scope of A2A, and records a denial. @throws AppError forbidden */
export async function requireScope(db: Database, runtimeUrl: string, request: Request, principal: Principal) {
  if (principal.scopes.has(SCOPE)) return;
  const resource = `${request.baseUrl}${request.path}`.slice(0, 500);
  const entry = { ...callerIn(request, principal), action: 'a2a.request', resource };
  await recordDenial(db, entry, `scope ${SCOPE} is missing`);
  const challenge = `Bearer error="insufficient_scope", ${metadataOf(runtimeUrl)}`;
  throw new AppError('forbidden', { headers: { 'WWW-Authenticate': challenge } });
}

/**
 * Counts a message in the budget of `POST …/messages`. The rate limit headers then describe the budget that is nearer to its limit. @throws AppError
 * rate_limited when that budget is used up
 */
export async function countMessage(
  limiter: RateLimiter,
  budget: Budget,
  { credential }: Principal,
  response: Response,
) {
  const decision = await limiter.consume(budget, credential.id);
  if (decision.remaining <= Number(response.get('X-RateLimit-Remaining'))) response.set(limitHeaders(decision));
  if (decision.admitted) return;
  const retryAfter = Math.max(1, decision.resetAt - Math.floor(Date.now() / 1_000));
  throw new AppError('rate_limited', { retryAfter });
}
