import { issueApiKey, type NewUser } from '@millwright/accounts';
import { createApiKeyVerifier } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { createTestDatabase, type ClientAnswer, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { setProof } from '../test-records.js';

let database: TestDatabase;
let site: TestConsole;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

async function person(user: Partial<NewUser> & { email: string }) {
  const row = await site.addUser(user);
  const signedIn = await site.signIn(row);
  const id = encodeId('usr', row.id);
  return { ...row, email: user.email, ...signedIn, uuid: row.id, id, path: `/admin/api/users/${id}` };
}
const statusOf = async (answer: Promise<ClientAnswer>) => (await answer).status;
const emailsOf = async (client: HttpClient, query = '') => {
  const { body } = await client('GET', `/admin/api/users?sort=email&order=asc&${query}`);
  return (body as { items: { email: string }[] }).items.map(({ email }) => email);
};
const denialsOf = (userId: string) =>
  site.db.prisma.governanceDecision.findMany({
    where: { user_id: userId, decision: 'deny' },
    orderBy: { seq: 'asc' },
    select: { action: true, reason: true },
  });

describe('PATCH /admin/api/users/{user_id} with a role', () => {
  it.each(['project_admin', 'auditor', 'admin', 'user'] as const)(
    'gives the role %s from the next request on, records the change and sends the owner a message',
    async (role) => {
      const admin = await person({ email: `giver-of-${role}@example.com`, role: 'admin' });
      const former = role === 'user' ? 'auditor' : 'user';
      const target = await person({ email: `new-${role}@example.com`, role: former });
      expect(await admin.client('PATCH', target.path, { json: { role } })).toMatchObject({
        status: 200,
        body: { role, platform_admin: false },
      });
      const wanted = { project_admin: ['user', role], auditor: [role], admin: ['user', role], user: [role] }[role];
      expect((await target.client('GET', '/admin/api/me')).body).toMatchObject({
        roles: wanted,
        is_admin: role === 'admin',
      });
      expect(
        await site.db.prisma.governanceDecision.findFirst({ where: { action: 'user.update', resource: target.id } }),
      ).toMatchObject({ user_id: admin.uuid, detail: { role: { from: former, to: role } } });
      expect(await site.db.prisma.accountNotice.findMany({ where: { user_id: target.uuid } })).toMatchObject([
        { kind: 'role_changed', email: target.email },
      ]);
      const { items } = (await target.client('GET', '/admin/api/me/security-activity')).body as { items: object[] };
      expect(items).toMatchObject([{ event: 'role_changed', by: 'administrator', ip: null }]);
    },
  );

  it('requires a recent proof of the admin', async () => {
    const admin = await person({ email: 'stale@example.com', role: 'admin' });
    const target = await person({ email: 'waiting@example.com' });
    await setProof(site, admin.sessionId, 'stale');
    const answer = await admin.client('PATCH', target.path, { json: { role: 'auditor' } });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'step_up_required' } } });
  });

  it('removes the role of platform admin when another role is given', async () => {
    const [root, other] = [
      await person({ email: 'root@example.com', platformAdmin: true }),
      await person({ email: 'other-root@example.com', platformAdmin: true }),
    ];
    await root.client('PATCH', other.path, { json: { role: 'project_admin' } });
    expect(await site.db.prisma.user.findUniqueOrThrow({ where: { id: other.uuid } })).toMatchObject({
      role: 'user',
      delegated_role: 'project_admin',
      platform_admin: false,
    });
  });
});

describe('an auditor', () => {
  it('can read, export and verify the audit log', async () => {
    const { client } = await person({ email: 'ann@audit.test', role: 'auditor' });
    const listed = await client('GET', '/admin/api/audit?per_page=1');
    expect(listed.status).toBe(200);
    const [row] = (listed.body as { items: { id: string }[] }).items;
    expect(await statusOf(client('GET', `/admin/api/audit/${row?.id ?? ''}`))).toBe(200);
    expect(await statusOf(client('GET', '/admin/api/audit/chain'))).toBe(200);
    expect(await statusOf(client('POST', '/admin/api/audit/verify'))).toBe(200);
    expect(await statusOf(client('GET', '/admin/api/audit/export'))).toBe(200);
    expect(await statusOf(client('GET', '/admin/audit'))).toBe(200);
  });

  it('cannot access any page, account, key or record, and each attempt is recorded', async () => {
    const auditor = await person({ email: 'bob@audit.test', role: 'auditor' });
    const reached: string[] = [];
    const paths = [
      'users',
      'dashboard',
      'dashboard/activity',
      'jobs',
      'keys',
      'clients',
      'devices',
      'consents',
      'scopes',
    ];
    for (const path of [...paths, 'enterprises', 'quotas', 'applications', 'areas/platform/api/v1/skills'])
      if ((await statusOf(auditor.client('GET', `/admin/api/${path}`))) !== 403) reached.push(path);
    expect(reached).toEqual([]);
    for (const page of ['', '/settings', '/setup', '/build/skills', '/access/users', '/jobs', '/limits']) {
      const { status, headers } = await auditor.client('GET', `/admin${page}`);
      expect([page, status, headers.get('location')]).toEqual([page, 303, '/admin/profile']);
    }
    expect(await statusOf(auditor.client('GET', '/admin/profile'))).toBe(200);
    expect((await denialsOf(auditor.uuid)).length).toBeGreaterThanOrEqual(paths.length);
  });

  it('cannot create keys; the keys that the account created earlier have no scopes', async () => {
    const user = await person({ email: 'former@audit.test' });
    const actor = { userId: user.uuid, kind: 'user', label: user.name } as const;
    const issue = (name: string) =>
      site.db.transaction((tx) =>
        issueApiKey(tx, { userId: user.uuid, name, project: 'Core', plan: 'standard', scopes: ['*'] }, actor),
      );
    const { key } = await issue('Before');
    await site.db.prisma.user.update({ where: { id: user.uuid }, data: { delegated_role: 'auditor' } });
    expect((await createApiKeyVerifier(site.db)(key))?.scopes).toEqual(new Set());
    expect(await statusOf(user.client('POST', '/admin/api/keys', { json: { name: 'After' } }))).toBe(403);
  });
});

describe('a project admin', () => {
  const asProjectAdmin = (email: string) => person({ email, role: 'project_admin', project: 'Commerce' });

  it('sees only the accounts of their own project', async () => {
    const { client } = await asProjectAdmin('pa1@shop.test');
    const member = await person({ email: 'member1@shop.test', project: 'Commerce' });
    const stranger = await person({ email: 'stranger1@core.test' });
    const listed = await emailsOf(client);
    expect(listed).toEqual(expect.arrayContaining(['pa1@shop.test', 'member1@shop.test']));
    expect(listed.filter((email) => email.endsWith('@core.test'))).toEqual([]);
    expect(await statusOf(client('GET', '/admin/api/users?project=Core'))).toBe(403);
    expect(await statusOf(client('GET', member.path))).toBe(200);
    expect(await statusOf(client('GET', stranger.path))).toBe(404);
    expect(await statusOf(client('GET', `${stranger.path}/passkeys`))).toBe(404);
  });

  it('sees only the figures and limits of their own project', async () => {
    const { client } = await asProjectAdmin('pa2@shop.test');
    expect((await client('GET', '/admin/api/dashboard')).body).toMatchObject({ project: 'Commerce' });
    for (const path of ['dashboard', 'dashboard/usage', 'quotas']) {
      expect(await statusOf(client('GET', `/admin/api/${path}`))).toBe(200);
      expect(await statusOf(client('GET', `/admin/api/${path}?project=Core`))).toBe(403);
    }
  });

  it('creates, renames, disables, enables and signs out users of their own project', async () => {
    const { client } = await asProjectAdmin('pa3@shop.test');
    const created = await client('POST', '/admin/api/users', { json: { name: 'New', email: 'new3@shop.test' } });
    expect(created).toMatchObject({ status: 201, body: { role: 'user', project: 'Commerce' } });
    const path = `/admin/api/users/${(created.body as { id: string }).id}`;
    expect(await client('PATCH', path, { json: { name: 'Renamed' } })).toMatchObject({ body: { name: 'Renamed' } });
    for (const act of ['disable', 'enable', 'revoke'])
      expect(await statusOf(client('POST', `${path}/${act}`))).toBe(200);
  });

  it('cannot change roles or projects, nor remove a way to sign in', async () => {
    const projectAdmin = await asProjectAdmin('pa4@shop.test');
    const { client, path: self } = projectAdmin;
    const { path } = await person({ email: 'member4@shop.test', project: 'Commerce' });
    const refused = await Promise.all([
      ...['project_admin', 'auditor', 'admin'].flatMap((role) => [
        client('PATCH', path, { json: { role } }),
        client('PATCH', self, { json: { role } }),
        client('POST', '/admin/api/users', { json: { name: 'X', email: `${role}@shop.test`, role } }),
      ]),
      client('PATCH', path, { json: { project: 'Core' } }),
      client('POST', '/admin/api/users', { json: { name: 'X', email: 'core@shop.test', project: 'Core' } }),
      client('PUT', `${path}/email`, { json: { email: 'mine@shop.test' } }),
      client('POST', `${path}/revoke`, { json: { passkeys: true } }),
      client('POST', `${path}/setup-token`),
      client('DELETE', path),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect(await denialsOf(projectAdmin.uuid)).toHaveLength(refused.length);
    expect(await site.db.prisma.user.count({ where: { email: { endsWith: 'admin@shop.test' } } })).toBe(0);
  });

  it.each(['admin', 'project_admin', 'auditor'] as const)('cannot change an account with the role %s', async (role) => {
    const { client } = await asProjectAdmin(`pa-over-${role}@shop.test`);
    const { path } = await person({ email: `their-${role}@shop.test`, role, project: 'Commerce' });
    const answers = [
      client('PATCH', path, { json: { name: 'X' } }),
      client('POST', `${path}/disable`),
      client('POST', `${path}/revoke`),
    ];
    expect(await Promise.all(answers.map(statusOf))).toEqual([403, 403, 403]);
  });

  it('can create keys with the scope admin, but not with the scopes for accounts', async () => {
    const { client } = await asProjectAdmin('pa5@shop.test');
    const newKey = (...scopes: string[]) =>
      statusOf(client('POST', '/admin/api/keys', { json: { name: 'K', scopes } }));
    expect([await newKey('admin'), await newKey('users:read'), await newKey('users:write')]).toEqual([201, 422, 422]);
  });

  it('cannot read the audit log, jobs, reports or other projects', async () => {
    const { client } = await asProjectAdmin('pa6@shop.test');
    for (const path of [
      'audit',
      'audit/chain',
      'audit/export',
      'dashboard/activity',
      'jobs',
      'applications',
      'enterprises',
    ])
      expect([path, await statusOf(client('GET', `/admin/api/${path}`))]).toEqual([path, 403]);
    for (const [page, status] of [
      ['', 200],
      ['/access/users', 200],
      ['/audit', 303],
      ['/jobs', 303],
      ['/enterprises', 403],
    ] as const)
      expect([page, await statusOf(client('GET', `/admin${page}`))]).toEqual([page, status]);
  });
});

describe('the session of an account with a delegated role', () => {
  it.each(['project_admin', 'auditor'] as const)('ends as early as the session of an admin: %s', async (role) => {
    const { client, sessionId } = await person({ email: `idle-${role}@example.com`, role });
    const last_seen_at = new Date(Date.now() - 13 * 3_600_000);
    await site.db.prisma.userSession.update({ where: { id: sessionId }, data: { last_seen_at } });
    expect(await statusOf(client('GET', '/admin/api/me'))).toBe(401);
  });
});
