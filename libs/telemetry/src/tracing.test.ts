import { ConfigError, parseConfig } from '@millwright/config';
import { createTraceCollector, freePort, type TraceCollector } from '@millwright/testing';
import { z } from 'zod';
import {
  currentTraceId,
  inSpan,
  isTracing,
  startSpan,
  startTracing,
  traceHeaders,
  traceHeadersForStrangers,
  traceOf,
  tracingConfig,
  type Tracing,
} from './index.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = (sampled: boolean) => `00-${TRACE_ID}-00f067aa0ba902b7-0${sampled ? 1 : 0}`;

let collector: TraceCollector;
let tracing: Tracing | undefined;
const errors: Error[] = [];

beforeEach(async () => {
  collector = await createTraceCollector();
  errors.length = 0;
});

afterEach(async () => {
  await tracing?.close();
  tracing = undefined;
  await collector.close();
});

const configOf = (env: Record<string, string>) => parseConfig(z.object(tracingConfig), env);

async function start(env: Record<string, string> = {}) {
  tracing = await startTracing({
    service: 'mill',
    version: '1.2.3',
    config: configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env }),
    onError: (error) => errors.push(error),
  });
  return tracing;
}

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('startTracing records, sends and forwards nothing', async () => {
    const off = await startTracing({ service: 'mill', version: '1', config: configOf({}), onError: () => undefined });
    const seen = await inSpan('work', { parent: 'root' }, ({ recording }) =>
      Promise.resolve({ recording, trace: currentTraceId(), headers: traceHeaders() }),
    );
    expect(seen).toEqual({ recording: false, trace: undefined, headers: {} });
    expect(isTracing()).toBe(false);
    await off.close();
  });
});

describe('tracingConfig', () => {
  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
  ])('refuses %s=%s', (variable, value) => {
    expect(() => configOf({ [variable]: value })).toThrow(ConfigError);
    expect(() => configOf({ [variable]: value })).toThrow(new RegExp(`${variable}: (?!.*${value})`));
  });
});

describe('inSpan', () => {
  it('exports a span with the service’s name, the configured headers and its parent', async () => {
    await start({ OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc, x-team = a', OTEL_SERVICE_NAME: 'other' });
    await inSpan('outer', { parent: 'root', kind: 'server' }, async () => {
      await Promise.resolve();
      await inSpan('inner', { kind: 'client', attributes: { words: ['a'], count: 2 } }, async (span) => {
        span.set({ more: 'said' });
        await Promise.resolve();
      });
    });
    await tracing?.close();
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer abc', 'x-team': 'a' });
    const [inner, outer] = collector.spans;
    expect(outer).toMatchObject({ service: 'other', name: 'outer', kind: 2, parentSpanId: undefined, failed: false });
    expect(inner).toMatchObject({
      ...{ service: 'other', name: 'inner', kind: 3, traceId: outer?.traceId, parentSpanId: outer?.spanId },
      attributes: { words: ['a'], count: 2, more: 'said' },
    });
  });

  it('records a span without a parent only when `parent` is `root`', async () => {
    await start();
    await inSpan('on its own', {}, () => Promise.resolve());
    await tracing?.close();
    expect(collector.spans).toEqual([]);
  });

  it('records a failure with its code, never with its text', async () => {
    await start();
    const failing = (error: unknown) =>
      expect(inSpan('work', { parent: 'root' }, () => Promise.reject(error as Error))).rejects.toBe(error);
    await failing(Object.assign(new Error('password=hunter2'), { code: '23505' }));
    await failing(new TypeError('password=hunter2'));
    await failing(Object.assign(new Error('x'), { name: 'password = hunter2' }));
    await tracing?.close();
    expect(collector.spans.map(({ failed, attributes }) => [failed, attributes['error.type']])).toEqual([
      [true, '23505'],
      [true, 'TypeError'],
      [true, '_OTHER'],
    ]);
    expect(collector.written()).not.toContain('hunter2');
  });

  it('truncates long values to 256 characters', async () => {
    await start();
    startSpan('work', { parent: 'root', attributes: { long: 'x'.repeat(10_000) } }).end();
    await tracing?.close();
    expect(collector.spans[0]?.attributes['long']).toHaveLength(256);
  });
});

describe('trace of an incoming request', () => {
  it('is continued and forwarded; the trace state is forwarded only to services of the installation', async () => {
    await start();
    const parent = traceOf({ traceparent: traceparent(true), tracestate: 'vendor=1' });
    await inSpan('request', { parent, kind: 'server' }, () => {
      expect(currentTraceId()).toBe(TRACE_ID);
      expect(traceHeaders()).toEqual({
        traceparent: expect.stringMatching(
          new RegExp(`^00-${TRACE_ID}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`),
        ) as string,
        tracestate: 'vendor=1',
      });
      expect(Object.keys(traceHeadersForStrangers())).toEqual(['traceparent']);
      return Promise.resolve();
    });
    await tracing?.close();
    expect(collector.spans[0]).toMatchObject({ traceId: TRACE_ID, parentSpanId: '00f067aa0ba902b7' });
  });

  it.each(['', 'x', `00-${TRACE_ID}-0000000000000000-01`, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'ff-1-2-3'])(
    'is replaced by a new trace when it is malformed: %j',
    async (header) => {
      await start();
      startSpan('request', { parent: traceOf({ traceparent: header }) }).end();
      await tracing?.close();
      expect(collector.spans[0]).toMatchObject({ parentSpanId: undefined });
      expect(collector.spans[0]?.traceId).not.toBe(TRACE_ID);
    },
  );
});

describe('the sampler', () => {
  it.each([
    ['parentbased_always_on', '1', false, 0],
    ['parentbased_always_on', '1', true, 1],
    ['parentbased_traceidratio', '0', true, 1],
    ['traceidratio', '0', true, 0],
    ['traceidratio', '1', false, 1],
    ['always_on', '1', false, 1],
    ['always_off', '1', true, 0],
  ])(
    '%s with the argument %s and the caller’s decision %s records %i spans',
    async (OTEL_TRACES_SAMPLER, ratio, sampled, recorded) => {
      await start({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: ratio });
      startSpan('request', { parent: traceOf({ traceparent: traceparent(sampled) }) }).end();
      await tracing?.close();
      expect(collector.spans).toHaveLength(recorded);
    },
  );

  it('omits all spans of a trace that is not sampled, but the trace keeps its id for logs', async () => {
    await start({ OTEL_TRACES_SAMPLER: 'always_off' });
    await inSpan('request', { parent: 'root', kind: 'server' }, async () => {
      expect(currentTraceId()).toMatch(/^[0-9a-f]{32}$/);
      expect(traceHeaders()['traceparent']).toContain(currentTraceId());
      expect(await inSpan('query', {}, ({ recording }) => Promise.resolve(recording))).toBe(false);
    });
    await tracing?.close();
    expect(collector.spans).toEqual([]);
  });

  it('forwards its decision in place of the decision of the caller', async () => {
    await start({ OTEL_TRACES_SAMPLER: 'always_off' });
    const span = startSpan('request', { parent: traceOf({ traceparent: traceparent(true) }) });
    expect(span.run(() => traceHeaders()['traceparent'])).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
  });
});

describe('the collector', () => {
  it('is reported once when it is unreachable, and delays the shutdown by at most two seconds', async () => {
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    startSpan('work', { parent: 'root' }).end();
    const startedAt = performance.now();
    await tracing?.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('is reported once when it refuses the spans', async () => {
    await start();
    collector.answerWith(400);
    startSpan('work', { parent: 'root' }).end();
    await tracing?.close();
    expect(errors.map(({ message }) => message)).toEqual(['traces could not be exported']);
  });
});
