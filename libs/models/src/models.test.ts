import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createEgress } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import {
  countMessages,
  createModels,
  type CallReport,
  type ModelDefinition,
  type ModelEvent,
  type ModelRequest,
  type Models,
  type ModelUse,
} from './index.js';

interface Received {
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

type Answer = (response: ServerResponse, received: Received) => void;

/**
 * An OpenAI-compatible server. It answers the n-th request with the n-th answer, and every later request with the last
 * answer.
 */
async function startUpstream(...answers: [Answer, ...Answer[]]) {
  const received: Received[] = [];
  let aborted = 0;
  const server: Server = createServer((request, response) => {
    response.on('close', () => (aborted += response.writableFinished ? 0 : 1));
    void request
      .setEncoding('utf8')
      .toArray()
      .then(
        (chunks) => {
          const body = JSON.parse(chunks.join('')) as Record<string, unknown>;
          received.push({ headers: request.headers, body });
          answers[Math.min(received.length, answers.length) - 1]?.(response, { headers: request.headers, body });
        },
        () => undefined,
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    aborted: () => aborted,
    sockets: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const usage = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };

const completion = (message: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'upstream-model-2026',
  system_fingerprint: 'fp_1',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  usage,
  ...more,
});

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const says = (content: string) => json(completion({ content }));
const fails = (status: number, headers?: Record<string, string>) =>
  json({ error: { message: 'upstream says no' } }, status, headers);
const hangs: Answer = () => undefined;
const resets: Answer = (response) => response.socket?.resetAndDestroy();

const streams =
  (chunks: readonly unknown[], end = 'data: [DONE]\n\n'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end(end);
  };
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-2',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'upstream-model-2026',
  choices: [{ index: 0, delta, finish_reason }],
});
const usageChunk = { id: 'chatcmpl-2', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage };

const egress = createEgress({ allowLoopback: false, allowHttp: false, allow: [] });
const fetch = egress.trusted();
const running: { stop: () => unknown }[] = [];
const hello: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }] };

async function upstream(...answers: [Answer, ...Answer[]]) {
  const started = await startUpstream(...answers);
  running.push(started);
  return started;
}

function define(name: string, endpoint: string, more: Partial<ModelDefinition> = {}): ModelDefinition {
  return { name, endpoint, apiKey: 'secret', contextWindow: 1_000, fallbacks: [], timeoutMs: 2_000, ...more };
}

function create(definitions: ModelDefinition[], more: { now?: () => number } = {}) {
  const reports: CallReport[] = [];
  const pauses: number[] = [];
  const sleep = (ms: number) => {
    pauses.push(ms);
    return Promise.resolve();
  };
  const models = createModels({ models: definitions, fetch, sleep, onCall: (report) => reports.push(report), ...more });
  return { models, pauses, outcomes: () => reports.map(({ model, outcome }) => `${model} ${outcome}`) };
}

async function collect(events: AsyncIterable<ModelEvent>) {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  const deltas = all.flatMap((event) => (event.type === 'text' ? [event.delta] : []));
  const last = all.at(-1);
  if (last?.type !== 'answer') throw new Error('no answer');
  return { deltas, answer: last.answer, events: all };
}

const failureOf = (call: Promise<unknown>): Promise<AppError> =>
  call.then(
    () => Promise.reject(new Error('the call was answered')),
    (error: unknown) => error as AppError,
  );

const unavailable = { name: 'AppError', code: 'unavailable', cause: expect.anything() as unknown };

/** The two functions that call a model. The tests below apply to both. */
const ways: [string, (models: Models, request: ModelRequest) => Promise<unknown>][] = [
  ['complete', (models, request) => models.complete(request)],
  ['stream', (models, request) => collect(models.stream(request))],
];

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(2);
}

/** Jest's `doNotFake` for everything but `setTimeout`, so that sockets and promises keep their real timers. */
const REAL_CLOCKS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

afterEach(() => running.splice(0).forEach(({ stop }) => stop()));
afterAll(() => egress.close());

describe('complete', () => {
  it('sends the request in OpenAI’s format and returns answer, usage, cost and completion', async () => {
    const server = await upstream(says('Hi.'));
    const { models, outcomes } = create([
      define('large', server.endpoint, { upstreamName: 'vendor/large', prices: { input: 2, output: 8 } }),
    ]);
    const answer = await models.complete({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello', name: 'ann' },
        { role: 'assistant', content: '', tool_calls: [{ id: 'c1', name: 'find', arguments: '{"q":1}' }] },
        { role: 'tool', content: 'found', tool_call_id: 'c1' },
      ],
      tools: [{ name: 'find', description: 'Finds.', parameters: { type: 'object' } }],
      temperature: 0,
      maxTokens: 7,
      idempotencyKey: 'key-1',
    });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'idempotency-key': 'key-1' });
    expect(server.received[0]?.body).toEqual({
      model: 'vendor/large',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello', name: 'ann' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":1}' } }],
        },
        { role: 'tool', content: 'found', tool_call_id: 'c1' },
      ],
      tools: [{ type: 'function', function: { name: 'find', description: 'Finds.', parameters: { type: 'object' } } }],
      temperature: 0,
      max_tokens: 7,
      stream: false,
    });
    expect(answer).toMatchObject({
      text: 'Hi.',
      toolCalls: [],
      finishReason: 'stop',
      refusal: null,
      model: 'large',
      usage,
      costUsd: 0.006,
    });
    expect(answer.completion).toEqual(completion({ content: 'Hi.' }));
    expect(outcomes()).toEqual(['large answered']);
  });

  it('returns tool calls and refusals', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } };
    const server = await upstream(
      json(completion({ content: null, tool_calls: [call] })),
      json(completion({ content: null, refusal: 'No.' })),
    );
    const { models } = create([define('m', server.endpoint)]);
    expect(await models.complete(hello)).toMatchObject({
      text: '',
      toolCalls: [{ id: 'c1', name: 'find', arguments: '{}' }],
    });
    expect(await models.complete(hello)).toMatchObject({ text: '', refusal: 'No.' });
  });

  it('returns no cost for a model without prices, and counts the tokens itself when the upstream reports no usage', async () => {
    const server = await upstream(json(completion({ content: 'Hello there' }, { usage: undefined })));
    const { models } = create([define('m', server.endpoint)]);
    const answer = await models.complete({ messages: [{ role: 'user', content: '<|endoftext|> Hello' }] });
    expect(answer.costUsd).toBeNull();
    expect(answer.usage.completion_tokens).toBe(2);
    expect(answer.usage.prompt_tokens).toBeGreaterThan(4);
    expect(answer.usage.total_tokens).toBe(answer.usage.prompt_tokens + 2);
  });

  it('sends no authorization to a model without a key', async () => {
    const server = await upstream(says('Hi.'));
    await create([define('m', server.endpoint, { apiKey: undefined })]).models.complete(hello);
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });

  it('refuses an unknown model with an error that names the field and the available models', async () => {
    const server = await upstream(says('Hi.'));
    const { models } = create([define('m', server.endpoint)]);
    const fields = [{ field: 'model', reason: '"other" is not a model of this project. Available: m' }];
    await expect(models.complete({ ...hello, model: 'other' })).rejects.toMatchObject({
      code: 'validation_error',
      fields,
    });
    expect(() => models.stream({ ...hello, model: 'other' })).toThrow(AppError);
    expect([models.names(), models.defaultModel, models.offline]).toEqual([['m'], 'm', false]);
    expect(server.received).toHaveLength(0);
  });
});

describe('stream', () => {
  it('yields text chunks and ends with the answer', async () => {
    const server = await upstream(
      streams([
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'He' }),
        chunk({ content: 'llo' }),
        chunk({}, 'stop'),
        usageChunk,
      ]),
    );
    const { models, outcomes } = create([define('m', server.endpoint, { prices: { input: 2, output: 8 } })]);
    const { deltas, answer, events } = await collect(models.stream(hello));
    expect(deltas).toEqual(['He', 'llo']);
    expect(events.filter(({ type }) => type === 'answer')).toHaveLength(1);
    expect(answer).toMatchObject({ text: 'Hello', finishReason: 'stop', usage, costUsd: 0.006, model: 'm' });
    expect(answer.completion).toMatchObject({ id: 'chatcmpl-2', object: 'chat.completion', system_fingerprint: '' });
    expect(server.received[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(outcomes()).toEqual(['m answered']);
  });

  it('assembles tool calls from their chunks', async () => {
    const piece = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
    const server = await upstream(
      streams([
        piece(0, { id: 'a', type: 'function', function: { name: 'one', arguments: '' } }),
        piece(0, { function: { arguments: '{"x"' } }),
        piece(1, { id: 'b', type: 'function', function: { name: 'two', arguments: '{}' } }),
        piece(0, { function: { arguments: ':1}' } }),
        chunk({}, 'tool_calls'),
      ]),
    );
    const { answer } = await collect(create([define('m', server.endpoint)]).models.stream(hello));
    expect(answer).toMatchObject({
      toolCalls: [
        { id: 'a', name: 'one', arguments: '{"x":1}' },
        { id: 'b', name: 'two', arguments: '{}' },
      ],
      finishReason: 'tool_calls',
    });
    expect(answer.usage.total_tokens).toBeGreaterThan(0);
  });

  it.each<[string, Answer]>([
    ['ends early', streams([chunk({ content: 'Hel' })], '')],
    ['sends [DONE] early', streams([chunk({ content: 'Hel' })])],
    [
      'breaks off',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(chunk({ content: 'Hel' }))}\n\n`, () =>
          response.socket?.resetAndDestroy(),
        );
      },
    ],
    ['contains invalid JSON', streams([chunk({ content: 'Hel' })], 'data: {"oh\n\n')],
    ['contains an error', streams([chunk({ content: 'Hel' }), { error: { message: 'overloaded' } }])],
  ])('fails without a retry when a started stream %s', async (_, answer) => {
    const server = await upstream(answer, says('never'));
    const { models } = create([define('m', server.endpoint)]);
    const deltas: string[] = [];
    const reading = (async () => {
      for await (const event of models.stream(hello)) if (event.type === 'text') deltas.push(event.delta);
    })();
    expect(await failureOf(reading)).toMatchObject(unavailable);
    expect(deltas).toEqual(['Hel']);
    expect(server.received).toHaveLength(1);
  });

  it('reports an estimated usage only for an answer that was cut off', async () => {
    const cutServer = await upstream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk({ content: 'Hello there' }))}\n\n`);
      response.end();
    });
    const uses: unknown[] = [];
    const options = { onText: () => undefined, onCut: (use: unknown) => uses.push(use) };
    const cut = create([define('m', cutServer.endpoint, { prices: { input: 1, output: 1_000_000 } })]);
    expect(await failureOf(cut.models.complete(hello, options))).toMatchObject(unavailable);
    const { prompt_tokens, ...use } = (uses as { usage: { prompt_tokens: number } }[])[0]?.usage ?? {
      prompt_tokens: 0,
    };
    expect(prompt_tokens).toBeGreaterThan(3);
    expect(use).toEqual({ completion_tokens: 2, total_tokens: prompt_tokens + 2 });
    expect(uses).toMatchObject([{ model: 'm', costUsd: expect.closeTo(2, 3) as number }]);
    const whole = await upstream(streams([chunk({ content: 'Hi.' }), chunk({}, 'stop'), usageChunk]));
    await create([define('m', whole.endpoint)]).models.complete(hello, options);
    expect(uses).toHaveLength(1);
  });

  const arguments_ = '{"to":"a miller","text":"Good morning"}';
  const callChunk = chunk({
    tool_calls: [{ index: 0, id: 'c', function: { name: 'send_mail', arguments: arguments_ } }],
  });
  const breaksOff =
    (type: string, ...parts: string[]): Answer =>
    (response) => {
      response.writeHead(200, { 'content-type': type, 'content-length': 100_000 });
      response.flushHeaders();
      response.write(parts.join('') || ' ', () => response.socket?.resetAndDestroy());
    };
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const counts = { prompt_tokens: 70, completion_tokens: 9, total_tokens: 79 };

  it.each<[string, boolean, Answer, { completion: number; prompt?: number }]>([
    ['amid a call of a tool', true, streams([callChunk], ''), { completion: 14 }],
    ['amid a refusal', true, streams([chunk({ refusal: 'I will not' })], ''), { completion: 3 }],
    ['after the chunk with its role', true, streams([chunk({ role: 'assistant' })], ''), { completion: 0 }],
    ['after its head', true, breaksOff('text/event-stream'), { completion: 0 }],
    [
      'after a chunk with its usage',
      true,
      streams([{ ...callChunk, usage: counts }], ''),
      { completion: counts.completion_tokens, prompt: counts.prompt_tokens },
    ],
    ['by a reset of the connection', true, breaksOff('text/event-stream', event(callChunk)), { completion: 14 }],
    ['after its head', false, breaksOff('application/json'), { completion: 0 }],
    ['amid its body', false, breaksOff('application/json', '{"id":"chatcmpl-1","choices":['), { completion: 0 }],
  ])(
    'reports usage marked as estimated for an answer that was cut off %s (streamed: %p)',
    async (_, isStreamed, answer, used) => {
      const server = await upstream(
        answer,
        answer,
        isStreamed ? streams([chunk({ content: 'Hi.' }, 'stop'), usageChunk]) : says('Hi.'),
      );
      const { models } = create([define('m', server.endpoint)]);
      const uses: ModelUse[] = [];
      const options = { onText: isStreamed ? () => undefined : undefined, onCut: (use: ModelUse) => uses.push(use) };
      await models.complete(hello, options).catch(() => undefined);
      const broken = Math.min(2, server.received.length);
      expect(uses).toHaveLength(broken);
      for (const {
        model,
        estimated,
        usage: { prompt_tokens: prompt, completion_tokens, total_tokens },
      } of uses) {
        expect([model, estimated, completion_tokens]).toEqual(['m', true, used.completion]);
        expect(prompt).toBe(used.prompt ?? (await countMessages(hello.messages)));
        expect(total_tokens).toBe(prompt + completion_tokens);
      }
    },
  );

  it.each<[string, boolean, Answer]>([
    ['refuses', true, fails(500)],
    ['refuses', false, fails(500)],
    ['resets the connection', true, resets],
    ['resets the connection', false, resets],
    ['answers with a page', true, (response) => response.end('<h1>Proxy</h1>')],
    ['answers with a page', false, (response) => response.end('<h1>Proxy</h1>')],
  ])('reports no usage for an upstream that %s (streamed: %p)', async (_, isStreamed, answer) => {
    const server = await upstream(answer);
    const uses: unknown[] = [];
    const { models } = create([define('m', server.endpoint)]);
    const options = { onText: isStreamed ? () => undefined : undefined, onCut: (use: unknown) => uses.push(use) };
    expect(await failureOf(models.complete(hello, options))).toMatchObject(unavailable);
    expect(uses).toEqual([]);
  });

  it.each([true, false])(
    'with `isPaidOnce` repeats the call after a status of 500, but not after an answer was cut off (streamed: %p)',
    async (isStreamed) => {
      const options = { onText: isStreamed ? () => undefined : undefined, isPaidOnce: true };
      const cut = isStreamed ? breaksOff('text/event-stream', event(callChunk)) : breaksOff('application/json');
      const whole = isStreamed ? streams([chunk({ content: 'Hi.' }, 'stop'), usageChunk]) : says('Hi.');
      const broken = await upstream(cut, whole);
      expect(await failureOf(create([define('m', broken.endpoint)]).models.complete(hello, options))).toMatchObject(
        unavailable,
      );
      expect(broken.received).toHaveLength(1);
      const refusing = await upstream(fails(500), whole);
      await create([define('m', refusing.endpoint)]).models.complete(hello, options);
      expect(refusing.received).toHaveLength(2);
    },
  );

  it('reports the usage of an answer that the caller aborted before its first text', async () => {
    const server = await upstream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(callChunk));
    });
    const uses: ModelUse[] = [];
    const leaving = new AbortController();
    const options = { onText: () => undefined, onCut: (use: ModelUse) => uses.push(use) };
    const { models, outcomes } = create([define('m', server.endpoint)]);
    const call = failureOf(models.complete({ ...hello, signal: leaving.signal }, options));
    await until(() => server.received.length === 1);
    // The answer has no text that would show that it has begun. The test therefore waits for a second.
    await pause(1_000);
    leaving.abort(new Error('left'));
    await call;
    expect(uses.map(({ usage: { completion_tokens } }) => completion_tokens)).toEqual([14]);
    expect(outcomes()).toEqual(['m aborted']);
  });

  it('ends the call to the upstream when the reader of the stream stops', async () => {
    const server = await upstream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk({ content: 'Hel' }))}\n\n`);
    });
    const { models, outcomes } = create([define('m', server.endpoint)]);
    for await (const event of models.stream(hello)) if (event.type === 'text') break;
    const start = performance.now();
    await until(() => server.aborted() === 1);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(outcomes()).toEqual(['m aborted']);
  });
});

describe.each(ways)('%s with a failing upstream', (way, call) => {
  const good: Answer =
    way === 'stream' ? streams([chunk({ content: 'Hi.' }), chunk({}, 'stop'), usageChunk]) : says('Hi.');

  it.each<[string, Answer]>([
    ['429', fails(429)],
    ['500', fails(500)],
    ['503', fails(503)],
    ['a reset', resets],
  ])('retries twice after %s', async (_, answer) => {
    const server = await upstream(answer, answer, good);
    const { models, pauses } = create([define('m', server.endpoint)]);
    await call(models, hello);
    expect(server.received).toHaveLength(3);
    expect(pauses).toHaveLength(2);
    const always = await upstream(answer);
    expect(await failureOf(call(create([define('m', always.endpoint)]).models, hello))).toMatchObject(unavailable);
    expect(always.received).toHaveLength(3);
  });

  it('waits for a Retry-After of up to 5 s, and returns a longer Retry-After to the caller', async () => {
    const short = await upstream(fails(429, { 'retry-after': '1' }), good);
    const patient = create([define('m', short.endpoint)]);
    await call(patient.models, hello);
    expect(patient.pauses).toEqual([1_000]);
    const long = await upstream(fails(429, { 'retry-after': '30' }), good);
    const impatient = create([define('m', long.endpoint, { timeoutMs: 60_000 })]);
    expect(await failureOf(call(impatient.models, hello))).toMatchObject({ ...unavailable, retryAfter: 30 });
    expect([impatient.pauses, long.received.length]).toEqual([[], 1]);
  });

  it.each([400, 401, 403, 404, 302])('does not retry after the status %d', async (status) => {
    const server = await upstream(fails(status, { location: '/elsewhere' }), good);
    const { models, outcomes } = create([define('m', server.endpoint)]);
    expect(await failureOf(call(models, hello))).toMatchObject(unavailable);
    expect(server.received).toHaveLength(1);
    expect(outcomes()).toEqual(['m rejected']);
  });

  it.each<[string, Answer]>([
    [
      'text that is not JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
    ],
    ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['an empty body', (response) => response.writeHead(200).end()],
    ['JSON without choices', json({ id: 'x' })],
    ['an empty list of choices', json(completion({}, { choices: [] }))],
    ['null', json(null)],
    ['random bytes', (response) => response.end(Buffer.from([0xff, 0, 1, 2, 0xfe]))],
  ])('throws unavailable when the upstream answers with %s', async (_, answer) => {
    const server = await upstream(answer);
    expect(await failureOf(call(create([define('m', server.endpoint)]).models, hello))).toMatchObject(unavailable);
  });

  const trickle = (response: ServerResponse, text: string) => {
    const timer = setInterval(() => response.write(text), 5);
    response.on('close', () => clearInterval(timer));
  };

  it.each<[string, Answer]>([
    ['hangs', hangs],
    [
      'stops after the headers',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
    ],
    ['trickles blanks', (response) => trickle(response.writeHead(200, { 'content-type': 'application/json' }), ' ')],
    [
      'trickles text',
      (response) =>
        trickle(
          response.writeHead(200, { 'content-type': 'text/event-stream' }),
          `data: ${JSON.stringify(chunk({ content: 'x' }))}\n\n`,
        ),
    ],
    [
      'trickles comments',
      (response) => trickle(response.writeHead(200, { 'content-type': 'text/event-stream' }), ': x\n\n'),
    ],
  ])('throws unavailable within the time limit and leaves no socket open when the upstream %s', async (_, answer) => {
    const server = await upstream(answer);
    const { models, outcomes } = create([define('m', server.endpoint, { timeoutMs: 200 })]);
    const start = performance.now();
    expect(await failureOf(call(models, hello))).toMatchObject(unavailable);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(outcomes()).toEqual(['m timeout']);
    await until(async () => (await server.sockets()) === 0);
  });

  it('calls the fallbacks in order, also when the first model hangs, and returns the name of the answering model', async () => {
    const [broken, hanging, works] = [await upstream(fails(500)), await upstream(hangs), await upstream(good)];
    const definitions = [
      define('first', broken.endpoint, { fallbacks: ['second', 'third'], timeoutMs: 2_400 }),
      define('second', hanging.endpoint),
      define('third', works.endpoint, { prices: { input: 1, output: 0 } }),
    ];
    const { models, outcomes } = create(definitions);
    const answered = (await call(models, hello)) as { answer?: unknown };
    expect(answered.answer ?? answered).toMatchObject({ model: 'third', text: 'Hi.', costUsd: 0.001 });
    expect(outcomes()).toEqual(['first failed', 'first failed', 'first failed', 'second timeout', 'third answered']);
  });

  it('ends a stream that has begun only at the full time limit of the call: no time is reserved for the fallbacks', async () => {
    for (const [elapsed, outcome] of [
      [1_900, 'first answered'],
      [2_100, 'first timeout'],
    ] as const) {
      let finish: () => void = () => undefined;
      const server = await upstream((response) => {
        const begun = [chunk({ content: 'Hi' })];
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of begun) response.write(`data: ${JSON.stringify(event)}\n\n`);
        const rest = [chunk({ content: '.' }, 'stop'), usageChunk];
        finish = () =>
          response.end(`${rest.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`);
      });
      let time = 0;
      const definitions = [
        define('first', server.endpoint, { fallbacks: ['second'], timeoutMs: 2_000 }),
        define('second', server.endpoint),
      ];
      const { models, outcomes } = create(definitions, { now: () => time });
      jest.useFakeTimers({ doNotFake: [...REAL_CLOCKS] });
      try {
        const events = models.stream(hello)[Symbol.asyncIterator]();
        expect((await events.next()).value).toMatchObject({ type: 'text', delta: 'Hi' });
        time += elapsed;
        jest.advanceTimersByTime(elapsed);
        finish();
        const rest = async () => {
          while (!(await events.next()).done);
        };
        await rest().catch((error: unknown) => expect(error).toMatchObject(unavailable));
        expect(outcomes()).toEqual([outcome]);
      } finally {
        jest.useRealTimers();
      }
    }
  });

  it('throws unavailable without a request after five failures in a row, and tries the upstream again after 10 seconds', async () => {
    const server = await upstream(fails(500), fails(500), fails(500), fails(500), fails(500), fails(500), good);
    let time = 0;
    const { models } = create([define('m', server.endpoint)], { now: () => time });
    await failureOf(call(models, hello));
    expect(models.reachable()).toBe(true);
    await failureOf(call(models, hello));
    expect([server.received.length, models.reachable('m')]).toEqual([5, false]);
    expect(await failureOf(call(models, hello))).toMatchObject(unavailable);
    expect(server.received).toHaveLength(5);
    time += 10_000;
    await failureOf(call(models, hello));
    expect([server.received.length, models.reachable()]).toEqual([6, false]);
    time += 10_000;
    await call(models, hello);
    expect(models.reachable()).toBe(true);
  });

  it('continues to call an upstream that rejects single requests', async () => {
    const server = await upstream(fails(400));
    const { models } = create([define('m', server.endpoint)]);
    for (let times = 0; times < 6; times += 1) await failureOf(call(models, hello));
    expect(models.reachable()).toBe(true);
  });

  it('throws the reason of the aborted signal and ends the call to the upstream immediately', async () => {
    const server = await upstream(hangs);
    const { models, outcomes } = create([define('m', server.endpoint)]);
    const caller = new AbortController();
    const reason = new Error('left');
    const calling = failureOf(call(models, { ...hello, signal: caller.signal }));
    await until(() => server.received.length === 1);
    const start = performance.now();
    caller.abort(reason);
    expect(await calling).toBe(reason);
    await until(() => server.aborted() === 1);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(outcomes()).toEqual(['m aborted']);
    expect(await failureOf(call(models, { ...hello, signal: caller.signal }))).toBe(reason);
    expect(server.received).toHaveLength(1);
  });

  it('ends open calls when `models.close` is called', async () => {
    const server = await upstream(hangs);
    const { models } = create([define('m', server.endpoint)]);
    const calling = failureOf(call(models, hello));
    await until(() => server.received.length === 1);
    await models.close();
    expect(await calling).toMatchObject(unavailable);
    await until(async () => (await server.sockets()) === 0);
  });
});

describe('complete and stream with an output schema', () => {
  const open = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] };
  const exact = { ...open, required: ['a', 'b'], additionalProperties: false };
  const request = (schema: object): ModelRequest => ({
    ...hello,
    output: { name: 'my output', schema },
    idempotencyKey: 'k',
  });
  const format = (body?: Record<string, unknown>) =>
    body?.response_format as { type: string; json_schema?: { name: string; strict: boolean; schema: object } };

  it('send a strict schema, and remove optional properties that are null from the answer', async () => {
    const server = await upstream(says('{"a":"x","b":null}'));
    const answer = await create([define('m', server.endpoint)]).models.complete(request(open));
    expect(answer.text).toBe('{"a":"x"}');
    expect(answer.completion.choices).toMatchObject([{ message: { content: '{"a":"x"}' } }]);
    expect(format(server.received[0]?.body)).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'my_output', strict: true },
    });
  });

  it('send the original schema without strict mode when strict mode cannot express it', async () => {
    const server = await upstream(says('{}'));
    const schema = { ...exact, minProperties: 1 };
    await create([define('m', server.endpoint)]).models.complete(request(schema));
    expect(format(server.received[0]?.body).json_schema).toEqual({ name: 'my_output', strict: false, schema });
  });

  it('use strict mode for a streamed answer only when the answer need not be converted afterwards', async () => {
    const server = await upstream(streams([chunk({ content: '{"a":"x","b":1}' }), chunk({}, 'stop')]));
    const { models } = create([define('m', server.endpoint)]);
    await collect(models.stream(request(exact)));
    await collect(models.stream(request(open)));
    expect(server.received.map(({ body }) => format(body).json_schema?.strict)).toEqual([true, false]);
  });

  it('put the schema into the prompt of this and of later requests when the server does not support json_schema', async () => {
    const server = await upstream(fails(400), says('{"a":"x"}'));
    const { models, outcomes } = create([define('m', server.endpoint)]);
    const asked: ModelRequest = {
      ...request(exact),
      messages: [
        { role: 'system', content: 'One.' },
        { role: 'user', content: 'Two.' },
      ],
    };
    expect((await models.complete(asked)).text).toBe('{"a":"x"}');
    await models.complete(asked);
    expect(server.received.map(({ body }) => format(body).type)).toEqual(['json_schema', 'json_object', 'json_object']);
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k:json_object', 'k']);
    const messages = server.received[1]?.body.messages as { role: string; content: string }[];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'system', 'user']);
    expect(messages[1]?.content).toContain(JSON.stringify(exact));
    expect(outcomes()).toEqual(['m answered', 'm answered']);
  });

  it('send json_schema again after a refusal that concerned only one schema or request', async () => {
    const invalid = json({ error: { message: "Invalid schema for response_format 'x'", code: null } }, 400);
    const server = await upstream(invalid, says('{}'), fails(400), fails(400), says('{}'));
    const { models } = create([define('m', server.endpoint)]);
    await models.complete(request(exact));
    await failureOf(models.complete(request(exact)));
    await models.complete(request(exact));
    expect(server.received.map(({ body }) => format(body).type)).toEqual([
      'json_schema',
      'json_object',
      'json_schema',
      'json_object',
      'json_schema',
    ]);
  });
});
