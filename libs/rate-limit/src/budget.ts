/**
 * Number of requests that one caller may send in a calendar minute or a calendar hour. `name` distinguishes the budgets
 * of one caller.
 */
export interface Budget {
  name: string;
  limit: number;
  /** Period of the budget. Default: `minute`. */
  per?: 'minute' | 'hour';
}

export interface Decision {
  limit: number;
  remaining: number;
  /** End of the calendar minute or hour in Unix seconds, the same on every replica. */
  resetAt: number;
  admitted: boolean;
}

export type LimitHeader = 'X-RateLimit-Limit' | 'X-RateLimit-Remaining' | 'X-RateLimit-Reset';

/**
 * Chooses the budget for the response headers: a budget that refuses, or else the budget with the fewest remaining
 * requests.
 *
 * @throws RangeError when there are no decisions.
 */
export function tightest(decisions: readonly Decision[]): Decision {
  const [first] = decisions.toSorted(
    (a, b) => Number(a.admitted) - Number(b.admitted) || a.remaining - b.remaining || a.limit - b.limit,
  );
  if (first === undefined) throw new RangeError('tightest() needs at least one decision');
  return first;
}

export function limitHeaders(decision: Decision): Record<LimitHeader, string> {
  return {
    'X-RateLimit-Limit': String(decision.limit),
    'X-RateLimit-Remaining': String(decision.remaining),
    'X-RateLimit-Reset': String(decision.resetAt),
  };
}
