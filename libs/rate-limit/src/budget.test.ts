import { limitHeaders, tightest, type Decision } from './budget.js';

const decision = (over: Partial<Decision>): Decision => ({
  limit: 100,
  remaining: 50,
  resetAt: 1_800_000_060,
  admitted: true,
  ...over,
});

describe('tightest', () => {
  it('returns the budget with the fewest remaining requests', () => {
    expect(tightest([decision({ limit: 60, remaining: 59 }), decision({ limit: 1000, remaining: 3 })]).limit).toBe(
      1000,
    );
  });

  it('returns a budget that refuses rather than a budget that admits and has no requests left', () => {
    const refused = decision({ limit: 60, remaining: 0, admitted: false });
    expect(tightest([decision({ remaining: 0 }), refused])).toBe(refused);
  });

  it('returns the smaller limit when the remaining requests are equal', () => {
    expect(tightest([decision({ limit: 500 }), decision({ limit: 100 })]).limit).toBe(100);
  });

  it('throws a RangeError for an empty list', () => {
    expect(() => tightest([])).toThrow(RangeError);
  });
});

describe('limitHeaders', () => {
  it('state the limit, the remaining requests and the reset in Unix seconds', () => {
    expect(limitHeaders(decision({}))).toEqual({
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '50',
      'X-RateLimit-Reset': '1800000060',
    });
  });
});
