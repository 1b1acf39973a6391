import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { startRedis, type RedisServer } from '@millwright/testing';
import { LEASE_MS } from './places.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';

let redis: RedisServer;
let client: Redis;
let at: number;
const limiters: RateLimiter[] = [];
let keys = 0;

beforeAll(async () => {
  redis = await startRedis();
  client = new Redis(redis.url);
});
beforeEach(() => {
  at = Date.now();
});
afterEach(async () => {
  redis.resume();
  await Promise.all(limiters.splice(0).map((limiter) => limiter.close()));
});
afterAll(async () => {
  client.disconnect();
  await redis.stop();
});

/** The limiters of `count` processes, with one clock. */
function processes(count: number, deadlineMs = 60_000): RateLimiter[] {
  const made = Array.from({ length: count }, () =>
    createRateLimiter({ redisUrl: redis.url, now: () => at, deadlineMs }),
  );
  limiters.push(...made);
  return made;
}

const newKey = () => `${process.pid}-${keys++}`;
const user = (key: string, limit: number) => ({ name: 'streams-user', limit, key });
const project = (key: string, limit: number) => ({ name: 'streams-project', limit, key });

type Release = () => void;

/** Requests `count` places at the same time, spread evenly over the processes. Returns the release functions of the granted places. */
async function ask(from: readonly RateLimiter[], count: number, ...caps: Parameters<RateLimiter['hold']>[0][number][]) {
  const answers = await Promise.all(Array.from({ length: count }, async (_, n) => from[n % from.length]?.hold(caps)));
  return answers.filter((release): release is Release => release !== undefined);
}

describe.each([1, 3, 9])('places that %i processes share', (count) => {
  it.each([1, 64, 200])('are limited to exactly %i, for any number of simultaneous requests', async (limit) => {
    const all = processes(count);
    const cap = user(newKey(), limit);
    const held = await ask(all, 2 * limit + count, cap);
    expect(held).toHaveLength(limit);
    const [first, second] = held;
    first?.();
    first?.();
    second?.();
    expect(await ask(all, 9, cap)).toHaveLength(Math.min(2, limit));
  });
});

describe('places', () => {
  it('count against all limits of a request, or against none when one of the limits is reached', async () => {
    const [first, second] = processes(2) as [RateLimiter, RateLimiter];
    const [ada, grace, core] = [newKey(), newKey(), newKey()];
    expect(await ask([first], 3, user(ada, 3), project(core, 4))).toHaveLength(3);
    expect(await ask([second], 3, user(grace, 3), project(core, 4))).toHaveLength(1);
    expect(await ask([first], 9, user(grace, 3))).toHaveLength(2);
  });

  it('of a killed process become free when its lease ends, while other processes keep their places', async () => {
    const [first, second, killed] = processes(3) as [RateLimiter, RateLimiter, RateLimiter];
    const cap = user(newKey(), 9);
    for (const process of [first, second, killed]) expect(await ask([process], 3, cap)).toHaveLength(3);
    await killed.close();
    for (let passed = 0; passed < LEASE_MS; passed += LEASE_MS / 4) {
      expect(await first.hold([cap])).toBeUndefined();
      at += LEASE_MS / 4;
      await Promise.all([first.renewPlaces(), second.renewPlaces()]);
    }
    expect(await ask([first, second], 9, cap)).toHaveLength(3);
  });

  it('of a request are taken with one Redis command, and returned with one Redis command', async () => {
    const [only] = processes(1) as [RateLimiter];
    const scripts = async () => Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(await client.info('commandstats'))?.[1]);
    const caps = [user(newKey(), 9), project(newKey(), 9)];
    const kept = await only.hold(caps);
    (await only.hold(caps))?.();
    const before = await scripts();
    const release = await only.hold(caps);
    expect((await scripts()) - before).toBe(1);
    release?.();
    await only.close();
    expect((await scripts()) - before).toBe(2);
    expect(kept).toBeInstanceOf(Function);
  });

  it('leave nothing in Redis after all of them were returned', async () => {
    const [only] = processes(1) as [RateLimiter];
    const key = newKey();
    for (const release of await ask([only], 5, user(key, 5))) release();
    await only.close();
    expect(await client.keys(`*${key}*`)).toEqual([]);
  });
});

describe('places while Redis does not answer', () => {
  it('are limited by each process alone, and count for all processes from the first renewal after Redis answers', async () => {
    const [first, second] = processes(2, 100) as [RateLimiter, RateLimiter];
    const cap = user(newKey(), 3);
    redis.pause();
    expect(await ask([first], 9, cap)).toHaveLength(3);
    expect(await ask([second], 1, cap)).toHaveLength(1);
    redis.resume();
    const [third] = processes(1) as [RateLimiter];
    while ((await client.keys(`*${cap.key}*`)).length === 0) await first.renewPlaces();
    expect(await third.hold([cap])).toBeUndefined();
  });

  it('are refused when limits must hold over all processes', async () => {
    const strict = createRateLimiter({ redisUrl: redis.url, withoutRedis: 'refuse', deadlineMs: 1_000 });
    limiters.push(strict);
    const cap = user(newKey(), 3);
    expect(await ask([strict], 1, cap)).toHaveLength(1);
    redis.pause();
    expect(await ask([strict], 3, cap)).toEqual([]);
    redis.resume();
    while ((await ask([strict], 1, cap)).length === 0) {
      await delay(50);
      await strict.renewPlaces();
    }
    expect(await ask([strict], 3, cap)).toHaveLength(1);
  });

  it('are counted in Redis again by the next renewal after Redis restarted without its data', async () => {
    const [first, second] = processes(2) as [RateLimiter, RateLimiter];
    const cap = user(newKey(), 2);
    expect(await ask([first], 2, cap)).toHaveLength(2);
    await client.flushall();
    await first.renewPlaces();
    expect(await second.hold([cap])).toBeUndefined();
  });
});
