import { setTimeout as sleep } from 'node:timers/promises';
import { createRateLimiter, type LimiterBackend, type RateLimiter } from './rate-limiter.js';
import { startCluster, startSentinelGroup, type RedisGroup } from './test-redis-groups.js';

describe.each([
  ['Sentinel', startSentinelGroup],
  ['a Cluster', startCluster],
])('Redis behind %s', (_name, startGroup) => {
  const at = Date.now();
  const limiters: RateLimiter[] = [];
  /** The backend that counted the last request of each limiter. */
  const countedBy: LimiterBackend[] = [];
  let group: RedisGroup;

  beforeAll(async () => {
    group = await startGroup();
    createLimiter();
    createLimiter();
  });
  afterAll(async () => {
    await Promise.all(limiters.map((limiter) => limiter.close()));
    await group.stop();
  });

  function createLimiter(): RateLimiter {
    const index = limiters.length;
    const onDecision = (_budget: object, _decision: object, backend: LimiterBackend) => (countedBy[index] = backend);
    const limiter = createRateLimiter({ redisUrl: group.url, now: () => at, deadlineMs: 5_000, onDecision });
    limiters.push(limiter);
    return limiter;
  }

  const consume = async (limiter: RateLimiter | undefined, limit: number) =>
    limiter?.consume({ name: 'platform', limit }, 'key');

  it('counts the requests of two processes exactly against one limit', async () => {
    const decisions = await Promise.all(Array.from({ length: 20 }, (_, index) => consume(limiters[index % 2], 12)));
    expect(decisions.filter((decision) => decision?.admitted)).toHaveLength(12);
    expect(countedBy).toEqual(['redis', 'redis']);
  });

  it('continues with the same counts after another Redis server has replaced the primary', async () => {
    await group.killPrimary();
    do {
      await sleep(100);
      await Promise.all(limiters.map((limiter) => consume(limiter, 1_000)));
    } while (countedBy.includes('memory'));
    const decision = await consume(createLimiter(), 1_000);
    expect(decision?.remaining).toBeLessThan(1_000 - 12);
    expect(countedBy).toEqual(['redis', 'redis', 'redis']);
  });

  it('counts the places of two processes against the same limits', async () => {
    const caps = [
      { name: 'own', key: 'ann', limit: 3 },
      { name: 'all', key: 'core', limit: 4 },
    ];
    const taken = [];
    for (const index of [0, 1, 0, 1]) taken.push(await limiters[index]?.hold(caps));
    expect(taken.map((giveBack) => giveBack !== undefined)).toEqual([true, true, true, false]);
    for (const giveBack of taken) giveBack?.();
  });
});
