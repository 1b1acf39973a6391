import type { RedisPlaces } from './redis-places.js';

/**
 * Maximum number of places of `key` that are held at the same time, over all processes. `name` distinguishes the limits
 * of one key.
 */
export interface Cap {
  name: string;
  limit: number;
  key: string;
}

export interface PlacesOptions {
  shared: RedisPlaces | undefined;
  /** Runs a call to Redis. Returns undefined when Redis did not answer. */
  attempt: <Result>(call: () => Promise<Result>) => Promise<Result | undefined>;
  /**
   * Whether a place may be granted only with an answer of Redis. A place that Redis granted too late is freed by the
   * next renewal, or when the lease ends.
   */
  mustShare: boolean;
  /** Returns the time in Unix milliseconds. */
  now: () => number;
}

/** Duration of a lease in milliseconds. When a process stops renewing, its places become free after this time. */
export const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
/** Limit of the keys in one renewal command, so that it does not delay other commands of Redis. */
const KEYS_A_RENEWAL = 500;

/** The places of one key that this process holds, and those that it has requested from Redis without an answer yet. */
interface Own {
  held: number;
  asked: number;
}

/**
 * Places that callers hold for longer than one request, such as open streams. All processes share the places by leases
 * in Redis. While Redis does not answer, each process applies the caps to its own places only, or grants no place
 * (`mustShare`).
 */
export function createPlaces({ shared, attempt, mustShare, now }: PlacesOptions) {
  const own = new Map<string, Own>();
  const returning = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;

  function change(keys: readonly string[], by: Own) {
    for (const key of keys) {
      const { held, asked } = own.get(key) ?? { held: 0, asked: 0 };
      const next = { held: held + by.held, asked: asked + by.asked };
      if (next.held + next.asked === 0) own.delete(key);
      else own.set(key, next);
    }
    if (!shared) return;
    if (own.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else timer ??= setInterval(() => void renew(), RENEW_MS).unref();
  }

  /** Extends the leases, and corrects the numbers in Redis after a time in which Redis did not answer. */
  async function renew(): Promise<void> {
    const keys = [...own.keys()];
    for (let from = 0; from < keys.length; from += KEYS_A_RENEWAL) {
      const some = keys.slice(from, from + KEYS_A_RENEWAL);
      // The callback reads the numbers when the command is sent, because places may be taken and returned until then.
      await attempt(async () => shared?.renew(some.flatMap(certain), now(), now() + LEASE_MS));
    }
  }

  /**
   * Returns a key and the number of its places for a renewal; an empty list when this process has none. The number is
   * omitted while Redis has not answered all requests for places of the key.
   */
  function certain(key: string) {
    const places = own.get(key);
    return places ? [{ key, held: places.asked === 0 ? places.held : undefined }] : [];
  }

  function placeOf(keys: readonly string[]): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      change(keys, { held: -1, asked: 0 });
      if (!shared) return;
      const returned = attempt(() => shared.giveBack(keys)).finally(() => returning.delete(returned));
      returning.add(returned);
    };
  }

  async function hold(caps: readonly Cap[]): Promise<(() => void) | undefined> {
    const asked = caps.map(({ name, limit, key }) => ({ key: `${name}:${key}`, limit }));
    const isTaken = asked.some(({ key, limit }) => {
      const { held = 0, asked: waiting = 0 } = own.get(key) ?? {};
      return held + waiting >= limit;
    });
    if (isTaken) return undefined;
    const keys = asked.map(({ key }) => key);
    const wanted = asked.map(({ key, limit }) => ({ key, limit, held: own.get(key)?.held ?? 0 }));
    change(keys, { held: 0, asked: 1 });
    const answer = shared && (await attempt(() => shared.take(wanted, now(), now() + LEASE_MS)));
    const isFree = answer ?? !mustShare;
    change(keys, { held: isFree ? 1 : 0, asked: -1 });
    return isFree ? placeOf(keys) : undefined;
  }

  return {
    hold,
    renew,
    /** Resolves when Redis has received the returned places, or does not answer. */
    async close(): Promise<void> {
      clearInterval(timer);
      await Promise.all(returning);
    },
  };
}
