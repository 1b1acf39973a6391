import { DURATION_BOUNDS_MS } from './metric-counts.js';

/** How many requests took no longer than the bound of a bucket, and longer than the one before it. */
export interface DurationCount {
  bucket_ms: number;
  n: number;
}

/**
 * The duration that this share of the requests did not exceed, in milliseconds; `undefined` where there were none. Within the bucket
 * that holds it, the share of the way to its bound: the requests of a bucket are taken to be spread evenly.
 */
export function durationPercentile(counts: readonly DurationCount[], share: number): number | undefined {
  const inOrder = [...counts].sort((a, b) => a.bucket_ms - b.bucket_ms);
  const wanted = share * inOrder.reduce((total, { n }) => total + n, 0);
  let seen = 0;
  for (const { bucket_ms, n } of inOrder) {
    if (n > 0 && seen + n >= wanted) {
      const below = DURATION_BOUNDS_MS.filter((bound) => bound < bucket_ms).at(-1) ?? 0;
      const last = DURATION_BOUNDS_MS.at(-1) ?? 0;
      return bucket_ms > last ? last : Math.round((below + (bucket_ms - below) * ((wanted - seen) / n)) * 100) / 100;
    }
    seen += n;
  }
  return undefined;
}
