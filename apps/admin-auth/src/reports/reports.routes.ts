import { route, type Gate, type Route } from '@millwright/http';
import { AppError } from '@millwright/errors';
import { Router, type RequestHandler } from 'express';
import { csvLine } from '../csv/csv.js';
import { parseQuery } from '../protection/parse-query.js';
import { getInternalReport, ReportQuery, type ReportRow } from './reports.contract.js';
import type { ReportsStore } from './reports.store.js';

const thisMonth = () => new Date().toISOString().slice(0, 7);

export function reportsRoutes(store: ReportsStore): Route[] {
  return [
    route(getInternalReport, async ({ query: { month = thisMonth() } }) => {
      const rows = await store.month(month);
      return { body: { month, rows, totals: totalsOf(rows) } };
    }),
  ];
}

/** Adds up the rows. The total cost is null when the cost of any row is unknown. */
function totalsOf(rows: readonly ReportRow[]) {
  const sum = (field: 'requests' | 'tokens_in' | 'tokens_out' | 'unpriced_events') =>
    rows.reduce((total, row) => total + row[field], 0);
  const isKnown = rows.length > 0 && rows.every((row) => row.cost_usd !== null);
  const cost_usd = isKnown ? Number(rows.reduce((total, row) => total + (row.cost_usd ?? 0), 0).toFixed(9)) : null;
  return {
    ...{ requests: sum('requests'), tokens_in: sum('tokens_in'), tokens_out: sum('tokens_out'), cost_usd },
    unpriced_events: sum('unpriced_events'),
  };
}

const PATH = '/admin/api/reports/internal.csv';
const COLUMNS = [
  'month',
  'project',
  'user_id',
  'user_name',
  'user_email',
  'model',
  'requests',
  'tokens_in',
  'tokens_out',
  'cost_usd',
  'unpriced_events',
];

/** Answers the report as CSV. */
export function reportsCsv(store: ReportsStore, gate: Gate): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(PATH, async (request, response) => {
    response.locals.route = PATH;
    await gate(request, response, 'credential', { role: 'platform_admin' });
    const { month = thisMonth() } = parseQuery(ReportQuery, request);
    const lines = (await store.month(month)).map(
      ({
        project,
        user: { id, name, email },
        model,
        requests,
        tokens_in,
        tokens_out,
        cost_usd,
        unpriced_events: unpriced,
      }) => csvLine([month, project, id, name, email, model, requests, tokens_in, tokens_out, cost_usd, unpriced]),
    );
    response
      .set({ 'Cache-Control': 'no-store', 'Content-Disposition': `attachment; filename="usage-${month}.csv"` })
      .type('text/csv')
      .send([csvLine(COLUMNS), ...lines].join(''));
  });
  router.all(PATH, async (request, response) => {
    await gate(request, response, 'credential', { role: 'platform_admin' });
    throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
  });
  return router;
}
