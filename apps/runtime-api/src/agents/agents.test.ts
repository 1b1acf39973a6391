import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;
let call: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  call = runtime.as(token);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const registry = async (by = call) =>
  ((await by('GET', '/api/v1/agents/registry')).body as { agents: { name: string; status: string }[] }).agents;
const statusOf = async (name: string, by = call) => (await registry(by)).find((agent) => agent.name === name)?.status;

it('GET /api/v1/agents/registry lists the built-in agent when the project has no agents', async () => {
  const { status, body } = await call('GET', '/api/v1/agents/registry');
  expect([status, body]).toMatchObject([200, { agents: [{ name: 'concierge', status: 'running' }] }]);
});

describe('the agent registry', () => {
  beforeAll(async () => {
    const skills = [
      { name: 'Summaries', description: 'Shortens texts.', instructions: 'Internal wording.' },
      { name: 'Retired', status: 'inactive' as const },
      { name: 'Letters', description: 'Writes letters.' },
    ];
    await runtime.newAgent({ name: 'Scribe', description: 'Writes texts.', instructions: 'Internal orders.', skills });
    await runtime.newAgent({ name: 'Asleep', status: 'inactive' });
    await runtime.newAgent({ name: 'Lost', model: 'gone' });
    await runtime.newAgent({ name: 'Foreign', project: 'Commerce' });
  });

  const scribe = {
    name: 'scribe',
    status: 'running',
    endpoint: `${RUNTIME_URL}/api/v1/agents/scribe/a2a`,
    capabilities: ['Summaries', 'Letters'],
  };

  it("lists the project's agents, oldest first", async () => {
    const { body, headers } = await call('GET', '/api/v1/agents/registry');
    expect(body).toEqual({
      agents: [
        scribe,
        { name: 'asleep', status: 'stopped', endpoint: `${RUNTIME_URL}/api/v1/agents/asleep/a2a`, capabilities: [] },
        { name: 'lost', status: 'degraded', endpoint: `${RUNTIME_URL}/api/v1/agents/lost/a2a`, capabilities: [] },
      ],
    });
    expect(Number(headers.get('x-ratelimit-limit'))).toBe(10_000_000);
  });

  it('returns one agent with its description, its skills and an ETag, but without its instructions', async () => {
    const { status, body, text, headers } = await call('GET', '/api/v1/agents/scribe');
    expect([status, body]).toEqual([
      200,
      {
        ...scribe,
        description: 'Writes texts.',
        skills: [
          { name: 'Summaries', description: 'Shortens texts.' },
          { name: 'Letters', description: 'Writes letters.' },
        ],
        stopped_at: null,
      },
    ]);
    expect(text).not.toContain('Internal');
    const tag = String(headers.get('etag'));
    expect(tag).toMatch(/^"c-0-[0-9a-f]{32}"$/);
    const again = await call('GET', '/api/v1/agents/scribe', { headers: { 'if-none-match': tag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each(['nobody', 'foreign', 'Scribe', 'SCRIBE', 'scribe%20', 'scribe%00', '%F0%9F%A6%8A', 'a'.repeat(2_000)])(
    'answers 404 for the agent name %.20s',
    async (name) => {
      const { status, body } = await call('GET', `/api/v1/agents/${name}`);
      expect([status, body]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
    },
  );

  it.each(['%', '%zz', '%C3%28'])('answers 4xx to the badly encoded path %s', async (name) => {
    const { status, body } = await call('GET', `/api/v1/agents/${name}`);
    expect([400, 404]).toContain(status);
    expect(body).toMatchObject({ error: { details: expect.any(Object) as object } });
  });

  it('shows the agents of a project to no other project', async () => {
    const other = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    expect((await registry(other)).map(({ name }) => name)).toEqual(['foreign']);
    expect((await other('GET', '/api/v1/agents/scribe')).status).toBe(404);
  });

  it("shows an agent as degraded in a process whose calls of the agent's model fail, and as running in other processes", async () => {
    model.answerWith({ reset: true });
    const by = (await runtime.start({ modelTimeoutMs: 3_000 })).as(token);
    expect(await statusOf('scribe', by)).toBe('running');
    for (let n = 0; n < 5 && (await statusOf('scribe', by)) === 'running'; n++) {
      expect((await by('POST', '/api/v1/agents/scribe/messages', { json: { content: 'Hi' } })).status).toBe(503);
    }
    expect(await statusOf('scribe', by)).toBe('degraded');
    expect(await statusOf('asleep', by)).toBe('stopped');
    expect(await statusOf('scribe')).toBe('running');
    model.answerWith('Hello.');
  });

  it('answers 403 without the scope agents:read', async () => {
    const by = runtime.as(await runtime.newToken({ scopes: ['agents:message', 'skills:read'] }));
    for (const path of ['/api/v1/agents/registry', '/api/v1/agents/scribe']) {
      const { status, body } = await by('GET', path);
      expect([status, body]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
    }
    const denied = await runtime.db.prisma.governanceDecision.findMany({
      where: { decision: 'deny', action: 'getAgent' },
    });
    expect(denied).toMatchObject([
      { user_id: runtime.owner.id, resource: '/api/v1/agents/scribe', reason: 'scope agents:read is missing' },
    ]);
  });
});
