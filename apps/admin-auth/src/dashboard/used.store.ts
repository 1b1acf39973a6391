import type { Database } from '@millwright/db';
import { USAGE_BY_DAY } from '@millwright/models/usage';
import { dayText, startOfDay, type UsagePeriod } from './usage-period.js';

export interface Used {
  agent_messages: number;
  tokens: number;
  /** Cost in US dollars; null when no price is known, 0 without any call of a model. */
  cost_usd: number | null;
  active_users: number;
  unpriced_tokens: number;
}

const NOTHING: Used = { agent_messages: 0, tokens: 0, cost_usd: 0, active_users: 0, unpriced_tokens: 0 };

/** SQL that returns one row for each usage event from `from` to before `to`. */
const events = (unit: 'hour' | 'day', from: string, to: string) => `
  SELECT date_trunc('${unit}', at, 'UTC') AS at, user_id, kind, 1::bigint AS events, prompt_tokens, completion_tokens, cost_usd
    FROM usage_events WHERE project = ANY($3) AND at >= ${from} AND at < ${to}`;

/** SQL for sums of both periods: a row for each hour or day, and a row for each whole period. In the latter, `at` is null. */
const sums = (source: string) => `
  SELECT at, is_now, coalesce(sum(events) FILTER (WHERE kind = 'agent_message'), 0)::float8 AS agent_messages,
         coalesce(sum(prompt_tokens + completion_tokens), 0)::float8 AS tokens, sum(cost_usd)::float8 AS cost_usd,
         count(DISTINCT user_id)::float8 AS active_users,
         coalesce(sum(prompt_tokens + completion_tokens) FILTER (WHERE cost_usd IS NULL), 0)::float8 AS unpriced_tokens
    FROM (SELECT *, at >= $4::timestamptz AS is_now FROM (${source}) used) used
   GROUP BY GROUPING SETS ((is_now), (is_now, at))`;

const BY_HOUR = sums(events('hour', '$1::timestamptz', '$2::timestamptz'));
/**
 * SQL for the sums by day. The day `$5` counts only up to the time `$6`: its events are added up one by one, because the stored sum covers
 * the whole day.
 */
const BY_DAY = sums(`
  SELECT day::timestamp AT TIME ZONE 'UTC' AS at, user_id, kind, events, prompt_tokens, completion_tokens, cost_usd
    FROM ${USAGE_BY_DAY} WHERE project = ANY($3) AND day <> $5::date
  UNION ALL ${events('day', `$5::date::timestamp AT TIME ZONE 'UTC'`, '$6::timestamptz')}`);

type Row = Used & { at: Date | null; is_now: boolean };

/** Creates functions that read the usage of models from usage events and from their sums by day. */
export function createUsedStore(db: Database) {
  function rowsOf(projects: readonly string[], { interval, from, to, before }: UsagePeriod): Promise<Row[]> {
    if (interval === 'hour') {
      return db.reads.prepared<Row>('dashboard-used-by-hour', BY_HOUR, [before.from, to, projects, from]);
    }
    const cut = dayText(startOfDay(new Date(before.to.getTime() - 1)));
    const values = [dayText(before.from), dayText(to), projects, from, cut, before.to];
    return db.reads.prepared<Row>('dashboard-used-by-day', BY_DAY, values);
  }

  return {
    async used(projects: readonly string[], period: UsagePeriod) {
      const rows = await rowsOf(projects, period);
      const usedOf = (row: Row | undefined): Used => row ?? NOTHING;
      const byTime = new Map(rows.filter(({ is_now }) => is_now).map((row) => [row.at?.getTime(), row]));
      return {
        at: (time: Date) => usedOf(byTime.get(time.getTime())),
        total: usedOf(byTime.get(undefined)),
        before: usedOf(rows.find(({ at, is_now }) => at === null && !is_now)),
      };
    },
  };
}
