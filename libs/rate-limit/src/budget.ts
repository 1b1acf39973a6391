/** How many requests one caller may make in a calendar minute. `name` tells budgets of the same caller apart. */
export interface Budget {
  name: string;
  limit: number;
}

export interface Decision {
  limit: number;
  remaining: number;
  /** Unix seconds: the end of the calendar minute, so every replica names the same one. */
  resetAt: number;
  admitted: boolean;
}

export type LimitHeader = 'X-RateLimit-Limit' | 'X-RateLimit-Remaining' | 'X-RateLimit-Reset';

/**
 * Of the budgets a request was counted against, the one to show: a refusal before an admission, then the fewest left.
 *
 * @throws RangeError when there is none.
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
