import type { NewUser } from '@millwright/accounts';
import { encodeId } from '@millwright/db';
import { createTestDatabase, type ClientAnswer, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
let site: TestConsole;
let root: Person;

async function person(user: Partial<NewUser> & { email: string }, on = site) {
  const row = await on.addUser(user);
  return { ...(await on.signIn(row)), ...row, public: encodeId('usr', row.id) };
}
type Person = Awaited<ReturnType<typeof person>>;

async function open(settings: { PROJECTS_OPEN?: boolean } = {}) {
  database = await createTestDatabase();
  site = await startConsole(database.url, { settings });
  root = await person({ email: 'root@example.com', name: 'Root', platformAdmin: true });
}
afterEach(async () => {
  await site.close();
  await database.drop();
});

const create = (name: unknown, by = root) => by.client('POST', '/admin/api/enterprises', { json: { name } });
const messageOf = ({ body }: ClientAnswer) => (body as { error: { message: string } }).error.message;
const projectsOf = async ({ client }: Person) => (await client('GET', '/admin/api/projects')).body;

describe('with PROJECTS_OPEN', () => {
  beforeEach(() => open());

  it('POST /admin/api/enterprises makes a project that is in every list of projects, and can be selected, from the next request on', async () => {
    expect(await create('Research')).toMatchObject({ status: 201, body: { id: 'research', name: 'Research' } });
    const list = await root.client('GET', '/admin/api/enterprises');
    expect((list.body as { items: { project: string; name?: string }[] }).items).toMatchObject([
      { project: 'Core', members: 1 },
      { project: 'Commerce' },
      { project: 'research', name: 'Research', members: 0, agents: 0, keys: 0, usage_30d: { requests: 0 } },
    ]);
    const [core] = (list.body as { items: object[] }).items;
    expect(core).not.toHaveProperty('name');
    expect(await projectsOf(root)).toEqual({
      items: [
        { id: 'Core', name: 'Core' },
        { id: 'Commerce', name: 'Commerce' },
        { id: 'research', name: 'Research' },
      ],
      open: true,
    });
    expect((await root.client('GET', '/admin/api/quotas')).body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ project: 'research' })]) as unknown,
    });
    for (const path of ['dashboard', 'dashboard/usage', 'usage', 'usage/tools'])
      expect((await root.client('GET', `/admin/api/${path}?project=research`)).body).toMatchObject({
        project: 'research',
      });
  });

  it('the other replicas list a project immediately after one replica has made it', async () => {
    const other = await site.addInstance();
    await create('Research');
    const answer = await fetch(`${other}/admin/api/projects`, { headers: { cookie: `access_token=${root.access}` } });
    expect(await answer.json()).toMatchObject({ items: [{}, {}, { id: 'research' }] });
  });

  it('accounts can be moved and invited to a new project, and each account sees only its own project', async () => {
    await create('Research');
    const ann = await person({ email: 'ann@example.com', name: 'Ann' });
    const lead = await person({ email: 'lead@example.com', name: 'Lead', role: 'project_admin' });
    const moved = await root.client('PATCH', `/admin/api/users/${lead.public}`, { json: { project: 'research' } });
    expect(moved).toMatchObject({ status: 200, body: { project: 'research' } });
    const invited = await root.client('POST', '/admin/api/users', {
      json: { name: 'New', email: 'new@example.com', project: 'research' },
    });
    expect(invited).toMatchObject({ status: 201, body: { project: 'research' } });
    expect((await lead.client('GET', '/admin/api/me')).body).toMatchObject({ project: 'research' });
    expect(await projectsOf(lead)).toEqual({ items: [{ id: 'research', name: 'Research' }], open: false });
    expect(await projectsOf(ann)).toEqual({ items: [{ id: 'Core', name: 'Core' }], open: false });
    const people = await lead.client('GET', '/admin/api/users');
    expect((people.body as { items: { name: string }[] }).items.map(({ name }) => name).sort()).toEqual([
      'Lead',
      'New',
    ]);
    expect((await lead.client('GET', `/admin/api/users/${ann.public}`)).status).toBe(404);
    expect((await lead.client('GET', '/admin/api/users?project=Core')).status).toBe(403);
    expect((await lead.client('GET', '/admin/api/dashboard?project=Core')).status).toBe(403);
    expect((await lead.client('GET', '/admin/api/dashboard')).body).toMatchObject({
      project: 'research',
      records: { users: 2 },
    });
    expect((await root.client('GET', '/admin/api/users?project=research')).body).toMatchObject({ total: 2 });
    expect((await root.client('GET', '/admin/api/enterprises/research')).body).toMatchObject({
      member_list: [{ name: 'Lead' }, { name: 'New' }],
    });
  });

  it('an admin can make keys and clients of the project, but not of an unknown project', async () => {
    await create('Research');
    const admin = await person({ email: 'grace@example.com', name: 'Grace', role: 'admin' });
    const made = (project: string) =>
      admin.client('POST', '/admin/api/keys', { json: { name: 'k', scopes: ['skills:read'], project } });
    expect(await made('research')).toMatchObject({ status: 201, body: { project: 'research' } });
    const refused = await made('elsewhere');
    expect([refused.status, messageOf(refused)]).toEqual([
      422,
      'The request has invalid values: project: is not a project.',
    ]);
    const client = await admin.client('POST', '/admin/api/clients', {
      json: { name: 'c', redirect_uris: [], scopes: ['skills:read'], project: 'research' },
    });
    expect(client).toMatchObject({ status: 201, body: { project: 'research' } });
    const user = await person({ email: 'ann@example.com', name: 'Ann' });
    const asUser = await user.client('POST', '/admin/api/keys', {
      json: { name: 'k', scopes: ['skills:read'], project: 'research' },
    });
    expect(asUser.status).toBe(422);
  });

  it('a name in use is refused with 409; an invalid name is refused with 422, and the error names the field', async () => {
    await create('Research');
    const taken = await create('RESEARCH');
    expect([taken.status, messageOf(taken)]).toEqual([
      409,
      'The request conflicts with the current state: name: is the name of another project.',
    ]);
    for (const name of ['', 'x'.repeat(61), 7, undefined]) expect((await create(name)).status).toBe(422);
  });

  it('only a platform admin with a recent proof can make, rename or delete a project, and refused attempts are recorded', async () => {
    await create('Research');
    const admin = await person({ email: 'grace@example.com', name: 'Grace', role: 'admin' });
    const calls = (by: Person) => [
      create('More', by),
      by.client('PATCH', '/admin/api/enterprises/research', { json: { name: 'Other' } }),
      by.client('DELETE', '/admin/api/enterprises/research'),
    ];
    for (const answer of await Promise.all(calls(admin))) expect(answer.status).toBe(403);
    await site.db.prisma.userSession.updateMany({ where: { user_id: root.id }, data: { proven_at: new Date(0) } });
    for (const { body } of await Promise.all(calls(root)))
      expect(body).toMatchObject({ error: { code: 'step_up_required' } });
    const denials = await site.db.prisma.governanceDecision.findMany({
      where: { decision: 'deny', user_id: root.id },
    });
    expect(new Set(denials.map(({ action }) => action))).toEqual(
      new Set(['project.create', 'project.rename', 'project.delete']),
    );
  });

  it('a platform admin can rename and delete a project that a platform admin made, but not Core or a project with members', async () => {
    await create('Research');
    const ann = await person({ email: 'ann@example.com', name: 'Ann', project: 'research' });
    const renamed = await root.client('PATCH', '/admin/api/enterprises/research', { json: { name: 'Labs' } });
    expect(renamed).toMatchObject({ status: 200, body: { id: 'research', name: 'Labs' } });
    const full = await root.client('DELETE', '/admin/api/enterprises/research');
    expect([full.status, messageOf(full)]).toEqual([
      409,
      expect.stringContaining('still has active members') as string,
    ]);
    expect((await root.client('DELETE', '/admin/api/enterprises/Core')).status).toBe(409);
    expect((await root.client('PATCH', '/admin/api/enterprises/Core', { json: { name: 'C' } })).status).toBe(409);
    await root.client('PATCH', `/admin/api/users/${ann.public}`, { json: { project: 'Core' } });
    expect((await root.client('DELETE', '/admin/api/enterprises/research')).status).toBe(204);
    expect((await root.client('GET', '/admin/api/enterprises/research')).status).toBe(404);
    expect((await root.client('DELETE', '/admin/api/enterprises/research')).status).toBe(404);
    const back = await root.client('PATCH', `/admin/api/users/${ann.public}`, { json: { project: 'research' } });
    expect(back.status).toBe(422);
  });
});

describe('without PROJECTS_OPEN', () => {
  beforeEach(() => open({ PROJECTS_OPEN: false }));

  it.each([
    ['POST', '/admin/api/enterprises', 'GET, HEAD'],
    ['PATCH', '/admin/api/enterprises/Core', 'GET, HEAD'],
    ['DELETE', '/admin/api/enterprises/Core', 'GET, HEAD'],
  ] as const)('%s %s answers 405', async (method, path, allow) => {
    const answer = await root.client(method, path, { json: { name: 'x' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  });

  it('the API lists Core and Commerce, and refuses every other project, exactly as in earlier releases', async () => {
    const { body } = await root.client('GET', '/admin/api/enterprises');
    const usage = { requests: 0, agent_messages: 0, model_tokens: 0, model_cost_usd: null, unpriced_events: 0 };
    const empty = { admins: 0, agents: 0, skills: 0, keys: 0, clients: 0, usage_30d: usage };
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        items: [
          { project: 'Core', members: 1, ...empty, admins: 1 },
          { project: 'Commerce', members: 0, ...empty },
        ],
      }),
    );
    const calls = ['Foo', 'core', 'research', 7, null].map((project) =>
      root.client('POST', '/admin/api/users', { json: { name: 'N', email: 'n@example.com', project } }),
    );
    const filters = ['users', 'dashboard', 'usage', 'quotas'].map((path) =>
      root.client('GET', `/admin/api/${path}?project=Foo`),
    );
    for (const answer of await Promise.all([...calls, ...filters]))
      expect([answer.status, messageOf(answer)]).toEqual([
        422,
        expect.stringMatching(/: (query\.)?project: must be one of Core, Commerce\.$/) as string,
      ]);
    expect(await projectsOf(root)).toMatchObject({ items: [{ id: 'Core' }, { id: 'Commerce' }], open: false });
    expect((await root.client('GET', '/admin/api/enterprises/foo')).status).toBe(404);
  });

  it('accounts can still work in a project that was made earlier', async () => {
    await site.db.prisma.project.create({ data: { id: 'research', name: 'Research' } });
    const ann = await person({ email: 'ann@example.com', name: 'Ann', project: 'research' });
    expect((await ann.client('GET', '/admin/api/me')).body).toMatchObject({ project: 'research' });
    expect(await projectsOf(root)).toMatchObject({ items: [{}, {}, { id: 'research' }], open: false });
  });
});
