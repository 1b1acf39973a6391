import { encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { agentIdOf, startRuntime, type Replica, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
let token: string;
let call: HttpClient;
let asAdmin: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  other = await runtime.start({ modelTimeoutMs: 60_000 });
  const admin = await runtime.newUser('grace@example.com', { role: 'admin' });
  token = await runtime.newToken({ scopes: ['agents:read', 'agents:message', 'runs:read'] });
  call = runtime.as(token);
  asAdmin = runtime.as(await runtime.newToken({ userId: admin.id }));
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

async function newAgent(): Promise<string> {
  const slug = `worker${newId().slice(-8)}`;
  await runtime.newAgent({ name: slug });
  return slug;
}
const stop = (slug: string) => asAdmin('POST', `/api/v1/agents/${slug}/stop`);
const release = (slug: string) => asAdmin('POST', `/api/v1/agents/${slug}/release`);
const start = (slug: string, by = call) => by('POST', '/api/v1/runs', { json: { agent: slug, content: 'Work' } });
const codeOf = (body: unknown) => (body as { error: { code: string } }).error.code;

async function statesOf(slug: string): Promise<Record<string, number>> {
  const where = { subject_id: await agentIdOf(runtime, slug) };
  const groups = await runtime.db.prisma.run.groupBy({ by: ['state'], where, _count: true });
  return Object.fromEntries(groups.map(({ state, _count }) => [state, _count]));
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50));
}
const haveEnded = (slug: string) =>
  until(async () => {
    const { queued = 0, running = 0, waiting = 0 } = await statesOf(slug);
    return queued + running + waiting === 0;
  });

/** Adds queued runs that no process executes, as after an outage. */
async function addQueued(slug: string, count: number): Promise<void> {
  const { userId, ...rest } = runtime.owner.actor;
  const caller = JSON.stringify({ project: 'Core', actor: { userId, ...rest }, scopes: [], mcpTools: null });
  await database.sql`
    INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, subject_version, channel, caller, state)
    SELECT gen_random_uuid(), 'Core', ${userId}::uuid, 'agent', ${await agentIdOf(runtime, slug)}::uuid, ${slug}, 1, 'messages',
           ${caller}::json, 'queued' FROM generate_series(1, ${count}::int)`;
}

describe('POST /api/v1/agents/{agent_name}/stop', () => {
  it("cancels the agent's runs and their model calls in all processes, and refuses new runs until the agent is released", async () => {
    const slug = await newAgent();
    const asked = model.requests.length;
    model.answerWith(() => new Promise<string>(() => undefined));
    const runs = [await start(slug), await start(slug, other.as(token)), await start(slug, other.as(token))];
    expect(runs.map(({ status }) => status)).toEqual([202, 202, 202]);
    await until(() => model.requests.length === asked + 3);
    const stopped = await stop(slug);
    expect([stopped.status, await statesOf(slug)]).toEqual([200, { canceled: 3 }]);
    await until(() => model.requests.slice(asked).every(({ aborted }) => aborted));

    const refused = [
      await start(slug),
      await call('POST', `/api/v1/agents/${slug}/messages`, { json: { content: 'Work' } }),
    ];
    expect(refused.map(({ status, body }) => [status, codeOf(body)])).toEqual([
      [409, 'AGENT_STOPPED'],
      [409, 'AGENT_STOPPED'],
    ]);
    expect(await statesOf(slug)).toEqual({ canceled: 3 });
    const { stopped_at } = stopped.body as { stopped_at: string };
    expect((await call('GET', `/api/v1/agents/${slug}`)).body).toMatchObject({ status: 'stopped', stopped_at });
    expect((await stop(slug)).body).toEqual({ name: slug, stopped_at });

    model.answerWith('Back.');
    expect((await release(slug)).body).toEqual({ name: slug, stopped_at: null });
    expect((await release(slug)).status).toBe(200);
    const again = await call('POST', `/api/v1/agents/${slug}/messages`, { json: { content: 'Work' } });
    expect([again.status, (again.body as { content: string }).content]).toEqual([200, 'Back.']);
    const resource = encodeId('ag', await agentIdOf(runtime, slug));
    const rows = await runtime.db.prisma.governanceDecision.findMany({ where: { resource }, orderBy: { id: 'asc' } });
    expect(rows.map(({ action }) => action)).toEqual(['agent.stop', 'agent.release']);
  });

  it('cancels all of 60 runs that two processes start at the same time', async () => {
    const slug = await newAgent();
    model.answerWith(() => new Promise<string>(() => undefined));
    const starting = Array.from({ length: 60 }, (_, n) => start(slug, n % 2 === 0 ? call : other.as(token)));
    await until(async () => Object.keys(await statesOf(slug)).length > 0);
    const stopping = stop(slug);
    const answers = await Promise.all(starting);
    await stopping;
    await haveEnded(slug);
    const started = answers.filter(({ status }) => status === 202).length;
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused.filter(({ body }) => codeOf(body) !== 'AGENT_STOPPED')).toEqual([]);
    expect(await statesOf(slug)).toEqual({ canceled: started });
  });

  it('cancels thousands of queued runs in steps; a request to release the agent is answered with 409 until the last run is canceled', async () => {
    const slug = await newAgent();
    await addQueued(slug, 5_000);
    await stop(slug);
    await addQueued(slug, 1); // a process of the former release may set this state
    for (;;) {
      const { status, body } = await release(slug);
      if (status === 200) break;
      expect([status, codeOf(body)]).toEqual([409, 'CONFLICT']);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await statesOf(slug)).toEqual({ canceled: 5_001 });
  });

  it('does not affect the runs of other agents', async () => {
    const [slug, neighbour] = [await newAgent(), await newAgent()];
    model.answerWith(() => new Promise<string>(() => undefined));
    const { body } = await start(neighbour);
    await stop(slug);
    expect(await statesOf(neighbour)).toEqual({ running: 1 });
    await call('POST', `/api/v1/runs/${(body as { id: string }).id}/cancel`);
  });

  it('needs the scope admin, and answers 404 for an agent of another project and 400 for the built-in agent', async () => {
    await runtime.newAgent({ name: 'Elsewhere', project: 'Commerce' });
    for (const way of ['stop', 'release']) {
      expect((await call('POST', `/api/v1/agents/elsewhere/${way}`)).status).toBe(403);
      expect((await asAdmin('POST', `/api/v1/agents/elsewhere/${way}`)).status).toBe(404);
      expect((await asAdmin('POST', `/api/v1/agents/concierge/${way}`)).status).toBe(400);
    }
  });
});
