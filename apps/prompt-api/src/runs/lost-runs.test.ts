import { setTimeout as sleep } from 'node:timers/promises';
import { createUser, disableUser } from '@millwright/accounts';
import { createSpending, SPENDING, toCounted } from '@millwright/budgets';
import { encodeId, newId } from '@millwright/db';
import { createModels } from '@millwright/models';
import { createRunStore, createStepStore, RUNS, type RunStore } from '@millwright/runs';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type TestApp } from '../test-app.js';

let app: TestApp;
let runs: RunStore;
let prompt: Prompt;
beforeAll(async () => {
  app = await startTestApp();
  runs = createRunStore(app.db);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.model.requests.length = 0;
  const body = { ...greeting, input: {} };
  prompt = (await app.call<Prompt>('POST', '/v1/prompt', { body })).body;
});

const rows = (subject_id = prompt.id) =>
  app.db.prisma.run.findMany({ where: { subject_id }, include: { steps: true, events: { orderBy: { seq: 'asc' } } } });
const usage = (subject_id = prompt.id) => app.db.prisma.usageEvent.findMany({ where: { subject_id } });
const conversations = () => app.db.prisma.conversation.count();
const send = () => app.call('POST', `/v1/prompt/${prompt.id}/openai`, { body: { message: 'hi' } });

/** Makes the model wait before its answer. `called` resolves once the model is called, and `answer` ends the wait. */
function pauseModel(): { called: () => Promise<void>; answer: () => void } {
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  app.model.answerWith(async () => {
    await held;
    return 'Two words.';
  });
  const called = async () => {
    while (app.model.requests.length === 0) await sleep(5);
  };
  return { called, answer };
}

const keyId = newId();

/** Stores a run whose process died: the lease of the run has expired. */
async function startLost(answers = 0) {
  const { id: userId, name: label } = app.author;
  const credential = { kind: 'api_key', id: encodeId('key', keyId) } as const;
  const caller = { project: 'Core', actor: { userId, kind: 'user', label }, credential } as const;
  const subject = { kind: 'prompt', id: prompt.id, name: 'Greeting', version: 1 } as const;
  const run = { id: newId(), caller, subject, channel: 'prompt', model: 'fake-model' } as const;
  const fence = await app.db.transaction((tx) => runs.start(tx, run, newId()));
  const used = { promptTokens: 3, completionTokens: 2, costUsd: 0.000007 };
  const answer = { text: 'no JSON', calls: [], untrusted: false };
  for (let n = 0; n < answers; n += 1)
    await app.db.transaction((tx) =>
      createStepStore(app.db).addModelStep(tx, fence, {
        model: 'fake-model',
        startedAt: new Date(),
        usage: used,
        answer,
      }),
    );
  await lapse(fence.runId);
  return { caller, fence };
}
const lapse = (runId: string) =>
  app.db.prisma.$executeRaw`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = ${runId}::uuid`;

/** Makes the process scan once for lost runs. @returns the number of runs that the scan ended */
const look = () => app.promptRuns.lost.look();

describe('POST /v1/prompt/{uuid}/openai', () => {
  it('stores its run before the model answers, under a lease', async () => {
    const { called, answer } = pauseModel();
    const answered = send();
    await called();
    const [run] = await rows();
    expect(run).toMatchObject({ state: 'running', attempt: 1, model: 'fake-model', input: { message: 'hi' } });
    expect(run?.lease_until?.getTime()).toBeGreaterThan(Date.now());
    answer();
    expect((await answered).status).toBe(200);
    expect(await rows()).toMatchObject([{ id: run?.id, state: 'completed', step_count: 1, lease_until: null }]);
  });

  it('aborts the model call when its run is canceled, answers 409 and stores no conversation', async () => {
    const before = await conversations();
    const { called } = pauseModel();
    const answered = send();
    await called();
    const [run] = await rows();
    await app.db.transaction((tx) => runs.cancel(tx, run?.id ?? ''));
    await app.db.prisma.$executeRaw`SELECT pg_notify(${RUNS}, ${`${run?.id} ended`})`;
    const { status, body } = await answered;
    expect([status, body.error?.message]).toEqual([409, expect.stringContaining('run: was canceled')]);
    while (app.model.requests[0]?.aborted !== true) await sleep(5);
    expect(await rows()).toMatchObject([{ state: 'canceled' }]);
    expect(await conversations()).toBe(before);
  });

  it('answers 503, stores no conversation and records the usage when another process has ended the run meanwhile', async () => {
    const before = await conversations();
    const { called, answer } = pauseModel();
    const answered = send();
    await called();
    const [run] = await rows();
    const runId = run?.id ?? '';
    await lapse(runId);
    const [lapsed] = await runs.lapsedPrompts(10);
    const error = { code: 'process_lost', text: 'Frozen.' };
    expect(lapsed && (await app.db.transaction((tx) => runs.endLapsed(tx, lapsed, error)))).toBe(true);
    answer();
    expect((await answered).status).toBe(503);
    expect(await rows()).toMatchObject([{ state: 'failed', error_code: 'process_lost', step_count: 0 }]);
    expect(await usage()).toMatchObject([{ kind: 'prompt_run', completion_tokens: 2 }]);
    expect(await conversations()).toBe(before);
  });
});

describe('a request whose user is disabled while its run executes', () => {
  it.each([
    ['api-key', 403],
    ['authorization', 401],
  ])('is refused like any other request that sends its API key in the header %s', async (header, status) => {
    const [email, name] = [`${newId()}@example.com`, 'Eve'];
    const input = { email, name, role: 'user', platformAdmin: false, project: 'Core' } as const;
    await app.db.transaction((tx) => createUser(tx, input));
    const { id: userId } = await app.db.prisma.user.findUniqueOrThrow({ where: { email } });
    const key = await app.issueKey({ userId });
    const credential = header === 'api-key' ? { key } : { key: '', headers: { authorization: `Bearer ${key}` } };
    const { called, answer } = pauseModel();
    const path = `/v1/prompt/${prompt.id}/openai`;
    const answered = app.call('POST', path, { body: { message: 'hi' }, ...credential });
    await called();
    const actor = { userId: app.author.id, kind: 'user', label: app.author.name } as const;
    await app.db.transaction((tx) => disableUser(tx, userId, actor, () => undefined));
    const other = await app.call('GET', '/v1/prompt', credential);
    const error = { code: 'forbidden', text: 'The account is not active.' };
    await app.db.transaction((tx) =>
      runs.failNextOfUser(tx, userId, { error, after: '00000000-0000-0000-0000-000000000000', limit: 10 }),
    );
    answer();
    const { body, headers } = await answered;
    expect([(await answered).status, body]).toEqual([status, other.body]);
    expect(headers.get('www-authenticate')).toBe(other.headers.get('www-authenticate'));
  });
});

describe('a run of a prompt whose process died', () => {
  it('ends as failed after four scans for expired leases, without another model call, and is reported once', async () => {
    const { fence } = await startLost();
    expect([await look(), await look(), await look()]).toEqual([0, 0, 0]);
    expect(await rows()).toMatchObject([{ state: 'running' }]);
    expect(await look()).toBe(1);
    expect(await look()).toBe(0);
    const [run] = await rows();
    expect(run).toMatchObject({ id: fence.runId, state: 'failed', error_code: 'process_lost', lease_until: null });
    expect(run?.events.map(({ type, data }) => [type, data])).toEqual([
      ['run.running', {}],
      ['run.failed', { code: 'process_lost' }],
    ]);
    expect([app.model.requests.length, (await usage()).length]).toEqual([0, 0]);
  });

  it('does not end when its lease is renewed in time', async () => {
    const { fence } = await startLost();
    for (let n = 0; n < 3; n += 1) await look();
    await app.db.prisma.$executeRaw`
      UPDATE runs SET lease_until = now() + interval '10 seconds' WHERE id = ${fence.runId}::uuid`;
    expect(await look()).toBe(0);
    // After a renewal, the scans that find the lease expired are counted from zero.
    await lapse(fence.runId);
    expect([await look(), await look(), await look()]).toEqual([0, 0, 0]);
    expect(await rows()).toMatchObject([{ state: 'running' }]);
    expect(await look()).toBe(1);
  });

  it('records the usage of its stored steps once, and releases its reservation', async () => {
    const budget = newId();
    const row = { id: budget, project: 'Core', name: 'All', level: 'project', period: 'total', unit: 'tokens' };
    await app.db.transaction(async (tx) => {
      await tx.budget.create({ data: { ...row, amount: toCounted('tokens', 1_000_000), created_by: app.author.id } });
      await tx.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;
    });
    const fake = { name: 'fake-model', endpoint: null, contextWindow: 1_000, fallbacks: [], timeoutMs: 1_000 };
    const models = createModels({ models: [fake], fetch });
    const spending = createSpending({ db: app.db, models: { of: () => models } });
    const { caller, fence } = await startLost(2);
    await spending.reserve({ caller, run: fence }, { messages: [{ role: 'user', content: 'hi' }] });
    const reserved = async () =>
      Number((await app.db.prisma.budgetWindow.findFirstOrThrow({ where: { budget_id: budget } })).reserved);
    expect(await reserved()).toBeGreaterThan(0);
    while ((await look()) === 0);
    expect(await reserved()).toBe(0);
    expect(await usage()).toMatchObject([
      {
        id: fence.runId,
        project: 'Core',
        user_id: app.author.id,
        model: 'fake-model',
        kind: 'prompt_run',
        key_id: keyId,
      },
    ]);
    const [{ prompt_tokens, completion_tokens, cost_usd } = {}] = await usage();
    expect([prompt_tokens, completion_tokens, Number(cost_usd)]).toEqual([6, 4, 0.000014]);
    await models.close();
    await app.db.prisma.budget.deleteMany();
  });

  it('ends only once when two processes scan concurrently', async () => {
    const other = await app.startReplica();
    const { fence } = await startLost();
    const both = () => Promise.all([look(), other.promptRuns.lost.look()]);
    for (let n = 0; n < 4; n += 1) await both();
    const events = (await rows()).find(({ id }) => id === fence.runId)?.events.map(({ type }) => type);
    expect(events).toEqual(['run.running', 'run.failed']);
  });
});
