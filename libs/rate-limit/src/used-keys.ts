import { AppError } from '@millwright/errors';
import type { RedisConnection } from './redis-connection.js';

/** Maximum number of unexpired keys in a process. */
const MOST_KEYS = 200_000;

const USE = `return redis.call('SET', KEYS[1], '1', 'NX', 'EX', ARGV[1]) and 1 or 0`;

export interface UsedKeysOptions {
  redis: RedisConnection | undefined;
  /** Runs a call to Redis. Returns undefined when Redis did not answer. */
  attempt: <Result>(call: () => Promise<Result>) => Promise<Result | undefined>;
  /** Whether a use is refused when Redis does not answer. */
  mustShare: boolean;
  /** Returns the time in Unix milliseconds. */
  now: () => number;
  /** Maximum number of unexpired keys in this process. Default: `MOST_KEYS`; tests set fewer. */
  most?: number;
}

/**
 * Keys that may be used once, over all processes. While Redis does not answer, each process checks only the keys that
 * were used in this process, or refuses all (`mustShare`).
 */
export function createUsedKeys({ redis, attempt, mustShare, now, most = MOST_KEYS }: UsedKeysOptions) {
  const use = redis?.script<number>('millwrightUseKey', USE);
  /** Unix milliseconds at which each key of this process expires. */
  const own = new Map<string, number>();

  function removeExpired(): void {
    for (const [key, expires] of own) if (expires <= now()) own.delete(key);
  }

  /** Checks and stores a key in this process only. @throws AppError unavailable when this process has too many unexpired keys */
  function useHere(key: string, seconds: number): boolean {
    if ((own.get(key) ?? 0) > now()) return false;
    if (own.size >= most) removeExpired();
    if (own.size >= most) throw new AppError('unavailable', { retryAfter: seconds });
    own.set(key, now() + seconds * 1_000);
    return true;
  }

  return async (key: string, seconds: number): Promise<boolean> => {
    if (!useHere(key, seconds)) return false;
    if (!use) return true;
    const isFirst = await attempt(() => use([`mw:used:${key}`], [seconds]));
    if (isFirst === undefined && mustShare) throw new AppError('unavailable');
    return isFirst !== 0;
  };
}
