import { durationPercentile, type Database } from '@millwright/db';
import { dayText, startOfDay, type UsagePeriod } from './usage-period.js';

export interface Counted {
  requests: number;
  errors: number;
  /** 95th percentile of durations in milliseconds; null for an interval without requests. */
  latency_p95_ms: number | null;
}

interface CountRow {
  at: Date;
  metric: 'requests' | 'errors';
  bucket_ms: number;
  n: number;
}

const OF = `project = ANY($1) AND metric IN ('requests', 'errors')`;
const HOURS = `
  SELECT hour AS at, metric, bucket_ms, sum(n)::float8 AS n FROM metric_hours
   WHERE ${OF} AND hour >= $2 AND hour < $3 GROUP BY hour, metric, bucket_ms`;
const DAYS = `
  SELECT day::timestamp AT TIME ZONE 'UTC' AS at, metric, bucket_ms, sum(n)::float8 AS n FROM metric_counts
   WHERE ${OF} AND day >= $2::date AND day < $3::date GROUP BY day, metric, bucket_ms`;

/** Creates a store that reads what the services have counted: requests, errors, and durations of requests. */
export function createCountedStore(db: Database) {
  const hours = (projects: readonly string[], from: Date, to: Date) =>
    db.reads.prepared<CountRow>('dashboard-hours', HOURS, [projects, from, to]);
  const days = (projects: readonly string[], from: Date, to: Date) =>
    db.reads.prepared<CountRow>('dashboard-days', DAYS, [projects, dayText(from), dayText(to)]);

  async function rowsOf(projects: readonly string[], { interval, from, to, before }: UsagePeriod) {
    if (interval === 'hour') {
      const rows = await hours(projects, before.from, to);
      return { now: rows.filter(({ at }) => at >= from), before: rows.filter(({ at }) => at < from) };
    }
    // The last day of the previous period ends at the current hour, so its figures are the sums of its hours.
    const cut = startOfDay(new Date(before.to.getTime() - 1));
    const [all, ofCut] = await Promise.all([days(projects, before.from, to), hours(projects, cut, from)]);
    const isKnown = sum(ofCut) === sum(all.filter(({ at }) => at.getTime() === cut.getTime()));
    const earlier = all.filter(({ at }) => at < cut);
    return {
      now: all.filter(({ at }) => at >= from),
      before: isKnown ? [...earlier, ...ofCut.filter(({ at }) => at < before.to)] : undefined,
    };
  }

  return {
    /**
     * Returns the figures of both periods. `before` is undefined while the hours of the previous period's last day have not been counted.
     */
    async counted(projects: readonly string[], period: UsagePeriod) {
      const { now, before } = await rowsOf(projects, period);
      const byTime = Map.groupBy(now, ({ at }) => at.getTime());
      return {
        at: (time: Date) => countedOf(byTime.get(time.getTime()) ?? []),
        total: countedOf(now),
        before: before && countedOf(before),
      };
    },
  };
}

const sum = (rows: readonly CountRow[]) => rows.reduce((total, { n }) => total + n, 0);

function countedOf(rows: readonly CountRow[]): Counted {
  const requests = rows.filter(({ metric }) => metric === 'requests');
  return {
    requests: sum(requests),
    errors: sum(rows.filter(({ metric }) => metric === 'errors')),
    latency_p95_ms: durationPercentile(requests, 0.95) ?? null,
  };
}
