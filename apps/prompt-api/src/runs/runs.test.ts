import type { Conversation } from '../conversations/conversations.contract.js';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, like, startTestApp, withFields, type CallOptions, type Failure, type TestApp } from '../test-app.js';
import type { GenerateResult, RunResult } from './runs.contract.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const SECONDS = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

const verdict = {
  type: 'object',
  properties: { verdict: { enum: ['good', 'bad'] }, score: { type: 'integer', minimum: 0 } },
  required: ['verdict', 'score'],
  additionalProperties: false,
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Hello, Bo.');
});

const create = async (changes: object = {}, options: CallOptions = {}) => {
  const { status, body } = await app.call<Prompt>('POST', '/v1/prompt', {
    ...options,
    body: { ...greeting, ...changes },
  });
  expect(status).toBe(201);
  return body;
};
const judge = () => create({ instruction: { dynamic: 'Judge: {{message}}' }, input: {}, output: { schema: verdict } });
const run = (id: string, body: object, options: CallOptions = {}) =>
  app.call<RunResult & Failure>('POST', `/v1/prompt/${id}/openai`, { ...options, body });
const sent = (index = 0) => app.model.requests[index]?.body.messages;
const stored = async () => ({
  conversations: await app.db.prisma.conversation.count(),
  messages: await app.db.prisma.conversationMessage.count(),
  usage: await app.db.prisma.usageEvent.count(),
  audit: await app.db.prisma.governanceDecision.count({ where: { action: 'prompt.run' } }),
});

describe('POST /v1/prompt/{uuid}', () => {
  it('answers 200 with each field of the rendered prompt, and calls no model', async () => {
    const prompt = await create();
    const before = await stored();
    const { status, body } = await app.call<GenerateResult>('POST', `/v1/prompt/${prompt.id}`, {
      body: { message: 'be kind', structured_data: { name: 'Bo' } },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        static: 'You greet people.',
        dynamic: 'Greet Bo: be kind',
        state: 'So far: ',
        output_schema: {},
        parsed_tokens: ['conversation.history', 'name', 'message'],
        token_counts: { static: 4, dynamic: 6, state: 4 },
        prompt,
      },
      warnings: [],
    });
    expect(app.model.requests).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  it('leaves tokens without a value unchanged and names them in warnings', async () => {
    const { id } = await create({ instruction: { static: '{{nobody}} {{ name }} {{open', dynamic: '{{message}}' } });
    const { body } = await app.call<GenerateResult>('POST', `/v1/prompt/${id}`, { body: {} });
    expect(body.data.static).toBe('{{nobody}} {{ name }} {{open');
    expect(body.data.parsed_tokens).toEqual(['nobody', 'name', 'message']);
    expect(body.warnings).toHaveLength(3);
    expect(body.warnings.join()).toMatch(/{{nobody}}.*{{name}}.*{{message}}/);
  });

  it('does not expand tokens in inserted text', async () => {
    const { id } = await create();
    const { body } = await app.call<GenerateResult>('POST', `/v1/prompt/${id}`, {
      body: { message: '{{name}}', structured_data: { name: '{{message}}' } },
    });
    expect(body.data.dynamic).toBe('Greet {{message}}: {{name}}');
  });

  it.each([
    [{ structured_data: {} }, 'structured_data.name: is required'],
    [{ structured_data: { name: 3 } }, 'structured_data.name: must be string'],
    [{ structured_data: { name: 'Bo', age: 3 } }, 'structured_data.age: is not allowed'],
    [{ structured_data: 'Bo' }, 'structured_data: '],
    [{ structured_data: [] }, 'structured_data: '],
    [{ message: 3 }, 'message: must be a string'],
  ])('answers 400 to %j, and the error names the path', async (body, reason) => {
    const { id } = await create();
    for (const path of [`/v1/prompt/${id}`, `/v1/prompt/${id}/openai`]) {
      const answer = await app.call('POST', path, { body });
      expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
        status: 400,
        code: 'validation_error',
      });
      expect(answer.body.message).toContain(reason);
    }
  });

  it('answers 400 when the rendered text exceeds its limit', async () => {
    const { id } = await create({ instruction: { dynamic: '{{message}}'.repeat(10_000) } });
    const { status, body } = await app.call('POST', `/v1/prompt/${id}`, { body: { message: 'x'.repeat(100_000) } });
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
  });

  it('answers 404 for an unknown prompt and a prompt of another project, 400 for an id that is not a UUID, and ignores unknown keys', async () => {
    const { id } = await create();
    const key = await app.issueKey({ project: 'Commerce' });
    for (const suffix of ['', '/openai']) {
      expect((await app.call('POST', `/v1/prompt/${UNKNOWN}${suffix}`, { body: {} })).status).toBe(404);
      expect((await app.call('POST', `/v1/prompt/${id}${suffix}`, { body: {}, key })).status).toBe(404);
      expect((await app.call('POST', `/v1/prompt/nope${suffix}`, { body: {} })).status).toBe(400);
      expect((await app.call('POST', `/v1/prompt/${id}${suffix}`, { body: { message: 'a', other: 1 } })).status).toBe(
        200,
      );
      expect((await app.call('POST', `/v1/prompt/${id}${suffix}`)).status).toBe(400);
      expect((await app.call('POST', `/v1/prompt/${id}${suffix}`, { raw: '[]' })).status).toBe(400);
    }
  });

  it('replays the stored answer for a repeated Idempotency-Key, even after the prompt has changed', async () => {
    const { id } = await create();
    const options = { body: { message: 'hi' }, headers: { 'idempotency-key': 'render-1' } };
    const first = await app.call('POST', `/v1/prompt/${id}`, options);
    await app.call('PUT', `/v1/prompt/${id}`, { body: { instruction: { dynamic: 'changed' } } });
    const again = await app.call('POST', `/v1/prompt/${id}`, options);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await app.call('POST', `/v1/prompt/${id}`, { ...options, body: {} })).status).toBe(409);
  });
});

describe('POST /v1/prompt/{uuid}/openai', () => {
  it('answers 200 with each field of the result of the run', async () => {
    const { id } = await create();
    const { status, body } = await run(id, { message: 'be kind', structured_data: { name: 'Bo' } });
    expect(status).toBe(200);
    const at = like(SECONDS);
    const message = (role: string, content: string) => ({
      id: like(UUID),
      role,
      content,
      reference: [],
      model: 'fake-model',
      metadata: {
        title: '',
        description: '',
        tag: [],
        log_message: '',
        created: at,
        updated: at,
        version: 1,
        status: 'published',
        author: 'Ada',
      },
    });
    expect(body).toEqual({
      success: true,
      data: {
        message: message('assistant', 'Hello, Bo.'),
        conversation: {
          id: like(UUID),
          message: [message('user', 'be kind'), message('assistant', 'Hello, Bo.')],
          metadata: {
            title: 'Greeting',
            description: '',
            tag: [],
            log_message: '',
            created: like(ISO),
            updated: like(ISO),
            version: 1,
            status: 'published',
            author: 'Ada',
          },
          _link: `/v1/conversation/${body.data.conversation.id}`,
        },
        structured_data: {},
      },
      metadata: {
        id: 'chatcmpl-fake',
        object: 'chat.completion',
        created: 1_767_225_600,
        model: 'fake-model',
        system_fingerprint: 'fp_fake',
        choices: [
          withFields({
            index: 0,
            finish_reason: 'stop',
            message: withFields({ role: 'assistant', content: 'Hello, Bo.' }),
          }),
        ],
        usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
      },
      warnings: [],
      cost_usd: 0.000014,
    });
    expect((await app.call('GET', body.data.conversation._link)).body).toEqual(body.data.conversation);
  });

  it("sends the model only the static part, the state and the user's turn, in this order", async () => {
    const { id } = await create();
    await run(id, { message: 'be kind', structured_data: { name: 'Bo' } });
    expect(sent()).toEqual([
      { role: 'system', content: 'You greet people.' },
      { role: 'system', content: 'So far: ' },
      { role: 'user', content: 'Greet Bo: be kind' },
    ]);
    expect(app.model.requests[0]?.body).not.toHaveProperty('response_format');
  });

  it('appends the message to the dynamic part when no token inserts it, and leaves empty parts out', async () => {
    const { id } = await create({ instruction: { dynamic: 'Answer shortly.' } });
    await run(id, { message: 'Why?' });
    expect(sent()).toEqual([{ role: 'user', content: 'Answer shortly.\n\nWhy?' }]);
    const bare = await create({ instruction: { static: 'Be kind.' } });
    const { status, body } = await run(bare.id, {});
    expect(status).toBe(400);
    expect(body.message).toContain('message: is required');
    expect(app.model.requests).toHaveLength(1);
  });

  it('stores a usage event, which names the API key, and an audit row', async () => {
    const { id } = await create();
    const key = await app.db.prisma.userApiKey.findFirstOrThrow({ where: { name: 'test' }, orderBy: { id: 'asc' } });
    await app.call('PUT', `/v1/prompt/${id}`, { body: {} });
    const { body } = await run(id, { message: 'hi', structured_data: { name: 'Bo' } });
    const usage = await app.db.prisma.usageEvent.findFirstOrThrow({ where: { subject_id: id } });
    const { prompt_tokens, completion_tokens } = body.metadata.usage;
    expect(usage).toMatchObject({
      project: 'Core',
      user_id: app.author.id,
      kind: 'prompt_run',
      subject_version: 2,
      model: 'fake-model',
      prompt_tokens,
      completion_tokens,
      key_id: key.id,
    });
    expect(Number(usage.cost_usd)).toBeCloseTo((prompt_tokens + 2 * completion_tokens) / 1e6, 9);
    const audit = await app.db.prisma.governanceDecision.findFirstOrThrow({
      where: { resource: id, action: 'prompt.run' },
    });
    expect(audit).toMatchObject({
      decision: 'allow',
      user_id: app.author.id,
      project: 'Core',
      detail: { version: 2, model: 'fake-model', conversation: body.data.conversation.id },
    });
  });

  it('answers 403 without the scope to run, records the denial and calls no model', async () => {
    const { id } = await create();
    const key = await app.issueKey({ scopes: ['prompts:read', 'prompts:write'] });
    expect((await app.call('POST', `/v1/prompt/${id}`, { key, body: {} })).status).toBe(200);
    const { status, body } = await run(id, { message: 'hi' }, { key });
    expect({ status, code: body.error?.code }).toEqual({ status: 403, code: 'forbidden' });
    expect(app.model.requests).toEqual([]);
    expect(await app.db.prisma.governanceDecision.count({ where: { decision: 'deny', action: 'runPrompt' } })).toBe(1);
  });
});

describe('a run that continues a conversation', () => {
  const chat = { instruction: { static: 'Be brief.', dynamic: '{{message}}' }, input: {} };

  it('sends the model the earlier turns and appends the new turns', async () => {
    const { id } = await create(chat);
    app.model.answerWith('One.');
    const first = await run(id, { message: 'Say one' });
    const conversation = first.body.data.conversation.id;
    app.model.answerWith('Two.');
    const second = await run(id, { message: 'Say two', conversation });
    expect(sent(1)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say one' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'Say two' },
    ]);
    expect(second.body.data.conversation).toMatchObject({ id: conversation, metadata: { version: 2 } });
    expect(second.body.data.conversation.message.map(({ content }) => content)).toEqual([
      'Say one',
      'One.',
      'Say two',
      'Two.',
    ]);
    expect(second.body.data.message).toEqual(second.body.data.conversation.message[3]);
    const read = await app.call('GET', `/v1/conversation/${conversation}`);
    expect(read.body).toEqual(second.body.data.conversation);
    expect(read.headers.get('etag')).toBe('"d-2"');
  });

  it('inserts the earlier turns at {{conversation.history}} and nowhere else', async () => {
    const { id } = await create({
      instruction: { state: 'So far:\n{{conversation.history}}', dynamic: '{{message}}' },
      input: {},
    });
    const first = await run(id, { message: 'Hi' });
    await run(id, { message: 'Again', conversation: first.body.data.conversation.id });
    expect(sent(1)).toEqual([
      { role: 'system', content: 'So far:\nuser: Hi\nassistant: Hello, Bo.' },
      { role: 'user', content: 'Again' },
    ]);
  });

  it('is answered 403 when the key lacks the scopes of conversations; the denial is recorded, and no model is called', async () => {
    const { id } = await create(chat);
    const conversation = (await run(id, { message: 'A secret.' })).body.data.conversation.id;
    const before = await stored();
    app.model.requests.length = 0;
    for (const scopes of [[], ['conversations:write'], ['conversations:read']]) {
      const key = await app.issueKey({ scopes: ['prompts:run', ...scopes] });
      const { status, body, text } = await run(id, { message: 'What was said?', conversation }, { key });
      expect({ status, code: body.error?.code }).toEqual({ status: 403, code: 'forbidden' });
      expect(text).not.toContain('secret');
    }
    expect(app.model.requests).toEqual([]);
    expect(await stored()).toEqual(before);
    const where = { decision: 'deny', action: 'runPrompt', resource: conversation };
    expect(await app.db.prisma.governanceDecision.count({ where })).toBe(3);
    const key = await app.issueKey({ scopes: ['prompts:run'] });
    expect((await run(id, { message: 'A new one.' }, { key })).status).toBe(200);
  });

  it('is answered 404 when the conversation is unknown or of another project, and 400 when its id is not a UUID; no model is called', async () => {
    const key = await app.issueKey({ project: 'Commerce' });
    const foreign = await create(chat, { key });
    const { body } = await run(foreign.id, { message: 'secret' }, { key });
    app.model.requests.length = 0;
    const { id } = await create(chat);
    const before = await stored();
    const answer = await run(id, { message: 'hi', conversation: body.data.conversation.id });
    expect(answer.status).toBe(404);
    expect(answer.text).toBe((await run(id, { message: 'hi', conversation: UNKNOWN })).text);
    expect((await run(id, { message: 'hi', conversation: 'nope' })).status).toBe(400);
    expect(app.model.requests).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  it('stores the question and the answer of each parallel run next to each other', async () => {
    const { id } = await create(chat);
    const { body } = await run(id, { message: 'start' });
    const conversation = body.data.conversation.id;
    app.model.answerWith(({ body: { messages } }) => `Re: ${String(messages.at(-1)?.content)}`);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => run(id, { message: `turn ${n}`, conversation })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const { message } = (await app.call<Conversation>('GET', `/v1/conversation/${conversation}`)).body;
    expect(message).toHaveLength(22);
    for (let n = 2; n < 22; n += 2) expect(message[n + 1]?.content).toBe(`Re: ${message[n]?.content}`);
  });
});

describe('a run with an output schema', () => {
  it('sends the schema to the model, and answers the parsed data', async () => {
    const { id } = await judge();
    app.model.answerWith('{"verdict":"good","score":3}');
    const { body } = await run(id, { message: 'tea' });
    expect(body).toMatchObject({
      success: true,
      data: { structured_data: { verdict: 'good', score: 3 } },
      warnings: [],
    });
    expect(app.model.requests).toHaveLength(1);
    const format = app.model.requests[0]?.body['response_format'];
    expect(format).toMatchObject({ type: 'json_schema', json_schema: { name: 'output' } });
    expect(JSON.stringify(format)).toContain('"verdict"');
  });

  it.each([
    ['prose', 'I think it is good.', "the model's answer is not JSON"],
    ['data that does not fit', '{"verdict":"so so","score":1}', 'output.verdict: must be one of'],
  ])(
    'calls the model a second time, with the fault of the first answer, when the model answers %s',
    async (_, wrong, reason) => {
      const { id } = await judge();
      app.model.answerWith(() => (app.model.requests.length === 1 ? wrong : '{"verdict":"bad","score":0}'));
      const { body } = await run(id, { message: 'tea' });
      expect(body).toMatchObject({
        success: true,
        data: { structured_data: { verdict: 'bad', score: 0 } },
        warnings: [],
      });
      expect(app.model.requests).toHaveLength(2);
      expect(sent(1)?.slice(0, 2)).toEqual([...(sent(0) ?? []), { role: 'assistant', content: wrong }]);
      expect(sent(1)?.[2]).toMatchObject({ role: 'user', content: expect.stringContaining(reason) as string });
      expect(body.data.conversation.message).toHaveLength(2);
      const usage = await app.db.prisma.usageEvent.findFirstOrThrow({ where: { subject_id: id } });
      expect(usage).toMatchObject({
        prompt_tokens: body.metadata.usage.prompt_tokens,
        completion_tokens: body.metadata.usage.completion_tokens,
      });
      expect(usage.completion_tokens).toBe(wrong.split(' ').length + 1);
    },
  );

  it('answers success: false with the reasons when the second answer does not fit either; stores the conversation, usage and audit row', async () => {
    const { id } = await judge();
    const before = await stored();
    app.model.answerWith('{"verdict":"so so"}');
    const { status, body } = await run(id, { message: 'tea' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: false,
      data: { structured_data: {}, message: { content: '{"verdict":"so so"}' } },
    });
    expect(body.warnings.join()).toMatch(/output\.score: is required/);
    expect(app.model.requests).toHaveLength(2);
    expect(await stored()).toEqual({
      conversations: before.conversations + 1,
      messages: before.messages + 2,
      usage: before.usage + 1,
      audit: before.audit + 1,
    });
    expect((await app.call('GET', body.data.conversation._link)).body).toEqual(body.data.conversation);
  });

  it.each([
    ['with', true],
    ['without', false],
  ])(
    'answers success: false with the reason when the model refuses (%s a schema), and calls the model only once',
    async (_, data) => {
      const { id } = await (data ? judge() : create({ input: {} }));
      app.model.answerWith({ content: null, refusal: 'I would rather not.' });
      const { status, body } = await run(id, { message: 'tea' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        success: false,
        data: { message: { content: 'I would rather not.' }, structured_data: {} },
      });
      expect(body.warnings.at(-1)).toBe('the model refused: I would rather not.');
      expect(app.model.requests).toHaveLength(1);
    },
  );

  it.each(['length', 'content_filter'] as const)(
    'answers success: false with the reason when the answer is cut off (%s) twice; the second request names the reason',
    async (finishReason) => {
      const { id } = await judge();
      // The cut-off text happens to be valid JSON, but is not the model's whole answer.
      app.model.answerWith({ content: '{"verdict":"good","score":1}', finishReason });
      const { status, body } = await run(id, { message: 'tea' });
      const reason = `the model's answer was cut off (finish reason: ${finishReason})`;
      expect({ status, success: body.success, warnings: body.warnings }).toEqual({
        status: 200,
        success: false,
        warnings: [reason],
      });
      expect(body.data.structured_data).toEqual({});
      expect(app.model.requests).toHaveLength(2);
      expect(String(sent(1)?.at(-1)?.content)).toContain(reason);
    },
  );

  it('stores a truncated text and warns about it', async () => {
    const { id } = await create({ input: {} });
    app.model.answerWith({ content: 'Once upon', finishReason: 'length' });
    const { body } = await run(id, { message: 'tea' });
    expect(body).toMatchObject({ success: true, data: { message: { content: 'Once upon' } } });
    expect(body.warnings.at(-1)).toBe("the model's answer was cut off (finish reason: length)");
    expect(app.model.requests).toHaveLength(1);
  });

  it('answers success: false when the model sends no text', async () => {
    const { id } = await create({ input: {} });
    app.model.answerWith({ content: null, finishReason: 'content_filter' });
    const { status, body } = await run(id, { message: 'tea' });
    expect({ status, success: body.success }).toEqual({ status: 200, success: false });
    expect(body.warnings.at(-1)).toContain('content_filter');
  });

  it.each([
    ['an array that is nested too deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['an object that is nested too deep', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['a number in place of an object', '3'],
    ['nothing', ''],
    ['half an object', '{"verdict":'],
  ])('answers success: false when the model sends %s', async (_, content) => {
    const { id } = await judge();
    app.model.answerWith(content);
    const { status, body } = await run(id, { message: 'tea' });
    expect({ status, success: body.success }).toEqual({ status: 200, success: false });
    const free = await create({ input: {} });
    expect((await run(free.id, { message: 'tea' })).status).toBe(200);
  });

  it('stores, in a readable form, an answer with characters that PostgreSQL refuses', async () => {
    const { id } = await create({ input: {} });
    app.model.answerWith('a\0b \ud800 c');
    const headers = { 'idempotency-key': 'odd-characters' };
    const first = await run(id, { message: 'tea' }, { headers });
    expect(first.status).toBe(200);
    expect(first.body.data.message.content).toBe('a\ufffdb \ufffd c');
    expect((await run(id, { message: 'tea' }, { headers })).text).toBe(first.text);
  });
});

describe('a model of a run', () => {
  const FAILURES = [
    ['is down', { status: 500 }],
    ['cuts the connection', { reset: true }],
    ['is overloaded', { status: 429, headers: { 'retry-after': '7' } }],
    ['is too slow', { hang: true }],
    ['trickles', { trickleMs: 200 }],
    ['answers garbage', { garbage: true }],
    ['answers JSON that is not a completion', { body: { hello: 'world' } }],
    ['answers a completion without choices', { body: { id: 'x', object: 'chat.completion', choices: [] } }],
    ['refuses our key', { status: 401 }],
  ] as const;

  // Each case has its own replica, because failures open the circuit breaker.
  it.each(FAILURES)(
    'that %s leads to 503 with Retry-After; only the usage is stored, and the Idempotency-Key can be used again',
    async (what, behaviour) => {
      const { call } = await app.startReplica({ modelTimeoutMs: 300 });
      const { id } = await create({ input: {} });
      const before = await stored();
      app.model.answerWith(behaviour);
      const options = { body: { message: 'hi' }, headers: { 'idempotency-key': `down: ${what}`.replaceAll(' ', '-') } };
      const answer = await call('POST', `/v1/prompt/${id}/openai`, options);
      expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status: 503, code: 'unavailable' });
      expect(answer.body.message).toBe(answer.body.error?.message);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      // When the model trickles, a part of the answer was received, and this part is charged.
      const cut = what === 'trickles' ? 1 : 0;
      expect(await stored()).toEqual({ ...before, usage: before.usage + cut });
      app.model.answerWith('Back.');
      const again = await app.call('POST', `/v1/prompt/${id}/openai`, options);
      expect(again.status).toBe(200);
      expect(again.headers.get('idempotent-replayed')).toBe(null);
    },
  );

  it('that fails at the second call leads to 503; only the usage of the first call is stored', async () => {
    const { call } = await app.startReplica({ modelTimeoutMs: 1_500 });
    const { id } = await judge();
    const before = await stored();
    app.model.answerWith(() => (app.model.requests.length === 1 ? 'prose' : { status: 500 }));
    expect((await call('POST', `/v1/prompt/${id}/openai`, { body: { message: 'hi' } })).status).toBe(503);
    expect(await stored()).toEqual({ ...before, usage: before.usage + 1 });
  });
});

describe('Idempotency-Key on runs', () => {
  it('leads to one model call and one pair of messages when 100 parallel requests with the same key are sent to two replicas', async () => {
    const replica = await app.startReplica();
    const { id } = await create({ input: {} });
    const before = await stored();
    app.model.answerWith({ content: 'Once.', delayMs: 300 });
    const options = { body: { message: 'hi' }, headers: { 'idempotency-key': 'hundred' } };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        (n % 2 ? app.call : replica.call)<RunResult & Failure>('POST', `/v1/prompt/${id}/openai`, options),
      ),
    );
    expect(app.model.requests).toHaveLength(1);
    const made = answers.filter(({ status, headers }) => status === 200 && headers.get('idempotent-replayed') === null);
    expect(made).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.text).toBe(made[0]?.text);
      else {
        expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status: 409, code: 'conflict' });
        expect(answer.headers.get('retry-after')).toBe('1');
      }
    }
    const again = await run(id, { message: 'hi' }, { headers: options.headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(made[0]?.text);
    expect(await stored()).toEqual({
      conversations: before.conversations + 1,
      messages: before.messages + 2,
      usage: before.usage + 1,
      audit: before.audit + 1,
    });
  });

  it("stores each run's new messages, and replays its answer byte for byte after the conversation continued", async () => {
    const { id } = await create({ instruction: { dynamic: '{{message}}' }, input: {} });
    const stored = async () => {
      const [row] = await app.db.prisma.$queryRaw<[{ bytes: number }]>`
        SELECT coalesce(sum(octet_length(body::text) + octet_length(source::text)), 0)::float8 AS bytes FROM idempotency_keys`;
      return row.bytes;
    };
    app.model.answerWith('word '.repeat(400));
    const first = await run(id, { message: 'Begin' }, { headers: { 'idempotency-key': 'grows-0' } });
    const { conversation } = first.body.data;
    const sizes = [await stored()];
    const answers = [first.text];
    for (let n = 1; n <= 60; n += 1) {
      const body = { message: 'Go on', conversation: conversation.id };
      answers.push((await run(id, body, { headers: { 'idempotency-key': `grows-${n}` } })).text);
      sizes.push(await stored());
    }
    const grown = (from: number, to: number) => Number(sizes[to]) - Number(sizes[from]);
    // Only the digits of the version and of the token count increase.
    expect(grown(50, 60) / grown(0, 10)).toBeLessThan(1.01);
    expect(grown(0, 60)).toBeLessThan(60 * 10_000);
    await app.call('PUT', conversation._link, { body: { metadata: { title: 'Renamed' } } });
    for (const n of [1, 30, 60]) {
      const body = { message: 'Go on', conversation: conversation.id };
      const again = await run(id, body, { headers: { 'idempotency-key': `grows-${n}` } });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.text).toBe(answers[n]);
    }
    await app.call('DELETE', conversation._link);
    const calls = app.model.requests.length;
    const gone = await run(id, { message: 'Begin' }, { headers: { 'idempotency-key': 'grows-0' } });
    expect({ status: gone.status, code: gone.body.error?.code }).toEqual({ status: 404, code: 'not_found' });
    expect(app.model.requests).toHaveLength(calls);
  });

  it('leads to one Idempotency-Key in the first model call, and to a different one in the repair call', async () => {
    const { id } = await judge();
    await run(id, { message: 'hi' }, { headers: { 'idempotency-key': 'forward-me' } });
    const keys = app.model.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([like(/^[0-9a-f]{64}$/), `${String(keys[0])}-repair`]);
    await run(id, { message: 'hi' });
    expect(app.model.requests[2]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('leads to the same Idempotency-Key in the model calls of every retry, whichever replica makes the call', async () => {
    const { id } = await create({ input: {} });
    const options = { body: { message: 'hi' }, headers: { 'idempotency-key': 'retried-upstream' } };
    const replica = await app.startReplica({ modelTimeoutMs: 300 });
    app.model.answerWith({ reset: true });
    expect((await replica.call('POST', `/v1/prompt/${id}/openai`, options)).status).toBe(503);
    app.model.answerWith('Back.');
    expect((await app.call('POST', `/v1/prompt/${id}/openai`, options)).status).toBe(200);
    expect(app.model.requests.length).toBeGreaterThan(1);
    expect(new Set(app.model.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('leads to different Idempotency-Keys in the model calls for different callers and projects', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const mine = await create({ input: {} });
    const commerce = await app.issueKey({ project: 'Commerce' });
    const theirs = await create({ input: {} }, { key: commerce });
    const answers = [
      await run(mine.id, { message: 'hi' }, { headers }),
      await run(mine.id, { message: 'hi' }, { headers, key: await app.issueKey() }),
      await run(theirs.id, { message: 'hi' }, { headers, key: commerce }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(app.model.requests.map((request) => request.headers['idempotency-key'])).size).toBe(3);
    expect(JSON.stringify(app.model.requests)).not.toContain('order-1');
  });

  it('leads to 409 when it is repeated with another body or prompt, and does not affect other callers', async () => {
    const [one, two] = [await create({ input: {} }), await create({ input: {} })];
    const headers = { 'idempotency-key': 'mine' };
    expect((await run(one.id, { message: 'hi' }, { headers })).status).toBe(200);
    expect((await run(one.id, { message: 'ho' }, { headers })).status).toBe(409);
    expect((await run(two.id, { message: 'hi' }, { headers })).status).toBe(409);
    const other = await run(one.id, { message: 'hi' }, { headers, key: await app.issueKey() });
    expect(other.status).toBe(200);
    expect(other.headers.get('idempotent-replayed')).toBeNull();
  });

  it.each(['', 'x'.repeat(256), 'two words'])('is refused with 400 when it is "%s"', async (key) => {
    const { id } = await create({ input: {} });
    const { status, body } = await run(id, { message: 'hi' }, { headers: { 'idempotency-key': key } });
    expect(status).toBe(400);
    expect(body.message).toContain('Idempotency-Key');
    expect(app.model.requests).toEqual([]);
  });

  it('leads to the stored result for a retry after the client of the first request has disconnected', async () => {
    const { id } = await create({ input: {} });
    const before = await stored();
    app.model.answerWith({ content: 'Late.', delayMs: 200 });
    const key = await app.issueKey();
    const gone = fetch(`${app.url}/v1/prompt/${id}/openai`, {
      method: 'POST',
      body: '{"message":"hi"}',
      signal: AbortSignal.timeout(50),
      headers: { 'api-key': key, 'content-type': 'application/json', 'idempotency-key': 'gone' },
    });
    await expect(gone).rejects.toThrow();
    let again = await run(id, { message: 'hi' }, { key, headers: { 'idempotency-key': 'gone' } });
    while (again.status === 409)
      again = await run(id, { message: 'hi' }, { key, headers: { 'idempotency-key': 'gone' } });
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(app.model.requests).toHaveLength(1);
    expect((await stored()).messages).toBe(before.messages + 2);
  });
});

describe('an installation without a model', () => {
  it('runs the offline model, whose answer names this model and fits the output schema', async () => {
    const call = await app.startOffline();
    const { id } = await create();
    const { status, body } = await call<RunResult>('POST', `/v1/prompt/${id}/openai`, {
      body: { message: 'hi', structured_data: { name: 'Bo' } },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      metadata: { model: 'offline' },
      data: { message: { model: 'offline' } },
    });
    expect(body.data.message.content).toContain('Greet Bo: hi');
    const judged = await call<RunResult>('POST', `/v1/prompt/${(await judge()).id}/openai`, {
      body: { message: 'hi' },
    });
    expect(judged.body).toMatchObject({
      success: true,
      data: { structured_data: { verdict: like(/good|bad/), score: expect.any(Number) as number } },
    });
    const usage = await app.db.prisma.usageEvent.findFirstOrThrow({ where: { model: 'offline', subject_id: id } });
    expect(usage.cost_usd).toBeNull();
    expect(app.model.requests).toEqual([]);
  });
});

describe('{{referenced_content}}', () => {
  const quoting = () =>
    create({ instruction: { static: 'Read this:\n{{referenced_content}}', dynamic: '{{message}}' }, input: {} });
  const artifact = async (content: string, options: CallOptions = {}) =>
    (await app.call<{ id: string }>('POST', '/v1/artifact', { ...options, body: { content, metadata: {} } })).body.id;
  const block = async (prefix: string, content: string) =>
    (await app.call<{ id: string }>('POST', '/v1/block', { body: { prefix, content, metadata: {} } })).body.id;
  const render = (id: string, body: object, options: CallOptions = {}) =>
    app.call<GenerateResult & Failure>('POST', `/v1/prompt/${id}`, { ...options, body });

  it('inserts each referenced artifact and block once, in the order of the request, and does not expand tokens in them', async () => {
    const { id } = await quoting();
    const [first, second] = [await artifact('An artifact with {{message}}'), await block('quoted', 'A block')];
    const { status, body } = await render(id, { message: 'hi', reference: [second, first, second.toUpperCase()] });
    expect(status).toBe(200);
    expect(body.data.static).toBe('Read this:\nA block\n\nAn artifact with {{message}}');
    expect(body.warnings).toEqual([]);
  });

  it("is sent to the model and stored as references of the user's turn, with links that resolve", async () => {
    const { id } = await quoting();
    const uuid = await artifact('The facts');
    const { body } = await run(id, { message: 'hi', reference: [uuid] });
    expect(sent()?.[0]).toEqual({ role: 'system', content: 'Read this:\nThe facts' });
    const [user, assistant] = body.data.conversation.message;
    expect(user?.reference).toEqual([{ uuid, link: `/v1/artifact/${uuid}`, type: 'artifact' }]);
    expect(assistant?.reference).toEqual([]);
    expect((await app.call('GET', user?.reference[0]?.link ?? '')).status).toBe(200);
  });

  it('stays unchanged with a warning when the run has no references; a reference that no part inserts also causes a warning', async () => {
    const { id } = await quoting();
    const without = await render(id, { message: 'hi' });
    expect(without.body.data.static).toContain('{{referenced_content}}');
    expect(without.body.warnings).toEqual(['No value for {{referenced_content}}: it was left unchanged.']);
    const plain = await create({ instruction: { dynamic: '{{message}}' }, input: {} });
    const unused = await render(plain.id, { message: 'hi', reference: [await artifact('x')] });
    expect(unused.body.warnings.join()).toContain('was not inserted');
  });

  it('leads to 400 for a reference that is unknown or of another project, and to 403 for a key without the scope to read the reference', async () => {
    const { id } = await quoting();
    const foreign = await artifact('theirs', { key: await app.issueKey({ project: 'Commerce' }) });
    for (const reference of [[UNKNOWN], [foreign], ['nope'], 'x', [id]]) {
      const { status, body } = await render(id, { message: 'hi', reference });
      expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
      expect(body.message).toContain('reference');
    }
    const reference = [await artifact('ours')];
    const key = await app.issueKey({ scopes: ['prompts:read', 'prompts:run', 'blocks:read'] });
    expect((await render(id, { message: 'hi', reference }, { key })).status).toBe(403);
    expect((await run(id, { message: 'hi', reference }, { key })).status).toBe(403);
    expect(app.model.requests).toEqual([]);
  });
});
