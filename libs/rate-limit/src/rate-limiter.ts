import { inSpan } from '@millwright/telemetry';
import { createBreaker } from './breaker.js';
import type { Budget, Decision } from './budget.js';
import { createMinuteCounter } from './minute-counter.js';
import { createRedisCounter } from './redis-counter.js';

/** `memory`: each process counts for itself, because no Redis is configured or it does not answer. */
export type LimiterBackend = 'redis' | 'memory';

export interface RateLimiter {
  /** Counts one request of `key` and says whether it fits. Never rejects and, whatever Redis does, answers within about 50 ms, or 300 while the process starts. */
  consume(budget: Budget, key: string): Promise<Decision>;
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
 * Fixed windows on the calendar minute. Redis holds the count of all replicas. This process's own count runs beside it
 * and takes over when Redis is silent, so one process never admits more than the limit, whatever happens to Redis.
 */
export function createRateLimiter({
  redisUrl,
  multiplier = 1,
  now = Date.now,
  onDecision,
  onBackend,
}: RateLimiterOptions = {}): RateLimiter {
  const own = createMinuteCounter();
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

  // Connecting takes several turns of a busy starting process's event loop; it is not the silence the breaker is for.
  let starting = shared?.attempted.then(() => {
    starting = undefined;
  });

  async function consume(budget: Budget, key: string): Promise<Decision> {
    const minute = Math.floor(now() / 60_000);
    const limit = Math.max(1, Math.round(budget.limit * multiplier));
    const ownCount = own.increment(`${budget.name}:${key}`, minute);
    if (starting) await starting;
    const sharedCount =
      shared &&
      (await breaker.run(() =>
        inSpan('EVALSHA', spanOf(budget), () => shared.increment(`${budget.name}:${key}:${minute}`)),
      ));
    const count = Math.max(ownCount, sharedCount ?? 0);
    const decision = {
      limit,
      remaining: Math.max(0, limit - count),
      resetAt: (minute + 1) * 60,
      admitted: count <= limit,
    };
    onDecision?.(budget, decision, sharedCount === undefined ? 'memory' : 'redis');
    return decision;
  }

  return {
    consume,
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

/** Without the key, which tells who is counted. */
const spanOf = ({ name }: Budget) =>
  ({
    kind: 'client',
    attributes: { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA', 'millwright.limit.budget': name },
  }) as const;
