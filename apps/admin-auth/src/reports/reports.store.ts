import { encodeId, type Database } from '@millwright/db';
import { USAGE_BY_DAY } from '@millwright/models/usage';
import { MOST_ROWS, MOST_SUMS, type MonthReport, type ReportRow } from './reports.contract.js';

/** Number of rows that one statement reads for the CSV. */
const CSV_ROWS = 5_000;

const total = (column: string) => `coalesce(sum(${column}), 0)::float8`;
const TOTALS = `
  SELECT ${total('events')} AS requests, ${total('prompt_tokens')} AS tokens_in, ${total('completion_tokens')} AS tokens_out,
         CASE WHEN bool_and(cost_usd IS NOT NULL) THEN sum(cost_usd)::float8 END AS cost_usd, ${total('unpriced_events')} AS unpriced_events
    FROM month`;

/** SQL for the usage by project, user and model, from the day `$1` to before the day `$2`. */
const MONTH = `
  month AS MATERIALIZED (
    SELECT usage.project, usage.user_id, usage.model, sum(events) AS events, sum(prompt_tokens) AS prompt_tokens,
           sum(completion_tokens) AS completion_tokens, CASE WHEN bool_and(cost_usd IS NOT NULL) THEN sum(cost_usd) END AS cost_usd,
           sum(unpriced_events) AS unpriced_events, sum(prompt_tokens) + sum(completion_tokens) AS tokens
      FROM ${USAGE_BY_DAY} GROUP BY usage.project, usage.user_id, usage.model)`;

const ROW = `
  m.project, m.user_id, u.name, u.email, m.model, m.events::float8 AS requests, m.prompt_tokens::float8 AS tokens_in,
  m.completion_tokens::float8 AS tokens_out, m.cost_usd::float8 AS cost_usd, m.unpriced_events::float8 AS unpriced_events
  FROM month m JOIN users u ON u.id = m.user_id`;

/**
 * SQL for a JSON list of the tokens by value of a column, largest first. The list has at most MOST_SUMS entries; the last entry adds up all
 * other values.
 */
const sumsBy = (column: 'model' | 'user_id' | 'project', name: string) => `(
  SELECT coalesce(json_agg(json_build_object('name', name, 'count', n, 'tokens_in', tokens_in, 'tokens_out', tokens_out) ORDER BY place), '[]')
    FROM (SELECT place, CASE WHEN count(*) = 1 THEN min(key) END AS key, count(*) AS n, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out
            FROM (SELECT key, tokens_in, tokens_out,
                         CASE WHEN count(*) OVER () > ${MOST_SUMS} THEN least(row_number() OVER w, ${MOST_SUMS}) ELSE row_number() OVER w END AS place
                    FROM (SELECT ${column}::text AS key, sum(prompt_tokens) AS tokens_in, sum(completion_tokens) AS tokens_out
                            FROM month GROUP BY 1) s WINDOW w AS (ORDER BY tokens_in + tokens_out DESC, key)) placed
           GROUP BY place) parts
    CROSS JOIN LATERAL (SELECT ${name} AS name) named)`;

const REPORT = `
  WITH ${MONTH}
  SELECT (SELECT coalesce(json_agg(r), '[]') FROM (SELECT ${ROW} ORDER BY m.tokens DESC, m.project, m.user_id, m.model LIMIT ${MOST_ROWS}) r) AS rows,
         (SELECT count(*)::int FROM month) AS row_count,
         (SELECT row_to_json(t) FROM (${TOTALS}) t) AS totals,
         ${sumsBy('model', 'key')} AS by_model,
         ${sumsBy('user_id', '(SELECT u.name FROM users u WHERE u.id = key::uuid)')} AS by_user,
         ${sumsBy('project', 'key')} AS by_project,
         ARRAY(SELECT model FROM month WHERE cost_usd IS NULL GROUP BY model ORDER BY sum(tokens) DESC, model LIMIT ${MOST_SUMS}) AS unpriced_models`;

const NEXT_ROWS = `
  WITH ${MONTH}
  SELECT ${ROW} WHERE (m.project, m.user_id, m.model) > ($3, $4::uuid, $5) ORDER BY m.project, m.user_id, m.model LIMIT ${CSV_ROWS}`;

const FIRST = ['', '00000000-0000-0000-0000-000000000000', ''] as const;

type Row = Omit<ReportRow, 'user'> & { user_id: string; name: string; email: string };

const toRow = ({ user_id, name, email, ...row }: Row): ReportRow => ({
  ...row,
  user: { id: encodeId('usr', user_id), name, email },
});

/** Returns the first day of a month `YYYY-MM` and the first day of the next month. */
function boundsOf(month: string): string[] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
  return [first, next].map((date) => date.toISOString().slice(0, 10));
}

type Found = Omit<MonthReport, 'month' | 'rows'> & { rows: Row[] };

export function createReportsStore(db: Database) {
  return {
    /** Reads the report of a month `YYYY-MM`. */
    async read(month: string): Promise<MonthReport> {
      const [found] = await db.reads.prepared<Found>('read-month-report', REPORT, boundsOf(month));
      if (!found) throw new Error('the report has no row');
      return { ...found, month, rows: found.rows.map(toRow) };
    },

    /** Reads all rows of a month `YYYY-MM`, one for each project, user and model. */
    async *pages(month: string): AsyncGenerator<ReportRow[]> {
      for (let after: readonly string[] = FIRST; ;) {
        const rows = await db.reads.prepared<Row>('list-month-report', NEXT_ROWS, [...boundsOf(month), ...after]);
        yield rows.map(toRow);
        const last = rows.at(-1);
        if (!last || rows.length < CSV_ROWS) return;
        after = [last.project, last.user_id, last.model];
      }
    },
  };
}
export type ReportsStore = ReturnType<typeof createReportsStore>;
