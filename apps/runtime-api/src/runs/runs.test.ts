import { decodeId, encodeId, newId } from '@millwright/db';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';
import type { Run, RunDetail, RunStep, RunStepDetail } from './runs.contract.js';
import { createTestRuns, type TestRuns } from './test-runs.js';

let database: TestDatabase;
let runtime: TestRuntime;
let runs: TestRuns;
let ann: TestUser;
let ben: TestUser;
let asAnn: HttpClient;
let asAdmin: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  runs = createTestRuns(runtime);
  [ann, ben] = [await runtime.newUser('ann@example.com'), await runtime.newUser('ben@example.com')];
  const admin = await runtime.newUser('grace@example.com', { role: 'admin' });
  asAnn = runtime.as(await runtime.newToken({ userId: ann.id }));
  asAdmin = runtime.as(await runtime.newToken({ userId: admin.id }));
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

const path = '/api/v1/runs';
const error = { code: 'unavailable', status: 429, text: 'upstream words' };

async function listed(call: HttpClient, query: Record<string, string | number>): Promise<string[]> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { status, body } = await call('GET', `${path}?${text.toString()}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body as Page<Run>).items.map(({ id }) => id);
}

/** Creates a conversation with one message of a user. */
async function newContext({ id: user_id }: TestUser, content: string) {
  const context = await runtime.db.prisma.context.create({ data: { id: newId(), project: 'Core', user_id } });
  const message = await runtime.db.prisma.contextMessage.create({
    data: { id: newId(), context_id: context.id, seq: 1, role: 'user', content },
  });
  return { contextId: context.id, messageId: message.id };
}

describe('GET /api/v1/runs', () => {
  it("lists the caller's own runs, latest first, in pages", async () => {
    const own = [await runs.start(ann), await runs.start(ann), await runs.start(ann)];
    await runs.start(ben);
    await runs.start(ann, { project: 'Commerce' });
    const ids = own.map(({ id }) => id).reverse();
    expect(await listed(asAnn, {})).toEqual(ids);
    const first = (await asAnn('GET', `${path}?limit=2`)).body as Page<Run>;
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = (await asAnn('GET', `${path}?limit=2&cursor=${first.next_cursor ?? ''}`)).body as Page<Run>;
    expect(rest).toMatchObject({ items: [{ id: ids[2] }], next_cursor: null });
  });

  it('lists the runs of all users of the project with runs:read_all, and only own runs without it', async () => {
    const name = newId();
    const subject = { kind: 'agent', id: newId(), name, version: 1 } as const;
    const [first, second] = [await runs.start(ann, { subject }), await runs.start(ben, { subject })];
    await runs.start(ann, { subject, project: 'Commerce' });
    expect(await listed(asAdmin, { agent: name })).toEqual([second.id, first.id]);
    expect(await listed(asAnn, { agent: name })).toEqual([first.id]);
    expect(await listed(asAnn, { user: encodeId('usr', ben.id) })).toEqual([]);
    const token = await runtime.newToken({ userId: ann.id, scopes: ['runs:read', 'runs:read_all'] });
    expect(await listed(runtime.as(token), { agent: name })).toEqual([first.id]);
  });

  it('finds runs by each filter', async () => {
    const prompt = { kind: 'prompt', id: newId(), name: 'Summary', version: 1 } as const;
    const agent = await runtime.newAgent({ name: 'Filtered' });
    const subject = { kind: 'agent', id: agent.id, name: 'filtered', version: 1 } as const;
    const beginning = new Date().toISOString();
    const busy = await runs.start(ben, { subject, channel: 'a2a' });
    const other = await runs.start(ben, { subject: prompt, channel: 'prompt', model: 'other' });
    await runs.callTool(busy, 'weather');
    const failing = await runs.start(ben, { subject });
    await runs.end(failing, 'failed', { error });
    const waiting = await runs.start(ben, { subject });
    await runs.callTool(waiting, 'pay', 'unknown');
    await runtime.db.transaction((tx) => runs.runs.wait(tx, waiting, 'outcome'));
    await runtime.db.prisma.run.update({
      where: { id: busy.runId },
      data: { started_at: new Date(Date.now() - 90_000) },
    });
    const user = encodeId('usr', ben.id);
    const found = (query: Record<string, string | number>) => listed(asAdmin, { user, since: beginning, ...query });

    expect(await found({})).toEqual([waiting.id, failing.id, other.id, busy.id]);
    expect(await found({ agent: 'filtered' })).toEqual([waiting.id, failing.id, busy.id]);
    expect(await found({ agent: encodeId('ag', agent.id) })).toEqual([waiting.id, failing.id, busy.id]);
    expect(await found({ agent: 'nobody' })).toEqual([]);
    expect(await found({ prompt: prompt.id })).toEqual([other.id]);
    expect(await found({ state: 'waiting' })).toEqual([waiting.id]);
    expect(await found({ waiting_for: 'outcome' })).toEqual([waiting.id]);
    expect(await found({ waiting_for: 'approval,outcome' })).toEqual([waiting.id]);
    expect(await found({ waiting_for: 'budget,child,outcome' })).toEqual([waiting.id]);
    expect(await found({ waiting_for: 'approval,budget' })).toEqual([]);
    expect(await found({ waiting_for: 'outcome', state: 'running' })).toEqual([]);
    expect(await found({ state: 'failed' })).toEqual([failing.id]);
    expect(await found({ state: 'completed' })).toEqual([]);
    expect(await found({ channel: 'a2a' })).toEqual([busy.id]);
    expect(await found({ model: 'other' })).toEqual([other.id]);
    expect(await found({ tool: 'weather' })).toEqual([busy.id]);
    expect(await found({ min_cost: 0.2 })).toEqual([waiting.id, busy.id]);
    expect(await found({ min_cost: 0.3 })).toEqual([]);
    expect(await found({ min_duration: 60 })).toEqual([busy.id]);
    expect(await found({ has_error: 'true' })).toEqual([waiting.id, failing.id]);
    expect(await found({ has_error: 'false' })).toEqual([other.id, busy.id]);
    expect(await found({ until: beginning })).toEqual([]);
    expect(await listed(asAdmin, { user, until: beginning })).not.toContain(busy.id);
    expect(await listed(asAdmin, { state: 'failed', since: beginning })).toEqual([failing.id]);
    expect(await listed(asAdmin, { prompt: prompt.id })).toEqual([other.id]);
  });

  it('lists the runs of a conversation of the prompt API, each with the id of the message that has its answer', async () => {
    const subject = { kind: 'prompt', id: newId(), name: 'Summary', version: 1 } as const;
    const [conversation, message] = [newId(), newId()];
    const run = await runs.start(ann, { subject, channel: 'prompt' });
    await runtime.db.prisma.run.update({
      where: { id: run.runId },
      data: { conversation_id: conversation, answer_id: message },
    });
    await runs.start(ann, { subject, channel: 'prompt' });
    const { body } = await asAnn('GET', `${path}?conversation_id=${conversation}`);
    expect((body as Page<Run>).items).toMatchObject([
      { id: run.id, conversation: { id: conversation, message_id: message } },
    ]);
    const asBen = runtime.as(await runtime.newToken({ userId: ben.id }));
    expect(await listed(asBen, { conversation_id: conversation })).toEqual([]);
    expect((await asAnn('GET', `${path}?conversation_id=ctx`)).status).toBe(400);
  });

  it.each([
    ['limit', '101'],
    ['limit', '0'],
    ['cursor', 'x'],
    ['user', 'x'],
    ['prompt', 'x'],
    ['state', 'done'],
    ['channel', 'mail'],
    ['waiting_for', 'weather'],
    ['waiting_for', 'outcome,'],
    ['since', '2026-01-01'],
    ['until', 'now'],
    ['min_cost', '-1'],
    ['min_duration', 'x'],
    ['has_error', 'yes'],
    ['tool', 'x'.repeat(201)],
  ])('answers 400 for %s=%s', async (field, value) => {
    const { status, body } = await asAdmin('GET', `${path}?${field}=${value}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { details: { field } } } });
  });
});

describe('GET /api/v1/runs/{run_id}', () => {
  it('answers the run with its message, its answer and its totals', async () => {
    const { contextId, messageId } = await newContext(ann, 'What is the weather?');
    const run = await runs.start(ann, { contextId, messageId, traceId: 'abc', metadata: { ticket: 7 } });
    await runs.callTool(run, 'weather');
    await runs.end(run, 'completed', { output: 'Sunny' });
    const { status, body, headers } = await asAnn('GET', `${path}/${run.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: run.id,
      state: 'completed',
      waiting_for: null,
      subject: { kind: 'agent', name: 'guide', version: 3 },
      user: { id: encodeId('usr', ann.id), name: ann.actor.label },
      channel: 'messages',
      title: 'What is the weather?',
      input: 'What is the weather?',
      output: 'Sunny',
      context_id: encodeId('ctx', contextId),
      ...{ steps: 2, tool_calls: 1, prompt_tokens: 10, completion_tokens: 5, cost_usd: 0.25 },
      ...{ is_own: true, attempt: 1, trace_id: 'abc', metadata: { ticket: 7 }, error: null, feedback: null },
    });
    const tag = headers.get('etag') ?? '';
    expect((await asAnn('GET', `${path}/${run.id}`, { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await asAdmin('GET', `${path}/${run.id}`)).body).toMatchObject({ id: run.id, is_own: false });
  });

  it('returns the position of a queued run among the queued runs of its project', async () => {
    // Queues runs behind a running run of the same conversation, so that no process takes them.
    const { contextId, messageId } = await newContext(ann, 'Hello');
    const busy = await runs.start(ann, { contextId, messageId });
    await runtime.db.prisma.run.update({
      where: { id: busy.runId },
      data: { lease_until: new Date(Date.now() + 3_600_000) },
    });
    const inState = async (state: string, over: object = {}) => {
      const run = await runs.start(ann, { contextId, messageId });
      await runtime.db.prisma.run.update({ where: { id: run.runId }, data: { state, lease_until: null, ...over } });
      return run;
    };
    const positionOf = async ({ id }: { id: string }) =>
      ((await asAnn('GET', `${path}/${id}`)).body as RunDetail).queue_position;
    const first = await inState('queued');
    await inState('queued', { project: 'Commerce' });
    await inState('waiting', { waiting_for: 'approval' });
    const child = await inState('queued', { depth: 1 });
    const second = await inState('queued', { attempt: 2 });
    expect([await positionOf(first), await positionOf(second), await positionOf(child)]).toEqual([1, 2, null]);
    await runtime.db.transaction((tx) => runs.runs.cancel(tx, first.runId));
    expect([await positionOf(first), await positionOf(second)]).toEqual([null, 1]);
    await runtime.db.prisma.run.deleteMany({ where: { context_id: contextId } });
  });

  it("returns an upstream's error message only to readers of all runs of the project", async () => {
    const run = await runs.start(ann);
    await runs.end(run, 'failed', { error });
    const { error: own } = (await asAnn('GET', `${path}/${run.id}`)).body as RunDetail;
    expect(own).toMatchObject({ code: 'unavailable', status: null, detail: null });
    expect(JSON.stringify(own)).not.toContain('upstream words');
    const { error: full } = (await asAdmin('GET', `${path}/${run.id}`)).body as RunDetail;
    expect(full).toMatchObject({ code: 'unavailable', status: 429, detail: 'upstream words' });
  });

  it("answers 404 for another user's run, as for an unknown run", async () => {
    const run = await runs.start(ben);
    for (const suffix of ['', '/steps', '/steps/1']) {
      const [foreign, unknown] = await Promise.all(
        [run.id, encodeId('run', newId())].map((id) => asAnn('GET', `${path}/${id}${suffix}`)),
      );
      expect(foreign?.status).toBe(404);
      expect(foreign?.body).toEqual(unknown?.body);
    }
    expect((await asAdmin('GET', `${path}/${run.id}`)).status).toBe(200);
  });
});

describe('GET /api/v1/runs/{run_id}/steps', () => {
  it('answers the steps in order, in pages', async () => {
    const run = await runs.start(ann);
    await runs.callTool(run, 'weather', 'failed');
    await runs.callTool(run, 'pay', 'unknown');
    const { items, next_cursor } = (await asAnn('GET', `${path}/${run.id}/steps?limit=3`)).body as Page<RunStep>;
    expect(items).toMatchObject([
      { seq: 1, kind: 'model', outcome: 'succeeded', model: 'house', calls: [{ name: 'weather' }], cost_usd: 0.25 },
      {
        seq: 2,
        kind: 'tool',
        outcome: 'failed',
        tool: 'weather',
        server: 'ms_1',
        arguments: '{"a":1}',
        result: 'done',
      },
      { seq: 3, kind: 'model' },
    ]);
    expect(items[1]?.error).toMatchObject({ code: 'unavailable', status: null, detail: null });
    const rest = (await asAdmin('GET', `${path}/${run.id}/steps?cursor=${next_cursor ?? ''}`)).body;
    expect(rest).toMatchObject({ items: [{ seq: 4, outcome: 'unknown', asked_by: 3 }], next_cursor: null });
    expect((await asAnn('GET', `${path}/${run.id}/steps?cursor=x`)).status).toBe(400);
  });

  it('answers only the steps with the requested outcome, and 400 for an unknown outcome', async () => {
    const run = await runs.start(ann);
    for (const outcome of ['unknown', 'succeeded', 'unknown'] as const) await runs.callTool(run, 'pay', outcome);
    const unknown = (query: string) => asAnn('GET', `${path}/${run.id}/steps?${query}`);
    expect((await unknown('outcome=unknown')).body).toMatchObject({
      items: [{ seq: 2 }, { seq: 6 }],
      next_cursor: null,
    });
    expect((await unknown('outcome=unknown&limit=1')).body).toMatchObject({ items: [{ seq: 2 }], next_cursor: '2' });
    expect((await unknown('outcome=failed')).body).toEqual({ items: [], next_cursor: null });
    expect((await unknown('outcome=lost')).status).toBe(400);
  });

  it('ends a page after 8 MiB of long texts, and answers each step once', async () => {
    const run = await runs.start(ann);
    for (let n = 0; n < 6; n += 1) await runs.callTool(run, 'read');
    await runtime.db.prisma.$executeRaw`
      UPDATE run_steps SET result = repeat('x', 1000000), answer = repeat('y', 1000000) WHERE run_id = ${run.runId}::uuid`;
    const seen: number[] = [];
    let cursor: string | null = '0';
    let pages = 0;
    while (cursor !== null && pages < 20) {
      const page: Page<RunStep> = (await asAnn('GET', `${path}/${run.id}/steps?cursor=${cursor}`))
        .body as Page<RunStep>;
      expect(JSON.stringify(page).length).toBeLessThan(11_000_000);
      seen.push(...page.items.map(({ seq }) => seq));
      cursor = page.next_cursor;
      pages += 1;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(pages).toBe(3);
  });
});

describe('GET /api/v1/runs/{run_id}/steps/{seq}', () => {
  it('answers a step with the messages that the model read', async () => {
    const run = await runs.start(ann, await newContext(ann, 'Hello'));
    await runs.callTool(run, 'weather');
    await runtime.db.prisma.runStep.updateMany({ where: { run_id: run.runId, seq: 1 }, data: { through_seq: 1 } });
    const step = (await asAnn('GET', `${path}/${run.id}/steps/1`)).body as RunStepDetail;
    expect(step).toMatchObject({
      seq: 1,
      messages: [{ role: 'user', content: 'Hello', calls: null }],
      added: [{ role: 'system', content: 'Be brief.' }],
    });
    for (const seq of ['3', '0', '-1', 'x', '99999999999'])
      expect((await asAnn('GET', `${path}/${run.id}/steps/${seq}`)).status).toBe(404);
  });
});

describe('PUT /api/v1/runs/{run_id}/feedback', () => {
  it("stores, changes and removes the rating of the caller's own run, each with an audit row", async () => {
    const run = await runs.start(ann);
    const put = (json: object) => asAnn('PUT', `${path}/${run.id}/feedback`, { json });
    expect(await put({ rating: 'down', comment: 'wrong' })).toMatchObject({
      status: 200,
      body: { rating: 'down', comment: 'wrong' },
    });
    const read = async () => (await asAnn('GET', `${path}/${run.id}`)).body;
    expect(await read()).toMatchObject({ feedback: 'down', feedback_comment: 'wrong' });
    await put({ rating: 'up' });
    expect(await read()).toMatchObject({ feedback: 'up', feedback_comment: null });
    await put({ rating: null });
    expect(await read()).toMatchObject({ feedback: null, feedback_comment: null });
    const rows = await runtime.db.prisma.governanceDecision.findMany({
      where: { resource: run.id },
      orderBy: { id: 'asc' },
    });
    expect(rows.map(({ action, detail }) => [action, detail])).toEqual([
      ['run.feedback', { rating: 'down' }],
      ['run.feedback', { rating: 'up' }],
      ['run.feedback', { rating: null }],
    ]);
  });

  it("answers 403 to an administrator for another user's run, and leaves its rating unchanged", async () => {
    const run = await runs.start(ann);
    const put = (call: HttpClient, json: object) => call('PUT', `${path}/${run.id}/feedback`, { json });
    await put(asAnn, { rating: 'up', comment: 'mine' });
    expect((await put(asAdmin, { rating: 'down', comment: 'not mine' })).status).toBe(403);
    expect((await asAdmin('GET', `${path}/${run.id}`)).body).toMatchObject({
      feedback: 'up',
      feedback_comment: 'mine',
    });
  });

  it("answers 404 for another user's run, and 400 for an invalid rating", async () => {
    const run = await runs.start(ben);
    const put = (json: object, id = run.id) => asAnn('PUT', `${path}/${id}/feedback`, { json });
    expect((await put({ rating: 'up' })).status).toBe(404);
    expect(await put({ rating: 'good' })).toMatchObject({
      status: 400,
      body: { error: { details: { field: 'rating' } } },
    });
    expect((await put({ rating: 'up', comment: 'x'.repeat(2_001) })).status).toBe(400);
    const row = await runtime.db.prisma.run.findUniqueOrThrow({ where: { id: decodeId('run', run.id) ?? '' } });
    expect(row.feedback).toBeNull();
  });
});
