import { inSpan, telemetryEvents, startTracing, traceOf, type Tracing } from '@millwright/telemetry';
import { createTraceCollector, freePort, listen, type ListeningApp, type TraceCollector } from '@millwright/testing';
import type { IncomingHttpHeaders } from 'node:http';
import { createBreaker, createBreakers, createEgress, type Egress } from './index.js';

let collector: TraceCollector;
let tracing: Tracing;
let upstream: ListeningApp;
let egress: Egress;
let received: IncomingHttpHeaders;
let status = 200;
const recorded: [string, string][] = [];
telemetryEvents.upstreamCall.listen(({ kind, outcome }) => recorded.push([kind, outcome]));

beforeEach(async () => {
  recorded.length = 0;
  status = 200;
  collector = await createTraceCollector();
  const config = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_TRACES_SAMPLER_ARG: '1',
  };
  tracing = await startTracing({ service: 'egress', version: '1', config, onError: () => undefined });
  upstream = await listen((request, response) => {
    received = request.headers;
    response.writeHead(status).end('{}');
  });
  egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
});

afterEach(async () => {
  await egress.close();
  await upstream.close();
  await tracing.close();
  await collector.close();
});

const asked = (work: () => Promise<unknown>) => inSpan('request', { parent: 'root' }, work).catch(() => undefined);

async function callSpan() {
  await tracing.close();
  return collector.spans.find(({ kind }) => kind === 3);
}

describe('span of an outbound call', () => {
  it('has method and host, never path, query or header', async () => {
    const url = `${upstream.url}/services/T0/hidden-in-path?key=hidden-in-query`;
    await asked(() => egress.fetch(url, { method: 'post', headers: { 'x-key': 'hidden-in-header' }, body: 'hidden' }));
    expect(await callSpan()).toMatchObject({
      ...{ name: 'POST', failed: false },
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(upstream.url).port),
      },
    });
    expect(collector.written()).not.toContain('hidden');
  });

  it.each([500, 404])('is marked as failed for the status %i', async (answered) => {
    status = answered;
    await asked(() => egress.fetch(upstream.url));
    expect(await callSpan()).toMatchObject({ failed: true, attributes: { 'error.type': String(answered) } });
  });

  it('is marked as failed with the kind of the error when the call is refused', async () => {
    await asked(() => egress.fetch('http://169.254.169.254/latest'));
    expect(await callSpan()).toMatchObject({ failed: true, attributes: { 'error.type': 'refused' } });
  });

  it('is forwarded to every upstream; the trace state is forwarded to trusted upstreams only', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const parent = traceOf({ traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'caller=7' });
    const traceparent = expect.stringMatching(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`)) as string;
    await inSpan('request', { parent }, () => egress.fetch(upstream.url));
    expect(received).toMatchObject({ traceparent });
    expect(received['tracestate']).toBeUndefined();
    await inSpan('request', { parent }, () => egress.trusted()(upstream.url));
    expect(received).toMatchObject({ traceparent, tracestate: 'caller=7' });
  });

  it('is not forwarded when the call belongs to no trace', async () => {
    await egress.fetch(upstream.url);
    expect(received['traceparent']).toBeUndefined();
  });
});

describe('telemetryEvents.upstreamCall', () => {
  it('reports the kind and the outcome of each call', async () => {
    await egress.fetch(upstream.url, { kind: 'plugin' });
    status = 503;
    await egress.fetch(upstream.url, { kind: 'mcp' });
    await egress.fetch('http://169.254.169.254/', { kind: 'webhook' }).catch(() => undefined);
    await egress.fetch(`http://127.0.0.1:${await freePort()}/`, { kind: 'mcp' }).catch(() => undefined);
    await egress.fetch(upstream.url, { kind: 'mcp', signal: AbortSignal.abort() }).catch(() => undefined);
    await egress.fetch(upstream.url);
    expect(recorded).toEqual([
      ['plugin', 'answered'],
      ['mcp', 'failed'],
      ['webhook', 'refused'],
      ['mcp', 'network'],
      ['mcp', 'aborted'],
    ]);
  });
});

describe('telemetryEvents.breaker', () => {
  const changes: [string, boolean][] = [];
  telemetryEvents.breaker.listen(({ kind, open }) => changes.push([kind, open]));
  beforeEach(() => (changes.length = 0));

  it('is recorded once when a breaker opens and once when it closes', () => {
    let time = 0;
    const breaker = createBreaker({ kind: 'model', failures: 2, resetMs: 10, now: () => time });
    const fail = () => breaker.admit()?.failed();
    fail();
    expect(changes).toEqual([]);
    const late = breaker.admit();
    fail();
    late?.failed();
    expect(changes).toEqual([['model', true]]);
    time = 20;
    fail();
    expect(changes).toEqual([['model', true]]);
    time = 40;
    breaker.admit()?.succeeded();
    expect(changes).toEqual([
      ['model', true],
      ['model', false],
    ]);
  });

  it('is recorded as closed when an open breaker is dropped', () => {
    const breakerOf = createBreakers('plugin');
    for (let n = 0; n < 5; n += 1) breakerOf('failing').admit()?.failed();
    expect(changes).toEqual([['plugin', true]]);
    expect(breakerOf('failing').open).toBe(true);
    for (let n = 0; n < 1_000; n += 1) breakerOf(`other ${n}`);
    expect(changes.at(-1)).toEqual(['plugin', false]);
    expect(breakerOf('failing').open).toBe(false);
  });
});
