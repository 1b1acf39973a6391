import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { Metric } from './analytics.contract.js';
import { boundsOf, type Period } from './period.js';

export type Values = Record<Metric, number>;

export interface Usage {
  /** Only days on which something was used. */
  byDay: ReadonlyMap<string, Values>;
  total: Values;
}

/** ROLLUP adds the row of the whole period, whose `date` is null. Runs of models without a price cost nothing here. */
const SUM = `
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date,
         (count(*) FILTER (WHERE kind = 'agent_message'))::float8 AS agent_messages,
         coalesce(sum(prompt_tokens::bigint + completion_tokens), 0)::float8 AS model_tokens,
         coalesce(sum(cost_usd), 0)::float8 AS model_cost_usd,
         count(DISTINCT user_id)::float8 AS active_users
    FROM usage_events WHERE project = $1 AND at >= $2 AND at < $3
   GROUP BY ROLLUP (to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD'))`;

const NOTHING: Values = { agent_messages: 0, model_tokens: 0, model_cost_usd: 0, active_users: 0 };

/** The only file that reads what was used, of one project and nothing else. */
export function createAnalyticsStore(db: Database) {
  return {
    async usage(project: Project, period: Period): Promise<Usage> {
      const { start, end } = boundsOf(period);
      const rows = await db.prepared<Values & { date: string | null }>('sum-usage', SUM, [project, start, end]);
      const byDay = new Map(rows.flatMap((row): [string, Values][] => (row.date === null ? [] : [[row.date, row]])));
      return { byDay, total: rows.find(({ date }) => date === null) ?? NOTHING };
    },
  };
}
export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>;
