import { startRedis, type RedisServer } from '@millwright/testing';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';
import { createUsedKeys } from './used-keys.js';

const limiters: RateLimiter[] = [];
afterEach(async () => {
  await Promise.all(limiters.splice(0).map((limiter) => limiter.close()));
});

describe('useOnce with Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => (redis = await startRedis()));
  afterEach(() => redis.resume());
  afterAll(() => redis.stop());

  /** Makes the rate limiter of one process. */
  function process(options: object = {}): RateLimiter {
    const limiter = createRateLimiter({ redisUrl: redis.url, deadlineMs: 60_000, ...options });
    limiters.push(limiter);
    return limiter;
  }

  it('admits only one of many concurrent uses of a key in several processes', async () => {
    const processes = [process(), process(), process()];
    const uses = processes.flatMap((limiter) => Array.from({ length: 10 }, () => limiter.useOnce('proof', 90)));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
    expect(await process().useOnce('another', 90)).toBe(true);
  });

  it('refuses, while Redis does not answer, only the keys that were used in the same process', async () => {
    const limiter = process({ deadlineMs: 50 });
    expect(await limiter.useOnce('before', 90)).toBe(true);
    redis.pause();
    expect([await limiter.useOnce('paused', 90), await limiter.useOnce('paused', 90)]).toEqual([true, false]);
  });

  it('refuses every key while Redis does not answer, if limits must be shared', async () => {
    const limiter = process({ deadlineMs: 50, withoutRedis: 'refuse' });
    expect(await limiter.useOnce('shared', 90)).toBe(true);
    redis.pause();
    await expect(limiter.useOnce('unshared', 90)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('createUsedKeys without Redis', () => {
  it('admits a key again after its lifetime, and refuses new keys while it stores as many keys as it may', async () => {
    let at = 0;
    const useOnce = createUsedKeys({
      ...{ redis: undefined, attempt: (call) => call(), mustShare: false, now: () => at, most: 2 },
    });
    expect([await useOnce('a', 90), await useOnce('a', 90), await useOnce('b', 10)]).toEqual([true, false, true]);
    await expect(useOnce('c', 90)).rejects.toMatchObject({ code: 'unavailable' });
    at = 10_000;
    expect([await useOnce('c', 90), await useOnce('a', 90)]).toEqual([true, false]);
    at = 90_000;
    expect(await useOnce('a', 90)).toBe(true);
  });
});
