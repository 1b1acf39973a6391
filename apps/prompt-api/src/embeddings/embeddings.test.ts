import { toCounted, SPENDING } from '@millwright/budgets';
import { newId } from '@millwright/db';
import { GUARDS } from '@millwright/guards';
import OpenAI from 'openai';
import { startTestApp, type TestApp } from '../test-app.js';

let app: TestApp;
let openai: OpenAI;
const model = 'fake-model';
beforeAll(async () => {
  app = await startTestApp();
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: await app.issueKey(), maxRetries: 0 });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.model.requests.length = 0;
  app.model.answerWith({});
  await app.db.prisma.usageEvent.deleteMany();
});
afterEach(async () => {
  await app.db.prisma.guardPolicy.deleteMany();
  await app.db.prisma.budget.deleteMany();
});

const post = (body: object, options: object = {}) => app.call('POST', '/v1/embeddings', { body, ...options });

describe('embeddings.create', () => {
  it('returns a vector for each text in their order, and records usage and an audit entry', async () => {
    const { data, usage, ...rest } = await openai.embeddings.create({ model, input: ['a mill', 'sails'] });
    expect(data.map(({ embedding, index }) => [index, embedding])).toEqual([
      [0, [6, 0.5, 0]],
      [1, [5, 0.5, -1]],
    ]);
    expect([rest, usage]).toEqual([
      { object: 'list', model },
      { prompt_tokens: 3, total_tokens: 3 },
    ]);
    expect(app.model.requests.at(-1)?.body).toEqual({ model, input: ['a mill', 'sails'], encoding_format: 'float' });
    const [used] = await app.db.prisma.usageEvent.findMany();
    expect(used).toMatchObject({ kind: 'model_run', model, prompt_tokens: 3, completion_tokens: 0, estimated: false });
    expect(Number(used?.cost_usd)).toBe(0.000003);
    expect(await app.db.prisma.governanceDecision.count({ where: { action: 'model.embed', resource: model } })).toBe(1);
  });

  it('returns numbers or base64, as the request states, and forwards dimensions to the model', async () => {
    const plain = await post({ model, input: 'mill', dimensions: 3 });
    expect(plain.body).toMatchObject({ data: [{ embedding: [4, 0.5, 0] }] });
    expect(app.model.requests.at(-1)?.body['dimensions']).toBe(3);
    const packed = await post({ model, input: 'mill', encoding_format: 'base64' });
    const { data } = packed.body as unknown as { data: { embedding: string }[] };
    const bytes = Buffer.from(data[0]?.embedding ?? '', 'base64');
    expect([0, 4, 8].map((place) => bytes.readFloatLE(place))).toEqual([4, 0.5, 0]);
  });

  it('calls the model again when an Idempotency-Key is repeated, because vectors are not stored', async () => {
    const headers = { 'idempotency-key': newId() };
    const [first, second] = [
      await post({ model, input: 'mill' }, { headers }),
      await post({ model, input: 'mill' }, { headers }),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(app.model.requests).toHaveLength(2);
    expect(await app.db.prisma.$queryRaw`SELECT count(*)::int AS kept FROM idempotency_keys`).toEqual([{ kept: 0 }]);
  });

  it('estimates the number of tokens when the model does not report it', async () => {
    app.model.answerWith({ body: { data: [{ index: 0, embedding: [1] }] } });
    await post({ model, input: 'a mill by the river' });
    const [used] = await app.db.prisma.usageEvent.findMany();
    expect(used).toMatchObject({ estimated: true, prompt_tokens: 5 });
  });

  it.each([
    ['an empty text', { model, input: '' }, 'input'],
    ['no texts', { model, input: [] }, 'input'],
    ['tokens', { model, input: [[1, 2]] }, 'input'],
    ['too many texts', { model, input: Array.from({ length: 2_049 }, () => 'x') }, 'input'],
    ['no length', { model, input: 'x', dimensions: 0 }, 'dimensions'],
    ['an unknown encoding', { model, input: 'x', encoding_format: 'int8' }, 'encoding_format'],
    ['an unknown model', { model: 'other', input: 'x' }, 'model'],
    ['an agent as model', { model: 'agent/guide', input: 'x' }, 'model'],
    ['an unknown field', { model, input: 'x', colour: 'blue' }, 'colour'],
  ])('answers 400 for %s, and the error names the field', async (_, body, field) => {
    const { status, text } = await post(body);
    expect([status, text]).toEqual([400, expect.stringContaining(field)]);
    expect(app.model.requests).toHaveLength(0);
  });

  it("answers 400 when the model's server refuses the request, and 503 when the server's answer has no vectors", async () => {
    app.model.answerWith({ status: 404 });
    expect((await post({ model, input: 'x' })).text).toContain('makes no embeddings');
    app.model.answerWith({ body: { data: [] } });
    expect((await post({ model, input: 'x' })).status).toBe(503);
    expect(await app.db.prisma.usageEvent.count()).toBe(0);
  });

  it('answers 400 for the offline model', async () => {
    const offline = await app.startOffline();
    const { status, text } = await offline('POST', '/v1/embeddings', { body: { model: 'offline', input: 'x' } });
    expect([status, text]).toEqual([400, expect.stringContaining('makes no embeddings')]);
  });

  it('sends redacted texts to the model, and answers 422 when a guard blocks a text', async () => {
    const set = (input: string) =>
      app.db.prisma.guardPolicy.create({
        data: {
          ...{ id: newId(), project: 'Core' },
          rules: Object.fromEntries(GUARDS.map((guard) => [guard, { input, output: 'off' }])),
        },
      });
    await set('redact');
    await post({ model, input: 'Write to ada@example.com' });
    expect(JSON.stringify(app.model.requests.at(-1)?.body)).not.toContain('ada@example.com');
    await app.db.prisma.guardPolicy.deleteMany();
    await set('block');
    app.model.requests.length = 0;
    const { status, body } = await post({ model, input: 'Write to ada@example.com' });
    expect([status, body.error?.code]).toEqual([422, 'guard_blocked']);
    expect(app.model.requests).toHaveLength(0);
  });

  it('charges the budget, answers 402 when the budget has no room, and releases the reservation of a failed call', async () => {
    const id = newId();
    const row = { id, project: 'Core', name: 'All', level: 'project', period: 'total', unit: 'tokens' };
    await app.db.transaction(async (tx) => {
      await tx.budget.create({ data: { ...row, amount: toCounted('tokens', 100_000), created_by: app.author.id } });
      await tx.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;
    });
    const windows = () => app.db.prisma.budgetWindow.findMany({ where: { budget_id: id } });
    while ((await windows()).length === 0) await post({ model, input: 'a mill' });
    const spent = async () => (await windows()).map((window) => [Number(window.spent), Number(window.reserved)]);
    const [[before = 0] = []] = await spent();
    await post({ model, input: 'two words' });
    expect(await spent()).toEqual([[before + 2, 0]]);
    app.model.answerWith({ status: 400 });
    await post({ model, input: 'two words' });
    expect(await spent()).toEqual([[before + 2, 0]]);
    app.model.requests.length = 0;
    const long = Array.from({ length: 2_000 }, () => 'mill '.repeat(80));
    const { status, body } = await post({ model, input: long });
    expect([status, body.error?.code]).toEqual([402, 'budget_exceeded']);
    expect(app.model.requests).toHaveLength(0);
  });

  it('answers 403 without the scope prompts:run', async () => {
    const key = await app.issueKey({ scopes: ['prompts:read'] });
    expect((await post({ model, input: 'x' }, { key })).status).toBe(403);
  });
});
