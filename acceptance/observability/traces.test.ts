import {
  createFakeModel,
  createTraceCollector,
  redisUrl,
  type CollectedSpan,
  type FakeModel,
  type TraceCollector,
} from '@millwright/testing';
import { callers } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { linesWithSecrets, noteSecret } from '../harness/secrets.js';

/** What a caller of ours might send: its own trace, and state of its own tracing system. */
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';
const COLLECTOR_KEY = 'Bearer 4f8f2a0f5a634bdc8d9a6f1b';
const QUESTION = 'How good is the bread of the miller of Dee?';
const REPLY = '{"verdict":"It rises by itself."}';

let model: FakeModel;
let collector: TraceCollector;
let platform: Platform;
let spans: readonly CollectedSpan[];

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
  // What is left is sent before a process ends.
  await Promise.all(platform.services.map((service) => service.terminate()));
  spans = collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
}, 90_000);

afterAll(async () => {
  await platform.stop();
  await Promise.all([model.close(), collector.close()]);
});

function one(service: string, name: string | RegExp): CollectedSpan {
  const found = spans.filter(
    (span) => span.service === service && (typeof name === 'string' ? span.name === name : name.test(span.name)),
  );
  expect(found.map(({ name: is }) => is)).toHaveLength(1);
  return found[0] as CollectedSpan;
}

/** The names from a span up to the caller's. */
function ancestry(span: CollectedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [`${span.service} ${span.name}`, ...(parent ? ancestry(parent) : [])];
}

const ROUTE = 'POST /v1/prompt/{uuid}/openai';

describe('the trace of a prompt’s run', () => {
  it('goes on from its caller through the gateway to the service', () => {
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

  it('reaches PostgreSQL, by the names of prepared statements, by verb and table, by its transaction', () => {
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

  it('reaches Redis, without the key that is counted', () => {
    const counted = one('prompt-api', 'EVALSHA');
    expect(counted.attributes).toEqual({
      'db.system.name': 'redis',
      'db.operation.name': 'EVALSHA',
      'millwright.limit.budget': 'prompt',
    });
  });

  it('reaches the model, with its tokens, and the model is told the trace', () => {
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
    const told = model.requests.at(-1)?.headers;
    expect(told?.['traceparent']).toBe(`00-${TRACE_ID}-${sent?.spanId ?? ''}-01`);
    expect(told?.['tracestate']).toBe('caller=7');
  });

  it('is named in the lines that the gateway and the service log about the request', () => {
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
  it('traces what it answers, in a trace of its own where its caller has none', () => {
    const answered = collector.spans.filter(({ kind, traceId }) => kind === 2 && traceId !== TRACE_ID);
    const names = new Set(answered.map(({ service, name }) => `${service} ${name}`));
    for (const name of ['gateway GET platform', 'platform-api GET /api/v1/skills', 'runtime-api GET /health'])
      expect(names).toContain(name);
  });

  it('makes no trace of what it does on its own account, but for its jobs', () => {
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.filter(({ kind, name }) => kind !== 2 && !name.startsWith('job '))).toEqual([]);
  });
});

describe('what the collector gets', () => {
  it('is sent with the headers that the settings name', () => {
    expect(collector.headers.length).toBeGreaterThan(0);
    for (const { authorization } of collector.headers) expect(authorization).toBe(COLLECTOR_KEY);
  });

  it('holds no secret, no question and no answer', () => {
    const written = collector.written();
    expect(written).toContain('house-model');
    expect(linesWithSecrets(written)).toEqual([]);
    for (const text of [QUESTION, 'rises by itself', 'as a baker', 'bread-of-dee', platform.apiKey])
      expect(written).not.toContain(text);
  });
});
