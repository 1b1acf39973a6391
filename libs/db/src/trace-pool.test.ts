import { createTestDatabase, createTraceCollector, type TestDatabase, type TraceCollector } from '@millwright/testing';
import { inSpan, startTracing, type Tracing } from '@millwright/telemetry';
import { createDatabase, type Database } from './index.js';

let test: TestDatabase;
let collector: TraceCollector;
let tracing: Tracing;
let db: Database;

beforeEach(async () => {
  [test, collector] = await Promise.all([createTestDatabase(), createTraceCollector()]);
  const config = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_TRACES_SAMPLER_ARG: '1',
  };
  tracing = await startTracing({ service: 'db', version: '1', config, onError: () => undefined });
  db = createDatabase({ url: test.url, poolMax: 1 });
});

afterEach(async () => {
  await db.close();
  await tracing.close();
  await collector.close();
  await test.drop();
});

const asked = <Result>(name: string, work: () => Promise<Result>) => inSpan(name, { parent: 'root' }, work);

async function spansUnder(name: string) {
  await tracing.close();
  const root = collector.spans.find((span) => span.name === name);
  return collector.spans.filter(({ parentSpanId }) => parentSpanId !== undefined && parentSpanId === root?.spanId);
}

describe('a query', () => {
  it('has a span whose parent is the span of the request; the span is named after verb and table, and has no values', async () => {
    const email = 'nobody-in-particular@example.com';
    await asked('request', () => db.prisma.user.findMany({ where: { email } }));
    const [query] = await spansUnder('request');
    expect(query).toMatchObject({
      name: 'SELECT users',
      kind: 3,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'SELECT',
        'db.collection.name': 'users',
        'db.query.summary': 'SELECT users',
      },
    });
    expect(collector.written()).not.toContain(email);
  });

  it.each([
    ['UPDATE users', 'WITH changed AS (UPDATE users SET name = name WHERE false RETURNING 1) SELECT 1 FROM changed'],
    ['SELECT users', 'WITH found AS (SELECT 1 FROM users LIMIT 1 FOR UPDATE OF users) SELECT 1 FROM found'],
  ])('has a span with the name %s when it begins with WITH', async (name, text) => {
    await asked('request', () => db.prisma.$queryRawUnsafe(text));
    expect((await spansUnder('request')).map((span) => span.name)).toEqual([name]);
  });

  it('has a span that is named after the statement when the statement is a prepared one', async () => {
    await asked('request', () => db.prepared('one-and-only', 'SELECT 1 AS one', []));
    expect((await spansUnder('request')).map(({ name }) => name)).toEqual(['one-and-only']);
  });

  it('has a failed span with the SQLSTATE when the query fails', async () => {
    await expect(asked('request', () => db.prepared('broken', 'SELECT 1/0', []))).rejects.toThrow('division');
    const [query] = await spansUnder('request');
    expect(query).toMatchObject({ failed: true, attributes: { 'error.type': '22012' } });
  });

  it('has its span in the trace of the request that sent it, even after waiting for the connection of another request', async () => {
    const slow = asked('first', () => db.prepared('slow', 'SELECT pg_sleep(0.2)', []));
    const waiting = asked('second', () => db.prepared('waiting', 'SELECT 2', []));
    await Promise.all([slow, waiting]);
    expect((await spansUnder('second')).map(({ name }) => name)).toEqual(['waiting']);
    expect((await spansUnder('first')).map(({ name }) => name)).toEqual(['slow']);
  });

  it('has no span when no request sent it', async () => {
    await db.notReady();
    await tracing.close();
    expect(collector.spans).toEqual([]);
  });
});
