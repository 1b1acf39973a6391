import { decodeId, encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';
import type { Run, RunDetail } from './runs.contract.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let ann: TestUser;
let asAnn: HttpClient;
let asBen: HttpClient;
let asAdmin: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  // A hundred requests take longer on a busy machine than the default time limit of the model.
  runtime = await startRuntime(database.url, model.url, { modelTimeoutMs: 60_000 });
  ann = await runtime.newUser('ann@example.com');
  const ben = await runtime.newUser('ben@example.com');
  const admin = await runtime.newUser('grace@example.com', { role: 'admin' });
  asAnn = runtime.as(await runtime.newToken({ userId: ann.id }));
  asBen = runtime.as(await runtime.newToken({ userId: ben.id }));
  asAdmin = runtime.as(await runtime.newToken({ userId: admin.id }));
  await runtime.newAgent({ name: 'Guide' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const path = '/api/v1/runs';
const messages = '/api/v1/agents/guide/messages';

const start = (json: object = {}, headers: Record<string, string> = {}, call = asAnn) =>
  call('POST', path, { json: { agent: 'guide', content: 'Hello', ...json }, headers });
/** Starts a run. Repeats the request when a busy machine could not answer in time, as clients do. */
async function startPatiently(json: object): Promise<Awaited<ReturnType<typeof start>>> {
  const answer = await start(json);
  return answer.status === 503 ? startPatiently(json) : answer;
}
const retry = (id: string, headers: Record<string, string> = {}, call = asAnn) =>
  call('POST', `${path}/${id}/retry`, { headers });
const read = async (id: string) => (await asAnn('GET', `${path}/${id}`)).body as RunDetail;

async function ended(id: string): Promise<RunDetail> {
  for (;;) {
    const run = await read(id);
    if (run.ended_at !== null) return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const detailsOf = (body: unknown) => (body as { error: { details: unknown } }).error.details;

/** Lets the model answer only when the returned function is called. */
function blockModel(): (answer: string) => void {
  const { promise, resolve } = Promise.withResolvers<string>();
  model.answerWith(() => promise);
  return resolve;
}

async function newCanceledRun(): Promise<string> {
  blockModel();
  const { id } = (await start({ content: `Hello ${newId()}` })).body as Run;
  await asAnn('POST', `${path}/${id}/cancel`);
  return id;
}

async function newFailedRun(): Promise<string> {
  model.answerWith({ status: 500 });
  const { body } = await start({ content: `Hello ${newId()}`, metadata: { ticket: 7 } }, { prefer: 'wait=30' });
  expect((body as Run).state).toBe('failed');
  return (body as Run).id;
}

describe('POST /api/v1/runs', () => {
  it('answers 202 with the run and its address, and executes it', async () => {
    const release = blockModel();
    const { status, body, headers } = await start({ metadata: { ticket: 7 } });
    const { id } = body as Run;
    expect([status, headers.get('location')]).toEqual([202, `${path}/${id}`]);
    expect(body).toMatchObject({
      state: 'running',
      subject: { kind: 'agent', name: 'guide' },
      user: { id: encodeId('usr', ann.id) },
      ...{ channel: 'messages', title: 'Hello', retry_of: null, ended_at: null },
    });
    release('Welcome.');
    expect(await ended(id)).toMatchObject({ state: 'completed', output: 'Welcome.', metadata: { ticket: 7 } });
    const audited = { action: 'agent.message', resource: (body as Run).context_id ?? '', user_id: ann.id };
    expect(await runtime.db.prisma.governanceDecision.count({ where: audited })).toBe(1);
  });

  it('with Prefer: wait, waits at most 60 s for the end of the run, and answers 200 with the ended run', async () => {
    model.answerWith('At once.');
    const { status, body, headers } = await start({}, { prefer: 'wait=120' });
    expect([status, headers.get('preference-applied')]).toEqual([200, 'wait=60']);
    expect(body).toMatchObject({ state: 'completed' });
    expect(headers.get('location')).toBe(`${path}/${(body as Run).id}`);
  });

  it('answers 202 when the run does not end within the preferred time', async () => {
    const release = blockModel();
    const { status, body, headers } = await start({}, { prefer: 'wait=1' });
    expect([status, headers.get('preference-applied')]).toEqual([202, 'wait=1']);
    expect(body).toMatchObject({ state: 'running' });
    release('Late.');
    await ended((body as Run).id);
  });

  it('starts one run for all requests with the same key, and replays its answer', async () => {
    model.answerWith('Once.');
    const content = `Hello ${newId()}`;
    const headers = { 'idempotency-key': newId() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => start({ content }, headers)));
    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    const replayed = await start({ content }, headers);
    const [first] = answers.filter(({ status }) => status === 202);
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(replayed.text).toBe(first?.text);
    expect(await runtime.db.prisma.contextMessage.count({ where: { content } })).toBe(1);
    const { id } = replayed.body as Run;
    const waited = await start({ content }, { ...headers, prefer: 'wait=30' });
    expect([waited.status, waited.body]).toEqual([200, expect.objectContaining({ id, state: 'completed' })]);
  });

  it('queues a run behind another run of its conversation, and executes both in order', async () => {
    const release = blockModel();
    const first = (await start()).body as Run;
    const second = (await start({ content: 'And then?', context_id: first.context_id })).body as Run;
    expect([first.state, second.state]).toEqual(['running', 'queued']);
    release('One.');
    const [one, two] = [await ended(first.id), await ended(second.id)];
    expect([one.state, two.state]).toEqual(['completed', 'completed']);
    expect(String(two.started_at) >= String(one.ended_at)).toBe(true);
  });

  it('puts the answer to each queued message directly after that message, for models of later runs and for readers', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    model.answerWith(({ body }) => {
      const newest = body.messages.at(-1)?.content;
      return newest === 'One' ? promise : newest === 'Two' ? { status: 400 } : 'Third answer.';
    });
    const one = (await start({ content: 'One' })).body as Run;
    const { context_id } = one;
    const two = (await start({ content: 'Two', context_id })).body as Run;
    const three = (await start({ content: 'Three', context_id })).body as Run;
    resolve('First answer.');
    const states = [await ended(one.id), await ended(two.id), await ended(three.id)].map(({ state }) => state);
    expect(states).toEqual(['completed', 'failed', 'completed']);
    const readByModel = ['user: One', 'assistant: First answer.', 'user: Three'];
    const sent = model.requests
      .at(-1)
      ?.body.messages.slice(1)
      .map(({ role, content }) => `${role}: ${String(content)}`);
    expect(sent).toEqual(readByModel);
    const step = (await asAnn('GET', `${path}/${three.id}/steps/1`)).body as {
      messages: { role: string; content: string }[];
    };
    expect(step.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual(readByModel);
    const { body } = await asAnn('GET', `/api/v1/agents/guide/contexts/${String(context_id)}`);
    const shown = (body as { messages: { role: string; content: string; failed: boolean }[] }).messages;
    expect(shown.filter(({ failed }) => failed).map(({ content }) => content)).toEqual(['Two']);
  });

  it('answers 409 for a conversation with 100 unfinished runs, and stores neither a run nor its message', async () => {
    const release = blockModel();
    const { id, context_id } = (await start()).body as Run;
    const bodies = await Promise.all(
      Array.from({ length: 110 }, (_, turn) => startPatiently({ content: `Turn ${turn}`, context_id })),
    );
    const refused = bodies.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(11);
    for (const { status, body } of refused) {
      const reason = 'has 100 runs that have not ended: wait for some of them';
      expect([status, detailsOf(body)]).toEqual([409, { field: 'context_id', reason }]);
    }
    const contextId = decodeId('ctx', context_id ?? '') ?? '';
    expect(await runtime.db.prisma.contextMessage.count({ where: { context_id: contextId, role: 'user' } })).toBe(100);
    await runtime.db.prisma
      .$executeRaw`UPDATE runs SET state = 'failed', ended_at = now(), error_code = 'process_lost' WHERE context_id = ${contextId}::uuid AND state = 'queued'`;
    expect((await start({ content: 'Once more', context_id })).status).toBe(202);
    release('One.');
    await ended(id);
  });

  it.each([
    ['an unknown agent', 'agent', { agent: 'nobody' }],
    ['an empty message', 'content', { content: ' ' }],
    ['metadata of more than 16 KiB', 'metadata', { metadata: { text: 'x'.repeat(17 * 1024) } }],
    ['metadata that are no object', 'metadata', { metadata: [] }],
    ['another field', 'input', { input: 'x' }],
  ])('answers 400 for %s and names the field', async (_fault, field, json) => {
    const { status, body } = await start(json);
    expect([status, detailsOf(body)]).toEqual([400, expect.objectContaining({ field })]);
  });

  it('answers 400 for an inactive agent, and 404 for a conversation of another user; neither starts a run', async () => {
    await runtime.newAgent({ name: 'Idle', status: 'inactive' });
    const before = await runtime.db.prisma.run.count();
    const idle = await start({ agent: 'idle' });
    expect([idle.status, detailsOf(idle.body)]).toEqual([400, { field: 'agent', reason: 'is inactive' }]);
    const foreign = await runtime.db.prisma.context.findFirstOrThrow({ where: { user_id: ann.id } });
    const refused = await start({ context_id: encodeId('ctx', foreign.id) }, {}, asBen);
    expect(refused.status).toBe(404);
    expect(await runtime.db.prisma.run.count()).toBe(before);
  });
});

describe('the budget of a retry', () => {
  const budgetOf = async (id: string) => {
    const budgets = await runtime.db.prisma.budget.findMany({ where: { run_id: decodeId('run', id) ?? '' } });
    return budgets.map(({ unit, amount }) => [unit, Number(amount)]);
  };

  it('is the current budget of the earlier run, or the budget in the request', async () => {
    model.answerWith({ status: 400, body: { error: { message: 'No.' } } });
    const start = { agent: 'guide', content: 'Hello', budget: { unit: 'tokens', amount: 500_000 } };
    const { body } = await asAnn('POST', path, { json: start, headers: { prefer: 'wait=30' } });
    const { id } = body as { id: string };
    await runtime.db.prisma.budget.updateMany({
      where: { run_id: decodeId('run', id) ?? '' },
      data: { amount: 600_000n },
    });
    const again = (await retry(id, { prefer: 'wait=30' })).body as { id: string };
    expect(await budgetOf(again.id)).toEqual([['tokens', 600_000]]);
    const json = { budget: { unit: 'tokens', amount: 700_000 } };
    const named = await asAnn('POST', `${path}/${id}/retry`, { json, headers: { prefer: 'wait=30' } });
    expect(await budgetOf((named.body as { id: string }).id)).toEqual([['tokens', 700_000]]);
    const wrong = { budget: { unit: 'tokens', amount: 0 } };
    expect((await asAnn('POST', `${path}/${id}/retry`, { json: wrong })).status).toBe(400);
  });
});

describe('POST /api/v1/runs/{run_id}/retry', () => {
  it('starts a new run with the conversation, message and metadata of the failed run, and names the failed run', async () => {
    const failed = await newFailedRun();
    model.answerWith('Second try.');
    const { status, body, headers } = await retry(failed);
    const { id, context_id } = body as Run;
    expect([status, headers.get('location')]).toEqual([202, `${path}/${id}`]);
    expect(await ended(id)).toMatchObject({
      ...{ state: 'completed', retry_of: failed, output: 'Second try.', metadata: { ticket: 7 } },
      input: (await read(failed)).input,
    });
    const where = { context_id: decodeId('ctx', context_id ?? '') ?? '' };
    const stored = await runtime.db.prisma.contextMessage.findMany({ where, orderBy: { seq: 'asc' } });
    expect(stored.map(({ role, failed: isFailed }) => [role, isFailed])).toEqual([
      ['user', false],
      ['assistant', null],
    ]);
  });

  it('starts a new run for a canceled run', async () => {
    blockModel();
    const { id } = (await start()).body as Run;
    await asAnn('POST', `${path}/${id}/cancel`);
    model.answerWith('Done.');
    const again = await retry(id, { prefer: 'wait=30' });
    expect([again.status, again.body]).toEqual([200, expect.objectContaining({ state: 'completed', retry_of: id })]);
  });

  it('starts the earlier version or the current version of the agent, and answers 409 when the earlier version is not stored', async () => {
    const canceled = [await newCanceledRun(), await newCanceledRun(), await newCanceledRun()];
    const { id: agent_id, version } = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { slug: 'guide' } });
    await runtime.db.prisma.agent.update({
      where: { slug: 'guide' },
      data: { instructions: 'The new way.', version: { increment: 1 } },
    });
    const again = (id: string, json: object) =>
      asAnn('POST', `${path}/${id}/retry`, { json, headers: { prefer: 'wait=30' } });
    model.answerWith('Done.');
    const [first = '', second = '', third = ''] = canceled;
    const refused = await again(first, { version: 'same' });
    expect([refused.status, detailsOf(refused.body)]).toEqual([
      409,
      { field: 'version', reason: 'is not kept any more' },
    ]);
    const { userId: created_by, kind: actor_kind, label: actor_id } = ann.actor;
    const state = { instructions: 'The old way.' };
    const author = { created_by, actor_kind, actor_id };
    await runtime.db.prisma.agentVersion.create({ data: { agent_id, version, state, changed: [], ...author } });
    const instructed = () => JSON.stringify(model.requests.at(-1)?.body.messages[0]);
    expect((await again(second, { version: 'same' })).body).toMatchObject({ state: 'completed', subject: { version } });
    expect(instructed()).toContain('The old way.');
    expect((await again(third, {})).body).toMatchObject({ state: 'completed', subject: { version: version + 1 } });
    expect(instructed()).toContain('The new way.');
    expect((await again(first, { version: 'old' })).status).toBe(400);
  });

  it('answers 409 for a completed or active run', async () => {
    const release = blockModel();
    const { id } = (await start()).body as Run;
    expect((await retry(id)).status).toBe(409);
    release('Done.');
    await ended(id);
    expect((await retry(id)).status).toBe(409);
  });

  it("answers 404 for another user's run, and 403 to an admin, because a run acts for its own user", async () => {
    const failed = await newFailedRun();
    expect((await retry(failed, {}, asBen)).status).toBe(404);
    expect((await retry(failed, {}, asAdmin)).status).toBe(403);
    expect(await runtime.db.prisma.run.count({ where: { retry_of: decodeId('run', failed) ?? '' } })).toBe(0);
  });
});

describe('POST /api/v1/agents/{agent_name}/messages with Prefer: respond-async', () => {
  const headers = { prefer: 'respond-async' };

  it('answers 202 with the run before the model has answered, and stores the answer in the conversation', async () => {
    const release = blockModel();
    const answer = await asAnn('POST', messages, { json: { content: 'Hello' }, headers });
    const { id, context_id } = answer.body as Run;
    expect([answer.status, answer.headers.get('preference-applied'), answer.headers.get('location')]).toEqual([
      202,
      'respond-async',
      `${path}/${id}`,
    ]);
    release('Later.');
    expect(await ended(id)).toMatchObject({ state: 'completed', context_id, output: 'Later.' });
  });

  it('returns the first answer when an idempotency key is repeated, and starts only one run', async () => {
    model.answerWith('Once.');
    const content = `Hello ${newId()}`;
    const send = () =>
      asAnn('POST', messages, { json: { content }, headers: { ...headers, 'idempotency-key': content.slice(6) } });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.text]).toEqual([202, first.text]);
    await ended((first.body as Run).id);
    expect(await runtime.db.prisma.contextMessage.count({ where: { content } })).toBe(1);
  });

  it('streams the answer to a client that requests a stream', async () => {
    model.answerWith('Streamed.');
    const answer = await asAnn('POST', `${messages}?stream=true`, { json: { content: 'Hello' }, headers });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
    expect(answer.text).toContain('event: message.completed');
  });
});
