import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { createFakeModel, type FakeModel } from '../index.js';

let model: FakeModel;
let client: OpenAI;
const question = { model: 'some-model', messages: [{ role: 'user' as const, content: 'two words' }] };

beforeEach(async () => {
  model = await createFakeModel();
  client = new OpenAI({ baseURL: model.url, apiKey: 'secret', maxRetries: 0, timeout: 300, logLevel: 'off' });
});
afterEach(() => model.close());

async function streamed(): Promise<{ text: string; usage: unknown }> {
  const stream = await client.chat.completions.create({
    ...question,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = '';
  let usage: unknown;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? '';
    usage = chunk.usage ?? usage;
  }
  return { text, usage };
}

describe('an answer of the fake model', () => {
  it('is the answer that the test sets, and the request is recorded', async () => {
    model.answerWith('Good morning to you.');
    const { choices, usage } = await client.chat.completions.create(question);
    expect(choices[0]?.message.content).toBe('Good morning to you.');
    expect(usage).toEqual({ prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 });
    expect(model.requests[0]?.body).toMatchObject(question);
    expect(model.requests[0]?.headers['authorization']).toBe('Bearer secret');
  });

  it('can depend on the request', async () => {
    model.answerWith(({ body }) => `You have ${body.messages.length} messages.`);
    const { choices } = await client.chat.completions.create(question);
    expect(choices[0]?.message.content).toBe('You have 1 messages.');
  });

  it('is streamed with its usage at the end', async () => {
    model.answerWith('Good morning to you.');
    expect(await streamed()).toEqual({
      text: 'Good morning to you.',
      usage: { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 },
    });
  });

  it('can consist of tool calls', async () => {
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'add', arguments: '{}' } };
    model.answerWith({ toolCalls: [call] });
    const { choices } = await client.chat.completions.create(question);
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null, tool_calls: [call] } });
  });
});

describe('a fault of the fake model', () => {
  it('with status and headers reaches the client', async () => {
    model.answerWith({ status: 429, headers: { 'retry-after': '7' } });
    await expect(client.chat.completions.create(question)).rejects.toMatchObject({ status: 429 });
  });

  it.each([{ hang: true }, { delayMs: 1000 }, { trickleMs: 20 }])(
    'that is %j exceeds the timeout of the client',
    async (behaviour) => {
      model.answerWith(behaviour);
      const signal = AbortSignal.timeout(300);
      await expect(client.chat.completions.create(question, { signal })).rejects.toThrow();
      expect(model.requests).toHaveLength(1);
    },
  );

  it.each([{ reset: true }, { garbage: true }])('that is %j breaks an answer and a stream', async (behaviour) => {
    model.answerWith(behaviour);
    const response = fetch(`${model.url}/chat/completions`, { method: 'POST', body: JSON.stringify(question) });
    await expect(response.then((answer) => answer.json())).rejects.toThrow();
    await expect(streamed()).rejects.toThrow();
  });

  it('that makes its client disconnect is recorded as aborted', async () => {
    model.answerWith({ hang: true });
    await expect(client.chat.completions.create(question)).rejects.toThrow();
    while (model.requests[0]?.aborted !== true) await sleep(5);
  });
});

it('the fake model lists its models', async () => {
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toEqual(['fake']);
});
