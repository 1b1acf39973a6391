import { randomUUID } from 'node:crypto';
import { AppError } from '@millwright/errors';
import { inSpan } from '@millwright/telemetry';
import { createBreaker } from './breaker.js';
import { tightest, type Budget, type Decision } from './budget.js';
import { createMinuteCounter, createSeenSums } from './minute-counter.js';
import { createPlaces, type Cap } from './places.js';
import { createRedisConnection, PATIENCE_MS } from './redis-connection.js';
import { createRedisCounter } from './redis-counter.js';
import { createRedisPlaces } from './redis-places.js';
import { createUsedKeys } from './used-keys.js';

/** `memory`: each process counts alone, because Redis is not configured or does not answer. */
export type LimiterBackend = 'redis' | 'memory';

/** A request that is counted under a key against a budget. */
export interface Counted {
  budget: Budget;
  key: string;
}

export interface RateLimiter {
  /**
   * Counts one request of `key` and returns whether it is admitted. Resolves within about 50 ms, even when Redis does not answer. While the
   * process starts, and once more than 5 % of the limit are used, it resolves within 300 ms. Rejects only when `withoutRedis` is `refuse`.
   */
  consume(budget: Budget, key: string): Promise<Decision>;
  /**
   * Counts one request against several budgets in order, up to the first budget that refuses the request: a refused request uses nothing of
   * the later budgets. All budgets together need one round trip to Redis. Otherwise works like `consume`.
   *
   * @returns the decisions on the counted budgets; only the last may be a refusal
   */
  consumeAll(counted: readonly Counted[]): Promise<Decision[]>;
  /**
   * Whether the next request of `key` would be refused, according to the counts of this process. Neither counts a
   * request nor calls Redis.
   */
  isSpent(budget: Budget, key: string): boolean;
  /**
   * Takes one place of each cap, over all processes and for longer than one request. When one of the caps has no place left, takes none.
   * Never rejects. Takes one round trip, and another one when the place is returned. The places of a process that was killed are free after
   * a minute. While Redis does not answer, each process applies the caps to its own places only, or grants no place (`withoutRedis`).
   *
   * @returns the function that returns the places; undefined when one of the caps has none left
   */
  hold(caps: readonly Cap[]): Promise<(() => void) | undefined>;
  /**
   * Marks a key as used for some seconds, over all processes. While Redis does not answer, each process checks only the
   * keys that were used in this process.
   *
   * @returns false when the key was used before
   * @throws AppError unavailable when Redis does not answer and `withoutRedis` is `refuse`, or when this process has too many unexpired
   *   keys
   */
  useOnce(key: string, seconds: number): Promise<boolean>;
  /** Extends the leases of all held places immediately. This also happens by itself every 15 s. */
  renewPlaces(): Promise<void>;
  readonly backend: LimiterBackend;
  close(): Promise<void>;
}

export interface RateLimiterOptions {
  redisUrl?: string | undefined;
  /** Scales every budget; for benchmarks and tests. */
  multiplier?: number;
  /** Returns the time in Unix milliseconds. */
  now?: () => number;
  /** Timeout of Redis's answers, in milliseconds. Default: 50, or 250 when requests without an answer are refused. */
  deadlineMs?: number;
  /**
   * How requests are counted while a configured Redis does not answer. `count` (default): each process counts alone, so
   * several processes together may admit more than the limit. `refuse`: the call rejects with AppError unavailable, and
   * no limit is ever exceeded.
   */
  withoutRedis?: 'count' | 'refuse' | undefined;
  onDecision?: (budget: Budget, decision: Decision, backend: LimiterBackend) => void;
  /**
   * Called with the first result of connecting to Redis and at every change, with the cause when Redis does not answer.
   * Without Redis, called once at the start.
   */
  onBackend?: (backend: LimiterBackend, cause?: string) => void;
}

/**
 * Counts in fixed windows: calendar minutes or hours. Redis has the count of all replicas. This process also counts by itself. While Redis
 * does not answer, the process continues from the last known sum. So it admits at most the limit by itself, and at most the requests that
 * remained when Redis stopped answering.
 */
export function createRateLimiter({
  redisUrl,
  multiplier = 1,
  now = Date.now,
  withoutRedis = 'count',
  deadlineMs = withoutRedis === 'refuse' ? PATIENCE_MS : undefined,
  onDecision,
  onBackend,
}: RateLimiterOptions = {}): RateLimiter {
  const mustShare = redisUrl !== undefined && withoutRedis === 'refuse';
  const own = { minute: createMinuteCounter(), hour: createMinuteCounter() };
  const seen = { minute: createSeenSums(), hour: createSeenSums() };
  let reported: LimiterBackend | undefined;
  function report(to: LimiterBackend, cause?: string) {
    if (to === reported) return;
    reported = to;
    onBackend?.(to, cause);
  }
  const redis =
    redisUrl === undefined
      ? undefined
      : createRedisConnection(redisUrl, deadlineMs, () => {
          if (backend === 'redis') report('redis');
        });
  const countShared = redis && createRedisCounter(redis);
  let backend: LimiterBackend = redis ? 'redis' : 'memory';
  if (!redis) report(backend);
  const breaker = createBreaker({
    deadlineMs,
    probe: async () => countShared?.([{ key: 'probe', limit: Number.MAX_SAFE_INTEGER, windowSeconds: SECONDS.minute }]),
    onChange: (open) => {
      backend = open ? 'memory' : 'redis';
      report(backend, open ? (redis?.failure ?? 'no answer in time') : undefined);
    },
  });

  // A busy process needs several turns of the event loop to connect when it starts. The delay does not count as a failure of Redis.
  let starting = redis?.attempted.then(() => {
    starting = undefined;
    if (reported === undefined) report('memory', redis.failure ?? 'no connection in time');
  });

  const windowOf = ({ per = 'minute' }: Budget) => {
    const seconds = SECONDS[per];
    return { seconds, index: Math.floor(now() / 1_000 / seconds), own: own[per], seen: seen[per] };
  };
  const limitOf = (budget: Budget) => Math.max(1, Math.round(budget.limit * multiplier));

  const places = createPlaces({
    shared: redis && createRedisPlaces(redis, randomUUID()),
    now,
    mustShare,
    async attempt(call) {
      if (starting) await starting;
      return breaker.run(call);
    },
  });

  const useOnce = createUsedKeys({
    ...{ redis, now, mustShare },
    async attempt(call) {
      if (starting) await starting;
      return breaker.run(call, PATIENCE_MS);
    },
  });

  interface Here {
    budget: Budget;
    key: string;
    limit: number;
    window: ReturnType<typeof windowOf>;
    /** Number of requests that this process counted. */
    count: number;
    /** Last known number of requests of all processes. */
    estimate: number;
  }

  /** Counts in this process, up to the first budget that refuses. */
  function countHere(counted: readonly Counted[]) {
    const here: Here[] = [];
    for (const { budget, key: caller } of counted) {
      const [window, limit, key] = [windowOf(budget), limitOf(budget), `${budget.name}:${caller}`];
      const count = window.own.increment(key, window.index);
      here.push({ budget, key, limit, window, count, estimate: window.seen.estimate(key, window.index, count) });
      if (count > limit) break;
    }
    return here;
  }

  async function consumeAll(counted: readonly Counted[]): Promise<Decision[]> {
    const here = countHere(counted);
    if (here.length === 0) return [];
    if (starting) await starting;
    // Near the limit, the process waits longer for Redis, because Redis counts a request even when its answer is late.
    const isClose = here.some(({ estimate, limit }) => estimate > limit * CLOSE);
    const sums =
      countShared &&
      (await breaker.run(
        () =>
          inSpan('EVALSHA', spanOf(here), () =>
            countShared(
              here.map(({ key, limit, window }) => ({
                key: `${key}:${window.index}`,
                limit,
                windowSeconds: window.seconds,
              })),
            ),
          ),
        isClose ? PATIENCE_MS : undefined,
      ));
    if (sums === undefined && mustShare) throw new AppError('unavailable');
    const decided = sums === undefined ? here : here.slice(0, sums.length);
    for (const { key, window } of here.slice(decided.length)) window.own.decrement(key, window.index);
    return decided.map(({ budget, key, limit, window, count: ownCount }, index) => {
      const sum = sums?.[index];
      if (sum !== undefined) window.seen.record(key, window.index, sum, ownCount);
      const count = sum === undefined ? window.seen.estimate(key, window.index, ownCount) : Math.max(ownCount, sum);
      const decision = {
        limit,
        remaining: Math.max(0, limit - count),
        resetAt: (window.index + 1) * window.seconds,
        admitted: count <= limit,
      };
      onDecision?.(budget, decision, sums === undefined ? 'memory' : 'redis');
      return decision;
    });
  }

  return {
    consume: async (budget, key) => tightest(await consumeAll([{ budget, key }])),
    consumeAll,
    isSpent: (budget, key) => {
      const window = windowOf(budget);
      return window.own.get(`${budget.name}:${key}`, window.index) >= limitOf(budget);
    },
    get backend() {
      return backend;
    },
    hold: (caps) => places.hold(caps),
    useOnce,
    renewPlaces: () => places.renew(),
    async close() {
      await places.close();
      breaker.stop();
      redis?.close();
    },
  };
}

/** Fraction of a limit. Once more of the limit is used, a decision waits longer for the sum of all processes, even when Redis answers late. */
const CLOSE = 0.05;
const SECONDS = { minute: 60, hour: 3_600 } as const;

/** Decisions as attributes of a span. The keys are left out, because they identify the caller. */
const spanOf = (counted: readonly Pick<Counted, 'budget'>[]) =>
  ({
    kind: 'client',
    attributes: {
      'db.system.name': 'redis',
      'db.operation.name': 'EVALSHA',
      'millwright.limit.budgets': counted.map(({ budget }) => budget.name),
    },
  }) as const;
