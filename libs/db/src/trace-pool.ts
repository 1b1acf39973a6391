import { AsyncResource } from 'node:async_hooks';
import { startSpan, type TraceSpan } from '@millwright/telemetry';
import type pg from 'pg';
import { isGenerated } from './statement-names.js';
import { watchQueries, type Statement } from './watch-queries.js';

/**
 * Records each query of the pool as a span of the request that sent it. A span has the name of a prepared statement, or
 * the verb and table of any other statement.
 */
export function tracePool(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: (...given: unknown[]) => void) => unknown;
  // The request that returns a connection also calls the callback of the next waiting request, which must run in its own async context.
  pool.connect = ((callback?: (...given: unknown[]) => void) =>
    callback ? connect(AsyncResource.bind(callback)) : connect()) as typeof pool.connect;
  pool.on('connect', (client) => watchQueries(client, traceQuery));
}

function traceQuery(statement: Statement) {
  const span = startSpan('query', { kind: 'client', attributes: { 'db.system.name': 'postgresql' } });
  if (span.recording) describe(span, statement);
  return (error?: unknown) => {
    if (error === undefined) span.end();
    else span.fail(error);
  };
}

const VERB = /^\s*(?:--[^\n]*\n\s*)*([a-z]+)/i;
/** The first change within a statement that begins with WITH. `DO UPDATE SET`, `FOR UPDATE OF` and the like change no table. */
const CHANGE =
  /\b(insert\s+into|update|delete\s+from)\s+(?!set\b|of\b|skip\b|nowait\b)(?:only\s+)?(?:"?public"?\.)?"?([a-z_][a-z0-9_]*)/i;
const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?(?:"?public"?\.)?"?([a-z_][a-z0-9_]*)/i;

/** The verb and the first table of a statement. For a statement that begins with WITH: of its first change, else SELECT. */
function operationOf(text: string): { verb: string; table: string | undefined } {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const change = verb === 'WITH' ? CHANGE.exec(text) : undefined;
  if (change) return { verb: change[1]?.split(/\s/)[0]?.toUpperCase() ?? verb, table: change[2] };
  return { verb: verb === 'WITH' ? 'SELECT' : verb, table: TABLE.exec(text)?.[1] };
}

function describe(span: TraceSpan, { name, text }: Statement): void {
  const start = text.slice(0, 4_000);
  const { verb, table } = operationOf(start);
  const own = name === undefined || isGenerated(name) ? undefined : name;
  const summary = own ?? (table === undefined ? verb : `${verb} ${table}`);
  span.name(summary);
  span.set({
    'db.operation.name': verb,
    'db.query.summary': summary,
    ...(table !== undefined && { 'db.collection.name': table }),
  });
}
