import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { z } from 'zod';
import type { Conversation } from '../conversations/conversations.contract.js';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, like, startTestApp, type TestApp } from '../test-app.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

let app: TestApp;
let key: string;
/** The official SDK with another address and key. */
let openai: OpenAI;
beforeAll(async () => {
  app = await startTestApp();
  key = await app.issueKey();
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key });
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Hello, Bo.');
});

const create = async (changes: object = {}) =>
  (await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, ...changes } })).body.id;
const chat = () => create({ instruction: { static: 'Be brief.', dynamic: '{{message}}' }, input: {} });
const bo = { name: 'Bo' };
const sent = () => app.model.requests.at(-1)?.body.messages;
const messagesOf = async (conversation: string | undefined) =>
  (await app.call<Conversation>('GET', `/v1/conversation/${conversation}`)).body.message.map(({ role, content }) => [
    role,
    content,
  ]);
/** Returns the failure that the SDK throws. */
async function failure(promise: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError) return error;
  throw new Error('it did not fail as an APIError', { cause: error });
}

describe('responses.create', () => {
  it('renders and runs a stored prompt with its variables, and returns every field of the response', async () => {
    const id = await create();
    const response = await openai.responses.create({
      prompt: { id, variables: bo },
      input: 'be kind',
      metadata: { ticket: '7' },
      safety_identifier: 'u-1',
    });
    expect(response._request_id).toMatch(/./);
    expect(response.output_text).toBe('Hello, Bo.');
    expect(response).toEqual({
      id: like(/^resp_[0-9A-Za-z]{22}$/),
      object: 'response',
      created_at: expect.closeTo(Date.now() / 1_000, -1) as number,
      completed_at: expect.closeTo(Date.now() / 1_000, -1) as number,
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      metadata: { ticket: '7' },
      model: 'fake-model',
      output: [
        {
          id: like(/^msg_[0-9A-Za-z]{22}$/),
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello, Bo.', annotations: [] }],
        },
      ],
      output_text: 'Hello, Bo.',
      parallel_tool_calls: true,
      previous_response_id: null,
      conversation: { id: like(UUID) },
      prompt: { id, version: null, variables: bo },
      prompt_cache_key: null,
      safety_identifier: 'u-1',
      store: true,
      temperature: null,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: null,
      truncation: 'auto',
      usage: {
        input_tokens: expect.any(Number) as number,
        output_tokens: 2,
        total_tokens: expect.any(Number) as number,
      },
      user: null,
      warnings: [],
    });
    expect(sent()).toEqual([
      { role: 'system', content: 'You greet people.' },
      { role: 'system', content: 'So far: ' },
      { role: 'user', content: 'Greet Bo: be kind' },
    ]);
    expect(await messagesOf(response.conversation?.id)).toEqual([
      ['user', 'be kind'],
      ['assistant', 'Hello, Bo.'],
    ]);
    expect(await app.db.prisma.usageEvent.count({ where: { subject_id: id, subject_version: 1 } })).toBe(1);
    const where = { resource: id, action: 'prompt.run' };
    expect((await app.db.prisma.governanceDecision.findFirstOrThrow({ where })).detail).toMatchObject({
      response: response.id,
      conversation: response.conversation?.id,
    });
  });

  it('uses the version or the label that prompt.version names', async () => {
    const id = await chat();
    await app.call('PUT', `/v1/prompt/${id}`, { body: { instruction: { static: 'Second.' } } });
    await app.call('PUT', `/v1/prompt/${id}/label/production`, { body: { version: 1 } });
    for (const [version, text] of [
      ['1', 'Be brief.'],
      ['2', 'Second.'],
      ['production', 'Be brief.'],
      [undefined, 'Second.'],
      [null, 'Second.'],
    ] as const) {
      await openai.responses.create({ prompt: { id, ...(version !== undefined && { version }) }, input: 'hi' });
      expect(sent()?.[0]?.content).toBe(text);
    }
  });

  it('sends the model settings to the model, and appends the instructions to those of the prompt', async () => {
    const id = await chat();
    const response = await openai.responses.create({
      prompt: { id },
      input: 'hi',
      instructions: 'Rhyme.',
      temperature: 0.5,
      max_output_tokens: 50,
      model: 'fake-model',
    });
    expect(app.model.requests[0]?.body).toMatchObject({ temperature: 0.5, max_tokens: 50 });
    expect(sent()?.map(({ content }) => content)).toEqual(['Be brief.', 'Rhyme.', 'hi']);
    expect(response).toMatchObject({ instructions: 'Rhyme.', temperature: 0.5, max_output_tokens: 50 });
  });

  it("accepts messages as input, uses the last message as the user's newest message, and stores all messages", async () => {
    const id = await chat();
    const response = await openai.responses.create({
      prompt: { id },
      input: [
        { role: 'developer', content: 'Speak French.' },
        { role: 'user', content: [{ type: 'input_text', text: 'One' }] },
        {
          id: 'msg_x',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Un', annotations: [] }],
        },
        { type: 'message', role: 'user', content: 'Two' },
      ],
    });
    const expected = [
      ['system', 'Speak French.'],
      ['user', 'One'],
      ['assistant', 'Un'],
      ['user', 'Two'],
    ];
    expect(sent()?.map(({ role, content }) => [role, content])).toEqual([['system', 'Be brief.'], ...expected]);
    expect(await messagesOf(response.conversation?.id)).toEqual([...expected, ['assistant', 'Hello, Bo.']]);
  });

  it('converts a variable to the type of the input schema', async () => {
    const properties = { count: { type: 'integer' }, word: { type: 'string' }, on: { type: ['boolean', 'null'] } };
    const id = await create({
      instruction: { dynamic: '{{count}} {{word}} {{on}}' },
      input: { schema: { properties } },
    });
    const variables = { count: '3', word: '4', on: { type: 'input_text' as const, text: 'true' } };
    await openai.responses.create({ prompt: { id, variables } });
    expect(sent()).toEqual([{ role: 'user', content: '3 4 true' }]);
    const error = await failure(openai.responses.create({ prompt: { id, variables: { count: 'three' } } }));
    expect([error.status, error.param]).toEqual([400, 'prompt.variables.count']);
  });

  it('returns a refusal of the model as content of the type refusal', async () => {
    app.model.answerWith({ content: null, refusal: 'I would rather not.' });
    const response = await openai.responses.create({ prompt: { id: await chat() }, input: 'hi' });
    expect(response).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'refusal', refusal: 'I would rather not.' }] }],
      output_text: '',
      warnings: ['the model refused: I would rather not.'],
    });
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ] as const)('returns the status incomplete with a text that is cut off (%s)', async (finishReason, reason) => {
    app.model.answerWith({ content: 'Once upon', finishReason });
    const response = await openai.responses.create({ prompt: { id: await chat() }, input: 'hi' });
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ status: 'incomplete' }],
      output_text: 'Once upon',
    });
  });

  it('stores only the usage when store is false', async () => {
    const id = await chat();
    const before = await app.db.prisma.conversation.count();
    const response = await openai.responses.create({ prompt: { id }, input: 'hi', store: false });
    expect(response).toMatchObject({ output_text: 'Hello, Bo.', conversation: null, store: false });
    expect(await app.db.prisma.conversation.count()).toBe(before);
    expect((await failure(openai.responses.retrieve(response.id))).status).toBe(404);
    expect(await app.db.prisma.usageEvent.count({ where: { subject_id: id } })).toBe(1);
  });
});

describe('the usage of a response', () => {
  it('includes the details that the model’s server reports, and omits unreported details', async () => {
    const completion = (usage: object) => ({
      body: { choices: [{ index: 0, message: { role: 'assistant', content: 'Tea.' }, finish_reason: 'stop' }], usage },
    });
    const counted = { prompt_tokens: 100, completion_tokens: 50 };
    const prompt = { id: await chat() };
    app.model.answerWith(
      completion({
        ...counted,
        prompt_tokens_details: { cached_tokens: 80 },
        completion_tokens_details: { reasoning_tokens: 40 },
      }),
    );
    expect((await openai.responses.create({ prompt, input: 'tea' })).usage).toEqual({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 80 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 40 },
      total_tokens: 150,
    });
    app.model.answerWith(completion(counted));
    const { usage } = await openai.responses.create({ prompt, input: 'tea' });
    expect(usage).toEqual({ input_tokens: 100, output_tokens: 50, total_tokens: 150 });
  });
});

describe('structured output', () => {
  const Verdict = z.object({ verdict: z.enum(['good', 'bad']), score: z.number() });

  it('is parsed by responses.parse with the schema from the request', async () => {
    app.model.answerWith('{"verdict":"good","score":3}');
    const response = await openai.responses.parse({
      prompt: { id: await chat() },
      input: 'tea',
      text: { format: zodTextFormat(Verdict, 'verdict') },
    });
    expect(response.output_parsed).toEqual({ verdict: 'good', score: 3 });
    const format = app.model.requests[0]?.body['response_format'];
    expect(format).toMatchObject({ type: 'json_schema', json_schema: { name: 'verdict', strict: true } });
  });

  it('accepts JSON Schema 2020-12 as zod generates it, and refuses keywords without a draft-07 equivalent', async () => {
    const id = await chat();
    const format = { type: 'json_schema' as const, name: 'verdict' };
    app.model.answerWith('{"verdict":"good","score":3}');
    const schema = z.toJSONSchema(Verdict);
    expect(schema.$schema).toContain('2020-12');
    const text = { format: { ...format, schema: { ...schema } } };
    const answered = await openai.responses.create({ prompt: { id }, input: 'tea', text });
    expect(JSON.parse(answered.output_text)).toEqual({ verdict: 'good', score: 3 });
    const refused = { format: { ...format, schema: { ...schema, unevaluatedProperties: false } } };
    const error = await failure(openai.responses.create({ prompt: { id }, input: 'tea', text: refused }));
    expect([error.status, error.param]).toEqual([400, 'text.format.schema']);
    expect(error.message).toContain('unevaluatedProperties: is not supported');
  });

  it("uses the prompt's own output schema when the request contains none", async () => {
    const id = await create({
      instruction: { dynamic: '{{message}}' },
      input: {},
      output: { schema: z.toJSONSchema(Verdict, { target: 'draft-7' }) },
    });
    app.model.answerWith('{"verdict":"bad","score":1}');
    const response = await openai.responses.create({ prompt: { id }, input: 'tea' });
    expect(JSON.parse(response.output_text)).toEqual({ verdict: 'bad', score: 1 });
  });

  it('is requested once more when the answer does not match the schema; the response fails with the reasons when no answer matches', async () => {
    const id = await chat();
    const text = { format: { type: 'json_object' as const } };
    app.model.answerWith(() => (app.model.requests.length === 1 ? 'prose' : '{"a":1}'));
    expect((await openai.responses.create({ prompt: { id }, input: 'JSON, please', text })).output_text).toBe(
      '{"a":1}',
    );
    app.model.answerWith('prose');
    const failed = await openai.responses.create({ prompt: { id }, input: 'JSON, please', text });
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: "the model's answer is not JSON" },
      output: [],
    });
    const stream = openai.responses.stream({ prompt: { id }, input: 'JSON, please', text });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual(['response.created', 'response.in_progress', 'response.failed']);
    expect((await stream.finalResponse()).error?.message).toBe("the model's answer is not JSON");
  });

  it.each([
    [{ type: 'object', properties: { a: { $ref: 'http://example.com/x' } } }],
    [{ type: 'object', properties: { a: { pattern: '(?=a)b' } } }],
    [{ type: 'nothing' }],
  ])("is refused with 400 for the schema %j, and the error's param names the schema", async (schema) => {
    const error = await failure(
      openai.responses.create({
        prompt: { id: await chat() },
        input: 'hi',
        text: { format: { type: 'json_schema', name: 'x', schema } },
      }),
    );
    expect(error.status).toBe(400);
    expect(error.param).toMatch(/^text\.format\.schema/);
    expect(app.model.requests).toEqual([]);
  });
});

describe('a streamed response', () => {
  const ORDER = [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ];

  it('sends its events in order, numbered from 0, with one id, and ends with the stored response', async () => {
    const stream = await openai.responses.create({
      prompt: { id: await create(), variables: bo },
      input: 'x',
      stream: true,
    });
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(ORDER);
    expect(events.map(({ sequence_number: n }) => n)).toEqual(ORDER.map((_, n) => n));
    const lifecycle = events.flatMap((event) => ('response' in event ? [event.response] : []));
    expect(new Set(lifecycle.map(({ id }) => id)).size).toBe(1);
    expect(lifecycle[0]).toMatchObject({ status: 'in_progress', output: [] });
    const items = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
    const last = lifecycle.at(-1);
    expect(last).toMatchObject({ status: 'completed', output: items });
    const ids = events.flatMap((event) => ('item_id' in event ? [event.item_id] : []));
    expect(new Set(ids)).toEqual(new Set([items[0]?.id]));
    expect(events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('')).toBe(
      'Hello, Bo.',
    );
    const { output_text, ...stored } = await openai.responses.retrieve(last?.id ?? '');
    expect(output_text).toBe('Hello, Bo.');
    expect(last).toMatchObject(stored);
  });

  it('can be read with responses.stream() of the SDK, as text and with a schema', async () => {
    const id = await chat();
    const text = openai.responses.stream({ prompt: { id }, input: 'hi' });
    let streamed = '';
    text.on('response.output_text.delta', ({ delta }) => (streamed += delta));
    expect((await text.finalResponse()).output_text).toBe('Hello, Bo.');
    expect(streamed).toBe('Hello, Bo.');

    app.model.answerWith('{"ok":true}');
    const format = zodTextFormat(z.object({ ok: z.boolean() }), 'ok');
    const parsed = openai.responses.stream({ prompt: { id }, input: 'hi', text: { format } });
    expect((await parsed.finalResponse()).output_parsed).toEqual({ ok: true });
  });

  it('sends an answer with a schema only after the check of this answer', async () => {
    app.model.answerWith(() => (app.model.requests.length === 1 ? 'prose' : '{"ok":true}'));
    const format = zodTextFormat(z.object({ ok: z.boolean() }), 'ok');
    const stream = openai.responses.stream({ prompt: { id: await chat() }, input: 'hi', text: { format } });
    const deltas: string[] = [];
    for await (const event of stream) if (event.type === 'response.output_text.delta') deltas.push(event.delta);
    expect(deltas).toEqual(['{"ok":true}']);
  });

  it('can contain a refusal or an answer that is cut off', async () => {
    const id = await chat();
    app.model.answerWith({ content: null, refusal: 'No.' });
    const types: string[] = [];
    for await (const { type } of openai.responses.stream({ prompt: { id }, input: 'hi' })) types.push(type);
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.refusal.delta',
      'response.refusal.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    app.model.answerWith({ content: 'Once', finishReason: 'length' });
    const cut = openai.responses.stream({ prompt: { id }, input: 'hi' });
    expect(await cut.finalResponse()).toMatchObject({ status: 'incomplete', output_text: 'Once' });
  });

  it("ends with an error event when the model's stream is interrupted, and only the usage is stored", async () => {
    const { url } = await app.startReplica({ modelTimeoutMs: 1_500 });
    const id = await chat();
    const before = await app.db.prisma.storedResponse.count();
    app.model.answerWith({ content: 'one two three four five six seven', trickleMs: 400 });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key });
    const stream = await client.responses.create({ prompt: { id }, input: 'hi', stream: true });
    const types: string[] = [];
    const error = await failure(
      (async () => {
        for await (const { type } of stream) types.push(type);
      })(),
    );
    expect(types.at(-1)).toBe('response.output_text.delta');
    expect([error.code, error.param]).toEqual(['unavailable', null]);
    expect(await app.db.prisma.storedResponse.count()).toBe(before);
    const used = await app.db.prisma.usageEvent.findMany({ where: { subject_id: id } });
    expect(used).toMatchObject([{ model: 'fake-model', prompt_tokens: expect.any(Number) as number }]);
    expect(used[0]?.completion_tokens).toBeGreaterThan(0);
    expect(Number(used[0]?.cost_usd)).toBeGreaterThan(0);
  });

  it('is replayed completely for a repeated Idempotency-Key', async () => {
    const id = await chat();
    const ask = async () => {
      const stream = await openai.responses.create(
        { prompt: { id }, input: 'hi', stream: true },
        { headers: { 'Idempotency-Key': 'streamed-response' } },
      );
      const events: ResponseStreamEvent[] = [];
      for await (const event of stream) events.push(event);
      return events;
    };
    const [first, again] = [await ask(), await ask()];
    expect(app.model.requests).toHaveLength(1);
    expect(again.map(({ type }) => type)).toEqual(ORDER.filter((type, n) => type !== ORDER[n - 1]));
    expect({ ...again.at(-1), sequence_number: 0 }).toEqual({ ...first.at(-1), sequence_number: 0 });
    expect(again[0]).toEqual(first[0]);
  });
});

describe('a conversation over several responses', () => {
  it('continues from previous_response_id, and is forked when that response was already continued', async () => {
    const id = await chat();
    const answer = async (input: string, text: string, previous?: string) => {
      app.model.answerWith(text);
      return openai.responses.create({ prompt: { id }, input, ...(previous && { previous_response_id: previous }) });
    };
    const one = await answer('Say one', 'One.');
    const two = await answer('Say two', 'Two.', one.id);
    expect(sent()?.map(({ content }) => content)).toEqual(['Be brief.', 'Say one', 'One.', 'Say two']);
    expect(two).toMatchObject({ previous_response_id: one.id, conversation: one.conversation });
    const other = await answer('Say three', 'Three.', one.id);
    expect(sent()?.map(({ content }) => content)).toEqual(['Be brief.', 'Say one', 'One.', 'Say three']);
    expect(other.conversation?.id).not.toBe(one.conversation?.id);
    expect(await messagesOf(one.conversation?.id)).toHaveLength(4);
    expect((await messagesOf(other.conversation?.id)).map(([, text]) => text)).toEqual([
      'Say one',
      'One.',
      'Say three',
      'Three.',
    ]);
    await answer('And?', 'End.', other.id);
    expect(sent()?.map(({ content }) => content)).toEqual([
      'Be brief.',
      'Say one',
      'One.',
      'Say three',
      'Three.',
      'And?',
    ]);
  });

  it('can begin with a prompt run; a request names the conversation by its id or by an object', async () => {
    const id = await chat();
    const run = await app.call<{ data: { conversation: { id: string } } }>('POST', `/v1/prompt/${id}/openai`, {
      body: { message: 'Begin' },
    });
    const conversation = run.body.data.conversation.id;
    const first = await openai.responses.create({ prompt: { id }, input: 'On', conversation });
    const second = await openai.responses.create({
      prompt: { id },
      input: 'And on',
      conversation: { id: conversation },
    });
    expect([first.conversation?.id, second.conversation?.id]).toEqual([conversation, conversation]);
    expect(sent()?.map(({ content }) => content)).toEqual([
      'Be brief.',
      'Begin',
      'Hello, Bo.',
      'On',
      'Hello, Bo.',
      'And on',
    ]);
    expect(await messagesOf(conversation)).toHaveLength(6);
  });

  it('is forked by all but one of several concurrent responses that continue the same response', async () => {
    const id = await chat();
    const one = await openai.responses.create({ prompt: { id }, input: 'Begin' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        openai.responses.create({ prompt: { id }, input: `Branch ${n}`, previous_response_id: one.id }),
      ),
    );
    expect(new Set(answers.map(({ conversation }) => conversation?.id)).size).toBe(5);
    for (const { conversation } of answers) expect(await messagesOf(conversation?.id)).toHaveLength(4);
    expect(answers.filter(({ conversation }) => conversation?.id === one.conversation?.id)).toHaveLength(1);
  });

  it('is refused with 400 when it is too long and truncation is disabled; with truncation auto, its oldest turns are left out', async () => {
    const { url } = await app.startReplica({ models: [{ contextWindow: 400 }] });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key });
    const id = await chat();
    const long = 'and then '.repeat(100);
    const one = await client.responses.create({ prompt: { id }, input: long });
    const next = { prompt: { id }, input: long, previous_response_id: one.id };
    // This value is deprecated in the SDK, but clients still send it.
    const truncation = (of: 'auto' | 'disabled') => ({ truncation: of });
    const error = await failure(client.responses.create({ ...next, ...truncation('disabled') }));
    expect([error.status, error.param]).toEqual([400, 'input']);
    const two = await client.responses.create({ ...next, ...truncation('auto') });
    expect((two as unknown as { warnings: string[] }).warnings.join()).toContain('its oldest turn was left out');
  });
});

describe('responses.retrieve and responses.delete', () => {
  it('return the stored response, delete it with 204, then answer 404, and keep its conversation', async () => {
    const made = await openai.responses.create({ prompt: { id: await chat() }, input: 'hi' });
    expect(await openai.responses.retrieve(made.id)).toEqual(made);
    const tag = String((await app.call('GET', `/v1/responses/${made.id}`)).headers.get('etag'));
    expect(tag).toMatch(/^"d-0-[0-9a-f]{32}"$/);
    const headers = { 'if-none-match': tag };
    expect((await app.call('GET', `/v1/responses/${made.id}`, { headers })).status).toBe(304);
    await openai.responses.delete(made.id);
    for (const promise of [openai.responses.retrieve(made.id), openai.responses.delete(made.id)])
      expect((await failure(promise)).status).toBe(404);
    expect(await messagesOf(made.conversation?.id)).toHaveLength(2);
    const where = { resource: made.id, action: 'response.delete' };
    expect(await app.db.prisma.governanceDecision.count({ where })).toBe(1);
  });

  it('answer 404 for another project and for a deleted conversation', async () => {
    const made = await openai.responses.create({ prompt: { id: await chat() }, input: 'hi' });
    const stranger = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: await app.issueKey({ project: 'Commerce' }) });
    expect((await failure(stranger.responses.retrieve(made.id))).status).toBe(404);
    expect((await failure(stranger.responses.delete(made.id))).status).toBe(404);
    await app.call('DELETE', `/v1/conversation/${made.conversation?.id}`);
    expect((await failure(openai.responses.retrieve(made.id))).status).toBe(404);
  });
});

describe('responses.create in error cases', () => {
  const ask = async (body: object, client = openai) =>
    failure(client.responses.create({ prompt: { id: await chat() }, input: 'hi', ...body } as never));

  it.each<[string, { prompt?: unknown; [field: string]: unknown }]>([
    ['prompt.id', { prompt: { id: 'pmpt_123' } }],
    ['prompt.version', { prompt: 'version 9' }],
    ['prompt.version', { prompt: 'version none' }],
    ['prompt.version', { prompt: 'version a b' }],
    ['prompt.variables.nobody', { prompt: 'variables {"nobody":"x"}' }],
    ['prompt.variables.image', { prompt: 'variables {"image":{"type":"input_image","image_url":"x"}}' }],
    ['input', { input: 3 }],
    ['input', { input: [{ role: 'tool', content: 'x' }] }],
    ['input.0.content.0.image_url', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] }],
    ['input', { input: [{ type: 'function_call_output', call_id: 'x', output: 'y' }] }],
    ['input', { input: [{ role: 'assistant', content: 'x' }] }],
    ['previous_response_id', { previous_response_id: 'resp_0000000000000000000000' }],
    ['previous_response_id', { previous_response_id: 'nothing' }],
    ['conversation', { conversation: UNKNOWN }],
    ['conversation', { conversation: 'conv_123' }],
    ['previous_response_id', { previous_response_id: 'x', conversation: UNKNOWN }],
    ['store', { conversation: UNKNOWN, store: false }],
    ['model', { model: 'gpt-5' }],
    ['temperature', { temperature: 3 }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['text.format.type', { text: { format: { type: 'grammar' } } }],
    ['text.verbosity', { text: { verbosity: 'loud' } }],
    ['tools.0.type', { tools: [{ type: 'web_search' }] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['include.0', { include: ['message.output_text.logprobs'] }],
    ['reasoning.summary', { reasoning: { summary: 'detailed' } }],
    ['max_tool_calls', { max_tool_calls: 1 }],
    ['service_tier', { service_tier: 'flex' }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['top_p', { top_p: 2 }],
    ['stream_options', { stream: true, stream_options: { include_obfuscation: true } }],
    ['unheard_of', { unheard_of: true }],
    ['moderation', { moderation: { model: 'x' } }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, 'v'])) }],
  ])('answers 400 with the param %s to %j, and calls no model', async (param, { prompt, ...body }) => {
    const id = await chat();
    const [field = '', value = ''] = typeof prompt === 'string' ? prompt.split(/ (.*)/) : [];
    const changed = field === 'variables' ? { id, variables: JSON.parse(value) as object } : { id, version: value };
    const whole =
      typeof prompt === 'string' ? { prompt: changed, ...body } : { ...(prompt ? { prompt } : {}), ...body };
    const error = await ask(param === 'prompt' ? { prompt: undefined } : whole);
    expect({ status: error.status, param: error.param, type: error.type, code: error.code }).toEqual({
      status: 400,
      param,
      type: 'invalid_request_error',
      code: 'validation_error',
    });
    expect(error.message).toContain(param);
    expect(app.model.requests).toEqual([]);
  });

  it('answers 400 with the param input when neither the prompt nor the input contains a user text', async () => {
    const id = await create({ instruction: { static: 'Be brief.' }, input: {} });
    for (const input of [undefined, [], ''])
      expect(await ask({ prompt: { id }, input })).toMatchObject({ status: 400, param: 'input' });
  });

  it('accepts unsupported fields that have their default value', async () => {
    const response = await openai.responses.create({
      prompt: { id: await chat() },
      input: 'hi',
      tools: [],
      tool_choice: 'auto',
      background: false,
      include: [],
      reasoning: {},
      service_tier: 'auto',
      top_p: 1,
      top_logprobs: 0,
      text: { verbosity: 'medium' },
      stream_options: { include_obfuscation: false },
      previous_response_id: null,
    } as never);
    expect(response).toMatchObject({ status: 'completed' });
  });

  it('answers 403 to a key without the scopes to read and extend the conversation, and records the denial', async () => {
    const id = await chat();
    const first = await openai.responses.create({ prompt: { id }, input: 'A secret.' });
    const count = await app.db.prisma.conversationMessage.count();
    app.model.requests.length = 0;
    const past = [{ previous_response_id: first.id }, { conversation: first.conversation?.id ?? '' }];
    for (const scopes of [[], ['conversations:read']]) {
      const apiKey = await app.issueKey({ scopes: ['prompts:run', ...scopes] });
      const limited = new OpenAI({ baseURL: `${app.url}/v1`, apiKey });
      for (const going of past) {
        const error = await failure(limited.responses.create({ prompt: { id }, input: 'What was said?', ...going }));
        expect([error.status, error.type]).toEqual([403, 'permission_error']);
      }
    }
    expect(app.model.requests).toEqual([]);
    expect(await app.db.prisma.conversationMessage.count()).toBe(count);
    const where = {
      decision: 'deny',
      action: 'createResponse',
      resource: { in: [first.id, first.conversation?.id ?? ''] },
    };
    expect(await app.db.prisma.governanceDecision.count({ where })).toBe(4);
    const apiKey = await app.issueKey({ scopes: ['prompts:run', 'conversations:read'] });
    const reader = new OpenAI({ baseURL: `${app.url}/v1`, apiKey });
    const unkept = { prompt: { id }, input: 'What was said?', previous_response_id: first.id, store: false };
    expect(await reader.responses.create(unkept)).toMatchObject({ status: 'completed' });
  });

  it('answers errors that the SDK maps to its own classes, and that contain the request id', async () => {
    const other = (apiKey: string) => new OpenAI({ baseURL: `${app.url}/v1`, apiKey });
    const wrong = await ask({}, other('sk-none'));
    expect(wrong).toBeInstanceOf(OpenAI.AuthenticationError);
    const scoped = await ask({}, other(await app.issueKey({ scopes: ['prompts:read'] })));
    expect([scoped.status, scoped.type]).toEqual([403, 'permission_error']);
    const gone = await failure(openai.responses.create({ prompt: { id: UNKNOWN }, input: 'hi' }));
    expect(gone).toBeInstanceOf(OpenAI.NotFoundError);
    expect(gone.requestID).toMatch(/./);
    expect(await failure(openai.responses.retrieve('nonsense'))).toBeInstanceOf(OpenAI.BadRequestError);
    const large = await ask({ input: 'x'.repeat(9_000_000) });
    expect(large.status).toBe(413);
  });

  it('is retried by the SDK while the model is down, and not after a conflict', async () => {
    const id = await chat();
    const { url } = await app.startReplica({ modelTimeoutMs: 300 });
    let requests = 0;
    const client = new OpenAI({
      baseURL: `${url}/v1`,
      apiKey: key,
      fetch: (input, init) => {
        requests += 1;
        return fetch(input, init);
      },
    });
    app.model.answerWith({ status: 400 });
    expect(await failure(client.responses.create({ prompt: { id }, input: 'hi' }))).toMatchObject({
      status: 503,
      code: 'unavailable',
      type: 'server_error',
    });
    expect(requests).toBe(3);
    app.model.answerWith('Back.');
    requests = 0;
    const headers = { 'Idempotency-Key': 'conflicting-response' };
    await client.responses.create({ prompt: { id }, input: 'hi' }, { headers });
    const conflict = await failure(client.responses.create({ prompt: { id }, input: 'ho' }, { headers }));
    expect(conflict).toBeInstanceOf(OpenAI.ConflictError);
    expect(requests).toBe(2);
  });
});

describe('Idempotency-Key on responses', () => {
  it('leads to one model call and one response when 50 parallel requests with the same key are sent to two replicas', async () => {
    const replica = await app.startReplica();
    const id = await chat();
    app.model.answerWith({ content: 'Once.', delayMs: 200 });
    const before = await app.db.prisma.storedResponse.count();
    const options = { body: { prompt: { id }, input: 'hi' }, headers: { 'idempotency-key': 'response-once' } };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? app.call : replica.call)('POST', '/v1/responses', options)),
    );
    expect(app.model.requests).toHaveLength(1);
    expect(app.model.requests[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
    for (const { status, headers } of answers)
      if (status !== 200) expect([status, headers.get('x-should-retry')]).toEqual([409, 'false']);
    const again = await app.call('POST', '/v1/responses', options);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await app.db.prisma.storedResponse.count()).toBe(before + 1);
  });
});
