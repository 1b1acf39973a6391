import { toCounted, type Unit, SPENDING } from '@millwright/budgets';
import { newId } from '@millwright/db';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type TestApp } from '../test-app.js';

let app: TestApp;
let prompt: Prompt;
beforeAll(async () => {
  app = await startTestApp();
  const body = { ...greeting, input: {} };
  prompt = (await app.call<Prompt>('POST', '/v1/prompt', { body })).body;
});
afterAll(() => app.close());
beforeEach(async () => {
  app.model.requests.length = 0;
  app.model.answerWith('Two words.');
  await app.db.prisma.usageEvent.deleteMany();
});
afterEach(async () => {
  await app.db.prisma.budget.deleteMany();
});

/** Adds a budget, and waits until the process has read it. */
async function addBudget(unit: Unit, amount: number): Promise<string> {
  const id = newId();
  const row = { id, project: 'Core', name: 'All', level: 'project', period: 'total', unit };
  await app.db.transaction(async (tx) => {
    await tx.budget.create({ data: { ...row, amount: toCounted(unit, amount), created_by: app.author.id } });
    await tx.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;
  });
  for (;;) {
    await run();
    if ((await app.db.prisma.budgetWindow.count({ where: { budget_id: id } })) > 0) break;
  }
  await app.db.prisma.usageEvent.deleteMany();
  await app.db.prisma.$executeRaw`DELETE FROM budget_windows`;
  app.model.requests.length = 0;
  return id;
}
const windowOf = (budget_id: string) => app.db.prisma.budgetWindow.findFirstOrThrow({ where: { budget_id } });
const run = () => app.call('POST', `/v1/prompt/${prompt.id}/openai`, { body: { message: 'hi' } });

describe('POST /v1/prompt/{uuid}/openai with a budget', () => {
  it('charges the actual usage of the model, and releases the reservation', async () => {
    const budget = await addBudget('usd', 5);
    expect((await run()).status).toBe(200);
    const used = await app.db.prisma.usageEvent.findFirstOrThrow();
    const window = await windowOf(budget);
    expect(window.reserved).toBe(0n);
    expect(Number(window.spent)).toBe(used.prompt_tokens + 2 * used.completion_tokens);
    expect(Number(window.spent)).toBe(Math.round(Number(used.cost_usd) * 1_000_000));
    expect(await app.db.prisma.budgetReservation.count()).toBe(0);
  });

  it('answers 402 when the budget has no room, calls no model, and stores the failed run', async () => {
    await addBudget('tokens', 5);
    const { status, body } = await run();
    expect([status, body.error]).toMatchObject([
      402,
      { code: 'budget_exceeded', message: expect.stringContaining('"All" allows 5 tokens') as string },
    ]);
    expect(app.model.requests).toEqual([]);
    const failed = await app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(failed).toMatchObject({ state: 'failed', error_code: 'budget_exceeded', step_count: 0 });
  });

  it('releases the reservation when the model fails', async () => {
    const budget = await addBudget('tokens', 100_000);
    app.model.answerWith({ status: 400 });
    expect((await run()).status).toBe(503);
    expect(await windowOf(budget)).toMatchObject({ reserved: 0n, spent: 0n });
  });

  it('limits the length of the answer to the number of tokens that were reserved for it', async () => {
    await addBudget('tokens', 100_000);
    await run();
    await app.call('POST', '/v1/responses', {
      body: { prompt: { id: prompt.id }, input: 'hi', max_output_tokens: 16 },
    });
    expect(app.model.requests.map(({ body }) => body.max_tokens)).toEqual([4_096, 16]);
  });
});

describe('POST /v1/responses with a budget', () => {
  it('answers 402 when the budget has no room', async () => {
    await addBudget('tokens', 5);
    const body = { prompt: { id: prompt.id }, input: 'hi' };
    const answer = await app.call('POST', '/v1/responses', { body });
    expect([answer.status, answer.body.error?.code]).toEqual([402, 'budget_exceeded']);
  });
});
