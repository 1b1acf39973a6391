import { setTimeout as sleep } from 'node:timers/promises';
import { disableUser, issueOAuthClient } from '@millwright/accounts';
import { encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type ClientAnswer,
  type FakeModel,
  type HttpClient,
  type ModelAnswer,
  type TestDatabase,
} from '@millwright/testing';
import { agentIdOf, startRuntime, type Replica, type ReplicaOptions, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;
let call: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  call = runtime.as(token);
  await runtime.newAgent({ name: 'Helper', description: 'Helps.', instructions: 'Be brief.' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(() => {
  model.requests.splice(0);
  model.answerWith('Hello.');
});

interface Message {
  id: string;
  content: string;
  agent: string;
  timestamp: string;
  context_id: string;
}

const pathOf = (agent: string) => `/api/v1/agents/${agent}/messages`;
const send = (
  json: unknown,
  {
    agent = 'helper',
    by = call,
    headers = {},
  }: { agent?: string; by?: HttpClient; headers?: Record<string, string> } = {},
) => by('POST', pathOf(agent), { json, headers });
const sent = async (...args: Parameters<typeof send>) => (await send(...args)).body as Message;
const asked = () => model.requests.at(-1)?.body.messages ?? [];
const system = () => String(asked()[0]?.content);
const turnsOf = async (agent: string) => {
  const rows = await runtime.db.prisma.contextMessage.findMany({
    where: { context: { agent_id: await agentIdOf(runtime, agent) } },
    orderBy: [{ context_id: 'asc' }, { seq: 'asc' }],
  });
  return rows.map(({ seq, role, content }) => [seq, role, content]);
};
const expectError = ({ status, body }: ClientAnswer, wanted: number, code: string, field?: string) => {
  expect([status, body]).toEqual([
    wanted,
    {
      error: {
        code,
        message: expect.any(String) as string,
        details: { field: field ?? (expect.any(String) as string), reason: expect.any(String) as string },
      },
    },
  ]);
};
/** Starts a separate process with its own circuit breakers, so that failures of the model do not affect other tests. */
async function fresh(answer: ModelAnswer, options: ReplicaOptions = {}): Promise<{ replica: Replica; by: HttpClient }> {
  model.answerWith(answer);
  const replica = await runtime.start(options);
  return { replica, by: replica.as(token) };
}

describe('POST /api/v1/agents/{agent_name}/messages', () => {
  it('answers 200 with the answer in the documented form, and with the context_id of the conversation', async () => {
    const { status, body, headers } = await send({ content: 'Hi' });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^msg_[0-9A-Za-z]{22}$/) as string,
      content: 'Hello.',
      agent: 'helper',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      context_id: expect.stringMatching(/^ctx_[0-9A-Za-z]{22}$/) as string,
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it("sends the model the instructions of the agent, then each active skill with its parameters, in the agent's order of skills", async () => {
    await runtime.newAgent({
      name: 'Scribe',
      description: 'Writes texts.',
      instructions: 'Never use the letter x.',
      skills: [
        {
          name: 'Summaries',
          description: 'Shortens texts.',
          instructions: 'Summarise in the tone asked for.',
          parameters: {
            tone: { type: 'string', enum: ['formal', 'friendly'], default: 'formal' },
            sentences: { type: 'integer' },
            emoji: { type: 'boolean', default: false },
          },
        },
        { name: 'Secret', instructions: 'Tell everything.', status: 'inactive' },
        { name: 'Letters', description: 'Writes letters.', instructions: 'Begin with a greeting.' },
      ],
    });
    await send({ content: 'Shorten this.' }, { agent: 'scribe' });
    expect(asked().map(({ role }) => role)).toEqual(['system', 'user']);
    expect(system()).toBe(`You are Scribe. Writes texts.

Never use the letter x.

Skill "Summaries": Shortens texts.
Summarise in the tone asked for.
Parameters:
- tone: string, one of "formal", "friendly", "formal" unless the user says otherwise
- sentences: integer
- emoji: boolean, false unless the user says otherwise

Skill "Letters": Writes letters.
Begin with a greeting.`);
    expect(asked()[1]).toEqual({ role: 'user', content: 'Shorten this.' });
    expect(model.requests[0]?.body.model).toBe('house');
  });

  it("calls the agent's own model", async () => {
    await runtime.newAgent({ name: 'Picky', model: 'other' });
    expect((await send({ content: 'Hi' }, { agent: 'picky' })).status).toBe(200);
    expect(model.requests[0]?.body.model).toBe('other');
    const [event] = await runtime.db.prisma.usageEvent.findMany({ where: { model: 'other' } });
    expect(event?.cost_usd).toBeNull();
  });

  it('answers 400 for an agent with an unknown model and stores nothing', async () => {
    await runtime.newAgent({ name: 'Lost', model: 'gone' });
    expectError(await send({ content: 'Hi' }, { agent: 'lost' }), 400, 'VALIDATION_ERROR', 'model');
    expect(await turnsOf('lost')).toEqual([]);
  });

  it('continues a context with its history', async () => {
    model.answerWith('First answer.');
    const { context_id } = await sent({ content: 'First question.' });
    model.answerWith('Second answer.');
    const second = await sent({ content: 'Second question.', context_id });
    expect(second.context_id).toBe(context_id);
    await send({ content: 'Third question.', context_id });
    expect(asked().slice(1)).toEqual([
      { role: 'user', content: 'First question.' },
      { role: 'assistant', content: 'First answer.' },
      { role: 'user', content: 'Second question.' },
      { role: 'assistant', content: 'Second answer.' },
      { role: 'user', content: 'Third question.' },
    ]);
  });

  it('lets another client of the same user continue the context', async () => {
    const { context_id } = await sent({ content: 'Hi' });
    const other = runtime.as(await runtime.newToken());
    expect((await send({ content: 'More', context_id }, { by: other })).status).toBe(200);
  });

  it('sends the model no turn of another context', async () => {
    await send({ content: 'A secret of one context.' });
    await send({ content: 'Hi' });
    expect(JSON.stringify(asked())).not.toContain('A secret of one context.');
  });

  it("leaves out the oldest turns of a conversation that exceeds the model's window", async () => {
    const { by } = await fresh('x'.repeat(1_000), { contextWindow: 1_000 });
    const { context_id } = await sent({ content: 'Q1' }, { by });
    await sent({ content: 'Q2', context_id }, { by });
    await sent({ content: 'Q3', context_id }, { by });
    expect(asked().at(-1)).toEqual({ role: 'user', content: 'Q3' });
    expect(asked().map(({ content }) => content)).not.toContain('Q1');
    expect(asked()[0]?.role).toBe('system');
  });

  it("stores nothing of a message that does not fit the model's window together with the agent's instructions", async () => {
    await runtime.newAgent({ name: 'Narrow', instructions: 'Be brief. '.repeat(50) });
    await runtime.newAgent({ name: 'Wordy', instructions: 'Be brief. '.repeat(400) });
    const { by } = await fresh('Hello.', { contextWindow: 1_000 });
    const words = (count: number) => ({ content: 'word '.repeat(count).trim() });
    expect((await send(words(400), { agent: 'narrow', by })).status).toBe(200);
    const kept = await turnsOf('narrow');
    expectError(await send(words(600), { agent: 'narrow', by }), 400, 'VALIDATION_ERROR', 'content');
    expectError(await send(words(1), { agent: 'wordy', by }), 400, 'VALIDATION_ERROR', 'agent_name');
    expect(model.requests).toHaveLength(1);
    expect(await turnsOf('narrow')).toEqual(kept);
    expect(
      await runtime.db.prisma.context.count({
        where: { agent_id: { in: [await agentIdOf(runtime, 'narrow'), await agentIdOf(runtime, 'wordy')] } },
      }),
    ).toBe(1);
  });

  it('records the usage of a model call whose answer is blank', async () => {
    await runtime.newAgent({ name: 'Wordless' });
    model.answerWith({ content: ' ' });
    const { status } = await call('POST', '/api/v1/agents/wordless/messages', { json: { content: 'Hi there' } });
    expect(status).toBe(503);
    const agent = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { slug: 'wordless' } });
    const events = await runtime.db.prisma.usageEvent.findMany({ where: { subject_id: agent.id } });
    expect(events).toMatchObject([{ kind: 'agent_message', user_id: runtime.owner.id, model: 'house' }]);
  });

  it('stores the message, the answer, the usage and the audit row', async () => {
    await runtime.newAgent({ name: 'Kept' });
    const { context_id } = await sent({ content: 'Hi there' }, { agent: 'kept' });
    expect(await turnsOf('kept')).toEqual([
      [1, 'user', 'Hi there'],
      [2, 'assistant', 'Hello.'],
    ]);
    const agent = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { slug: 'kept' } });
    const events = await runtime.db.prisma.usageEvent.findMany({ where: { subject_id: agent.id } });
    expect(events).toMatchObject([
      { kind: 'agent_message', project: 'Core', user_id: runtime.owner.id, model: 'house', completion_tokens: 1 },
    ]);
    const { prompt_tokens = 0, completion_tokens = 0, cost_usd } = events[0] ?? {};
    expect(prompt_tokens).toBeGreaterThan(0);
    expect(Number(cost_usd)).toBeCloseTo((prompt_tokens + 2 * completion_tokens) / 1e6, 9);
    const auditRows = await runtime.db.prisma.governanceDecision.findMany({ where: { resource: context_id } });
    expect(auditRows).toMatchObject([
      {
        action: 'agent.message',
        user_id: runtime.owner.id,
        project: 'Core',
        decision: 'allow',
        detail: { agent: 'kept' },
        ip: '127.0.0.1',
      },
    ]);
    expect(
      JSON.stringify(auditRows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('Hi there');
  });

  it('stores and answers every message when a context receives several messages at the same time', async () => {
    await runtime.newAgent({ name: 'Busy' });
    const { context_id } = await sent({ content: 'start' }, { agent: 'busy' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send({ content: `m${n}`, context_id }, { agent: 'busy' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const turns = await turnsOf('busy');
    expect(turns.map(([seq]) => seq)).toEqual(Array.from({ length: 18 }, (_, n) => n + 1));
    expect(turns.filter(([, role]) => role === 'assistant')).toHaveLength(9);
  });

  it('changes no character of the message or of the answer', async () => {
    const content = 'Ä "quoted" \\ {{token}} <b>🦊</b>\u2028\n\ttab';
    model.answerWith(content);
    expect((await sent({ content })).content).toBe(content);
    expect(asked()[1]?.content).toBe(content);
  });
});

describe('a stored answer', () => {
  it('gets a replacement character for each NUL and each lone surrogate', async () => {
    model.answerWith('a\0b \ud83e c');
    expect((await sent({ content: 'Hi' })).content).toBe('a\ufffdb \ufffd c');
  });

  it('contains the refusal when the model refuses to answer', async () => {
    model.answerWith({ content: null, refusal: 'I cannot help with that.' });
    expect((await sent({ content: 'Hi' })).content).toBe('I cannot help with that.');
  });
});

describe('POST /api/v1/agents/{agent_name}/messages with an invalid request', () => {
  it('answers 400 for an inactive agent, names the field agent_name, and stores nothing', async () => {
    await runtime.newAgent({ name: 'Stopped', status: 'inactive' });
    expectError(await send({ content: 'Hi' }, { agent: 'stopped' }), 400, 'VALIDATION_ERROR', 'agent_name');
    expect(await turnsOf('stopped')).toEqual([]);
    expect(model.requests).toEqual([]);
  });

  it('answers 404 with the same body for an unknown agent and for an agent of another project', async () => {
    await runtime.newAgent({ name: 'Foreign', project: 'Commerce' });
    const answers = await Promise.all(
      ['nobody', 'foreign', 'HELPER', 'helper%00'].map((agent) => send({ content: 'Hi' }, { agent })),
    );
    for (const answer of answers) expectError(answer, 404, 'NOT_FOUND');
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('answers 404 with the same body for an unknown context and for a context of another user, agent or project', async () => {
    await runtime.newAgent({ name: 'Second' });
    const eve = await runtime.newUser('eve@example.com');
    const { client_id, client_secret } = await runtime.db.transaction((tx) =>
      issueOAuthClient(
        tx,
        { userId: eve.id, name: 'eve', redirectUris: [], scopes: ['*'], project: 'Core' },
        eve.actor,
      ),
    );
    const { body } = await runtime.askToken({ grant_type: 'client_credentials', client_id, client_secret });
    const hers = runtime.as((body as { access_token: string }).access_token);
    const { context_id: theirs } = await sent({ content: 'Hi' }, { by: hers });
    const { context_id: ofAnother } = await sent({ content: 'Hi' }, { agent: 'second' });
    const unknown = [encodeId('ctx', newId()), encodeId('msg', newId()), 'ctx_', '', 'nonsense', newId()];
    const before = await turnsOf('helper');
    const answers = await Promise.all(
      [theirs, ofAnother, ...unknown].map((context_id) => send({ content: 'Hi', context_id })),
    );
    for (const answer of answers) expectError(answer, 404, 'NOT_FOUND');
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await turnsOf('helper')).toEqual(before);
    expect((await send({ content: 'More', context_id: theirs }, { by: hers })).status).toBe(200);
  });

  it.each([
    ['no content', {}, 'content'],
    ['empty content', { content: '' }, 'content'],
    ['blank content', { content: ' \n\t' }, 'content'],
    ['content null', { content: null }, 'content'],
    ['content a number', { content: 1 }, 'content'],
    ['content a list', { content: ['Hi'] }, 'content'],
    ['too long content', { content: 'x'.repeat(200_001) }, 'content'],
    ['content with NUL', { content: 'a\0b' }, 'content'],
    ['half a surrogate pair', { content: 'a\ud83e' }, 'content'],
    ['a context id that is a number', { content: 'Hi', context_id: 1 }, 'context_id'],
    ['a context id that is null', { content: 'Hi', context_id: null }, 'context_id'],
    ['too long a context id', { content: 'Hi', context_id: 'x'.repeat(101) }, 'context_id'],
    ['an unknown field', { content: 'Hi', agent: 'other' }, 'agent'],
    ['a field that reaches into prototypes', JSON.parse('{"content":"Hi","__proto__":{"x":1}}') as object, '__proto__'],
  ])('answers 400 for %s, and the error names the field', async (_case, json, field) => {
    expectError(await send(json), 400, 'VALIDATION_ERROR', field);
    expect(model.requests).toEqual([]);
  });

  it.each([
    ['not JSON', '{"content":', 400, 'VALIDATION_ERROR', 'body'],
    ['a list', '[]', 400, 'VALIDATION_ERROR', 'body'],
    ['a text', '"Hi"', 400, 'VALIDATION_ERROR', 'body'],
    ['null', 'null', 400, 'VALIDATION_ERROR', 'body'],
    ['nothing', '', 400, 'VALIDATION_ERROR', 'body'],
    ['too big', JSON.stringify({ content: 'x'.repeat(8 * 1_048_576) }), 413, 'PAYLOAD_TOO_LARGE', undefined],
    ['too deep', `{"content":${'['.repeat(70)}${']'.repeat(70)}}`, 413, 'PAYLOAD_TOO_LARGE', undefined],
  ])('refuses a body that is %s', async (_case, body, status, code, field) => {
    const answer = await call('POST', pathOf('helper'), { body, headers: { 'content-type': 'application/json' } });
    expectError(answer, status, code, field);
  });

  it('answers 415 to another content type', async () => {
    const body = JSON.stringify({ content: 'Hi' });
    expectError(
      await call('POST', pathOf('helper'), { body, headers: { 'content-type': 'text/plain' } }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
  });
});

describe('a run of an agent', () => {
  const faults: [string, ModelAnswer][] = [
    ['down', { status: 500 }],
    ['overloaded', { status: 429, headers: { 'retry-after': '7' } }],
    ['refusing the request', { status: 400 }],
    ['refusing the key', { status: 401 }],
    ['cutting the connection', { reset: true }],
    ['too slow', { delayMs: 2_000 }],
    ['silent', { hang: true }],
    ['answering garbage', { garbage: true }],
    ['answering something else', { body: { hello: 'world' } }],
    ['answering nothing', { content: null }],
    ['answering blanks', { content: ' \n' }],
  ];

  it.each(faults)(
    'answers 503 with Retry-After and stores the message only once when the model is %s; a retry succeeds',
    async (name, fault) => {
      const slug = `faulty-${name.replaceAll(' ', '-')}`;
      await runtime.newAgent({ name: slug });
      const { context_id } = await sent({ content: 'Before' }, { agent: slug });
      const { by } = await fresh(fault, { modelTimeoutMs: 400 });
      for (let n = 0; n < 2; n++) {
        const answer = await send({ content: 'Now', context_id }, { agent: slug, by });
        expectError(answer, 503, 'UNAVAILABLE');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(answer.text).not.toMatch(/openai|fake model|127\.0\.0\.1/i);
      }
      const kept = [
        [1, 'user', 'Before'],
        [2, 'assistant', 'Hello.'],
        [3, 'user', 'Now'],
      ];
      expect(await turnsOf(slug)).toEqual(kept);
      const agent = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { slug } });
      // A call that the model answered is charged, even when the answer cannot be used.
      const isAnswered = typeof fault === 'object' && 'content' in fault;
      expect(await runtime.db.prisma.usageEvent.count({ where: { subject_id: agent.id } })).toBe(isAnswered ? 3 : 1);
      model.answerWith('At last.');
      expect((await send({ content: 'Now', context_id }, { agent: slug })).status).toBe(200);
      expect(await turnsOf(slug)).toEqual([...kept, [4, 'assistant', 'At last.']]);
      expect(asked().slice(1)).toEqual([
        { role: 'user', content: 'Before' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'Now' },
      ]);
    },
  );

  it('is retried after a temporary failure of the model, and the client gets the answer', async () => {
    let tries = 0;
    const { by } = await fresh(() => ((tries += 1) === 1 ? { status: 500 } : 'Second try.'));
    expect((await sent({ content: 'Hi' }, { by })).content).toBe('Second try.');
    expect(tries).toBe(2);
  });

  it('answers 404 and stores no answer when its agent was deleted meanwhile', async () => {
    const { id } = await runtime.newAgent({ name: 'Doomed' });
    model.answerWith(async () => {
      await runtime.db.prisma.agent.delete({ where: { id } });
      return 'Too late.';
    });
    expectError(await send({ content: 'Hi' }, { agent: 'doomed' }), 404, 'NOT_FOUND');
    expect(await runtime.db.prisma.usageEvent.count({ where: { subject_id: id } })).toBe(1);
  });

  it('returns, when it fails, the id of its conversation in X-Context-Id; a retry with this id continues the conversation', async () => {
    await runtime.newAgent({ name: 'Stumbling' });
    model.answerWith({ status: 400 });
    const failed = await send({ content: 'Hi there' }, { agent: 'stumbling' });
    expect(failed.status).toBe(503);
    const context_id = failed.headers.get('x-context-id') ?? '';
    model.answerWith('Here I am.');
    expect(await sent({ content: 'Hi there', context_id }, { agent: 'stumbling' })).toMatchObject({ context_id });
    expect(await turnsOf('stumbling')).toEqual([
      [1, 'user', 'Hi there'],
      [2, 'assistant', 'Here I am.'],
    ]);
  });

  it('marks its message as failed when it fails; the model gets the message again only when the user sends it again', async () => {
    const { id } = await runtime.newAgent({ name: 'Faulty' });
    const marks = async () =>
      (
        await runtime.db.prisma.contextMessage.findMany({
          where: { context: { agent_id: id } },
          orderBy: { seq: 'asc' },
        })
      )
        .filter(({ role }) => role === 'user')
        .map(({ content, failed }) => [content, failed ?? false]);
    const shown = async (context_id: string) => {
      const { body } = await call('GET', `/api/v1/agents/faulty/contexts/${context_id}`);
      const { messages } = body as { messages: { content: string; failed: boolean }[] };
      return messages.filter(({ failed }) => failed).map(({ content }) => content);
    };
    const say = (content: string, context_id: string) => send({ content, context_id }, { agent: 'faulty', by });
    const { by } = await fresh({ status: 400 });
    const failed = await send({ content: 'First' }, { agent: 'faulty', by });
    const context = failed.headers.get('x-context-id') ?? '';
    expect([await marks(), await shown(context)]).toEqual([[['First', true]], ['First']]);

    model.answerWith('Well.');
    expect((await say('Second', context)).status).toBe(200);
    expect(asked().map(({ content }) => content)).toEqual([expect.any(String), 'Second']);
    expect(await shown(context)).toEqual(['First']);

    model.answerWith({ status: 400 });
    expect((await say('Third', context)).status).toBe(503);
    expect(await shown(context)).toEqual(['First', 'Third']);
    model.answerWith('Here it is.');
    expect((await say('Third', context)).status).toBe(200);
    expect(asked().map(({ content }) => content)).toEqual([expect.any(String), 'Second', 'Well.', 'Third']);
    expect([await marks(), await shown(context)]).toEqual([
      [
        ['First', true],
        ['Second', false],
        ['Third', false],
      ],
      ['First'],
    ]);
  });

  it('is executed to its end even when its client disconnects, and the context then shows the answer', async () => {
    await runtime.newAgent({ name: 'Left' });
    const { context_id } = await sent({ content: 'Start' }, { agent: 'left' });
    let answering: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (answering = resolve));
    let answer: (text: string) => void = () => undefined;
    model.answerWith(() => {
      answering();
      return new Promise<string>((resolve) => (answer = resolve));
    });
    const leaving = new AbortController();
    const left = fetch(`${runtime.url}${pathOf('left')}`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Then', context_id }),
    });
    await isAsked;
    leaving.abort();
    await expect(left).rejects.toThrow();
    answer('Finished.');
    while ((await turnsOf('left')).length < 4) await sleep(5);
    expect((await turnsOf('left')).at(-1)).toEqual([4, 'assistant', 'Finished.']);
  });
});

describe('Idempotency-Key on messages', () => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

  it('returns the first answer when it is sent again, without another call of the model', async () => {
    const key = newId();
    const first = await send({ content: 'Hi' }, keyed(key));
    const again = await send({ content: 'Hi' }, keyed(key));
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true']);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(model.requests).toHaveLength(1);
  });

  it('answers 409 when it is sent with another body or to another agent', async () => {
    const key = newId();
    await send({ content: 'Hi' }, keyed(key));
    expectError(await send({ content: 'Ho' }, keyed(key)), 409, 'CONFLICT');
    await runtime.newAgent({ name: 'Third' });
    expectError(await send({ content: 'Hi' }, { agent: 'third', ...keyed(key) }), 409, 'CONFLICT');
  });

  it('leads to only one run when ten concurrent requests have the same key', async () => {
    const key = newId();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send({ content: 'Once' }, keyed(key))));
    for (const { status, headers } of answers) {
      expect([200, 409]).toContain(status);
      if (status === 409) expect(headers.get('retry-after')).toBe('1');
    }
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(model.requests).toHaveLength(1);
  });

  it('may be sent again after a failure, and then leads to a new attempt', async () => {
    const key = newId();
    const { by } = await fresh({ status: 400 });
    expect((await send({ content: 'Hi' }, { by, ...keyed(key) })).status).toBe(503);
    model.answerWith('Now.');
    expect((await sent({ content: 'Hi' }, keyed(key))).content).toBe('Now.');
  });

  it('starts one conversation with one message, regardless of how many attempts use the key', async () => {
    await runtime.newAgent({ name: 'Tried' });
    const key = newId();
    for (const fault of [{ status: 400 }, { reset: true }]) {
      const { by } = await fresh(fault);
      expect((await send({ content: 'Hi' }, { agent: 'tried', by, ...keyed(key) })).status).toBe(503);
    }
    model.answerWith('Now.');
    const { context_id } = await sent({ content: 'Hi' }, { agent: 'tried', ...keyed(key) });
    expect(await turnsOf('tried')).toEqual([
      [1, 'user', 'Hi'],
      [2, 'assistant', 'Now.'],
    ]);
    const contexts = await runtime.db.prisma.context.findMany({
      where: { agent_id: await agentIdOf(runtime, 'tried') },
    });
    expect(contexts.map(({ id }) => encodeId('ctx', id))).toEqual([context_id]);
  });

  it('leads to one conversation with one answer when a process loses its claim on the key and another process retries', async () => {
    await runtime.newAgent({ name: 'Lapsed' });
    const key = newId();
    let release: (text: string) => void = () => undefined;
    model.answerWith(() => new Promise<string>((resolve) => (release = resolve)));
    const lost = send({ content: 'Hi' }, { agent: 'lapsed', ...keyed(key) });
    while (model.requests.length === 0) await sleep(5);
    const { by } = await fresh('Now.');
    await runtime.db.prisma.$executeRaw`UPDATE idempotency_keys SET lease_until = now() WHERE status IS NULL`;
    const retried = send({ content: 'Hi' }, { agent: 'lapsed', by, ...keyed(key) });
    // Waits until the retry has claimed the key. The retry then waits for the run of the process that lost its claim.
    const subject_id = await agentIdOf(runtime, 'lapsed');
    const claimed = { status: null, lease_until: { gt: new Date() } };
    while ((await runtime.db.prisma.idempotencyKey.count({ where: claimed })) === 0) await sleep(5);
    await runtime.db.prisma.run.updateMany({
      where: { subject_id, state: 'running' },
      data: { lease_until: new Date(0) },
    });
    await Promise.race([lost, retried]);
    release('Too late.');
    // Both clients wait for the same run. The process that stores the answer first returns it; the other process reads the answer by the
    // key.
    const [given, refused] = [await lost, await retried].toSorted((one, other) => one.status - other.status);
    if (!given || !refused) throw new Error('both requests are answered');
    expectError(refused, 409, 'CONFLICT');
    const { content, context_id } = given.body as Message;
    expect([given.status, content]).toEqual([200, 'Now.']);
    expect(await turnsOf('lapsed')).toEqual([
      [1, 'user', 'Hi'],
      [2, 'assistant', 'Now.'],
    ]);
    const contexts = await runtime.db.prisma.context.findMany({
      where: { agent_id: await agentIdOf(runtime, 'lapsed') },
    });
    expect(contexts.map(({ id }) => encodeId('ctx', id))).toEqual([context_id]);
    expect(await runtime.db.prisma.run.count({ where: { subject_id } })).toBe(1);
  });

  it('returns the answer of the earlier run for the key, even when no process stored that answer under the key', async () => {
    await runtime.newAgent({ name: 'Finished' });
    const key = newId();
    const options = { agent: 'finished', ...keyed(key) };
    const first = await sent({ content: 'Hi' }, options);
    // Simulates that a process died before it stored the answer under the key, while another process finished the run.
    await runtime.db.prisma.$executeRaw`DELETE FROM idempotency_keys`;
    expect(await sent({ content: 'Hi' }, options)).toEqual(first);
    expect(await turnsOf('finished')).toHaveLength(2);
    const subject_id = await agentIdOf(runtime, 'finished');
    expect(await runtime.db.prisma.run.count({ where: { subject_id } })).toBe(1);
  });

  it('begins a new conversation once the key has expired', async () => {
    const key = newId();
    const first = await sent({ content: 'Hi' }, keyed(key));
    await runtime.db.prisma.$executeRaw`UPDATE idempotency_keys SET expires_at = now()`;
    await runtime.db.prisma.$executeRaw`UPDATE runs SET queued_at = now() - interval '24 hours'`;
    const second = await sent({ content: 'Hi' }, keyed(key));
    expect(second.context_id).not.toBe(first.context_id);
    expect(asked().map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('begins a new conversation when the agent of the first attempt was replaced by another agent', async () => {
    const agent = await runtime.newAgent({ name: 'Replaced' });
    const key = newId();
    const { by } = await fresh({ status: 400 });
    expect((await send({ content: 'Hi' }, { agent: 'replaced', by, ...keyed(key) })).status).toBe(503);
    await runtime.db.prisma.agent.delete({ where: { id: agent.id } });
    await runtime.newAgent({ name: 'Replaced' });
    model.answerWith('Hello.');
    expect((await sent({ content: 'Hi' }, { agent: 'replaced', ...keyed(key) })).content).toBe('Hello.');
  });

  it('does not return the answer that another client received under the same key', async () => {
    const key = newId();
    const first = await sent({ content: 'Hi' }, keyed(key));
    const other = runtime.as(await runtime.newToken());
    expect((await sent({ content: 'Hi' }, { by: other, ...keyed(key) })).id).not.toBe(first.id);
  });

  it.each(['', 'a b', 'x'.repeat(256), 'é'])('answers 400 to the key "%.10s"', async (key) => {
    expectError(await send({ content: 'Hi' }, keyed(key)), 400, 'VALIDATION_ERROR', 'Idempotency-Key');
    expect(model.requests).toEqual([]);
  });
});

describe('a message whose user is disabled while its run executes', () => {
  it('is answered 401, like every other request with that credential', async () => {
    const { id: userId } = await runtime.newUser(`${newId()}@example.com`);
    // The time limit for the model is long, because the runs of a disabled user end only after some seconds.
    const by = (await runtime.start({ modelTimeoutMs: 60_000 })).as(await runtime.newToken({ userId }));
    model.answerWith(async () => {
      await runtime.db.transaction((tx) => disableUser(tx, userId, runtime.owner.actor, () => undefined));
      const isRunning = () => runtime.db.prisma.run.count({ where: { user_id: userId, state: 'running' } });
      while ((await isRunning()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
      return 'Too late.';
    });
    const answer = await send({ content: 'Hello' }, { by });
    const other = await by('GET', '/api/v1/agents/registry');
    expect([answer.status, answer.body]).toEqual([401, other.body]);
    expect(answer.headers.get('www-authenticate')).toBe(other.headers.get('www-authenticate'));
  });
});

describe('rate limits of messages', () => {
  const at = Date.now();
  const limits = ({ headers }: ClientAnswer) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

  it('admit 60 messages a minute and do not count other requests; each answer to a message has the limit in its headers', async () => {
    const replica = await runtime.start({ multiplier: 1, now: () => at });
    const by = replica.as(await runtime.newToken());
    const first = await send({ content: 'Hi' }, { by });
    expect(limits(first)).toEqual([60, 59, (Math.floor(at / 60_000) + 1) * 60]);
    const [refusedOne, absent] = [await send({}, { by }), await send({ content: 'Hi' }, { agent: 'nobody', by })];
    expect([refusedOne.status, limits(refusedOne).slice(0, 2)]).toEqual([400, [60, 58]]);
    expect([absent.status, limits(absent).slice(0, 2)]).toEqual([404, [60, 57]]);
    const answers = await Promise.all(Array.from({ length: 60 }, () => send({ content: 'Hi' }, { by })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(57);
    const over = answers.filter(({ status }) => status === 429);
    expect(over).toHaveLength(3);
    for (const answer of over) {
      expectError(answer, 429, 'RATE_LIMITED');
      expect(limits(answer).slice(0, 2)).toEqual([60, 0]);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    const other = await by('GET', '/api/v1/agents/registry');
    expect([other.status, limits(other).slice(0, 2)]).toEqual([200, [1_000, 1_000 - 64]]);
  });

  it("count each client's messages separately", async () => {
    const replica = await runtime.start({ multiplier: 1 / 60, now: () => at });
    const [one, other] = [replica.as(await runtime.newToken()), replica.as(await runtime.newToken())];
    expect((await send({ content: 'Hi' }, { by: one })).status).toBe(200);
    expect((await send({ content: 'Hi' }, { by: one })).status).toBe(429);
    expect((await send({ content: 'Hi' }, { by: other })).status).toBe(200);
  });
});
