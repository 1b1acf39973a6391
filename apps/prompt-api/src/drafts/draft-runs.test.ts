import { setTimeout as sleep } from 'node:timers/promises';
import { SPENDING } from '@millwright/budgets';
import { newId } from '@millwright/db';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type CallOptions, type TestApp } from '../test-app.js';
import type { DraftRunResult } from './draft-runs.contract.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.call('POST', '/v1/block', { body: { prefix: 'house_rules', content: 'Be kind.', metadata: {} } });
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Two words.');
});

const draft = {
  instruction: { static: 'You greet. {{house_rules}}', dynamic: 'Greet {{name}}: {{message}}' },
  input: { schema: greeting.input.schema },
  message: 'be brief',
  structured_data: { name: 'Bo' },
};
const run = (body: object, options: CallOptions = {}) =>
  app.call<DraftRunResult>('POST', '/v1/run', { ...options, body });
const newestRun = () =>
  app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' }, include: { steps: { orderBy: { seq: 'asc' } } } });
const counts = async () => {
  const { prompt, promptVersion, promptDefinition, conversation, conversationMessage } = app.db.prisma;
  return Promise.all([prompt, promptVersion, promptDefinition, conversation, conversationMessage].map(countOf));
};
const countOf = (table: { count: () => Promise<number> }) => table.count();

describe('POST /v1/run', () => {
  it('sends the rendered draft with its parameters and the conversation so far, and stores only the run', async () => {
    const before = await counts();
    const history = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
    ];
    const { status, body } = await run({ ...draft, history, model_parameters: { temperature: 0.5 } });
    expect([status, body]).toMatchObject([
      200,
      { success: true, data: { content: 'Two words.', structured_data: {} }, metadata: { model: 'fake-model' } },
    ]);
    expect(body.cost_usd).toBeGreaterThan(0);
    expect(app.model.requests[0]?.body).toMatchObject({
      temperature: 0.5,
      messages: [
        { role: 'system', content: 'You greet. Be kind.' },
        ...history,
        { role: 'user', content: 'Greet Bo: be brief' },
      ],
    });
    expect(await counts()).toEqual(before);
    const kept = await newestRun();
    expect(kept).toMatchObject({
      ...{ channel: 'draft', state: 'completed', subject_kind: 'model', subject_version: null, output: 'Two words.' },
      steps: [{ kind: 'model', parameters: { temperature: 0.5 } }],
    });
    expect(await app.db.prisma.governanceDecision.count({ where: { action: 'model.run' } })).toBe(1);
    expect(await app.db.prisma.usageEvent.count({ where: { id: kept.id } })).toBe(1);
  });

  it('stores a run of the prompt that the draft changes, and adds the run to the usage of no version', async () => {
    const prompt = (await app.call<Prompt>('POST', '/v1/prompt', { body: greeting })).body;
    expect((await run({ ...draft, prompt: prompt.id })).status).toBe(200);
    expect(await newestRun()).toMatchObject({ subject_kind: 'prompt', subject_id: prompt.id, subject_version: null });
    const usage = await app.call('GET', `/v1/prompt/${prompt.id}/version/1/usage`);
    expect(usage.body).toMatchObject({ runs: 0 });
    const key = await app.issueKey({ project: 'Commerce' });
    const foreign = await run({ ...draft, prompt: prompt.id }, { key });
    expect([foreign.status, foreign.body]).toMatchObject([
      400,
      { message: expect.stringContaining('prompt: does not exist') as string },
    ]);
  });

  it('checks the answer with the output schema of the same draft', async () => {
    const output = (type: string) => ({ schema: { type: 'object', properties: { n: { type } }, required: ['n'] } });
    app.model.answerWith('{"n":1}');
    const fits = await run({ ...draft, output: output('integer') });
    expect(fits.body).toMatchObject({ success: true, data: { structured_data: { n: 1 } } });
    const other = await run({ ...draft, output: output('string') });
    expect([other.body.success, app.model.requests]).toMatchObject([false, { length: 3 }]);
  });

  it('answers a repeated Idempotency-Key with the same answer, and runs the draft only once', async () => {
    const headers = { 'idempotency-key': newId() };
    const [first, second] = [await run(draft, { headers }), await run(draft, { headers })];
    expect(second.body).toEqual(first.body);
    expect(app.model.requests).toHaveLength(1);
  });

  it('streams chunks and ends with the result', async () => {
    const response = await fetch(`${app.url}/v1/run`, {
      method: 'POST',
      body: JSON.stringify({ ...draft, stream: true }),
      headers: { 'api-key': await app.issueKey(), 'content-type': 'application/json' },
    });
    const text = await response.text();
    const events = text.split('\n').flatMap((line) => (line.startsWith('event: ') ? [line.slice(7)] : []));
    expect([new Set(events), events.at(-1)]).toEqual([new Set(['chunk', 'result']), 'result']);
    expect(text).toContain('"content":"Two words."');
  });

  it('is refused when a budget has no room or a guard blocks, like a run of a saved prompt; the stored run fails', async () => {
    const row = { id: newId(), project: 'Core', name: 'All', level: 'project', period: 'total', unit: 'tokens' };
    await app.db.transaction(async (tx) => {
      await tx.budget.create({ data: { ...row, amount: 5n, created_by: app.author.id } });
      await tx.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;
    });
    let refused = await run(draft);
    // The process may read the new budget only after some runs.
    while (refused.status === 200) refused = await run(draft);
    expect([refused.status, (await newestRun()).state]).toEqual([402, 'failed']);
    await app.db.prisma.budget.deleteMany();
    await app.db.prisma.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;
    while ((await run(draft)).status !== 200) await sleep(10);
    const rules = { email: { input: 'block', output: 'block' } };
    await app.db.prisma.guardPolicy.create({ data: { id: newId(), project: 'Core', rules } });
    expect((await run({ ...draft, message: 'Write to ann@example.com' })).status).toBe(422);
    await app.db.prisma.guardPolicy.deleteMany();
  });

  it('answers 403 to a key without prompts:run, and without blocks:read when the draft includes a block', async () => {
    const reader = await app.issueKey({ scopes: ['prompts:read'] });
    expect((await run(draft, { key: reader })).status).toBe(403);
    const runner = await app.issueKey({ scopes: ['prompts:run'] });
    expect((await run(draft, { key: runner })).status).toBe(403);
    expect((await run({ instruction: { dynamic: '{{message}}' }, message: 'Hi' }, { key: runner })).status).toBe(200);
    expect(JSON.stringify(app.model.requests)).not.toContain('Be kind.');
  });

  it.each([
    [{ instruction: undefined }, 'instruction'],
    [{ structured_data: {} }, 'structured_data.name'],
    [{ input: { schema: { type: 'text' } } }, 'input.schema.type'],
    [{ model: 'gpt-99' }, 'model'],
    [{ model_parameters: { temperature: 9 } }, 'model_parameters.temperature'],
    [{ history: [{ role: 'system', content: '' }] }, 'history.0.role'],
  ])('answers 400 and names the invalid field for %j, and calls no model', async (wrong, field) => {
    const answer = await app.call('POST', '/v1/run', { body: { ...draft, ...wrong } });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(`${field}: `)]);
    expect(app.model.requests).toEqual([]);
  });
});
