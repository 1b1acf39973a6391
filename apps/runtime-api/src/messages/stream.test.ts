import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeModel,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { agentIdOf, startRuntime, type TestRuntime } from '../test-runtime.js';

interface Told {
  event: string;
  data: Record<string, unknown>;
}

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let upstream: ListeningApp;
let token: string;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  upstream = await listen((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"sky":"clear"}'),
  );
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  await runtime.newAgent({ name: 'Plain' });
  await runtime.newAgent({ name: 'Working' });
  await runtime.newPlugin({ name: 'weather', type: 'tool', config: { url: upstream.url }, agent: 'working' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});
beforeEach(() => {
  model.requests.splice(0);
  model.answerWith('Good morning to you.');
});

interface Options {
  agent?: string;
  query?: string;
  accept?: string;
  headers?: Record<string, string>;
  body?: object;
  signal?: AbortSignal;
}

const post = ({
  agent = 'plain',
  query = '',
  accept = 'text/event-stream',
  headers = {},
  body,
  signal,
}: Options = {}) =>
  fetch(`${runtime.url}/api/v1/agents/${agent}/messages${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify(body ?? { content: 'Hi' }),
    ...(signal && { signal }),
  });

const eventsOf = (text: string): Told[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) as Record<string, unknown> };
    });
const stream = async (options: Options = {}) => eventsOf(await (await post(options)).text());
const textOf = (events: readonly Told[]) =>
  events
    .filter(({ event }) => event === 'message.delta')
    .map(({ data }) => String(data['delta']))
    .join('');

const callsWeather = {
  content: 'Looking.',
  toolCalls: [{ id: 'call_a', type: 'function' as const, function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
};
const looksFirst = () => (model.requests.length === 1 ? callsWeather : 'It is clear.');

describe('POST /api/v1/agents/{agent_name}/messages, streamed', () => {
  it('sends the context, then text deltas, then the complete message', async () => {
    const response = await post();
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
    const events = eventsOf(await response.text());
    expect(events.map(({ event }) => event)).toEqual([
      'message.started',
      ...Array.from({ length: 4 }, () => 'message.delta'),
      'message.completed',
    ]);
    const [started, completed] = [events[0]?.data, events.at(-1)?.data];
    expect(textOf(events)).toBe('Good morning to you.');
    expect(completed).toEqual({
      id: expect.stringMatching(/^msg_/) as string,
      content: 'Good morning to you.',
      agent: 'plain',
      timestamp: expect.stringMatching(/Z$/) as string,
      context_id: started?.['context_id'],
    });
    expect(model.requests[0]?.body.stream).toBe(true);
    const [kept] = await runtime.db.prisma.contextMessage.findMany({ where: { role: 'assistant' } });
    expect(kept?.content).toBe('Good morning to you.');
  });

  it('sends each tool call and its outcome', async () => {
    model.answerWith(looksFirst);
    const events = await stream({ agent: 'working' });
    expect(events.filter(({ event }) => event !== 'message.delta')).toEqual([
      { event: 'message.started', data: expect.any(Object) as object },
      { event: 'tool.call', data: { step: 1, id: 'call_a', tool: 'weather', arguments: '{"city":"Rome"}' } },
      { event: 'tool.result', data: { step: 1, id: 'call_a', tool: 'weather', ok: true } },
      { event: 'message.completed', data: expect.objectContaining({ content: 'It is clear.' }) as object },
    ]);
    const last = events.filter(({ data }) => data['step'] === 2);
    expect(textOf(last)).toBe('It is clear.');
  });

  it.each([
    ['?stream=true', 'application/json', true],
    ['?stream=true', '*/*', true],
    ['', 'text/event-stream', true],
    ['', 'text/event-stream, application/json;q=0.5', true],
    ['', 'application/json, text/event-stream', false],
    ['', '*/*', false],
    ['?stream=false', 'text/event-stream', false],
  ])('answers query "%s" and Accept "%s" with a stream: %s', async (query, accept, streamed) => {
    const response = await post({ query, accept });
    await response.body?.cancel();
    expect(response.headers.get('content-type')?.startsWith('text/event-stream')).toBe(streamed);
  });

  it.each([
    ['?stream=yes', {}, 400, 'stream'],
    ['?stream=true&stream=true', {}, 400, 'stream'],
    ['?stream=true', { body: { content: '' } }, 400, 'content'],
    ['?stream=true', { agent: 'nobody' }, 404, ''],
    ['?stream=true', { body: { content: 'Hi', context_id: 'ctx_none' } }, 404, ''],
  ])(
    'answers JSON, as without a stream, to a request that fails before the stream begins: %s %j',
    async (query, options, status, field) => {
      const response = await post({ query, ...options });
      const { error } = (await response.json()) as { error: { details: { field: string } } };
      expect([response.status, response.headers.get('content-type'), error.details.field]).toEqual([
        status,
        'application/json; charset=utf-8',
        field,
      ]);
      expect(model.requests).toEqual([]);
    },
  );

  it("ends the stream with an error in the runtime API's form when the model fails; the message can then be sent again", async () => {
    model.answerWith({ status: 400 });
    const events = await stream();
    expect(events.map(({ event }) => event)).toEqual(['message.started', 'error']);
    expect(events[1]?.data).toEqual({
      error: {
        code: 'UNAVAILABLE',
        message: expect.any(String) as string,
        details: expect.any(Object) as object,
      },
    });
    model.answerWith('Now.');
    const body = { content: 'Hi', context_id: events[0]?.data['context_id'] };
    expect((await stream({ body })).at(-1)).toMatchObject({ event: 'message.completed', data: { content: 'Now.' } });
    expect(model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  it('records the usage of an interrupted answer as that of a step, not as that of a message', async () => {
    await runtime.newAgent({ name: 'Broken' });
    model.answerWith({ content: 'one two three four', reset: true, resetAfter: 3 });
    const events = await stream({ agent: 'broken' });
    expect([textOf(events), events.at(-1)?.event]).toEqual(['one two ', 'error']);
    const where = { subject_id: await agentIdOf(runtime, 'broken') };
    const used = await runtime.db.prisma.usageEvent.findMany({ where });
    expect(used).toMatchObject([{ kind: 'agent_step', model: 'house', estimated: true }]);
    expect(used[0]?.prompt_tokens).toBeGreaterThan(0);
    expect(used[0]?.completion_tokens).toBe(3);
  });

  it("records an estimated usage for each call whose answer ended before its first text, and shows the user's message as failed", async () => {
    await runtime.newAgent({ name: 'Wordless' });
    model.answerWith({ content: 'never sent', reset: true });
    const events = await stream({ agent: 'wordless' });
    expect([textOf(events), events.at(-1)?.event]).toEqual(['', 'error']);
    const where = { subject_id: await agentIdOf(runtime, 'wordless') };
    const used = await runtime.db.prisma.usageEvent.findMany({ where });
    const counts = used.map(({ kind, estimated, completion_tokens }) => [kind, estimated, completion_tokens]);
    expect(counts).toEqual(model.requests.map(() => ['agent_step', true, 0]));
    expect(Math.min(...used.map(({ prompt_tokens }) => prompt_tokens))).toBeGreaterThan(0);
    const context = String(events[0]?.data['context_id']);
    const shown = await fetch(`${runtime.url}/api/v1/agents/wordless/contexts/${context}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await shown.json()).toMatchObject({ messages: [{ role: 'user', content: 'Hi', failed: true }] });
  });

  it('sends the complete message as the only event for a repeated Idempotency-Key, without calling the model', async () => {
    const headers = { 'idempotency-key': newId() };
    const first = await stream({ headers });
    const again = await post({ headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(eventsOf(await again.text())).toEqual([first.at(-1)]);
    expect(model.requests).toHaveLength(1);
  });

  it('executes the run to its end even when the client disconnects; the context then shows the answer', async () => {
    await runtime.newAgent({ name: 'Left' });
    let answer: (text: string) => void = () => undefined;
    model.answerWith(() => new Promise<string>((resolve) => (answer = resolve)));
    const leaving = new AbortController();
    const response = await post({ agent: 'left', signal: leaving.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('message.started');
    while (model.requests.length === 0) await sleep(5);
    leaving.abort();
    await expect(reader.read()).rejects.toThrow();
    answer('Finished all the same.');
    const where = { context: { agent_id: await agentIdOf(runtime, 'left') }, role: 'assistant' };
    let kept = null;
    while (!kept) {
      await sleep(10);
      kept = await runtime.db.prisma.contextMessage.findFirst({ where });
    }
    expect(kept.content).toBe('Finished all the same.');
  });
});
