import { AsyncResource } from 'node:async_hooks';
import { startSpan, type TraceSpan } from '@millwright/telemetry';
import type pg from 'pg';

/** Records what the pool's connections are asked, as a part of whatever asks. A statement is told by verb and table, or by its name. */
export function tracePool(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: (...given: unknown[]) => void) => unknown;
  // A connection that was waited for is handed over by whoever gives it back: not to be taken for the one who asked.
  pool.connect = ((callback?: (...given: unknown[]) => void) =>
    callback ? connect(AsyncResource.bind(callback)) : connect()) as typeof pool.connect;
  pool.on('connect', traceQueries);
}

type Query = (...given: unknown[]) => unknown;
type Callback = (error: unknown, ...result: unknown[]) => void;

function traceQueries(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query;
  const traced: Query = (...given) => {
    const { name, text } = statementOf(given[0]);
    const span = startSpan('query', { kind: 'client', attributes: { 'db.system.name': 'postgresql' } });
    if (span.recording) describe(span, name, text);
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const settle: Callback = (error, ...result) => {
        end(span, error);
        (callback as Callback)(error, ...result);
      };
      return query(...given.slice(0, -1), settle);
    }
    const answer = query(...given);
    if (answer instanceof Promise)
      answer.then(
        () => span.end(),
        (error: unknown) => span.fail(error),
      );
    else span.end();
    return answer;
  };
  client.query = traced as typeof client.query;
}

function end(span: TraceSpan, error: unknown): void {
  if (error) span.fail(error);
  else span.end();
}

function statementOf(given: unknown): { name?: string; text: string } {
  if (typeof given === 'string') return { text: given };
  const { name, text = '' } = given as { name?: string; text?: string };
  return { name, text };
}

const VERB = /^\s*(?:--[^\n]*\n\s*)*([a-z]+)/i;
const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?(?:"?public"?\.)?"?([a-z_][a-z0-9_]*)/i;

function describe(span: TraceSpan, name: string | undefined, text: string): void {
  const start = text.slice(0, 4_000);
  const verb = VERB.exec(start)?.[1]?.toUpperCase() ?? 'QUERY';
  const table = TABLE.exec(start)?.[1];
  const summary = name ?? (table === undefined ? verb : `${verb} ${table}`);
  span.name(summary);
  span.set({
    'db.operation.name': verb,
    'db.query.summary': summary,
    ...(table !== undefined && { 'db.collection.name': table }),
  });
}
