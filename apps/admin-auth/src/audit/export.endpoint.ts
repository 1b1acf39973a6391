import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportAuditLog, recordDecision, type SealKey, type AuditFilter } from '@millwright/audit';
import { callerOf } from '@millwright/auth';
import { readIssuedKeys } from '@millwright/auth/signing-keys';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Gate } from '@millwright/http';
import { requestOrigin } from '@millwright/http/protocol';
import { Router, type Request, type RequestHandler } from 'express';
import { csvLine } from '../csv/csv.js';
import { parseQuery } from '../protection/parse-query.js';
import { AUDIT_ACCESS, ExportQuery } from './audit.contract.js';
import type { AuditStore } from './audit.store.js';

export interface ExportDeps {
  db: Database;
  gate: Gate;
  store: AuditStore;
  signingKey: () => SealKey;
}

const TYPES = { jsonl: 'application/jsonl', csv: 'text/csv; charset=utf-8' } as const;
const COLUMNS = [
  'id',
  'at',
  'user_id',
  'user_name',
  'user_email',
  'actor_kind',
  'actor_id',
  'action',
  'resource',
  'project',
  'decision',
  'reason',
  'request_id',
  'ip',
  'detail',
];

/**
 * Streams the audit log as a file, and records the export: rows and seals as JSON lines for `millwright audit verify`, or rows as
 * CSV.
 */
export function exportEndpoint(deps: ExportDeps): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/admin/api/audit/export', async (request, response) => {
    response.locals.route = '/admin/api/audit/export';
    const principal = await deps.gate(request, response, 'credential', AUDIT_ACCESS);
    const { format, ...filters } = parseQuery(ExportQuery, request);
    const filter = await deps.store.filterOf(filters);
    await record(deps.db, request, callerOf(principal, requestOrigin(request)).actor, format);
    const lines = format === 'csv' ? csvOf(deps.store, filter) : await jsonlOf(deps, filter);
    const name = `audit-${new Date().toISOString().slice(0, 10)}.${format}`;
    response.set({
      'Content-Type': TYPES[format],
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    });
    // A failure closes the connection, so that a truncated file is not mistaken for a complete file.
    await pipeline(Readable.from(lines), response).catch(() => response.destroy());
  });
  router.all('/admin/api/audit/export', async (request, response) => {
    await deps.gate(request, response, 'credential', AUDIT_ACCESS);
    throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
  });
  return router;
}

function record(db: Database, request: Request, actor: Parameters<typeof recordDecision>[1]['actor'], format: string) {
  const query = new URL(request.originalUrl, 'http://path.invalid').search.slice(0, 500);
  return db.transaction((tx) =>
    recordDecision(tx, { actor, action: 'audit.export', resource: 'audit', detail: { format, query } }),
  );
}

async function jsonlOf({ db, signingKey }: ExportDeps, filter: AuditFilter): Promise<AsyncGenerator<string>> {
  return exportAuditLog(db, { filter, keys: await readIssuedKeys(db, 'admin-auth'), endKey: signingKey() });
}

async function* csvOf(store: AuditStore, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const page of store.pages(filter)) {
    yield page
      .map(({ user, ...row }) => ({ ...row, user_id: user.id, user_name: user.name, user_email: user.email }))
      .map((row: Record<string, unknown>) => csvLine(COLUMNS.map((column) => row[column])))
      .join('');
  }
}
