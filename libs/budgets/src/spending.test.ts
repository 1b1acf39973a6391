import { createUser } from '@millwright/accounts';
import { encodeId, newId, type Database, type Tx } from '@millwright/db';
import type { ModelRequest, ModelUse } from '@millwright/models';
import { BudgetExceeded, createSpending, type Spender } from './index.js';
import { openSpending, type TestSpending } from './test-spending.js';

let test: TestSpending;
beforeEach(async () => {
  test = await openSpending();
});
afterEach(() => test.close());

const ask = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'house',
  messages: [{ role: 'user', content: 'What is a mill?' }],
  maxTokens: 10,
  ...over,
});
const used = (input: number, output: number, model = 'house'): ModelUse => ({
  model,
  usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  costUsd: null,
  estimated: false,
});
const opened = () => createSpending(test);
/** Creates a `Spending`, and lists the statements that it sends to the database. */
function watched() {
  const sent: string[] = [];
  const db: Database = {
    ...test.db,
    prepared: (name, text, values) => {
      sent.push(name);
      return test.db.prepared(name, text, values);
    },
    transaction: (work) => {
      sent.push('transaction');
      return test.db.transaction(work);
    },
  };
  return { spending: createSpending({ ...test, db }), sent };
}
const spender = (over: Partial<Spender> = {}): Spender => ({ caller: test.caller, ...over });
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof BudgetExceeded ? error : Promise.reject(error as Error)),
  );
const receive = (types: string[]) =>
  test.db.prisma.webhook.create({
    data: {
      ...{ id: newId(), project: 'Core', name: 'hook', url: 'https://hooks.example', description: '', secret: 'x' },
      ...{ event_types: types, created_by: test.userId },
    },
  });

describe('spending.reserve', () => {
  it('sends no SQL statement for a project without budgets once the settings of budgets are cached', async () => {
    await test.addBudget({ project: 'Commerce', amount: 1 });
    const { spending, sent } = watched();
    await spending.hasBudgets('Core');
    sent.length = 0;
    for (let n = 0; n < 5; n += 1) await (await spending.reserve(spender(), ask())).release();
    expect(sent).toEqual([]);
  });

  it('sends one SQL statement for all budgets of a call when the rows of their current periods exist', async () => {
    for (const period of ['day', 'month', 'total'] as const) await test.addBudget({ amount: 1_000_000, period });
    await test.addBudget({ level: 'user', amount: 1_000_000, of: { user_id: test.userId } });
    const { spending, sent } = watched();
    await (await spending.reserve(spender(), ask())).release();
    sent.length = 0;
    await spending.reserve(spender(), ask());
    expect(sent).toEqual(['reserve-budgets']);
  });

  it('sets maxTokens of the request to the reserved tokens, but does not change a request in a project without budgets', async () => {
    const spending = opened();
    const { maxTokens, ...open } = ask();
    expect(maxTokens).toBe(10);
    expect((await spending.reserve(spender(), open)).request).not.toHaveProperty('maxTokens');
    await test.addBudget({ amount: 1_000_000 });
    spending.refresh();
    expect((await spending.reserve(spender(), open)).request).toMatchObject({ maxTokens: 100 });
  });

  it('reserves the default answer length of the model when the request has no maxTokens', async () => {
    const { maxTokens, ...open } = ask({ model: 'brief' });
    await test.addBudget({ amount: 1_000_000 });
    expect((await opened().reserve(spender(), open)).request).toMatchObject({ maxTokens: 20 });
    expect((await opened().reserve(spender(), { ...open, maxTokens })).request).toMatchObject({ maxTokens: 10 });
  });

  it.each([
    ['ideographs', '纺织工厂的机器需要每天维护。'.repeat(8)],
    ['emoji', '🏭⚙️🪵'.repeat(12)],
    ['letters without words', 'qzxjvkwpyb'.repeat(10)],
    ['no text', ''],
  ])('never exceeds a budget, even with a server that counts each byte as a token: %s', async (_what, content) => {
    const budget = await test.addBudget({ amount: 2_000 });
    const spending = opened();
    const request = ask({
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: 'Yes.' },
      ],
      maxTokens: 10,
    });
    const bytes = Buffer.byteLength(request.messages.map((message) => message.content).join(''));
    let calls = 0;
    for (;;) {
      const call = await spending.reserve(spender(), request).catch(() => undefined);
      if (!call) break;
      calls += 1;
      // The usage of a server whose template adds ten tokens to each message, and a system message of fifty tokens.
      await test.db.transaction((tx) => call.settle(tx, used(bytes + 2 * 10 + 50, 10)));
    }
    expect(calls).toBeGreaterThan(1);
    const { spent, reserved } = await test.windowOf(budget);
    expect([spent <= 2_000, reserved]).toEqual([true, 0]);
  });

  it('reserves at most as many input tokens as fit into the context window of the model', async () => {
    const budget = await test.addBudget({ amount: 100_000 });
    await opened().reserve(spender(), ask({ messages: [{ role: 'user', content: 'mill '.repeat(2_000) }] }));
    expect((await test.windowOf(budget)).reserved).toBe(1_000 + 10);
  });

  it('admits no more calls after a server has counted more tokens than were reserved', async () => {
    const budget = await test.addBudget({ amount: 1_000 });
    const spending = opened();
    const call = await spending.reserve(spender(), ask());
    await test.db.transaction((tx) => call.settle(tx, used(5_000, 10)));
    expect((await test.windowOf(budget)).spent).toBe(5_010);
    expect((await refusalOf(spending.reserve(spender(), ask())))?.status).toBe(402);
  });

  it('reserves in every budget that applies, or in no budget', async () => {
    const roomy = await test.addBudget({ amount: 10_000 });
    const tight = await test.addBudget({ level: 'user', amount: 20, of: { user_id: test.userId } });
    const refused = await refusalOf(opened().reserve(spender(), ask()));
    expect(refused?.refusal).toMatchObject({ budgetId: tight, amount: 20, spent: 0 });
    expect(refused?.status).toBe(402);
    expect(refused?.fields[0]?.reason).toContain('allows 20 tokens: 0 tokens are spent');
    expect(await test.windowOf(roomy)).toMatchObject({ reserved: 0, spent: 0 });
    expect(await test.db.prisma.budgetReservation.count()).toBe(0);
  });

  it('applies no inactive budget, and no budget of another user or project', async () => {
    const other = newId();
    await test.db.transaction((tx) =>
      createUser(tx, { email: 'bea@example.com', name: 'Bea', role: 'user', platformAdmin: false, project: 'Core' }),
    );
    const bea = await test.db.prisma.user.findUniqueOrThrow({ where: { email: 'bea@example.com' } });
    await test.addBudget({ level: 'user', amount: 0, of: { user_id: bea.id } });
    await test.addBudget({ project: 'Commerce', amount: 0 });
    const own = await test.addBudget({ amount: 0 });
    await test.db.prisma.budget.update({ where: { id: own }, data: { status: 'inactive' } });
    const spending = opened();
    await spending.reserve(spender({ agentId: other, triggerId: other }), ask());
    const caller = { ...test.caller, actor: { ...test.caller.actor, userId: bea.id } };
    expect(await refusalOf(spending.reserve(spender({ caller }), ask()))).toBeDefined();
  });

  it.each(['client', 'trigger', 'agent', 'api_key'] as const)(
    'applies a budget of the level %s only to calls of the record that the budget names',
    async (level) => {
      const id = newId();
      const { prisma } = test.db;
      const { userId } = test;
      const named = { id, project: 'Core', name: 'Payer' };
      const payers = {
        async client() {
          await prisma.oAuthClient.create({
            data: { ...named, client_id: 'cl_payer', user_id: userId, secret_hash: new Uint8Array(32) },
          });
          const credential = { kind: 'access_token' as const, id: `cl_payer:${userId}` };
          return { of: { client_id: id }, payer: { caller: { ...test.caller, credential } } };
        },
        async trigger() {
          const trigger = { kind: 'cron', agent: 'a', input: '', overlap: 'skip', rights: {}, schedule: '0 0 * * *' };
          await prisma.trigger.create({
            data: { ...named, ...trigger, timezone: 'UTC', owner_id: userId, created_by: userId },
          });
          return { of: { trigger_id: id }, payer: { triggerId: id } };
        },
        async agent() {
          await prisma.agent.create({ data: { ...named, slug: 'payer', description: '', created_by: userId } });
          return { of: { agent_id: id }, payer: { agentId: id } };
        },
        async api_key() {
          const key = { kind: 'api_key', public_id: 'payer', secret_hash: new Uint8Array(32) };
          await prisma.userApiKey.create({ data: { ...named, ...key, user_id: userId } });
          const credential = { kind: 'api_key' as const, id: encodeId('key', id) };
          return { of: { api_key_id: id }, payer: { caller: { ...test.caller, credential } } };
        },
      };
      const { of, payer } = await payers[level]();
      const budget = await test.addBudget({ level, amount: 0, of });
      const spending = opened();
      await spending.reserve(spender(), ask());
      const refused = await refusalOf(spending.reserve(spender(payer), ask()));
      expect(refused?.refusal).toMatchObject({ budgetId: budget, level });
    },
  );

  it('refuses a model without a price when the budget is in money, and names the model', async () => {
    await test.addBudget({ unit: 'usd', amount: 1_000_000 });
    const refused = await refusalOf(opened().reserve(spender(), ask({ model: 'unpriced' })));
    expect(refused?.fields).toEqual([
      { field: 'model', reason: expect.stringContaining('has no price, which the budget') as string },
    ]);
    await test.db.prisma.budget.updateMany({ data: { status: 'inactive' } });
    await test.addBudget({ unit: 'tokens', amount: 1_000_000 });
    await opened().reserve(spender(), ask({ model: 'unpriced' }));
  });

  it('reserves the price of the most expensive model that may answer', async () => {
    const budget = await test.addBudget({ unit: 'usd', amount: 1_000_000 });
    const spending = opened();
    await spending.reserve(spender(), ask());
    const { reserved: own } = await test.windowOf(budget);
    const falling = await spending.reserve(spender(), ask({ model: 'falling' }));
    const { reserved: both } = await test.windowOf(budget);
    expect(both - own).toBe(10 * own);
    await test.db.transaction((tx) => falling.settle(tx, used(3, 4, 'dear')));
    expect(await test.windowOf(budget)).toMatchObject({ reserved: own, spent: 3 * 10 + 4 * 20 });
  });

  it('uses the price that an admin of the project has set, from its start time on, and no price of another project', async () => {
    const budget = await test.addBudget({ unit: 'usd', amount: 1_000_000 });
    const price = (project: string, valid_from: Date, input: number) =>
      test.db.prisma.modelPrice.create({
        data: { id: newId(), project, model: 'house', valid_from, input, output: 0, created_by: test.userId },
      });
    await price('Core', new Date(Date.now() - 2_000), 7);
    await price('Core', new Date(Date.now() - 1_000), 5);
    await price('Core', new Date(Date.now() + 60_000), 100);
    await price('Commerce', new Date(Date.now() - 500), 200);
    const call = await opened().reserve(spender(), ask());
    expect(call.priceOf?.('house')).toEqual({ input: 5, output: 0 });
    await test.db.transaction((tx) => call.settle(tx, used(10, 10)));
    expect((await test.windowOf(budget)).spent).toBe(50);
  });

  it('never exceeds a budget under concurrent reservations', async () => {
    const [project, user] = [
      await test.addBudget({ amount: 1_000 }),
      await test.addBudget({ level: 'user', amount: 900, of: { user_id: test.userId } }),
    ];
    const spending = opened();
    const calls = await Promise.all(
      Array.from({ length: 60 }, () => spending.reserve(spender(), ask()).catch(() => undefined)),
    );
    const granted = calls.filter((call) => call !== undefined);
    const { reserved } = await test.windowOf(user);
    expect(granted.length).toBeGreaterThan(1);
    expect(reserved).toBeLessThanOrEqual(900);
    expect(900 - reserved).toBeLessThan(reserved / granted.length);
    expect((await test.windowOf(project)).reserved).toBe(reserved);
    await Promise.all(granted.map((call) => test.db.transaction((tx) => call.settle(tx, used(2, 1)))));
    expect(await test.windowOf(user)).toMatchObject({ reserved: 0, spent: 3 * granted.length });
    expect(await test.db.prisma.budgetReservation.count()).toBe(0);
  });

  it('reuses the amount of expired reservations whose process died', async () => {
    const budget = await test.addBudget({ amount: 150 });
    const spending = opened();
    await spending.reserve(spender(), ask());
    expect(await refusalOf(spending.reserve(spender(), ask()))).toBeDefined();
    await test.db.prisma.budgetReservation.updateMany({ data: { lapses_at: new Date(Date.now() - 1) } });
    await spending.reserve(spender(), ask());
    expect((await test.windowOf(budget)).reserved).toBeLessThanOrEqual(150);
    expect(await test.db.prisma.budgetReservation.count()).toBe(1);
  });

  it('starts each period with nothing spent', async () => {
    const budget = await test.addBudget({ amount: 200, period: 'day' });
    const spending = opened();
    const call = await spending.reserve(spender(), ask());
    await test.db.transaction((tx) => call.settle(tx, used(190, 10)));
    expect(await refusalOf(spending.reserve(spender(), ask()))).toBeDefined();
    await test.db.prisma
      .$executeRaw`UPDATE budget_windows SET starts_on = starts_on - 1 WHERE budget_id = ${budget}::uuid`;
    await spending.reserve(spender(), ask());
  });
});

describe('spendingCall.settle', () => {
  it('counts the usage even after the reservation was released, and counts nothing twice', async () => {
    const budget = await test.addBudget({ amount: 1_000 });
    const spending = opened();
    const run = { runId: newId(), attempt: 1 };
    const call = await spending.reserve(spender({ run }), ask());
    expect(await spending.returnOf(run.runId, 1)).toBe(0);
    expect(await spending.returnOf(run.runId, 2)).toBe(1);
    expect(await test.windowOf(budget)).toMatchObject({ reserved: 0, spent: 0 });
    await test.db.transaction((tx) => call.settle(tx, used(5, 6)));
    await call.release();
    expect(await test.windowOf(budget)).toMatchObject({ reserved: 0, spent: 11 });
  });

  it('shortens the idle limit of this transaction only, so that PostgreSQL soon ends the transaction of a process that stopped', async () => {
    await test.addBudget({ amount: 1_000 });
    const call = await opened().reserve(spender(), ask());
    const idleFor = async (tx: Tx) =>
      (
        await tx.$queryRaw<{ limit: string }[]>`
        SELECT current_setting('idle_in_transaction_session_timeout') AS limit`
      )[0]?.limit;
    const limits = await test.db.transaction(async (tx) => {
      const before = await idleFor(tx);
      await call.settle(tx, used(5, 6));
      return [before, await idleFor(tx)];
    });
    expect(limits).toEqual(['10s', '3s']);
    expect(await test.db.transaction(idleFor)).toBe('10s');
  });

  it('is rolled back with its transaction', async () => {
    const budget = await test.addBudget({ amount: 1_000 });
    const call = await opened().reserve(spender(), ask());
    const before = await test.windowOf(budget);
    const failing = test.db.transaction(async (tx) => {
      await call.settle(tx, used(5, 6));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await test.windowOf(budget)).toEqual(before);
  });

  it('records an event at 80 % and at 100 % of a budget, once per period', async () => {
    await receive(['budget.warning', 'budget.exhausted']);
    const budget = await test.addBudget({ amount: 200, period: 'month' });
    const spending = opened();
    for (const tokens of [50, 110, 10]) {
      const call = await spending.reserve(spender(), ask({ maxTokens: 1 })).catch(() => undefined);
      if (call) await test.db.transaction((tx) => call.settle(tx, used(tokens, 0)));
    }
    for (let n = 0; n < 3; n += 1) expect(await refusalOf(spending.reserve(spender(), ask()))).toBeDefined();
    const events = await test.db.prisma.event.findMany({ orderBy: { seq: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual(['budget.warning', 'budget.exhausted']);
    expect(events[0]).toMatchObject({
      subject: encodeId('bud', budget),
      data: { unit: 'tokens', amount: 200, spent: 160, period: 'month', level: 'project' },
    });
  });
});

describe('spendingCall.release', () => {
  it('returns the reserved amount to the budget', async () => {
    const budget = await test.addBudget({ amount: 1_000 });
    const call = await opened().reserve(spender(), ask());
    await call.release();
    expect(await test.windowOf(budget)).toMatchObject({ reserved: 0, spent: 0 });
  });
});
