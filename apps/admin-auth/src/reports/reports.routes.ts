import { route, type Gate, type Route } from '@millwright/http';
import { AppError } from '@millwright/errors';
import { Router, type RequestHandler } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '../csv/csv.js';
import { parseQuery } from '../protection/parse-query.js';
import { getInternalReport, ReportQuery, type ReportRow } from './reports.contract.js';
import type { ReportsStore } from './reports.store.js';

const thisMonth = () => new Date().toISOString().slice(0, 7);

export function reportsRoutes(store: ReportsStore): Route[] {
  return [route(getInternalReport, async ({ query: { month = thisMonth() } }) => ({ body: await store.read(month) }))];
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
    response
      .set({ 'Cache-Control': 'no-store', 'Content-Disposition': `attachment; filename="usage-${month}.csv"` })
      .type('text/csv');
    // A failure closes the connection, so that a truncated file is not mistaken for a complete file.
    await pipeline(Readable.from(linesOf(store, month)), response).catch(() => response.destroy());
  });
  router.all(PATH, async (request, response) => {
    await gate(request, response, 'credential', { role: 'platform_admin' });
    throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
  });
  return router;
}

async function* linesOf(store: ReportsStore, month: string): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const page of store.pages(month)) yield page.map((row) => csvLine(cellsOf(month, row))).join('');
}

const cellsOf = (month: string, { project, user: { id, name, email }, model, ...row }: ReportRow) => [
  ...[month, project, id, name, email, model],
  ...[row.requests, row.tokens_in, row.tokens_out, row.cost_usd, row.unpriced_events],
];
