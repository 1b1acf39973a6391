/** Counts per key within one calendar minute; the next minute starts from nothing, so memory is bounded by a minute's callers. */
export function createMinuteCounter() {
  let current = 0;
  const counts = new Map<string, number>();

  /** Adds one and returns the sum. A clock that steps back counts on in the newest minute seen. */
  function increment(key: string, minute: number): number {
    if (minute > current) {
      counts.clear();
      current = minute;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  }

  return { increment };
}
