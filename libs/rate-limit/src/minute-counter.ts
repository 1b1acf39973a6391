/** Counts per key within one calendar minute, or hour. Each starts empty, so that memory is bounded by the callers of one. */
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

  /** Takes back one that was added in a minute, while that is still the latest. */
  function decrement(key: string, minute: number): void {
    const count = counts.get(key);
    if (minute === current && count !== undefined) counts.set(key, count - 1);
  }

  /** The sum so far, without adding to it. */
  const get = (key: string, minute: number): number => (minute > current ? 0 : (counts.get(key) ?? 0));

  return { increment, decrement, get };
}

/** The sum of all processes when this one last saw it, and this process's own part of it. */
interface Seen {
  sum: number;
  own: number;
}

/** What Redis answered of each key within one calendar minute, or hour. */
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

  /** The sum of all processes as far as this one knows, with what it counted itself since. */
  function estimate(key: string, minute: number, own: number): number {
    const last = minute === current ? seen.get(key) : undefined;
    return last ? Math.max(own, last.sum + own - last.own) : own;
  }

  return { record, estimate };
}
