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
