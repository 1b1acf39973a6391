import { inSpan } from '@millwright/telemetry';
import { createBreaker } from './breaker.js';
import type { Budget, Decision } from './budget.js';
import { createMinuteCounter } from './minute-counter.js';
import { createRedisCounter } from './redis-counter.js';

/** `memory`: each process counts alone, because Redis is not configured or does not answer. */
export type LimiterBackend = 'redis' | 'memory';

export interface RateLimiter {
  /** Counts one request of `key` and returns whether it is admitted. Never rejects; resolves within about 50 ms whatever Redis does, or 300 ms while the process starts. */
  consume(budget: Budget, key: string): Promise<Decision>;
  /** Whether the next request of `key` would be refused, by the counts of this process. Counts nothing and calls nothing. */
  isSpent(budget: Budget, key: string): boolean;
  readonly backend: LimiterBackend;
  close(): Promise<void>;
}

export interface RateLimiterOptions {
  redisUrl?: string | undefined;
  /** Scales every budget; for benchmarks and tests. */
  multiplier?: number;
  /** Unix milliseconds. */
  now?: () => number;
  onDecision?: (budget: Budget, decision: Decision, backend: LimiterBackend) => void;
  /** Called once at the start and at every change. */
  onBackend?: (backend: LimiterBackend) => void;
}

/**
 * Fixed windows on the calendar minute, or hour. Redis holds the count of all replicas. This process also counts by itself
 * and uses its own count while Redis is silent: one process never admits more than the limit, whatever happens to Redis.
 */
export function createRateLimiter({
  redisUrl,
  multiplier = 1,
  now = Date.now,
  onDecision,
  onBackend,
}: RateLimiterOptions = {}): RateLimiter {
  const own = { minute: createMinuteCounter(), hour: createMinuteCounter() };
  const shared = redisUrl === undefined ? undefined : createRedisCounter(redisUrl);
  let backend: LimiterBackend = shared ? 'redis' : 'memory';
  onBackend?.(backend);
  const breaker = createBreaker({
    probe: async () => shared?.increment('probe'),
    onChange: (open) => {
      backend = open ? 'memory' : 'redis';
      onBackend?.(backend);
    },
  });

  // A busy process needs several turns of its event loop to connect at the start: that is no failure of Redis.
  let starting = shared?.attempted.then(() => {
    starting = undefined;
  });

  const windowOf = ({ per = 'minute' }: Budget) => {
    const seconds = SECONDS[per];
    return { seconds, index: Math.floor(now() / 1_000 / seconds), own: own[per] };
  };
  const limitOf = (budget: Budget) => Math.max(1, Math.round(budget.limit * multiplier));

  async function consume(budget: Budget, key: string): Promise<Decision> {
    const window = windowOf(budget);
    const limit = limitOf(budget);
    const ownCount = window.own.increment(`${budget.name}:${key}`, window.index);
    if (starting) await starting;
    const sharedCount =
      shared &&
      (await breaker.run(() =>
        inSpan('EVALSHA', spanOf(budget), () =>
          shared.increment(`${budget.name}:${key}:${window.index}`, window.seconds),
        ),
      ));
    const count = Math.max(ownCount, sharedCount ?? 0);
    const decision = {
      limit,
      remaining: Math.max(0, limit - count),
      resetAt: (window.index + 1) * window.seconds,
      admitted: count <= limit,
    };
    onDecision?.(budget, decision, sharedCount === undefined ? 'memory' : 'redis');
    return decision;
  }

  return {
    consume,
    isSpent: (budget, key) => {
      const window = windowOf(budget);
      return window.own.get(`${budget.name}:${key}`, window.index) >= limitOf(budget);
    },
    get backend() {
      return backend;
    },
    close: () => {
      breaker.stop();
      shared?.close();
      return Promise.resolve();
    },
  };
}

const SECONDS = { minute: 60, hour: 3_600 } as const;

/** A decision for logs, without the key, which identifies the caller. */
const spanOf = ({ name }: Budget) =>
  ({
    kind: 'client',
    attributes: { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA', 'millwright.limit.budget': name },
  }) as const;
