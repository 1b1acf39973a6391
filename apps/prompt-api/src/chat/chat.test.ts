import { createRunStore } from '@millwright/runs';
import { newId } from '@millwright/db';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { Prompt } from '../prompts/prompts.contract.js';
import { waitForDecisions } from '../test-agent-runs.js';
import { greeting, like, startTestApp, type TestApp } from '../test-app.js';

let app: TestApp;
let openai: OpenAI;
const connect = (apiKey: string) => new OpenAI({ baseURL: `${app.url}/v1`, apiKey, maxRetries: 0 });
beforeAll(async () => {
  app = await startTestApp();
  openai = connect(await app.issueKey());
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Hello, Bo.');
});

const sent = () => app.model.requests.at(-1)?.body;
const hi: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hi' }];
const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The weather in a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const call = { id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{"city":"Oslo"}' } };

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function failure(promise: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError) return error;
  throw new Error('it did not fail as an APIError', { cause: error });
}

describe('chat.completions.create with a model', () => {
  it('returns each field of a completion, and stores a run of the model with its usage', async () => {
    const completion = await openai.chat.completions.create({
      model: 'fake-model',
      messages: [
        { role: 'developer', content: 'Be kind.' },
        { role: 'user', content: 'Hi', name: 'bo' },
        { role: 'assistant', content: 'Hello.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And' },
            { type: 'text', text: 'now?' },
          ],
        },
      ],
      temperature: 0.5,
      top_p: 0.9,
      stop: 'END',
      ...({ seed: 7, user: 'u-1' } as object),
      frequency_penalty: 0.1,
      presence_penalty: -0.1,
      max_completion_tokens: 50,
      reasoning_effort: 'low',
      metadata: { ticket: '7' },
    });
    expect(completion).toEqual({
      id: like(/^chatcmpl-[0-9A-Za-z]{22}$/),
      object: 'chat.completion',
      created: expect.closeTo(Date.now() / 1_000, -1) as number,
      model: 'fake-model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello, Bo.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: expect.any(Number) as number,
        completion_tokens: 2,
        total_tokens: expect.any(Number) as number,
      },
      run: like(/^run_/),
      warnings: [],
    });
    expect(sent()).toMatchObject({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi', name: 'bo' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'And\nnow?' },
      ],
      ...{ temperature: 0.5, top_p: 0.9, stop: ['END'], seed: 7, frequency_penalty: 0.1, presence_penalty: -0.1 },
      ...{ max_tokens: 50, reasoning_effort: 'low' },
    });
    const run = await app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(run).toMatchObject({
      ...{ subject_kind: 'model', subject_name: 'fake-model', subject_version: null, channel: 'chat' },
      ...{ state: 'completed', output: 'Hello, Bo.', completion_tokens: 2n, step_count: 1 },
    });
    const used = await app.db.prisma.usageEvent.findUniqueOrThrow({ where: { id: run.id } });
    expect(used).toMatchObject({ kind: 'model_run', subject_id: run.subject_id, completion_tokens: 2 });
    expect(
      await app.db.prisma.governanceDecision.count({ where: { action: 'model.run', resource: 'fake-model' } }),
    ).toBe(1);
  });

  it('uses the default model when the request names no model, and answers 400 for an unknown model', async () => {
    const { body } = await app.call<{ model: string }>('POST', '/v1/chat/completions', { body: { messages: hi } });
    expect(body.model).toBe('fake-model');
    const error = await failure(openai.chat.completions.create({ model: 'gpt-x', messages: hi }));
    expect([error.status, error.param, error.type]).toEqual([400, 'model', 'invalid_request_error']);
  });

  it('returns the details of the usage that the model reports, and omits details that the model does not report', async () => {
    const usage = {
      ...{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      ...{ prompt_tokens_details: { cached_tokens: 8 }, completion_tokens_details: { reasoning_tokens: 3 } },
    };
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
    app.model.answerWith({ body: { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage } });
    expect((await openai.chat.completions.create({ model: 'fake-model', messages: hi })).usage).toEqual(usage);
  });

  it('streams the text, then the finish reason, then the usage when the request includes it', async () => {
    const stream = await openai.chat.completions.create({
      ...{ model: 'fake-model', messages: hi, stream: true, stream_options: { include_usage: true } },
    });
    const chunks = await gather(stream);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello, Bo.');
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.filter(({ choices }) => choices[0]?.delta.content).length).toBeGreaterThan(1);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 2 } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    const plain = await gather(
      await openai.chat.completions.create({ model: 'fake-model', messages: hi, stream: true }),
    );
    expect(plain.every(({ usage, choices }) => usage === undefined && choices.length === 1)).toBe(true);
  });

  it('stores a run without its content when the request has store: false', async () => {
    await openai.chat.completions.create({ model: 'fake-model', messages: hi, store: false });
    const run = await app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' }, include: { steps: true } });
    expect([run.input, run.output, run.steps[0]?.answer]).toEqual([null, null, null]);
  });

  it('answers a repeated Idempotency-Key with the stored answer', async () => {
    const options = { headers: { 'Idempotency-Key': newId() } };
    const [first, second] = [
      await openai.chat.completions.create({ model: 'fake-model', messages: hi }, options),
      await openai.chat.completions.create({ model: 'fake-model', messages: hi }, options),
    ];
    expect(second).toEqual(first);
    expect(app.model.requests).toHaveLength(1);
  });
});

describe("chat.completions.create with the client's tools", () => {
  it('returns the calls of the model, and sends their outputs with the next request', async () => {
    app.model.answerWith({ content: null, toolCalls: [call], finishReason: 'tool_calls' });
    const asked = await openai.chat.completions.create({
      ...{ model: 'fake-model', messages: hi, tools: [weather], parallel_tool_calls: false },
      tool_choice: { type: 'function', function: { name: 'weather' } },
    });
    expect(asked.choices[0]).toMatchObject({
      message: { content: null, tool_calls: [call] },
      finish_reason: 'tool_calls',
    });
    expect(sent()).toMatchObject({
      tools: [weather],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
    });
    app.model.answerWith('It rains.');
    const message = asked.choices[0]?.message as ChatCompletionMessageParam;
    const answered = await openai.chat.completions.create({
      model: 'fake-model',
      messages: [...hi, message, { role: 'tool', tool_call_id: 'call_1', content: 'rain' }],
      tools: [weather],
    });
    expect(answered.choices[0]?.message.content).toBe('It rains.');
    expect(sent()?.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    ]);
  });

  it('works with runTools of the SDK, with and without a stream', async () => {
    for (const stream of [false, true]) {
      app.model.answerWith(({ body }) =>
        body.messages.some(({ role }) => role === 'tool')
          ? 'It rains in Oslo.'
          : { content: null, toolCalls: [call], finishReason: 'tool_calls' as const },
      );
      const given: unknown[] = [];
      const tool = {
        type: 'function' as const,
        function: {
          ...weather.function,
          parse: JSON.parse as (input: string) => object,
          function: (input: object) => {
            given.push(input);
            return 'rain';
          },
        },
      };
      const request = { model: 'fake-model', messages: hi, tools: [tool] };
      const runner = stream
        ? openai.chat.completions.runTools({ ...request, stream: true })
        : openai.chat.completions.runTools(request);
      expect(await runner.finalContent()).toBe('It rains in Oslo.');
      expect(given).toEqual([{ city: 'Oslo' }]);
    }
  });

  it.each([
    ['a tool twice', { tools: [weather, weather] }, 'tools'],
    [
      'a choice of an unknown tool',
      { tools: [weather], tool_choice: { type: 'function', function: { name: 'x' } } },
      'tool_choice',
    ],
    ['a custom tool', { tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools.0.type'],
    [
      'an output without its call',
      { messages: [...hi, { role: 'tool', tool_call_id: 'c', content: '' }] },
      'messages.1.tool_call_id',
    ],
  ])('answers 400 for %s', async (_case, changes, param) => {
    const request = { model: 'fake-model', messages: hi, ...changes };
    const error = await failure(openai.chat.completions.create(request as never));
    expect([error.status, error.param]).toEqual([400, param]);
    expect(app.model.requests).toHaveLength(0);
  });
});

describe('chat.completions.create with a response format', () => {
  it('returns an answer that fits the zod schema of the request, and the SDK parses it', async () => {
    app.model.answerWith('{"city":"Oslo"}');
    const completion = await openai.chat.completions.parse({
      ...{ model: 'fake-model', messages: hi },
      response_format: zodResponseFormat(z.object({ city: z.string() }), 'place'),
    });
    expect(completion.choices[0]?.message.parsed).toEqual({ city: 'Oslo' });
    expect(sent()).toMatchObject({ response_format: { type: 'json_schema', json_schema: { name: 'place' } } });
  });

  it('calls the model once more when its answer does not fit, and streams only the second answer', async () => {
    app.model.answerWith(({ body }) => (body.messages.length > 1 ? '{"city":"Oslo"}' : '{"city":1}'));
    const stream = await openai.chat.completions.create({
      ...{ model: 'fake-model', messages: hi, stream: true },
      response_format: zodResponseFormat(z.object({ city: z.string() }), 'place'),
    });
    const chunks = await gather(stream);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('{"city":"Oslo"}');
  });
});

describe('chat.completions.create with a prompt', () => {
  it('renders the prompt that the model field names, in the version or label after its @', async () => {
    const body = { ...greeting, instruction: { static: 'Be brief.', dynamic: '{{message}}' }, input: {} };
    const { id } = (await app.call<Prompt>('POST', '/v1/prompt', { body })).body;
    await app.call('PUT', `/v1/prompt/${id}`, {
      body: { instruction: { static: 'Be long.', dynamic: '{{message}}' } },
    });
    for (const [name, system] of [
      [`prompt/${id}`, 'Be long.'],
      ['prompt/greeting', 'Be long.'],
      [`prompt/${id}@1`, 'Be brief.'],
    ]) {
      const completion = await openai.chat.completions.create({ model: name ?? '', messages: hi, tools: [weather] });
      expect([completion.model, completion.choices[0]?.message.content]).toEqual([name, 'Hello, Bo.']);
      expect(sent()?.messages).toEqual([{ role: 'system', content: system }, ...hi]);
      expect(sent()?.['tools']).toEqual([weather]);
    }
    const run = await app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(run).toMatchObject({ subject_kind: 'prompt', subject_id: id, subject_version: 1, channel: 'chat' });
    const error = await failure(openai.chat.completions.create({ model: `prompt/${id}@9`, messages: hi }));
    expect([error.status, error.param]).toEqual([400, 'model']);
    await expect(openai.chat.completions.create({ model: 'prompt/none', messages: hi })).rejects.toThrow(
      OpenAI.NotFoundError,
    );
  });
});

describe('chat.completions.create with an agent', () => {
  const model = 'agent/guide';
  beforeAll(async () => {
    await app.call('POST', '/v1/agent', {
      body: { content: 'You help.', prefix: 'guide', metadata: { title: 'Guide' } },
    });
  });

  /** Does what a process of the runtime API does with the next queued run. */
  async function executeNext(words: readonly string[], end: 'completed' | 'failed' | 'waiting'): Promise<void> {
    const runs = createRunStore(app.db);
    const worker = newId();
    for (;;) {
      const [run] = await app.db.transaction((tx) => runs.takeNext(tx, worker, 1, 10));
      if (!run) continue;
      expect([run.channel, run.subject.name]).toEqual(['chat', 'guide']);
      const fence = { runId: run.runId, attempt: run.attempt };
      const events = words.map((delta) => ({ type: 'message.delta', data: { step: 1, delta } }));
      if (end === 'waiting') return waitForDecisions(app.db, run, { euros: [5] });
      await app.db.transaction(async (tx) => {
        if (end === 'failed')
          return runs.end(tx, fence, 'failed', { error: { code: 'unavailable', text: '' }, events });
        await tx.$executeRaw`UPDATE runs SET prompt_tokens = 11, completion_tokens = 4 WHERE id = ${run.runId}::uuid`;
        return runs.end(tx, fence, 'completed', { output: words.join(''), events });
      });
      return;
    }
  }

  it('queues a run with the conversation of the client, and answers with the text of the agent and the usage of the whole run', async () => {
    const executed = executeNext(['Hello', ', Bo.'], 'completed');
    const completion = await openai.chat.completions.create({
      model,
      messages: [
        { role: 'system', content: 'Answer in English.' },
        ...hi,
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'And now?' },
      ],
    });
    await executed;
    expect(completion).toMatchObject({
      model,
      choices: [{ message: { content: 'Hello, Bo.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 },
    });
    const run = await app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const turns = await app.db.prisma.contextMessage.findMany({
      where: { context_id: run.context_id ?? '' },
      orderBy: { seq: 'asc' },
    });
    expect(turns.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Hello.'],
      ['user', 'Answer in English.\n\nAnd now?'],
    ]);
    expect(run.message_id).toBe(turns[2]?.id);
  });

  it('streams the text of the agent', async () => {
    const executed = executeNext(['Hello', ', Bo.'], 'completed');
    const chunks = await gather(await openai.chat.completions.create({ model, messages: hi, stream: true }));
    await executed;
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').filter(Boolean)).toEqual(['Hello', ', Bo.']);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  });

  it('answers 409 when the run waits for a person, and 503 when the run failed', async () => {
    for (const [end, status] of [
      ['waiting', 409],
      ['failed', 503],
    ] as const) {
      const executed = executeNext([], end);
      expect((await failure(openai.chat.completions.create({ model, messages: hi }))).status).toBe(status);
      await executed;
    }
  });

  it('answers 403 without the scope agents:message, 404 for an unknown agent, and 400 for tools and parameters', async () => {
    const limited = connect(await app.issueKey({ scopes: ['prompts:run'] }));
    const refused = await failure(limited.chat.completions.create({ model, messages: hi }));
    expect([refused.status, refused.message]).toEqual([403, expect.stringContaining('agents:message')]);
    expect((await failure(openai.chat.completions.create({ model: 'agent/none', messages: hi }))).status).toBe(404);
    for (const [field, changes] of Object.entries({
      tools: { tools: [weather] },
      temperature: { temperature: 1 },
      store: { store: false },
      messages: { messages: [...hi, { role: 'assistant', content: 'x' }] },
    })) {
      const error = await failure(openai.chat.completions.create({ model, messages: hi, ...changes } as never));
      expect([error.status, error.param]).toEqual([400, field]);
    }
  });
});

describe('POST /v1/chat/completions', () => {
  it.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['logit_bias', { logit_bias: { 5: 1 } }],
    ['functions', { functions: [{ name: 'x' }] }],
    ['audio', { audio: { voice: 'x', format: 'wav' } }],
    ['service_tier', { service_tier: 'flex' }],
    ['best_of', { best_of: 2 }],
    ['stream_options.other', { stream_options: { other: true } }],
    ['messages', { messages: [] }],
  ])('answers 400, and the error names %s', async (field, changes) => {
    const error = await failure(
      openai.chat.completions.create({ model: 'fake-model', messages: hi, ...changes } as never),
    );
    expect([error.status, error.param]).toEqual([400, field]);
  });

  it('answers 400 for images, which the model does not support', async () => {
    const content = [{ type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } }];
    const error = await failure(
      openai.chat.completions.create({ model: 'fake-model', messages: [{ role: 'user', content }] }),
    );
    expect([error.status, error.param]).toEqual([400, 'messages']);
  });

  it('sends an error of the model after the first chunk as an error event', async () => {
    app.model.answerWith({ content: 'Hello, Bo.', reset: true, resetAfter: 2 });
    const stream = await openai.chat.completions.create({ model: 'fake-model', messages: hi, stream: true });
    await expect(gather(stream)).rejects.toThrow(/cannot answer right now/);
  });
});
