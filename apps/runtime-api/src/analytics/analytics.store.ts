import type { Project } from '@millwright/auth';
import { durationPercentile, type Database } from '@millwright/db';
import { USAGE_BY_DAY } from '@millwright/models/usage';
import type { Metric } from './analytics.contract.js';
import { dayAfter, type Period } from './period.js';

export type Values = Record<Metric | 'unpriced_events', number>;

export interface Usage {
  /** Values by day. Days without usage are missing. */
  byDay: ReadonlyMap<string, Values>;
  total: Values;
}

/** Sums the usage of each day. ROLLUP adds a row for the whole period, in which `date` is null. The cost excludes calls of models without a price. */
const SUM = `
  SELECT to_char(day, 'YYYY-MM-DD') AS date,
         coalesce(sum(events) FILTER (WHERE kind = 'agent_message'), 0)::float8 AS agent_messages,
         coalesce(sum(prompt_tokens + completion_tokens), 0)::float8 AS model_tokens,
         coalesce(sum(known_cost_usd), 0)::float8 AS model_cost_usd,
         coalesce(sum(unpriced_events), 0)::float8 AS unpriced_events,
         count(DISTINCT user_id)::float8 AS active_users
    FROM ${USAGE_BY_DAY} WHERE project = $3 GROUP BY ROLLUP (day)`;

const COUNTS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS date, metric, bucket_ms, sum(n)::float8 AS n
    FROM metric_counts WHERE project = $1 AND day >= $2::date AND day <= $3::date GROUP BY day, metric, bucket_ms`;

const NOTHING: Values = {
  requests: 0,
  errors: 0,
  latency_p95_ms: 0,
  agent_messages: 0,
  model_tokens: 0,
  model_cost_usd: 0,
  unpriced_events: 0,
  mcp_calls: 0,
  content_searches: 0,
  active_users: 0,
};

type Used = Pick<Values, 'agent_messages' | 'model_tokens' | 'model_cost_usd' | 'unpriced_events' | 'active_users'>;
interface CountRow {
  date: string;
  metric: string;
  bucket_ms: number;
  n: number;
}

/** Reads the usage of projects for analytics. */
export function createAnalyticsStore(db: Database) {
  return {
    async usage(project: Project, period: Period): Promise<Usage> {
      const [used, counted] = await Promise.all([
        db.reads.prepared<Used & { date: string | null }>('sum-usage', SUM, [
          period.from,
          dayAfter(period.to),
          project,
        ]),
        db.reads.prepared<CountRow>('sum-counts', COUNTS, [project, period.from, period.to]),
      ]);
      const countedByDay = Map.groupBy(counted, ({ date }) => date);
      const usedByDay = new Map(used.map((row) => [row.date, row]));
      const valuesOf = (row: Used | undefined, counts: readonly CountRow[] = []): Values => ({
        ...NOTHING,
        ...row,
        ...countedValues(counts),
      });
      const days = new Set([...countedByDay.keys(), ...used.flatMap(({ date }) => date ?? [])]);
      return {
        byDay: new Map([...days].map((day) => [day, valuesOf(usedByDay.get(day), countedByDay.get(day))])),
        total: valuesOf(usedByDay.get(null), counted),
      };
    },
  };
}
export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>;

function countedValues(rows: readonly CountRow[]) {
  const sum = (metric: string) => rows.reduce((total, row) => (row.metric === metric ? total + row.n : total), 0);
  return {
    requests: sum('requests'),
    errors: sum('errors'),
    mcp_calls: sum('mcp_calls'),
    content_searches: sum('content_searches'),
    latency_p95_ms:
      durationPercentile(
        rows.filter(({ metric }) => metric === 'requests'),
        0.95,
      ) ?? 0,
  };
}
