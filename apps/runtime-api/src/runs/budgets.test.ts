import { SPENDING, toCounted, type Level, type Unit } from '@millwright/budgets';
import { decodeId, encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type ModelRequest,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';
import type { Run, RunDetail } from './runs.contract.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let ann: TestUser;
let asAnn: HttpClient;
let agentId: string;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  ann = await runtime.newUser('ann@example.com');
  asAnn = runtime.as(await runtime.newToken({ userId: ann.id }));
  const { id } = await runtime.newAgent({ name: 'Guide' });
  agentId = decodeId('ag', id) ?? id;
});
beforeEach(() => model.answerWith('Hello.'));
afterEach(async () => {
  await runtime.db.prisma.budget.deleteMany();
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const path = '/api/v1/runs';
const start = async (json: object = {}) => {
  const answer = await asAnn('POST', path, { json: { agent: 'guide', content: 'Hello', ...json } });
  return { ...answer, body: answer.body as Run };
};
const read = async (id: string) => (await asAnn('GET', `${path}/${id}`)).body as RunDetail;

async function until(id: string, isReached: (run: RunDetail) => boolean): Promise<RunDetail> {
  for (;;) {
    const run = await read(id);
    if (isReached(run)) return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const isWaiting = ({ state }: RunDetail) => state === 'waiting';
const hasEnded = ({ ended_at }: RunDetail) => ended_at !== null;

const notify = () => runtime.db.prisma.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;

/** Adds a budget, and waits until the process has read it. */
async function addBudget(level: Level, unit: Unit, amount: number, of: object = {}): Promise<string> {
  const id = newId();
  const row = { id, project: 'Core', name: 'All', level, period: 'month', unit, ...of };
  await runtime.db.prisma.budget.create({ data: { ...row, amount: toCounted(unit, amount), created_by: ann.id } });
  await notify();
  for (;;) {
    const { body } = await start();
    await until(body.id, (run) => hasEnded(run) || isWaiting(run));
    if ((await runtime.db.prisma.budgetWindow.count({ where: { budget_id: id } })) > 0) break;
  }
  return id;
}
async function setAmount(id: string, amount: bigint): Promise<void> {
  await runtime.db.prisma.budget.update({ where: { id }, data: { amount } });
  await runtime.db.prisma.budgetWindow.updateMany({ where: { budget_id: id }, data: { amount } });
  await notify();
}
const windowOf = (budget_id: string) => runtime.db.prisma.budgetWindow.findFirstOrThrow({ where: { budget_id } });
const usage = async () => {
  const { _sum } = await runtime.db.prisma.usageEvent.aggregate({
    _sum: { prompt_tokens: true, completion_tokens: true },
  });
  return (_sum.prompt_tokens ?? 0) + (_sum.completion_tokens ?? 0);
};

describe('a run of an agent with a budget', () => {
  it('is charged exactly the recorded usage of its model calls', async () => {
    const budget = await addBudget('agent', 'tokens', 1_000_000, { agent_id: agentId });
    const [before, used] = [await windowOf(budget), await usage()];
    const { body } = await start();
    expect((await until(body.id, hasEnded)).state).toBe('completed');
    const window = await windowOf(budget);
    expect(window.reserved).toBe(0n);
    expect(Number(window.spent - before.spent)).toBe((await usage()) - used);
  });

  it('is charged for the last answer of its model when the answer cannot be stored', async () => {
    const { id } = await runtime.newAgent({ name: 'Doomed' });
    const budget = await addBudget('project', 'tokens', 1_000_000);
    const [before, used] = [await windowOf(budget), await usage()];
    model.answerWith(async () => {
      await runtime.db.prisma.agent.delete({ where: { id } });
      return 'Too late.';
    });
    const { body } = await start({ agent: 'doomed' });
    expect(await until(body.id, hasEnded)).toMatchObject({ state: 'failed', error: { code: 'agent_deleted' } });
    const [spent, window] = [(await usage()) - used, await windowOf(budget)];
    expect(spent).toBeGreaterThan(0);
    expect([Number(window.spent - before.spent), window.reserved]).toEqual([spent, 0n]);
  });

  it('waits when the rest of the budget is too small, shows which budget it waits for, and continues once the budget is raised', async () => {
    const budget = await addBudget('user', 'tokens', 5, { user_id: ann.id });
    const { body } = await start();
    const waiting = await until(body.id, isWaiting);
    expect(waiting).toMatchObject({
      waiting_for: 'budget',
      budget: { id: encodeId('bud', budget), name: 'All', level: 'user' },
    });
    const runId = decodeId('run', body.id) ?? '';
    const events = await runtime.db.prisma.runEvent.findMany({ where: { run_id: runId }, orderBy: { seq: 'asc' } });
    expect(events.at(-1)).toMatchObject({
      type: 'run.waiting',
      data: { waiting_for: 'budget', level: 'user', name: 'All' },
    });
    expect(await runtime.db.prisma.budgetWait.findUnique({ where: { run_id: runId } })).toMatchObject({
      budget_id: budget,
    });
    await setAmount(budget, 1_000_000n);
    expect((await until(body.id, hasEnded)).state).toBe('completed');
    expect(await runtime.db.prisma.budgetWait.findUnique({ where: { run_id: runId } })).toBeNull();
  });

  it('continues when the next period of the budget starts', async () => {
    const budget = await addBudget('project', 'tokens', 100_000, { period: 'day' });
    await runtime.db.prisma.budgetWindow.updateMany({ where: { budget_id: budget }, data: { spent: 100_000n } });
    const { body } = await start();
    await until(body.id, isWaiting);
    // Moves today's spent amounts to the period of yesterday.
    await runtime.db.prisma.$executeRaw`
      UPDATE budget_windows SET starts_on = starts_on - 1 WHERE budget_id = ${budget}::uuid`;
    expect((await until(body.id, hasEnded)).state).toBe('completed');
  });

  it.each([
    ['switched off', (id: string) => runtime.db.prisma.budget.update({ where: { id }, data: { status: 'inactive' } })],
    ['deleted', (id: string) => runtime.db.prisma.budget.delete({ where: { id } })],
  ])('continues once the budget is %s', async (_how, change) => {
    const budget = await addBudget('project', 'tokens', 5);
    const { body } = await start();
    await until(body.id, isWaiting);
    await change(budget);
    await notify();
    expect((await until(body.id, hasEnded)).state).toBe('completed');
  });

  it('fails when a thousand runs of its user already wait; the stored waits of canceled runs are deleted', async () => {
    const budget = await addBudget('project', 'tokens', 5);
    await database.sql`
      WITH waiting AS (
        INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, channel, caller, state, waiting_for)
        SELECT gen_random_uuid(), 'Core', ${ann.id}::uuid, 'agent', ${agentId}::uuid, 'guide', 'messages', '{}', 'waiting', 'budget'
          FROM generate_series(1, 1000) RETURNING id)
      INSERT INTO budget_waits (run_id, budget_id, need) SELECT id, ${budget}::uuid, 100 FROM waiting`;
    const { body } = await start();
    expect(await until(body.id, hasEnded)).toMatchObject({ state: 'failed', error: { code: 'budget_exceeded' } });
    await runtime.db.prisma.$executeRaw`
      UPDATE runs SET state = 'canceled', waiting_for = NULL, ended_at = now() WHERE waiting_for = 'budget'`;
    await runtime.db.prisma.$executeRaw`
      DELETE FROM budget_waits WHERE run_id NOT IN (SELECT run_id FROM budget_waits LIMIT 30)`;
    while ((await runtime.db.prisma.budgetWait.count()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  });

  it('fails when the budget is in money and the model has no price', async () => {
    await addBudget('project', 'usd', 100);
    await runtime.newAgent({ name: 'Other', model: 'other' });
    const { body } = await start({ agent: 'other' });
    const run = await until(body.id, hasEnded);
    expect(run).toMatchObject({ state: 'failed', error: { code: 'budget_exceeded' } });
    const row = await runtime.db.prisma.run.findUniqueOrThrow({ where: { id: decodeId('run', body.id) ?? '' } });
    expect(row.error_text).toContain('has no price');
  });
});

describe('POST /runs with a budget', () => {
  it('starts a run that cannot spend more than its budget', async () => {
    const { body } = await start({ budget: { unit: 'tokens', amount: 5 } });
    await until(body.id, isWaiting);
    const row = await runtime.db.prisma.budget.findFirstOrThrow({ where: { level: 'run' } });
    expect(row).toMatchObject({ run_id: decodeId('run', body.id), amount: 5n, unit: 'tokens', period: 'total' });
    await setAmount(row.id, 1_000_000n);
    expect((await until(body.id, hasEnded)).state).toBe('completed');
    expect(Number((await windowOf(row.id)).spent)).toBeGreaterThan(0);
  });

  it.each([
    [{ unit: 'EUR', amount: 1 }],
    [{ unit: 'usd', amount: 0 }],
    [{ unit: 'tokens', amount: 1.5 }],
    [{ unit: 'usd' }],
  ])('answers 400 to the budget %j', async (budget) => {
    expect((await start({ budget })).status).toBe(400);
  });
});

describe('an agent that a run with a budget calls', () => {
  it('spends from the budget of that run', async () => {
    await runtime.newAgent({ name: 'Chief', instructions: 'You are the chief.', callees: [agentId] });
    model.answerWith(({ body }: ModelRequest) => {
      const messages = body['messages'] as { role: string; content: string }[];
      const isChief = messages[0]?.content.includes('You are the chief.') === true;
      const call = { name: 'ask_guide', arguments: JSON.stringify({ message: 'Hello' }) };
      return isChief && messages.every(({ role }) => role !== 'tool')
        ? { content: null, toolCalls: [{ id: 'call_0', type: 'function' as const, function: call }] }
        : { content: 'Done.' };
    });
    const used = await usage();
    const { body } = await start({ agent: 'chief', budget: { unit: 'tokens', amount: 1_000_000 } });
    expect((await until(body.id, hasEnded)).state).toBe('completed');
    const runId = decodeId('run', body.id) ?? '';
    const child = await runtime.db.prisma.run.findFirstOrThrow({ where: { parent_id: runId } });
    const budget = await runtime.db.prisma.budget.findFirstOrThrow({ where: { run_id: runId } });
    expect([child.state, child.budget_id]).toEqual(['completed', budget.id]);
    const window = await windowOf(budget.id);
    expect([Number(window.spent), window.reserved]).toEqual([(await usage()) - used, 0n]);
  });
});

describe('POST /agents/{agent_name}/messages with a budget', () => {
  it('answers 202 with the run, which waits for the budget', async () => {
    await addBudget('project', 'tokens', 5);
    const answer = await asAnn('POST', '/api/v1/agents/guide/messages', { json: { content: 'Hello' } });
    expect([answer.status, (answer.body as Run).waiting_for]).toEqual([202, 'budget']);
  });
});

describe('a process that takes over a run', () => {
  it('releases the part of the budget that the earlier attempt had reserved', async () => {
    const budget = await addBudget('project', 'tokens', 100_000);
    const { promise, resolve } = Promise.withResolvers<string>();
    let calls = 0;
    // Every model call of the first attempt waits, also when it is repeated.
    model.answerWith(async () => {
      calls += 1;
      const { attempt } = await runtime.db.prisma.run.findFirstOrThrow({ where: { state: 'running' } });
      return attempt === 1 ? promise : 'Hello.';
    });
    const { body } = await start();
    const runId = decodeId('run', body.id) ?? '';
    const reserved = () => runtime.db.prisma.budgetReservation.findMany({ where: { run_id: runId } });
    for (;;) {
      if ((await reserved()).length === 1 && calls > 0) break;
      await new Promise((next) => setTimeout(next, 20));
    }
    // The run's process may renew the lease meanwhile.
    const first = { where: { id: runId, attempt: 1, state: 'running' }, data: { lease_until: new Date(0) } };
    while ((await runtime.db.prisma.run.updateMany(first)).count > 0) await new Promise((next) => setTimeout(next, 50));
    expect((await until(body.id, hasEnded)).state).toBe('completed');
    resolve('Late.');
    for (;;) {
      if ((await windowOf(budget)).reserved === 0n) break;
      await new Promise((next) => setTimeout(next, 20));
    }
    expect(await reserved()).toEqual([]);
    const [events] = await runtime.db.prisma.$queryRaw<{ tokens: number }[]>`
      SELECT sum(prompt_tokens + completion_tokens)::int AS tokens FROM usage_events`;
    expect(events?.tokens).toBeGreaterThan(0);
  });
});
