import { createShares } from './shares.js';

const never = () => new AbortController().signal;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('createShares', () => {
  it('admits waiting requests of a key in the order of arrival, and requests of another key immediately', async () => {
    const shares = createShares(2);
    const give = await shares.take('a', never);
    const giveSecond = await shares.take('a', never);
    const served: number[] = [];
    const waiting = [1, 2, 3].map((n) => shares.take('a', never).then((back) => (served.push(n), back)));
    (await shares.take('b', never))();
    expect(served).toEqual([]);
    give();
    const [first] = await Promise.all(waiting.slice(0, 1));
    expect(served).toEqual([1]);
    giveSecond();
    await waiting[1];
    first?.();
    await waiting[2];
    expect(served).toEqual([1, 2, 3]);
  });

  it('refuses a request that has waited for five seconds, and admits a later request once a place is free', async () => {
    const shares = createShares(1);
    const give = await shares.take('a', never);
    const refused = expect(shares.take('a', never)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 1 });
    await jest.advanceTimersByTimeAsync(5_000);
    await refused;
    give();
    await expect(shares.take('a', never)).resolves.toBeInstanceOf(Function);
  });

  it('refuses a further request immediately while a thousand requests wait', async () => {
    const shares = createShares(1);
    await shares.take('a', never);
    const waiting = Array.from({ length: 1_000 }, () => shares.take('a', never));
    await expect(shares.take('a', never)).rejects.toMatchObject({ code: 'rate_limited' });
    const settled = Promise.allSettled(waiting);
    await jest.advanceTimersByTimeAsync(5_000);
    expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('refuses a waiting request whose client disconnects, and admits the next request', async () => {
    const shares = createShares(1);
    const give = await shares.take('a', never);
    const leaving = new AbortController();
    const left = expect(shares.take('a', () => leaving.signal)).rejects.toMatchObject({ code: 'rate_limited' });
    const next = shares.take('a', never);
    leaving.abort();
    await left;
    give();
    await expect(next).resolves.toBeInstanceOf(Function);
  });
});
