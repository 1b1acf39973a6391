import type { RedisConnection } from './redis-connection.js';

/** Seconds for which a count is kept after its minute or hour, for replicas whose clock is slow. */
const SLACK_S = 60;

export interface CountedKey {
  key: string;
  limit: number;
  windowSeconds: number;
}

/**
 * Adds one to each key in order, up to the first key whose sum exceeds its limit, in one round trip.
 *
 * @returns the sums over all replicas; keys after an exceeded limit are not counted and have no sum
 */
export type RedisCounter = (counted: readonly CountedKey[]) => Promise<number[]>;

const COUNT = `
local sums = {}
for i, key in ipairs(KEYS) do
  sums[i] = redis.call('INCR', key)
  if sums[i] == 1 then redis.call('EXPIRE', key, ARGV[2 * i]) end
  if sums[i] > tonumber(ARGV[2 * i - 1]) then break end
end
return sums`;

export function createRedisCounter(redis: RedisConnection): RedisCounter {
  const count = redis.script<number[]>('millwrightCount', COUNT);
  return (counted) =>
    count(
      counted.map(({ key }) => `mw:limit:${key}`),
      counted.flatMap(({ limit, windowSeconds }) => [limit, windowSeconds + SLACK_S]),
    );
}
