import { newId } from '@millwright/db';
import { GUARDS, type GuardAction } from '@millwright/guards';
import { CORPUS, leaksIn } from '@millwright/guards/test-corpus';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type TestApp } from '../test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.prisma.guardPolicy.deleteMany();
  app.model.requests.length = 0;
  app.model.answerWith('Fine.');
});

const set = (action: GuardAction, ...guards: (typeof GUARDS)[number][]) =>
  app.db.prisma.guardPolicy.create({
    data: {
      ...{ id: newId(), project: 'Core' },
      rules: Object.fromEntries(guards.map((guard) => [guard, { input: action, output: action }])),
    },
  });

const create = async (changes: object = {}) =>
  (await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: {}, ...changes } })).body;
const run = (prompt: Prompt, body: object, headers: Record<string, string> = {}) =>
  app.call('POST', `/v1/prompt/${prompt.id}/openai`, { body, headers });

/** Returns all rows of all tables as text. */
async function dump(): Promise<string> {
  const tables = await app.db.prisma.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await app.db.prisma.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

describe('the action redact', () => {
  it('removes every find in the test texts from the database, model requests, answers, streams and Responses', async () => {
    await set('redact', ...GUARDS);
    const schema = { type: 'object', properties: { fact: { type: 'string' } } };
    const prompt = await create({
      instruction: { static: 'You help. {{fact}}', dynamic: 'Say it: {{message}}', state: '' },
      input: { name: 'in', description: '', type: 'structured_data', schema },
    });
    const shown: string[] = [];
    const groups = Array.from({ length: Math.ceil(CORPUS.length / 6) }, (_, at) => CORPUS.slice(6 * at, 6 * at + 6));
    for (const group of groups) {
      const text = group.map((entry) => entry.text).join('\n\n');
      app.model.answerWith(`I say: ${text} That is all.`);
      const body = { message: text, structured_data: { fact: text } };
      const answers = [
        await run(prompt, body, { 'idempotency-key': newId() }),
        await run(prompt, body, { accept: 'text/event-stream' }),
        await app.call('POST', `/v1/prompt/${prompt.id}`, { body, headers: { 'idempotency-key': newId() } }),
        await app.call('POST', '/v1/responses', {
          body: {
            prompt: { id: prompt.id, variables: { fact: text } },
            ...{ instructions: text, metadata: { note: group[0]?.text ?? '' }, user: group[0]?.text ?? '' },
            input: [
              { role: 'developer', content: text },
              { role: 'user', content: text },
            ],
          },
        }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      shown.push(...answers.map(({ text: answer }) => answer));
    }
    expect(app.model.requests).toHaveLength(3 * groups.length);
    const ways = {
      database: await dump(),
      model: JSON.stringify(app.model.requests.map(({ body }) => body)),
      answers: shown.join('\n'),
    };
    for (const [way, text] of Object.entries(ways)) {
      expect([way, leaksIn(text)]).toEqual([way, []]);
      for (const guard of GUARDS) expect(text).toContain(`[removed: ${guard}]`);
    }
  });

  it('keeps JSON answers valid, and checks the original answer against the schema', async () => {
    await set('redact', 'email', 'card');
    const schema = {
      type: 'object',
      properties: { mail: { type: 'string', format: 'email' }, card: { type: 'number' } },
      required: ['mail', 'card'],
    };
    const prompt = await create({ output: { name: 'out', description: '', type: 'structured_data', schema } });
    app.model.answerWith('{"mail":"ada\\u0040example.com","card":4111111111111111}');
    const { status, body } = await run(prompt, { message: 'hi' });
    expect([status, body]).toMatchObject([
      200,
      { success: true, data: { structured_data: { mail: '[removed: email]', card: '[removed: card]' } } },
    ]);
  });

  it('redacts messages that a conversation stored before the guard was set', async () => {
    const prompt = await create();
    const first = await app.call<{ data: { conversation: { id: string } } }>('POST', `/v1/prompt/${prompt.id}/openai`, {
      body: { message: 'I am ada@example.com' },
    });
    await set('block', 'email');
    const conversation = first.body.data.conversation.id;
    expect((await run(prompt, { message: 'Who?', conversation })).status).toBe(200);
    expect(JSON.stringify(app.model.requests.at(-1)?.body)).toContain('I am [removed: email]');
  });
});

describe('the action block', () => {
  it('refuses a run whose input or answer a guard blocks; the error names the guard, and the refusal is audited', async () => {
    await set('block', 'phone');
    const prompt = await create();
    const sent = await run(prompt, { message: 'Call +49 151 12345678' });
    expect([sent.status, sent.body.error?.code]).toEqual([422, 'guard_blocked']);
    expect(sent.body.error?.message).toContain('content: was blocked by the guard "phone"');
    expect(app.model.requests).toEqual([]);
    app.model.answerWith('Call +49 151 12345678');
    const answered = await run(prompt, { message: 'Whom?' }, { accept: 'text/event-stream' });
    expect(answered.text).toContain('guard_blocked');
    expect(`${sent.text}${answered.text}${await dump()}`).not.toContain('12345678');
    const rows = await app.db.prisma.governanceDecision.findMany({
      where: { action: 'guard.find', resource: prompt.id },
      orderBy: { seq: 'asc' },
    });
    expect(rows).toMatchObject([
      { decision: 'deny', detail: { point: 'input' } },
      { decision: 'deny', detail: { point: 'output' } },
    ]);
    const [failed] = await app.db.prisma.run.findMany({ where: { subject_id: prompt.id } });
    expect(failed).toMatchObject({ state: 'failed', error_code: 'guard_blocked' });
    expect(await app.db.prisma.usageEvent.count({ where: { subject_id: prompt.id } })).toBe(1);
  });
});
