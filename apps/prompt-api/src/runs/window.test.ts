import { countMessages } from '@millwright/models';
import type { Conversation } from '../conversations/conversations.contract.js';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type Call, type Failure, type TestApp } from '../test-app.js';
import type { RunResult } from './runs.contract.js';

const WINDOW = 800;
/** Number of tokens of the window that messages can use. The other quarter is reserved for the answer. */
const ROOM = 600;
/** Returns a text of about 60 tokens. */
const speech = (n: number) => `Number ${n}: ${'and then the cat sat down '.repeat(9)}`;

let app: TestApp;
let call: Call;
beforeAll(async () => {
  app = await startTestApp();
  const replica = await app.startReplica({
    models: [{ contextWindow: WINDOW }, { name: 'wide', contextWindow: 100_000 }],
  });
  call = replica.call;
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith(({ body }) => `Re ${/Number \d+/.exec(String(body.messages.at(-1)?.content))?.[0] ?? '?'}`);
});

const create = async (changes: object) =>
  (await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: {}, ...changes } })).body.id;
const run = (id: string, body: object) => call<RunResult & Failure>('POST', `/v1/prompt/${id}/openai`, { body });
const sent = () => (app.model.requests.at(-1)?.body.messages ?? []) as { role: 'user'; content: string }[];

/** Makes a conversation with `turns` turns. */
async function talk(id: string, turns: number): Promise<string> {
  let conversation: string | undefined;
  for (let n = 0; n < turns; n += 1) {
    const { status, body } = await run(id, { message: speech(n), ...(conversation && { conversation }) });
    expect(status).toBe(200);
    conversation = body.data.conversation.id;
  }
  return conversation ?? '';
}

describe("a conversation longer than the model's window", () => {
  it('is sent without its oldest whole turns, with a warning, and with the instructions and the newest message', async () => {
    const id = await create({ instruction: { static: 'Static.', state: 'State.', dynamic: 'Dynamic: {{message}}' } });
    const conversation = await talk(id, 15);
    const { body } = await run(id, { message: speech(15), conversation });
    const messages = sent();
    expect(messages.slice(0, 2).map(({ content }) => content)).toEqual(['Static.', 'State.']);
    expect(messages.at(-1)?.content).toBe(`Dynamic: ${speech(15)}`);
    const kept = messages.slice(2, -1);
    const dropped = 15 - kept.length / 2;
    expect(dropped).toBeGreaterThan(3);
    expect(kept.map(({ role, content }) => [role, content])).toEqual(
      Array.from({ length: kept.length / 2 }, (_, n) => [
        ['user', speech(dropped + n)],
        ['assistant', `Re Number ${dropped + n}`],
      ]).flat(),
    );
    expect(body.success).toBe(true);
    expect(body.warnings).toEqual([
      `The conversation is longer than the window of the model fake-model: its oldest ${dropped} turns were left out.`,
    ]);
    const read = await app.call<Conversation>('GET', `/v1/conversation/${conversation}`);
    expect(read.body.message).toHaveLength(32);
  });

  it('is sent with as many whole turns as fit into the window', async () => {
    const id = await create({ instruction: { dynamic: '{{message}}' } });
    await run(id, { message: speech(12), conversation: await talk(id, 12) });
    const used = await countMessages(sent());
    expect(used).toBeLessThanOrEqual(ROOM);
    expect(used).toBeGreaterThan(ROOM - 90);
  });

  it('is shortened too when the template inserts it with {{conversation.history}}', async () => {
    const id = await create({
      instruction: {
        static: 'Talk: {{conversation.history}}',
        state: '{{conversation.history}}',
        dynamic: '{{message}}',
      },
    });
    const { body } = await run(id, { message: speech(9), conversation: await talk(id, 9) });
    const [first, second] = sent();
    expect(first?.content).toBe(`Talk: ${second?.content}`);
    expect(second?.content.startsWith('user: Number')).toBe(true);
    expect(second?.content).toContain('assistant: Re Number 8');
    expect(second?.content).not.toContain('Number 4');
    expect(await countMessages(sent())).toBeLessThanOrEqual(ROOM);
    expect(body.warnings.join()).toMatch(/its oldest \d turns were left out/);
  });

  it('is sent completely to a model with a larger window', async () => {
    const id = await create({ instruction: { dynamic: '{{message}}' } });
    const conversation = await talk(id, 12);
    const { body } = await run(id, { message: speech(12), conversation, model: 'wide' });
    expect(sent()).toHaveLength(25);
    expect(body.warnings).toEqual([]);
    expect(body.data.message.model).toBe('wide');
  });

  it('is sent with fewer turns when the repair of an answer needs space', async () => {
    const schema = { type: 'object', properties: { ok: { const: true } }, required: ['ok'] };
    const id = await create({ instruction: { dynamic: '{{message}}' }, output: { schema } });
    app.model.answerWith('{"ok":true}');
    const conversation = await talk(id, 12);
    app.model.requests.length = 0;
    const long = 'no '.repeat(150);
    app.model.answerWith(() => (app.model.requests.length === 1 ? long : '{"ok":true}'));
    const { body } = await run(id, { message: speech(12), conversation });
    expect(body.success).toBe(true);
    expect(app.model.requests).toHaveLength(2);
    expect(app.model.requests[1]?.body.messages.length).toBeLessThan(app.model.requests[0]?.body.messages.length ?? 0);
    expect(sent().at(-2)?.content).toBe(long);
    expect(await countMessages(sent())).toBeLessThanOrEqual(ROOM);
  });
});

describe("a request that is longer than the model's window even without a conversation", () => {
  it.each([
    ['message', { dynamic: '{{message}}' }, 'and then '.repeat(400)],
    ['message', { static: 'Be brief.' }, 'and then '.repeat(400)],
    ['prompt', { static: 'and then '.repeat(400), dynamic: '{{message}}' }, 'Hi'],
  ])('answers 400, and the error names the %s; no model is called', async (field, instruction, message) => {
    const id = await create({ instruction });
    const { status, body } = await run(id, { message });
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
    expect(body.message).toContain(
      ` ${field}: is too long: with the answer, the window of the model fake-model holds 800`,
    );
    expect(app.model.requests).toEqual([]);
  });

  it('is answered 400 also when only the tokens of its output schema make it too long', async () => {
    const enumerated = {
      type: 'object',
      properties: { word: { enum: Array.from({ length: 150 }, (_, n) => `word-${n}`) } },
    };
    const id = await create({ instruction: { dynamic: '{{message}}' }, output: { schema: enumerated } });
    expect((await run(id, { message: 'Hi' })).status).toBe(400);
    app.model.answerWith('{"word":"word-1"}');
    expect((await run(id, { message: 'Hi', model: 'wide' })).status).toBe(200);
  });
});

describe('a run that names a model', () => {
  it('answers 400 for an unknown model, and calls no model', async () => {
    const id = await create({ instruction: { dynamic: '{{message}}' } });
    for (const model of ['gpt-unknown', 3, '__proto__']) {
      const { status, body } = await run(id, { message: 'Hi', model });
      expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
      expect(body.message).toContain(' model: ');
    }
    expect(app.model.requests).toEqual([]);
  });
});
