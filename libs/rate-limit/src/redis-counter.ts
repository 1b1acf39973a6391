import { Redis } from 'ioredis';
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';

/** Seconds that a count outlives its window, so that a replica with a slow clock still finds it. */
const SLACK_S = 60;

const FIRST_CONNECTION_MS = 250;

export interface RedisCounter {
  /** Settles when the first connection succeeded or failed, at most 250 ms after the start. */
  readonly attempted: Promise<void>;
  /** Adds one and returns the sum over all replicas, in one round trip. May take 250 ms: callers set their own deadline. */
  increment(key: string, windowSeconds?: number): Promise<number>;
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
    // The caller decides about admission, because it also has this process's own count.
    points: Number.MAX_SAFE_INTEGER,
    duration: 60 + SLACK_S,
    rejectIfRedisNotReady: true,
  });

  return {
    attempted,
    async increment(key, windowSeconds = 60) {
      const result: RateLimiterRes = await limiter.consume(key, 1, { customDuration: windowSeconds + SLACK_S });
      return result.consumedPoints;
    },
    close: () => client.disconnect(),
  };
}
