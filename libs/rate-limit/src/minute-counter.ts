/**
 * Makes a counter that counts by key within one calendar minute or hour. Each minute or hour starts with an empty counter, so that the
 * memory depends only on the number of callers in one minute or hour.
 */
export function createMinuteCounter() {
  let current = 0;
  const counts = new Map<string, number>();

  /** Adds one and returns the sum. When the clock steps back, counting continues in the latest minute. */
  function increment(key: string, minute: number): number {
    if (minute > current) {
      counts.clear();
      current = minute;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  }

  /** Subtracts a request that was added in this minute or hour. Does nothing when a later minute or hour has begun. */
  function decrement(key: string, minute: number): void {
    const count = counts.get(key);
    if (minute === current && count !== undefined) counts.set(key, count - 1);
  }

  /** Returns the sum so far without adding to it. */
  const get = (key: string, minute: number): number => (minute > current ? 0 : (counts.get(key) ?? 0));

  return { increment, decrement, get };
}

/** The last known sum of all processes, and the part of it that this process counted. */
interface Seen {
  sum: number;
  own: number;
}

/** Stores, for each key, the last sum that Redis reported within one calendar minute or hour. */
export function createSeenSums() {
  let current = 0;
  const seen = new Map<string, Seen>();

  function record(key: string, minute: number, sum: number, own: number): void {
    if (minute > current) {
      seen.clear();
      current = minute;
    }
    if (minute === current && sum > (seen.get(key)?.sum ?? 0)) seen.set(key, { sum, own });
  }

  /** The last known sum of all processes, plus the requests that this process has counted since then. */
  function estimate(key: string, minute: number, own: number): number {
    const last = minute === current ? seen.get(key) : undefined;
    return last ? Math.max(own, last.sum + own - last.own) : own;
  }

  return { record, estimate };
}
