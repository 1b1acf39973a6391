import { Redis } from 'ioredis';
import { connect, createServer, type Socket } from 'node:net';
import { freePort, startRedis, type RedisServer } from '@millwright/testing';
import type { Decision } from './budget.js';
import { createRateLimiter, type LimiterBackend, type RateLimiter, type RateLimiterOptions } from './rate-limiter.js';

let redis: RedisServer;
const limiters: RateLimiter[] = [];
let keys = 0;

beforeAll(async () => {
  redis = await startRedis();
});

afterEach(async () => {
  await Promise.all(limiters.splice(0).map((limiter) => limiter.close()));
});

afterAll(() => redis.stop());

/** Timeout of Redis in tests of exact numbers: long enough for a busy machine. */
const PATIENT = { deadlineMs: 60_000 };

function limiterWith(options: RateLimiterOptions): RateLimiter {
  const limiter = createRateLimiter(options);
  limiters.push(limiter);
  return limiter;
}

/** A key that no other test counts, so that counts of earlier tests have no effect. */
const newKey = () => `${process.pid}-${keys++}`;

/** Milliseconds within which every decision is made, even on a busy machine, unless it waits for Redis. */
const ANSWERED_MS = 5_000;

/** One clock for all limiters of a test, so that no test runs into a second minute. */
const fixedNow = () => {
  const at = Date.now();
  return () => at;
};

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function eventually(holds: () => boolean, withinMs: number): Promise<number> {
  const start = performance.now();
  while (!holds()) {
    if (performance.now() - start > withinMs) throw new Error(`did not hold within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - start;
}

async function timed<T>(call: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now();
  const result = await call();
  return { result, ms: performance.now() - start };
}

describe('consume without Redis', () => {
  it('admits exactly the limit and counts the remaining requests down to 0', async () => {
    const limiter = limiterWith({ now: fixedNow() });
    const decisions = await Promise.all(times(5, () => limiter.consume({ name: 'platform', limit: 3 }, 'key')));
    expect(decisions.map((d) => [d.admitted, d.remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
    expect(limiter.backend).toBe('memory');
  });

  it('ends the window with the calendar minute, and counts the next window from zero', async () => {
    let at = Date.UTC(2026, 0, 1, 12, 0, 59, 999);
    const limiter = limiterWith({ now: () => at });
    const budget = { name: 'platform', limit: 1 };
    expect(await limiter.consume(budget, 'key')).toEqual({
      limit: 1,
      remaining: 0,
      resetAt: Date.UTC(2026, 0, 1, 12, 1) / 1000,
      admitted: true,
    });
    expect((await limiter.consume(budget, 'key')).admitted).toBe(false);
    at += 1;
    const next = await limiter.consume(budget, 'key');
    expect(next.admitted).toBe(true);
    expect(next.resetAt).toBe(Date.UTC(2026, 0, 1, 12, 2) / 1000);
  });

  it('continues to count in the latest minute when the clock steps back', async () => {
    let at = Date.UTC(2026, 0, 1, 12, 1);
    const limiter = limiterWith({ now: () => at });
    const budget = { name: 'platform', limit: 2 };
    const admitted: boolean[] = [];
    for (const step of [0, -1, 1, -1]) {
      at += step;
      admitted.push((await limiter.consume(budget, 'key')).admitted);
    }
    expect(admitted).toEqual([true, true, false, false]);
  });

  it('counts a budget of an hour until the calendar hour ends', async () => {
    let at = Date.UTC(2026, 0, 1, 12, 0);
    const limiter = limiterWith({ now: () => at });
    const budget = { name: 'register', limit: 1, per: 'hour' as const };
    expect(await limiter.consume(budget, 'key')).toMatchObject({
      admitted: true,
      resetAt: Date.UTC(2026, 0, 1, 13) / 1000,
    });
    at += 3_599_999;
    expect([(await limiter.consume(budget, 'key')).admitted, limiter.isSpent(budget, 'key')]).toEqual([false, true]);
    at += 1;
    expect((await limiter.consume(budget, 'key')).admitted).toBe(true);
  });

  it('counts each budget of each caller separately', async () => {
    const limiter = limiterWith({ now: fixedNow() });
    await limiter.consume({ name: 'platform', limit: 1 }, 'a');
    expect((await limiter.consume({ name: 'platform', limit: 1 }, 'b')).admitted).toBe(true);
    expect((await limiter.consume({ name: 'messages', limit: 1 }, 'a')).admitted).toBe(true);
    expect((await limiter.consume({ name: 'platform', limit: 1 }, 'a')).admitted).toBe(false);
  });

  it('refuses a caller until the end of the minute once its limit is used, and refuses no other caller', async () => {
    let at = Date.UTC(2026, 0, 1, 12, 0, 30);
    const limiter = limiterWith({ now: () => at });
    const budget = { name: 'ip', limit: 2 };
    const spent: boolean[] = [limiter.isSpent(budget, 'a')];
    for (let n = 0; n < 2; n += 1) {
      await limiter.consume(budget, 'a');
      spent.push(limiter.isSpent(budget, 'a'));
    }
    expect(spent).toEqual([false, false, true]);
    expect([limiter.isSpent(budget, 'b'), limiter.isSpent({ name: 'other', limit: 2 }, 'a')]).toEqual([false, false]);
    at += 30_000;
    expect(limiter.isSpent(budget, 'a')).toBe(false);
  });

  it('scales every budget by the multiplier', async () => {
    const limiter = limiterWith({ multiplier: 10, now: fixedNow() });
    expect(await limiter.consume({ name: 'platform', limit: 60 }, 'a')).toMatchObject({ limit: 600, remaining: 599 });
  });

  it('reports each decision with its backend', async () => {
    const seen: unknown[] = [];
    const limiter = limiterWith({
      now: fixedNow(),
      onDecision: (budget, decision, backend) => seen.push([budget.name, decision.admitted, backend]),
    });
    await limiter.consume({ name: 'ip', limit: 1 }, 'a');
    await limiter.consume({ name: 'ip', limit: 1 }, 'a');
    expect(seen).toEqual([
      ['ip', true, 'memory'],
      ['ip', false, 'memory'],
    ]);
  });
});

/** The budgets of one request, from the caller's own budget to the budget that many callers share. */
const counted = (key: string, limits: readonly [own: number, account: number, project: number]) =>
  (['own', 'account', 'project'] as const).map((name, index) => ({
    budget: { name, limit: limits[index] ?? 0 },
    key,
  }));

describe.each([
  ['without Redis', () => ({})],
  ['with Redis', () => ({ redisUrl: redis.url, ...PATIENT })],
])('consumeAll %s', (_where, options) => {
  it('decides on each budget, and does not count the request in the budgets after the first one that refuses it', async () => {
    const limiter = limiterWith({ ...options(), now: fixedNow() });
    const key = newKey();
    const decide = async () =>
      (await limiter.consumeAll(counted(key, [9, 2, 9]))).map(({ admitted, remaining }) => [admitted, remaining]);
    expect(await decide()).toEqual([
      [true, 8],
      [true, 1],
      [true, 8],
    ]);
    await decide();
    expect(await decide()).toEqual([
      [true, 6],
      [false, 0],
    ]);
    expect((await limiter.consume({ name: 'project', limit: 9 }, key)).remaining).toBe(6);
  });

  it('returns no decisions for an empty list of budgets', async () => {
    expect(await limiterWith(options()).consumeAll([])).toEqual([]);
  });
});

describe('consumeAll over several limiters', () => {
  it('uses nothing of a shared budget for a caller that has used up its own budget, even in another process', async () => {
    const now = fixedNow();
    const [first, second] = [
      limiterWith({ redisUrl: redis.url, now, ...PATIENT }),
      limiterWith({ redisUrl: redis.url, now, ...PATIENT }),
    ];
    const key = newKey();
    for (let n = 0; n < 3; n += 1) await first.consumeAll(counted(key, [3, 9, 5]));
    for (let n = 0; n < 20; n += 1) expect(await second.consumeAll(counted(key, [3, 9, 5]))).toHaveLength(1);
    expect(second.isSpent({ name: 'project', limit: 1 }, key)).toBe(false);
    expect((await second.consume({ name: 'project', limit: 5 }, key)).remaining).toBe(1);
  });

  it('sends one Redis command for all budgets of a request', async () => {
    const limiter = limiterWith({ redisUrl: redis.url, ...PATIENT });
    const client = new Redis(redis.url);
    const scripts = async () => Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(await client.info('commandstats'))?.[1]);
    await limiter.consumeAll(counted(newKey(), [9, 9, 9]));
    const before = await scripts();
    await limiter.consumeAll(counted(newKey(), [9, 9, 9]));
    expect((await scripts()) - before).toBe(1);
    client.disconnect();
  });
});

describe('consume with Redis', () => {
  it('admits exactly 100 of 160 parallel requests to two limiters that have just been created', async () => {
    const now = fixedNow();
    const pair = [
      limiterWith({ redisUrl: redis.url, now, ...PATIENT }),
      limiterWith({ redisUrl: redis.url, now, ...PATIENT }),
    ] as const;
    const budget = { name: 'platform', limit: 100 };
    const key = newKey();
    const decisions = await Promise.all(times(160, (index) => pair[index % 2 === 0 ? 0 : 1].consume(budget, key)));
    expect(decisions.filter((d) => d.admitted)).toHaveLength(100);
    expect(new Set(decisions.map((d) => d.resetAt)).size).toBe(1);
    expect(pair.map((limiter) => limiter.backend)).toEqual(['redis', 'redis']);
  });

  it.each([1, 3, 9].flatMap((processes) => [60, 500, 1000].map((limit) => ({ processes, limit }))))(
    'admits exactly $limit of 100 concurrent callers over $processes limiters',
    async ({ processes, limit }) => {
      const now = fixedNow();
      const limiters = times(processes, () => limiterWith({ redisUrl: redis.url, now, ...PATIENT }));
      const key = newKey();
      const remaining: number[] = [];
      let attempts = limit + 60;
      await Promise.all(
        times(100, async (worker) => {
          while (attempts-- > 0) {
            const decision = await limiters[worker % processes]?.consume({ name: 'platform', limit }, key);
            if (decision?.admitted) remaining.push(decision.remaining);
          }
        }),
      );
      expect(remaining.sort((a, b) => a - b)).toEqual(times(limit, (left) => left));
    },
  );
});

describe.each([3, 9])('consume with %i processes', (processes) => {
  const budget = { name: 'platform', limit: 100 };

  /** A relay between a process and Redis. It delays Redis's answers by `lateMs`; `cut` ends it. */
  async function startWire() {
    const wire = { lateMs: 0, url: '', cut: (): Promise<void> => Promise.resolve() };
    const sockets = new Set<Socket>();
    const server = createServer((from) => {
      const to = connect(Number(new URL(redis.url).port), '127.0.0.1');
      for (const socket of [from, to]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => [from, to].forEach((each) => each.destroy()));
      }
      from.pipe(to);
      to.on('data', (chunk) => setTimeout(() => from.write(chunk), wire.lateMs));
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    wire.url = `redis://127.0.0.1:${port}`;
    wire.cut = () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
    return wire;
  }

  it('admits exactly the limit when the answers of Redis to one of the processes are late', async () => {
    const [now, key, wire] = [fixedNow(), newKey(), await startWire()];
    const late = limiterWith({ redisUrl: wire.url, now });
    const others = times(processes - 1, () => limiterWith({ redisUrl: redis.url, now, ...PATIENT }));
    const admitted: boolean[] = [];
    for (let n = 0; n < 8; n += 1) admitted.push((await late.consume(budget, key)).admitted);
    wire.lateMs = 80;
    const rounds = times(200, (n) => n);
    for (let n = rounds.pop(); n !== undefined; n = rounds.pop()) {
      const from = others[n % others.length];
      if (from) admitted.push((await from.consume(budget, key)).admitted);
      if (n % 100 === 50) admitted.push((await late.consume(budget, key)).admitted);
    }
    admitted.push((await late.consume(budget, key)).admitted);
    expect(admitted.filter(Boolean)).toHaveLength(100);
    await late.close();
    await wire.cut();
  });

  it('admits, in a process that loses Redis, at most the requests that remained at that moment', async () => {
    const [now, key, wire] = [fixedNow(), newKey(), await startWire()];
    const lost = limiterWith({ redisUrl: wire.url, now, ...PATIENT });
    const others = times(processes - 1, () => limiterWith({ redisUrl: redis.url, now, ...PATIENT }));
    let admitted = 0;
    const count = async (limiter: RateLimiter | undefined) => {
      if ((await limiter?.consume(budget, key))?.admitted) admitted += 1;
    };
    for (let n = 0; n < 90; n += 1) await count(others[n % others.length]);
    await count(lost); // 91 in all: this process has counted 1 itself, and has read the sum 91 from Redis
    await wire.cut();
    for (let n = 0; n < 150; n += 1) await count(others[n % others.length]);
    expect(admitted).toBe(100);
    for (let n = 0; n < 50; n += 1) await count(lost);
    expect(admitted).toBe(109);
  });

  it.each(['one', 'all'])(
    'after %s of the processes lost Redis, admits a whole limit at each of these processes in the next minute',
    async (which) => {
      const [key, wire] = [newKey(), await startWire()];
      let at = Date.now();
      const limiters = times(processes, (n) =>
        limiterWith({ redisUrl: n === 0 || which === 'all' ? wire.url : redis.url, now: () => at, ...PATIENT }),
      );
      for (const limiter of limiters) await limiter.consume(budget, key);
      await wire.cut();
      at += 60_000;
      const decisions: Decision[] = [];
      for (let n = 0; n < 120; n += 1)
        for (const limiter of limiters) decisions.push(await limiter.consume(budget, key));
      const admitted = decisions.filter((decision) => decision.admitted).length;
      expect(admitted).toBe(which === 'all' ? processes * 100 : 200);
    },
  );

  it.each(['cut off', 'late'])(
    'admits at most the limit; a process that must not count alone answers 503 while its Redis is %s',
    async (fault) => {
      const [key, wire] = [newKey(), await startWire()];
      let at = Date.now();
      const now = () => at;
      const lost = limiterWith({ redisUrl: wire.url, now, withoutRedis: 'refuse', deadlineMs: 1_000 });
      const others = times(processes - 1, () =>
        limiterWith({ redisUrl: redis.url, now, withoutRedis: 'refuse', ...PATIENT }),
      );
      const failures: unknown[] = [];
      const decide = async (limiter: RateLimiter | undefined) => {
        try {
          return await limiter?.consume(budget, key);
        } catch (error) {
          failures.push(error);
          return undefined;
        }
      };
      await decide(lost);
      if (fault === 'late') wire.lateMs = 10_000;
      else await wire.cut();
      const admittedIn: number[] = [];
      for (let minute = 0; minute < 2; minute += 1) {
        const decisions: (Decision | undefined)[] = [];
        for (let n = 0; n < 150; n += 1) {
          if (n % 10 === 0) decisions.push(await decide(lost));
          decisions.push(await decide(others[n % others.length]));
        }
        admittedIn.push(decisions.filter((decision) => decision?.admitted).length);
        at += 60_000;
      }
      // With late answers, Redis has also counted requests that were then refused.
      if (fault === 'late') expect(admittedIn.every((admitted) => admitted > 95 && admitted <= 100)).toBe(true);
      else expect(admittedIn).toEqual([99, 100]);
      expect(failures).toHaveLength(30);
      expect(failures).toEqual(
        failures.map(() => expect.objectContaining({ code: 'unavailable', retryAfter: 1 }) as unknown),
      );
      await lost.close();
      await wire.cut();
    },
  );
});

describe('consume with a Redis that restarted without its data', () => {
  it('admits at most the limit of the minute in a process that counted before the restart', async () => {
    const limiter = limiterWith({ redisUrl: redis.url, now: fixedNow() });
    const budget = { name: 'platform', limit: 60 };
    const key = newKey();
    const before = await Promise.all(times(40, () => limiter.consume(budget, key)));
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    const after = await Promise.all(times(80, () => limiter.consume(budget, key)));
    expect([...before, ...after].filter((d) => d.admitted)).toHaveLength(60);
    expect(limiter.backend).toBe('redis');
  });
});

describe('the backend of the counts', () => {
  it.each([
    ['no server', 'redis://127.0.0.1:1', 'ECONNREFUSED'],
    ['an unknown host', 'redis://no-such-host.invalid:6379', /^(ENOTFOUND|EAI_AGAIN|no connection in time)$/],
  ])(
    'is first reported as memory, with the cause, when the address of Redis leads to %s',
    async (_name, redisUrl, cause) => {
      const reports: (string | undefined)[][] = [];
      limiterWith({ redisUrl, now: fixedNow(), onBackend: (...report) => reports.push(report) });
      await eventually(() => reports.length > 0, 5_000);
      const [[backend, why] = []] = reports;
      expect(backend).toBe('memory');
      expect(why).toEqual(typeof cause === 'string' ? cause : expect.stringMatching(cause));
    },
  );

  it('is reported as Redis as soon as Redis is connected, even before the first request', async () => {
    const reports: (string | undefined)[][] = [];
    limiterWith({ redisUrl: redis.url, now: fixedNow(), onBackend: (...report) => reports.push(report) });
    await eventually(() => reports.some(([backend]) => backend === 'redis'), 5_000);
    expect(reports.at(-1)).toEqual(['redis']);
  });
});

describe('consume while Redis is silent', () => {
  it('decides from memory, without a wait after three unanswered requests, and uses Redis again within 5 s after Redis answers', async () => {
    const backends: LimiterBackend[] = [];
    const limiter = limiterWith({ redisUrl: redis.url, now: fixedNow(), onBackend: (b) => backends.push(b) });
    const budget = { name: 'platform', limit: 1000 };
    const key = newKey();
    await limiter.consume(budget, key);
    redis.pause();
    try {
      const first = await Promise.all(times(50, () => timed(() => limiter.consume(budget, key))));
      // The limiter promises 60 ms; the rest is a margin for the timer of a busy machine. A limiter that waits for
      // Redis would never answer.
      expect(Math.max(...first.map(({ ms }) => ms))).toBeLessThan(ANSWERED_MS);
      expect(limiter.backend).toBe('memory');
      const later: number[] = [];
      for (let index = 0; index < 200; index += 1) later.push((await timed(() => limiter.consume(budget, key))).ms);
      expect(later.toSorted((a, b) => a - b)[180]).toBeLessThan(Math.min(...first.map(({ ms }) => ms)));
    } finally {
      redis.resume();
    }
    await eventually(() => limiter.backend === 'redis', 5_000);
    expect(backends.slice(-3)).toEqual(['redis', 'memory', 'redis']);
  });

  it('waits for Redis in at most three successive requests', async () => {
    const limiter = limiterWith({ redisUrl: redis.url, now: fixedNow() });
    const budget = { name: 'platform', limit: 1000 };
    const key = newKey();
    await limiter.consume(budget, key);
    redis.pause();
    try {
      const waits: number[] = [];
      for (let index = 0; index < 20; index += 1) waits.push((await timed(() => limiter.consume(budget, key))).ms);
      expect(Math.min(...waits.slice(0, 3))).toBeGreaterThan(40);
      expect(waits.slice(3).toSorted((a, b) => a - b)[12]).toBeLessThan(Math.min(...waits.slice(0, 3)));
    } finally {
      redis.resume();
    }
  });

  it('admits exactly the limit in one process, including the requests that were admitted by Redis before', async () => {
    const limiter = limiterWith({ redisUrl: redis.url, now: fixedNow() });
    const budget = { name: 'platform', limit: 60 };
    const key = newKey();
    const before = await Promise.all(times(40, () => limiter.consume(budget, key)));
    redis.pause();
    try {
      const during = await Promise.all(times(80, () => limiter.consume(budget, key)));
      expect([...before, ...during].filter((d) => d.admitted)).toHaveLength(60);
    } finally {
      redis.resume();
    }
  });

  it('starts and decides from memory when Redis is silent from the first connection on', async () => {
    redis.pause();
    try {
      const limiter = limiterWith({ redisUrl: redis.url, now: fixedNow() });
      const budget = { name: 'platform', limit: 60 };
      const decisions = await Promise.all(times(100, () => timed(() => limiter.consume(budget, 'cold'))));
      expect(decisions.filter((d) => d.result.admitted)).toHaveLength(60);
      expect(Math.max(...decisions.map(({ ms }) => ms))).toBeLessThan(ANSWERED_MS);
      redis.resume();
      await eventually(() => limiter.backend === 'redis', 5_000);
    } finally {
      redis.resume();
    }
  });
});

describe('consume after Redis died', () => {
  it('never rejects, decides from memory, and uses Redis again within 5 s of its return', async () => {
    const port = await freePort();
    const own = await startRedis(port);
    const limiter = limiterWith({ redisUrl: own.url, now: fixedNow() });
    const budget = { name: 'platform', limit: 60 };
    const key = newKey();
    const before = await Promise.all(times(20, () => limiter.consume(budget, key)));
    await own.stop();
    const during = await Promise.all(times(100, () => timed(() => limiter.consume(budget, key))));
    expect(Math.max(...during.map(({ ms }) => ms))).toBeLessThan(ANSWERED_MS);
    expect([...before, ...during.map((d) => d.result)].filter((d) => d.admitted)).toHaveLength(60);
    await eventually(() => limiter.backend === 'memory', 1_000);

    const back = await startRedis(port);
    try {
      await eventually(() => limiter.backend === 'redis', 5_000);
      const after = await limiter.consume(budget, newKey());
      expect(after).toMatchObject({ admitted: true, remaining: 59 });
    } finally {
      await limiter.close();
      await back.stop();
    }
  });
});
