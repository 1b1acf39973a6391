import {
  createFakeModel,
  createTraceCollector,
  redisUrl,
  type CollectedSpan,
  type FakeModel,
  type TraceCollector,
} from '@millwright/testing';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { callers, send } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { linesWithSecrets, noteSecret } from '../harness/secrets.js';
import { until } from '../harness/until.js';
import { deadParts } from './promql.js';
import { scrape, type Series } from './scrape.js';

/** The trace context of a caller: the ids of its trace and span. */
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';
const COLLECTOR_KEY = 'Bearer 4f8f2a0f5a634bdc8d9a6f1b';
const QUESTION = 'How good is the bread of the miller of Dee?';
const REPLY = '{"verdict":"It rises by itself."}';

let model: FakeModel;
let collector: TraceCollector;
let platform: Platform;
let spans: readonly CollectedSpan[];
let series: readonly Series[];

beforeAll(async () => {
  noteSecret(COLLECTOR_KEY);
  noteSecret('model-key-9d1c55a7');
  [model, collector] = await Promise.all([createFakeModel(), createTraceCollector()]);
  platform = await startPlatform({
    env: {
      MODEL_BASE_URL: model.url,
      MODEL_API_KEY: 'model-key-9d1c55a7',
      MODEL_NAME: 'house-model',
      REDIS_URL: redisUrl(),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(COLLECTOR_KEY)}`,
    },
  });
  const call = callers(platform);
  const prompt = await call.prompt<{ id: string }>('/prompt', {
    body: {
      instruction: { static: 'You rate {{thing}}, as a baker.', state: '', dynamic: '{{message}}' },
      input: {
        name: 'thing',
        description: '',
        type: 'structured_data',
        schema: { type: 'object', properties: { thing: { type: 'string' } }, required: ['thing'] },
      },
      output: {
        name: 'rating',
        description: '',
        type: 'structured_data',
        schema: { type: 'object', properties: { verdict: { type: 'string' } }, required: ['verdict'] },
      },
      metadata: { title: 'Rate', description: 'Rates things', tag: [], log_message: 'first' },
    },
  });
  model.answerWith(REPLY);
  const run = await call.prompt<{ success: boolean }>(`/prompt/${prompt.body.id}/openai`, {
    body: { message: QUESTION, structured_data: { thing: 'bread-of-dee' } },
    headers: { traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01`, tracestate: 'caller=7' },
  });
  expect(run).toMatchObject({ status: 200, body: { success: true } });
  await call.platform('/skills');
  await call.runtime('/health');
  await askForRecovery();
  model.answerWith({ status: 500 });
  await call.prompt(`/prompt/${prompt.body.id}/openai`, {
    body: { message: QUESTION, structured_data: { thing: 'bread-of-dee' } },
  });
  series = await until(async () => {
    const seen = await scrape(platform);
    return seen.some(
      ({ labels, value }) => labels['job'] === 'refresh-mcp-tools' && labels['outcome'] === 'succeeded' && value > 0,
    )
      ? seen
      : undefined;
  });
  // A process exports its remaining spans before it exits.
  await Promise.all(platform.services.map((service) => service.terminate()));
  spans = collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
});

afterAll(async () => {
  await platform.stop();
  await Promise.all([model.close(), collector.close()]);
});

/** Requests a recovery link, and presents an invalid link. */
async function askForRecovery(): Promise<void> {
  const to = (path: string, body: object) =>
    send(`${platform.baseUrl}/admin/api/magic-link/${path}`, { body, headers: { Origin: platform.baseUrl } });
  expect((await to('request', { email: 'admin@localhost' })).status).toBe(200);
  expect((await to('validate', { token: 'f'.repeat(64) })).status).toBe(401);
}

function one(service: string, name: string | RegExp): CollectedSpan {
  const found = spans.filter(
    (span) => span.service === service && (typeof name === 'string' ? span.name === name : name.test(span.name)),
  );
  expect(found.map(({ name: is }) => is)).toHaveLength(1);
  return found[0] as CollectedSpan;
}

/** Returns the names of this span and of the spans above it, up to the caller's span. */
function ancestry(span: CollectedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [`${span.service} ${span.name}`, ...(parent ? ancestry(parent) : [])];
}

const ROUTE = 'POST /v1/prompt/{uuid}/openai';

describe('the trace of a prompt’s run', () => {
  it('continues from the caller through the gateway to the service', () => {
    const gateway = one('gateway', 'POST prompt');
    expect(gateway).toMatchObject({ kind: 2, parentSpanId: CALLER_SPAN, failed: false });
    const service = one('prompt-api', ROUTE);
    expect(service).toMatchObject({
      ...{ kind: 2, parentSpanId: gateway.spanId, failed: false },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/prompt/{uuid}/openai',
        'http.response.status_code': 200,
      },
    });
    const requestId = service.attributes['millwright.request_id'];
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(gateway.attributes['millwright.request_id']).toBe(requestId);
  });

  it('includes the PostgreSQL statements, each named by its prepared statement or by verb and table, with BEGIN and COMMIT', () => {
    const queries = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    const names = queries.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['BEGIN', 'COMMIT']));
    expect(names.some((name) => /^INSERT conversation/i.test(name))).toBe(true);
    expect(names.some((name) => /^[a-z]+(-[a-z]+)+$/.test(name))).toBe(true);
    for (const query of queries) {
      expect(query.kind).toBe(3);
      expect(ancestry(query).slice(-2)).toEqual([`prompt-api ${ROUTE}`, 'gateway POST prompt']);
    }
  });

  it('includes one Redis script for all rate limits; its span has the names of the budgets, but not the Redis keys', () => {
    expect(one('prompt-api', 'EVALSHA').attributes).toEqual({
      'db.system.name': 'redis',
      'db.operation.name': 'EVALSHA',
      'millwright.limit.budgets': ['prompt', 'prompt-account', 'prompt-project'],
    });
  });

  it('includes the model request with its token counts, and continues in the headers of that request', () => {
    const chat = one('prompt-api', 'chat house-model');
    expect(chat).toMatchObject({
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'house-model',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': expect.any(Number) as number,
        'gen_ai.usage.output_tokens': expect.any(Number) as number,
        'server.address': '127.0.0.1',
      },
    });
    const sent = spans.find(({ name, parentSpanId }) => name === 'POST' && parentSpanId === chat.spanId);
    expect(sent?.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 200 });
    const received = model.requests[0]?.headers;
    expect(received?.['traceparent']).toBe(`00-${TRACE_ID}-${sent?.spanId ?? ''}-01`);
    expect(received?.['tracestate']).toBe('caller=7');
  });

  it('has its id in the log lines that the gateway and the service write for the request', () => {
    const lines = platform.services
      .flatMap((service) => service.output().split('\n'))
      .filter((line) => line.includes('"msg":"request"') && line.includes(TRACE_ID))
      .map((line) => JSON.parse(line) as { service: string; trace_id: string });
    expect(lines.map(({ service, trace_id }) => [service, trace_id]).sort()).toEqual([
      ['gateway', TRACE_ID],
      ['prompt-api', TRACE_ID],
    ]);
  });
});

describe('every service', () => {
  it('traces each answer, in a new trace when the caller sends no trace', () => {
    const answered = collector.spans.filter(({ kind, traceId }) => kind === 2 && traceId !== TRACE_ID);
    const names = new Set(answered.map(({ service, name }) => `${service} ${name}`));
    for (const name of ['gateway GET platform', 'platform-api GET /api/v1/skills', 'runtime-api GET /health'])
      expect(names).toContain(name);
  });

  it('traces no background work except its jobs', () => {
    const job = collector.spans.find(({ name }) => name === 'job refresh-mcp-tools');
    expect(job).toMatchObject({
      ...{ service: 'admin-auth', kind: 5, parentSpanId: undefined, failed: false },
      attributes: { 'millwright.job.attempt': 1, 'millwright.job.outcome': 'succeeded' },
    });
    const parts = collector.spans.filter(({ traceId }) => traceId === job?.traceId).map(({ name }) => name);
    expect(parts).toEqual(
      expect.arrayContaining(['BEGIN', 'UPDATE job_runs', 'INSERT governance_decisions', 'COMMIT']),
    );
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.filter(({ kind, name }) => kind !== 2 && !name.startsWith('job '))).toEqual([]);
  });
});

describe('the export to the collector', () => {
  it('carries the configured headers', () => {
    expect(collector.headers.length).toBeGreaterThan(0);
    for (const { authorization } of collector.headers) expect(authorization).toBe(COLLECTOR_KEY);
  });

  it('contains no secret, no prompt and no answer', () => {
    const written = collector.written();
    expect(written).toContain('house-model');
    expect(linesWithSecrets(written)).toEqual([]);
    for (const text of [QUESTION, 'rises by itself', 'as a baker', 'bread-of-dee', platform.apiKey])
      expect(written).not.toContain(text);
  });
});

interface Dashboard {
  panels: { title: string; type: string; targets?: { expr: string }[] }[];
}
interface Rules {
  spec: { groups: { rules: { alert?: string; record?: string; expr: string }[] }[] };
}

const manifest = (path: string) => readFileSync(new URL(`../../k8s/components/${path}`, import.meta.url), 'utf8');

describe('/metrics of every service', () => {
  const everywhere = [
    'http_request_duration_seconds_count{method,route,status}',
    'http_requests_in_flight{}',
    'http_requests_shed_total{}',
    'nodejs_eventloop_utilization{}',
    'nodejs_eventloop_lag_p99_seconds{}',
    'build_info{version}',
    'service_ready{}',
  ];
  const areas = [
    'rate_limit_decisions_total{admitted,backend,budget}',
    'rate_limit_backend_redis{}',
    'db_pool_connections{state}',
    'db_pool_connections_max{}',
    'db_pool_waiting{}',
    'audit_writes_total{decision,outcome}',
  ];
  it.each([
    ['gateway', everywhere],
    ['platform-api', [...everywhere, ...areas]],
    ['runtime-api', [...everywhere, ...areas]],
    [
      'prompt-api',
      [
        ...[...everywhere, ...areas, 'upstream_call_duration_seconds_count{kind,outcome}'],
        ...['upstream_breakers_open{kind}', 'model_tokens_total{direction,model}'],
      ],
    ],
    [
      'admin-auth',
      [
        ...[...everywhere, ...areas, 'sign_ins_total{method,outcome}', 'job_runs_total{job,outcome}'],
        ...['job_last_due_timestamp_seconds{job}', 'magic_link_deliveries_total{channel,outcome}'],
      ],
    ],
  ])('has the metrics of %s with their labels', (service, wanted) => {
    const own = series.filter(({ labels }) => labels['service'] === service);
    const shown = own.map(({ name, labels }) => {
      const names = Object.keys(labels).filter((label) => label !== 'service');
      return `${name}{${names.sort().join(',')}}`;
    });
    expect([...new Set(shown)]).toEqual(expect.arrayContaining(wanted));
  });

  it('has the path template in the label `route`, and for the gateway the name of the service behind it', () => {
    const routes = (service: string) =>
      series
        .filter(({ name, labels }) => name === 'http_request_duration_seconds_count' && labels['service'] === service)
        .map(({ labels }) => labels['route']);
    expect(routes('prompt-api')).toContain('/v1/prompt/{uuid}/openai');
    expect(new Set(routes('gateway'))).toEqual(new Set(['admin', 'platform', 'runtime', 'prompt']));
  });

  it('counts the sign-ins, model calls, tokens and audit rows of this test', () => {
    const value = (name: string, labels: Record<string, string>) =>
      series
        .filter((one) => one.name === name && Object.entries(labels).every(([key, is]) => one.labels[key] === is))
        .reduce((sum, one) => sum + one.value, 0);
    expect(value('sign_ins_total', { method: 'magic_link', outcome: 'refused' })).toBe(1);
    expect(value('upstream_call_duration_seconds_count', { kind: 'model', outcome: 'answered' })).toBe(1);
    expect(value('upstream_call_duration_seconds_count', { kind: 'model', outcome: 'failed' })).toBeGreaterThan(0);
    expect(value('model_tokens_total', { model: 'house-model', direction: 'output' })).toBeGreaterThan(0);
    expect(value('audit_writes_total', { service: 'prompt-api', outcome: 'written' })).toBeGreaterThan(0);
    expect(value('audit_writes_total', { outcome: 'failed' })).toBe(0);
    expect(value('db_pool_connections_max', { service: 'prompt-api' })).toBe(6);
    expect(value('service_ready', {})).toBe(5);
  });
});

describe('the dashboard', () => {
  const { panels } = JSON.parse(manifest('grafana-dashboard/millwright.json')) as Dashboard;
  const drawn = panels.filter(({ type }) => type !== 'row');

  it.each(drawn.map(({ title, targets = [] }) => [title, targets.map(({ expr }) => expr)] as const))(
    'has data in the panel %s',
    (_title, expressions) => {
      expect(expressions.length).toBeGreaterThan(0);
      for (const expression of expressions) expect(deadParts(expression, series)).toEqual([]);
    },
  );

  it('fails the check when a panel has no data', () => {
    expect(deadParts('sum by (service) (rate(no_such_total[5m]))', series)).toEqual(['no_such_total', 'by (service)']);
    expect(deadParts('db_pool_connections{shape="round"}', series)).toContain('db_pool_connections{shape}');
    expect(deadParts('sum by (shape) (db_pool_connections)', series)).toEqual(['by (shape)']);
    expect(deadParts('sum by (service) (db_pool_connections{state="unheard"})', series)).toHaveLength(1);
  });
});

describe('the alerts', () => {
  const { spec } = parse(manifest('prometheus-operator/alerts.yaml')) as Rules;
  const rules = spec.groups.flatMap((group) => group.rules);
  const recorded = rules.flatMap(({ record }): Series[] =>
    record === undefined ? [] : [{ name: record, labels: { service: '' }, value: 0 }],
  );
  /** The metric `up`, which Prometheus itself makes for each scraped pod. */
  const up = { name: 'up', labels: { job: '', pod: '' }, value: 1 };

  it.each(rules.map(({ alert, record, expr }) => [alert ?? record ?? '', expr]))(
    '%s uses existing metrics and labels',
    (_name, expression) => {
      expect(deadParts(expression, [...series, ...recorded, up], { anyValue: true })).toEqual([]);
    },
  );
});
