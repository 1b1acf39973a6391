import type { RedisConnection } from './redis-connection.js';

/** Seconds for which a key is kept after its last lease. */
const SLACK_S = 60;

/** The key of a limit, and the number of its places that this process holds. */
export interface HeldKey {
  key: string;
  held: number;
}

/**
 * The places that all processes hold. Each key has one hash with `process → number:end`, where `end` is in Unix
 * milliseconds. The numbers of a process whose lease has ended are ignored.
 */
export interface RedisPlaces {
  /** Adds one place of this process to each key, or to none when a key would exceed its limit. */
  take(keys: readonly (HeldKey & { limit: number })[], now: number, ends: number): Promise<boolean>;
  /** Returns one place of each key. */
  giveBack(keys: readonly string[]): Promise<unknown>;
  /** Extends the lease of this process on each key. `held` replaces the stored number of places, unless it is undefined. */
  renew(keys: readonly { key: string; held: number | undefined }[], now: number, ends: number): Promise<unknown>;
}

/**
 * ARGV: process, now, end of the lease, seconds to live; then for each key the limit and the number of places that the
 * process certainly holds.
 */
const TAKE = `
local process, now = ARGV[1], tonumber(ARGV[2])
local own = {}
for i, key in ipairs(KEYS) do
  own[i] = tonumber(ARGV[4 + 2 * i])
  local others = 0
  local fields = redis.call('HGETALL', key)
  for f = 1, #fields, 2 do
    local count, ends = string.match(fields[f + 1], '(%d+):(%d+)')
    if tonumber(ends) <= now then redis.call('HDEL', key, fields[f])
    elseif fields[f] == process then own[i] = math.max(own[i], tonumber(count))
    else others = others + tonumber(count) end
  end
  if others + own[i] + 1 > tonumber(ARGV[3 + 2 * i]) then return 0 end
end
for i, key in ipairs(KEYS) do
  redis.call('HSET', key, process, string.format('%d:%s', own[i] + 1, ARGV[3]))
  redis.call('EXPIRE', key, ARGV[4])
end
return 1`;

/** Script that gives places back. ARGV: id of the process. */
const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  local count, ends = string.match(redis.call('HGET', key, ARGV[1]) or '', '(%d+):(%d+)')
  if count and tonumber(count) > 1 then
    redis.call('HSET', key, ARGV[1], string.format('%d:%s', tonumber(count) - 1, ends))
  else
    redis.call('HDEL', key, ARGV[1])
  end
end`;

/** ARGV: process, end, seconds to live; then the number of each key, or an empty text. */
const RENEW = `
for i, key in ipairs(KEYS) do
  local held = ARGV[3 + i]
  if held == '' then held = string.match(redis.call('HGET', key, ARGV[1]) or '', '(%d+):') end
  if held then
    redis.call('HSET', key, ARGV[1], held .. ':' .. ARGV[2])
    redis.call('EXPIRE', key, ARGV[3])
  end
end`;

export function createRedisPlaces(redis: RedisConnection, processId: string): RedisPlaces {
  const take = redis.script<number>('millwrightTakePlaces', TAKE);
  const giveBack = redis.script('millwrightGiveBackPlaces', GIVE_BACK);
  const renew = redis.script('millwrightRenewPlaces', RENEW);
  const named = (keys: readonly string[]) => keys.map((key) => `mw:places:${key}`);
  const secondsTo = (now: number, ends: number) => Math.ceil((ends - now) / 1_000) + SLACK_S;
  return {
    async take(keys, now, ends) {
      const places = keys.flatMap(({ limit, held }) => [limit, held]);
      return (
        (await take(named(keys.map(({ key }) => key)), [processId, now, ends, secondsTo(now, ends), ...places])) === 1
      );
    },
    giveBack: (keys) => giveBack(named(keys), [processId]),
    renew: (keys, now, ends) =>
      renew(named(keys.map(({ key }) => key)), [
        processId,
        ends,
        secondsTo(now, ends),
        ...keys.map(({ held }) => held ?? ''),
      ]),
  };
}
