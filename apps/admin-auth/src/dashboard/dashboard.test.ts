import { issueApiKey } from '@millwright/accounts';
import { recordDecision } from '@millwright/audit';
import { decodeId, encodeId, newId } from '@millwright/db';
import {
  createHttpClient,
  createTestDatabase,
  freePort,
  listen,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import type { Usage } from './usage.contract.js';

let database: TestDatabase;
let site: TestConsole;
let area: ListeningApp;
let root: { id: string; name: string; project: string };
let clients: Record<'root' | 'core' | 'commerce' | 'user' | 'anonymous', HttpClient>;

beforeAll(async () => {
  database = await createTestDatabase();
  area = await listen((_request, response) => response.end('{}'));
  const settings = { RUNTIME_API_TARGETS: [area.url], PROMPT_API_TARGETS: [`http://127.0.0.1:${await freePort()}`] };
  site = await startConsole(database.url, { settings });
  root = await site.addUser({ email: 'root@example.com', name: 'Root', role: 'admin', platformAdmin: true });
  const as = async (email: string, over: object) =>
    (await site.signIn(await site.addUser({ email, name: email, ...over }))).client;
  clients = {
    root: (await site.signIn(root)).client,
    core: await as('core@example.com', { role: 'admin' }),
    commerce: await as('commerce@example.com', { role: 'admin', project: 'Commerce' }),
    user: await as('user@example.com', {}),
    anonymous: createHttpClient(site.url),
  };
});
afterAll(async () => {
  await site.close();
  await area.close();
  await database.drop();
});

const PATHS = ['', '/usage', '/areas', '/activity'].map((path) => `/admin/api/dashboard${path}`);

describe('/admin/api/dashboard', () => {
  it.each(PATHS)('GET %s is answered to admins only', async (path) => {
    expect((await clients.anonymous('GET', path)).status).toBe(401);
    expect((await clients.user('GET', path)).status).toBe(403);
    expect((await clients.core('GET', path)).status).toBe(200);
  });

  it.each(PATHS.slice(0, 2))(
    '%s shows an admin their project, and a platform admin all projects or the requested one',
    async (path) => {
      const projectOf = async (client: HttpClient, query = '') =>
        ((await client('GET', `${path}${query}`)).body as { project: string | null }).project;
      expect(await projectOf(clients.core)).toBe('Core');
      expect(await projectOf(clients.commerce)).toBe('Commerce');
      expect(await projectOf(clients.commerce, '?project=Commerce')).toBe('Commerce');
      expect(await projectOf(clients.root)).toBeNull();
      expect(await projectOf(clients.root, '?project=Commerce')).toBe('Commerce');
      expect((await clients.commerce('GET', `${path}?project=Core`)).status).toBe(403);
    },
  );

  it('counts the records of the project, and the users who may sign in', async () => {
    await site.addUser({ email: 'gone@example.com' });
    await site.db.prisma.user.update({ where: { email: 'gone@example.com' }, data: { status: 'inactive' } });
    const read = async (client: HttpClient) => (await client('GET', '/admin/api/dashboard')).body;
    expect(await read(clients.commerce)).toEqual({
      project: 'Commerce',
      records: { users: 1, skills: 0, agents: 0, prompts: 0 },
      registration_open: true,
      quarantined: [],
      expiring_keys: [],
    });
    expect(await read(clients.root)).toMatchObject({ records: { users: 4 } });
  });

  it("lists the project's servers with unapproved tools, and the project's keys that expire soon", async () => {
    const server = {
      id: newId(),
      project: 'Core',
      name: 'Mill',
      slug: 'mill',
      url: 'https://x.test',
      created_by: root.id,
    };
    await site.db.prisma.mcpServer.create({ data: server });
    const tool = { server_id: server.id, description: '', input_schema: {} };
    const [hash, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const approved = { approved_hash: hash, approved_description: '', approved_input_schema: {} };
    await site.db.prisma.mcpTool.createMany({
      data: [
        { ...tool, name: 'approved', hash, ...approved },
        { ...tool, name: 'changed', hash: other, ...approved },
        { ...tool, name: 'new', hash },
        { ...tool, name: 'removed', hash, ...approved, present: false },
      ],
    });
    const actor = { userId: root.id, kind: 'user', label: 'Root' } as const;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const issue = (name: string, expires_at: Date | null, more: object = {}) =>
      site.db.transaction(async (tx) => {
        const key = { userId: root.id, name, scopes: ['*'], plan: 'standard', project: 'Core' } as const;
        const { id } = await issueApiKey(tx, { ...key, scopes: ['*'] }, actor);
        await tx.userApiKey.update({ where: { id: decodeId('key', id) ?? '' }, data: { expires_at, ...more } });
        return id;
      });
    const soon = await issue('soon', inDays(13));
    await issue('later', inDays(15));
    await issue('never', null);
    await issue('over', inDays(-1));
    await issue('revoked', inDays(1), { revoked_at: new Date() });
    const body = (await clients.core('GET', '/admin/api/dashboard')).body;
    expect(body).toMatchObject({
      quarantined: [{ server_id: encodeId('ms', server.id), name: 'Mill', project: 'Core', tools: 3 }],
      expiring_keys: [{ id: soon, name: 'soon', owner: { id: encodeId('usr', root.id), name: 'Root' } }],
    });
    expect((body as { expiring_keys: unknown[] }).expiring_keys).toHaveLength(1);
    expect((await clients.commerce('GET', '/admin/api/dashboard')).body).toMatchObject({
      quarantined: [],
      expiring_keys: [],
    });
  });
});

describe('GET /admin/api/dashboard/usage', () => {
  it('covers the last seven days by default, and returns the data points of each figure', async () => {
    await site.db.prisma.usageEvent.create({
      data: {
        id: newId(),
        user_id: root.id,
        project: 'Core',
        kind: 'agent_message',
        subject_id: newId(),
        model: 'house',
        prompt_tokens: 3,
        completion_tokens: 4,
      },
    });
    for (const [query, period, points] of [
      ['', '7d', 7],
      ['?period=24h', '24h', 24],
      ['?period=90d', '90d', 90],
    ] as const) {
      const { status, body } = await clients.core('GET', `/admin/api/dashboard/usage${query}`);
      expect([status, (body as Usage).period, (body as Usage).times.length]).toEqual([200, period, points]);
      expect((body as Usage).figures).toMatchObject({
        agent_messages: { value: 1, before: 0 },
        tokens: { value: 7 },
        cost_usd: { value: null },
      });
      for (const figure of Object.values((body as Usage).figures)) expect(figure.points).toHaveLength(points);
    }
  });

  it.each(['period=1d', 'period=', 'period=7d&period=30d', 'project=Other', 'project='])(
    'refuses %s with 422 in the error form of admin-auth',
    async (query) => {
      const { status, body } = await clients.root('GET', `/admin/api/dashboard/usage?${query}`);
      expect([status, body]).toMatchObject([422, { error: { code: 'validation_error', status: 422 } }]);
      expect(JSON.stringify(body)).toContain(query.split('=')[0]);
    },
  );
});

describe('GET /admin/api/dashboard/areas', () => {
  it('shows for each service whether it answers, does not answer or is not deployed', async () => {
    const { body } = await clients.core('GET', '/admin/api/dashboard/areas');
    expect(body).toEqual({
      items: [
        { area: 'platform', state: 'off', ms: null },
        { area: 'runtime', state: 'answers', ms: expect.any(Number) as number },
        { area: 'prompt', state: 'silent', ms: null },
      ],
    });
  });
});

describe('GET /admin/api/dashboard/activity', () => {
  it('lists the newest decisions first, up to a limit', async () => {
    for (let n = 0; n < 10; n += 1) await clients.user('GET', `/admin/api/nothing-${n}`);
    const { items } = (await clients.core('GET', '/admin/api/dashboard/activity')).body as {
      items: { resource: string; decision: string; user: { email: string } }[];
    };
    expect(items).toHaveLength(8);
    expect(items[0]).toMatchObject({
      resource: '/admin/api/nothing-9',
      decision: 'deny',
      user: { email: 'user@example.com' },
    });
  });

  it('omits the rows about runs of jobs unless the request includes these rows', async () => {
    const { id } = await site.db.prisma.user.findUniqueOrThrow({ where: { email: 'user@example.com' } });
    const actor = { userId: id, kind: 'job', label: 'refresh-mcp-tools' } as const;
    await site.db.transaction(async (tx) => {
      for (let n = 0; n < 10; n += 1)
        await recordDecision(tx, { actor, action: 'job.run', resource: 'refresh-mcp-tools' });
    });
    const actions = async (query: string) => {
      const { body } = await clients.core('GET', `/admin/api/dashboard/activity${query}`);
      return (body as { items: { action: string }[] }).items.map(({ action }) => action);
    };
    expect(await actions('')).not.toContain('job.run');
    expect(await actions('')).toHaveLength(8);
    expect(await actions('?job_runs=shown')).toEqual(Array(8).fill('job.run'));
  });
});
