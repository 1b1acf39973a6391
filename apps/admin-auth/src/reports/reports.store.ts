import { encodeId, type Database } from '@millwright/db';
import { USAGE_BY_DAY } from '@millwright/models/usage';
import type { ReportRow } from './reports.contract.js';

const MONTH = `
  SELECT usage.project, usage.user_id, u.name, u.email, usage.model, sum(events)::float8 AS requests,
         sum(prompt_tokens)::float8 AS tokens_in, sum(completion_tokens)::float8 AS tokens_out,
         CASE WHEN bool_and(cost_usd IS NOT NULL) THEN sum(cost_usd)::float8 END AS cost_usd,
         sum(unpriced_events)::float8 AS unpriced_events
    FROM ${USAGE_BY_DAY} JOIN users u ON u.id = usage.user_id
   GROUP BY usage.project, usage.user_id, u.name, u.email, usage.model
   ORDER BY usage.project, u.name, usage.user_id, usage.model`;

type Row = Omit<ReportRow, 'user'> & { user_id: string; name: string; email: string };

export function createReportsStore(db: Database) {
  return {
    /** Returns the rows of a month in the form `YYYY-MM`. */
    async month(month: string): Promise<ReportRow[]> {
      const first = new Date(`${month}-01T00:00:00Z`);
      const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
      const bounds = [first, next].map((date) => date.toISOString().slice(0, 10));
      const rows = await db.prepared<Row>('sum-month-usage', MONTH, bounds);
      return rows.map(({ user_id, name, email, ...row }) => ({
        ...row,
        user: { id: encodeId('usr', user_id), name, email },
      }));
    },
  };
}
export type ReportsStore = ReturnType<typeof createReportsStore>;
