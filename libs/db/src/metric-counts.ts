import type { Database, Tx } from './database.js';

/** Metrics that are counted by project, day and hour. Calls of models are not included, because usage events count them. */
export type CountedMetric = 'requests' | 'errors' | 'content_searches' | 'mcp_calls';

/** Counts in memory and writes the sums every few seconds, so that no request waits until it is counted. */
export interface MetricCounts {
  add(project: string, metric: CountedMetric): void;
  /** Counts a request with its duration in milliseconds. */
  addRequest(project: string, durationMs: number): void;
  /** Writes the sums. Rejects when the database refuses them, and keeps them for the next flush. */
  flush(): Promise<void>;
  /** Writes the remaining sums, and stops counting. */
  close(): Promise<void>;
}

export interface MetricCountOptions {
  db: Pick<Database, 'prepared'>;
  /** Name of the service that counts. */
  area: string;
  onError?: (error: unknown) => void;
  now?: () => Date;
}

/**
 * Upper bounds of the buckets of durations. The ratio between neighbours is constant, so that a percentile computed
 * from the counts has an error of at most a fifth.
 */
export const DURATION_BOUNDS_MS: readonly number[] = [
  1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 56, 80, 110, 150, 210, 300, 420, 600, 850, 1_200, 1_700, 2_400, 3_400, 4_800,
  6_800, 9_600, 14_000, 20_000, 28_000, 40_000, 60_000, 120_000, 300_000,
];
const LAST_BOUND_MS = 2_147_483_647;
const FLUSH_MS = 5_000;

/** SQL: adds the counts to the rows of their hours and of their days. */
const ADD = `
  WITH counted AS (
    SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[])
      AS counted (hour, project, area, metric, bucket_ms, n)
  ), hours AS (
    INSERT INTO metric_hours (hour, project, area, metric, bucket_ms, n) SELECT * FROM counted
    ON CONFLICT (project, hour, metric, area, bucket_ms) DO UPDATE SET n = metric_hours.n + excluded.n
  )
  INSERT INTO metric_counts (day, project, area, metric, bucket_ms, n)
  SELECT (hour AT TIME ZONE 'UTC')::date, project, area, metric, bucket_ms, sum(n) FROM counted GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (project, day, metric, area, bucket_ms) DO UPDATE SET n = metric_counts.n + excluded.n`;

/** Number of days for which hourly counts are kept: more than the 90 days of the longest period that is compared. */
const HOURS_KEPT_DAYS = 100;

/** Deletes hourly counts that are too old for every period that is read. Daily counts are kept. */
export function forgetOldHours(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - HOURS_KEPT_DAYS * 86_400_000);
  return tx.$executeRaw`DELETE FROM metric_hours WHERE hour < ${before}`;
}

export function createMetricCounts({ db, area, onError, now = () => new Date() }: MetricCountOptions): MetricCounts {
  let counts = new Map<string, number>();
  const count = (project: string, metric: CountedMetric, bucketMs = 0, by = 1) => {
    const key = JSON.stringify([`${now().toISOString().slice(0, 13)}:00:00Z`, project, area, metric, bucketMs]);
    counts.set(key, (counts.get(key) ?? 0) + by);
  };

  async function flush(): Promise<void> {
    if (counts.size === 0) return;
    const taken = counts;
    counts = new Map();
    // The rows are written in a fixed order, so that two processes cannot deadlock.
    const rows = [...taken]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, n]) => [...(JSON.parse(key) as unknown[]), n]);
    try {
      const columns = [0, 1, 2, 3, 4, 5].map((column) => rows.map((row) => row[column]));
      await db.prepared('add-metric-counts', ADD, columns);
    } catch (error) {
      for (const [key, n] of taken) counts.set(key, (counts.get(key) ?? 0) + n);
      throw error;
    }
  }

  const timer = setInterval(() => void flush().catch((error: unknown) => onError?.(error)), FLUSH_MS);
  timer.unref();
  return {
    add: (project, metric) => count(project, metric),
    addRequest: (project, durationMs) =>
      count(project, 'requests', DURATION_BOUNDS_MS.find((bound) => durationMs <= bound) ?? LAST_BOUND_MS),
    flush,
    close: async () => {
      clearInterval(timer);
      await flush().catch((error: unknown) => onError?.(error));
    },
  };
}
