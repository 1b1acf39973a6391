import type { RedisPlaces } from './redis-places.js';

/** Maximum number of concurrently held places of `key` over all processes. `name` separates the limits of one key. */
export interface Cap {
  name: string;
  limit: number;
  key: string;
}

export interface PlacesOptions {
  shared: RedisPlaces | undefined;
  /** Runs a call to Redis. Undefined: Redis did not answer. */
  attempt: <Result>(call: () => Promise<Result>) => Promise<Result | undefined>;
  /** Whether a place requires Redis's answer. A place granted too late is freed by the next renewal or the end of the lease. */
  mustShare: boolean;
  /** Returns the time in Unix milliseconds. */
  now: () => number;
}

/** Lease duration in milliseconds: the places of a process that stops renewing are then free. */
export const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
/** Limit of the keys in one renewal, so that it delays no other command of Redis. */
const KEYS_A_RENEWAL = 500;

/** Places that this process holds, and places whose request Redis has not answered yet. */
interface Own {
  held: number;
  asked: number;
}

/**
 * Places that callers hold for longer than one request, such as open streams. All processes share them through leases in Redis;
 * while Redis does not answer, each process has the caps for itself, or no place (`mustShare`).
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

  /** Extends the leases, and corrects the numbers in Redis after a time without answers. */
  async function renew(): Promise<void> {
    const keys = [...own.keys()];
    for (let from = 0; from < keys.length; from += KEYS_A_RENEWAL) {
      const some = keys.slice(from, from + KEYS_A_RENEWAL);
      // The numbers are read when the command is sent, because places may be taken and returned until then.
      await attempt(async () => shared?.renew(some.flatMap(certain), now(), now() + LEASE_MS));
    }
  }

  /** A key that is still held. Omits the number while Redis has not answered all requests for places. */
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
    /** Resolves when Redis has the returned places, or does not answer. */
    async close(): Promise<void> {
      clearInterval(timer);
      await Promise.all(returning);
    },
  };
}
