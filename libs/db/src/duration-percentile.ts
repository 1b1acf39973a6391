import { DURATION_BOUNDS_MS } from './metric-counts.js';

/**
 * The number of requests in a bucket: those with a duration above the bound of the previous bucket, up to the bound of
 * this bucket.
 */
export interface DurationCount {
  bucket_ms: number;
  n: number;
}

/**
 * Returns the duration in milliseconds that this share of the requests did not exceed; `undefined` without requests.
 * Within its bucket the value is interpolated, as if the requests of the bucket were spread evenly.
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
