import { Redis } from 'ioredis';
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';

/** Outlives the minute it counts, so that a replica whose clock lags still finds the count. */
const KEY_LIFETIME_S = 120;

const FIRST_CONNECTION_MS = 250;

export interface RedisCounter {
  /** Settled once the first connection was made or failed, at most 250 ms after the start. */
  readonly attempted: Promise<void>;
  /** Adds one and returns the sum over all replicas, in one round trip. May stay silent for 250 ms: callers set their own deadline. */
  increment(key: string): Promise<number>;
  close(): void;
}

export function createRedisCounter(url: string): RedisCounter {
  const client = new Redis(url, {
    commandTimeout: 250,
    socketTimeout: 250,
    connectTimeout: 500,
    disconnectTimeout: 100,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 1,
    keepAlive: 5_000,
    retryStrategy: () => 1_000,
  });
  // Every failure also reaches a caller of increment(); without a listener ioredis prints it.
  client.on('error', () => undefined);
  const attempted = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, FIRST_CONNECTION_MS);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    client.once('ready', settle);
    client.once('close', settle);
  });

  const limiter = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: 'mw:limit',
    // Admission is decided by the caller, who knows this process's own count too.
    points: Number.MAX_SAFE_INTEGER,
    duration: KEY_LIFETIME_S,
    rejectIfRedisNotReady: true,
  });

  return {
    attempted,
    async increment(key) {
      const result: RateLimiterRes = await limiter.consume(key);
      return result.consumedPoints;
    },
    close: () => client.disconnect(),
  };
}
