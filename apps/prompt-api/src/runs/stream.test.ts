import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type TestApp } from '../test-app.js';
import { RunEvent, RunResult } from './runs.contract.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  key = await app.issueKey();
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Good morning to you.');
});

const verdict = { type: 'object', properties: { verdict: { enum: ['good', 'bad'] } }, required: ['verdict'] };
const create = async (changes: object = {}) =>
  (
    await app.call<Prompt>('POST', '/v1/prompt', {
      body: { ...greeting, input: {}, instruction: { dynamic: '{{message}}' }, ...changes },
    })
  ).body.id;

interface SentEvent {
  event: string;
  data: Record<string, unknown>;
}
function parse(text: string): SentEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    return { event, data: JSON.parse(data) as Record<string, unknown> };
  });
}
const open = (
  id: string,
  body: object = {},
  {
    url = app.url,
    headers = {},
    signal,
  }: { url?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
) =>
  fetch(`${url}/v1/prompt/${id}/openai`, {
    method: 'POST',
    body: JSON.stringify({ message: 'hi', stream: true, ...body }),
    headers: { 'api-key': key, 'content-type': 'application/json', ...headers },
    ...(signal && { signal }),
  });
const stream = async (...args: Parameters<typeof open>) => {
  const response = await open(...args);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  return parse(await response.text());
};
const textOf = (sent: readonly SentEvent[]) =>
  sent
    .filter(({ event }) => event === 'chunk')
    .map(({ data }) => (data['choices'] as [{ delta: { content: string } }])[0].delta.content)
    .join('');
const stored = async () => ({
  messages: await app.db.prisma.conversationMessage.count(),
  usage: await app.db.prisma.usageEvent.count(),
});

describe('POST /v1/prompt/{uuid}/openai with stream: true', () => {
  it('sends the answer in chunks, then the stored result, each as documented', async () => {
    const sent = await stream(await create());
    expect(sent.map(({ event }) => event)).toEqual(['chunk', 'chunk', 'chunk', 'chunk', 'result']);
    expect(textOf(sent)).toBe('Good morning to you.');
    expect(sent[0]?.data).toMatchObject({ object: 'chat.completion.chunk', model: 'fake-model' });
    expect(new Set(sent.slice(0, -1).map(({ data }) => data['id'])).size).toBe(1);
    const result = RunResult.parse(sent.at(-1)?.data);
    expect(result).toMatchObject({
      success: true,
      warnings: [],
      data: { message: { content: 'Good morning to you.' } },
    });
    expect((await app.call('GET', result.data.conversation._link)).body).toEqual(result.data.conversation);
    for (const { data } of sent) expect(RunEvent.safeParse(data).success).toBe(true);
    expect(app.model.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('sends each chunk as soon as the model has written it', async () => {
    app.model.answerWith({ content: 'One two three.', trickleMs: 50 });
    const response = await open(await create());
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader?.read())?.value ?? '';
    expect(textOf(parse(first))).toBe('One ');
    expect(app.model.requests[0]?.aborted).toBe(false);
    await reader?.cancel();
  });

  it('sends a repair event when the answer does not fit, then the second answer, and counts the usage of both', async () => {
    const id = await create({ output: { schema: verdict } });
    app.model.answerWith(() => (app.model.requests.length === 1 ? 'I think so.' : '{"verdict":"good"}'));
    const sent = await stream(id);
    const at = sent.findIndex(({ event }) => event === 'repair');
    expect(sent[at]?.data).toEqual({ warnings: ["the model's answer is not JSON"] });
    expect(textOf(sent.slice(0, at))).toBe('I think so.');
    expect(textOf(sent.slice(at))).toBe('{"verdict":"good"}');
    const result = RunResult.parse(sent.at(-1)?.data);
    expect(result).toMatchObject({ success: true, data: { structured_data: { verdict: 'good' } } });
    expect(result.metadata.usage.completion_tokens).toBe(4);
    expect(await app.db.prisma.usageEvent.findFirstOrThrow({ where: { subject_id: id } })).toMatchObject({
      completion_tokens: 4,
    });
  });

  it('ends with success: false when neither of two answers fits the schema, and when the model refuses', async () => {
    const id = await create({ output: { schema: verdict } });
    app.model.answerWith('Never.');
    const sent = await stream(id);
    expect(sent.at(-1)).toMatchObject({ event: 'result', data: { success: false } });
    expect(sent.filter(({ event }) => event === 'repair')).toHaveLength(1);
    app.model.answerWith({ content: null, refusal: 'I would rather not.' });
    const refused = await stream(id);
    expect(refused.map(({ event }) => event)).toEqual(['result']);
    expect(refused[0]?.data).toMatchObject({ success: false, warnings: ['the model refused: I would rather not.'] });
  });

  it('answers a failure before the first chunk like the failure of a request without stream', async () => {
    const id = await create();
    expect((await open(id, { message: 3 })).status).toBe(400);
    expect((await open(id, { stream: 'yes' })).status).toBe(400);
    expect((await open('018f0000-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await open(id, {}, { headers: { 'api-key': 'wrong' } })).status).toBe(403);
    const { url } = await app.startReplica({ modelTimeoutMs: 300 });
    app.model.answerWith({ status: 500 });
    const down = await open(id, {}, { url });
    expect([down.status, down.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await down.json()).toMatchObject({ error: { code: 'unavailable', status: 503 } });
  });

  it('sends an error event when the model fails after the first chunk; stores no message and records the usage', async () => {
    const { url } = await app.startReplica({ modelTimeoutMs: 1_500 });
    const before = await stored();
    app.model.answerWith({ content: 'one two three four five six seven eight', trickleMs: 400 });
    const sent = await stream(await create(), {}, { url });
    expect(textOf(sent)).toMatch(/^one /);
    expect(sent.at(-1)).toMatchObject({
      event: 'error',
      data: { error: { code: 'unavailable', status: 503, type: 'server_error' } },
    });
    expect(RunEvent.safeParse(sent.at(-1)?.data).success).toBe(true);
    expect(await stored()).toEqual({ ...before, usage: before.usage + 1 });
  });

  it.each([true, false])(
    'records estimated usage when the connection to the model ends before the model has sent text (stream: %p)',
    async (isStreamed) => {
      // A separate replica, because a process stops model calls for a while after several failures.
      const { url } = await app.startReplica();
      const id = await create();
      app.model.answerWith({ content: 'never sent', reset: true, resetAfter: 1 });
      const answer = await open(id, { stream: isStreamed }, { url });
      expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'unavailable' } }]);
      const recorded = await app.db.prisma.usageEvent.findMany({ where: { subject_id: id } });
      expect(recorded).toMatchObject([{ kind: 'prompt_run', estimated: true, completion_tokens: 0 }]);
      const shown = await app.call<{ estimated_runs: number }>('GET', `/v1/prompt/${id}/version/1/usage`);
      expect(shown.body.estimated_runs).toBe(1);
      // Each attempt costs the prompt again, and a prompt has at least 7 tokens.
      expect(app.model.requests).toHaveLength(3);
      expect(recorded[0]?.prompt_tokens).toBeGreaterThanOrEqual(3 * 7);
    },
  );

  it('completes and stores a run whose client has disconnected, and returns the stored result to a retry with the same Idempotency-Key', async () => {
    const id = await create();
    const before = await stored();
    app.model.answerWith({ content: 'Late but here.', trickleMs: 60 });
    const headers = { 'idempotency-key': 'gone-streaming' };
    const leaving = new AbortController();
    const response = await open(id, {}, { headers, signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    let again = await open(id, {}, { headers });
    while (again.status === 409) again = await open(id, {}, { headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const sent = parse(await again.text());
    expect(sent.map(({ event }) => event)).toEqual(['result']);
    expect(sent[0]?.data).toMatchObject({ data: { message: { content: 'Late but here.' } } });
    expect(app.model.requests).toHaveLength(1);
    expect(await stored()).toEqual({ messages: before.messages + 2, usage: before.usage + 1 });
  });

  it('calls the model once for 10 parallel requests with the same Idempotency-Key, and answers 409 to nine of them', async () => {
    const id = await create();
    app.model.answerWith({ content: 'Once.', delayMs: 200 });
    const headers = { 'idempotency-key': 'streamed-duplicates' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(id, {}, { headers })));
    await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, headers: sent } of answers)
      if (status !== 200) expect([status, sent.get('x-should-retry')]).toEqual([409, 'false']);
    expect(app.model.requests).toHaveLength(1);
  });
});
