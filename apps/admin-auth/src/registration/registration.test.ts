import { createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import { createHttpClient } from '@millwright/http/sweep';
import type { AppDeps } from '../app.js';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
const sites: TestConsole[] = [];

async function open(settings: Partial<AppDeps['config']> = {}): Promise<TestConsole> {
  const site = await startConsole(database.url, listen, { settings });
  sites.push(site);
  return site;
}

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await Promise.all(sites.map((site) => site.close()));
  await database.drop();
});

const register = (site: TestConsole, json: object) =>
  createHttpClient(site.url)('POST', '/admin/api/register', { json });
const addPasskey = (site: TestConsole, user: { id: string }, id: string) =>
  site.db.prisma.passkey.create({
    data: {
      id,
      user_id: user.id,
      credential_id: id,
      public_key: new Uint8Array(1),
      transports: [],
      device_type: 'singleDevice',
      backed_up: false,
      aaguid: '',
      name: 'x',
    },
  });

describe('POST /admin/api/register', () => {
  it('makes an account in the default project, with a setup token for 15 minutes', async () => {
    const site = await open({ SECURITY_DEFAULT_PROJECT: 'Commerce' });
    const answer = await register(site, { name: 'Ada', email: 'ada@example.com', role: 'admin' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      email: 'ada@example.com',
      setup_token: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const user = await site.db.prisma.user.findUniqueOrThrow({
      where: { email: 'ada@example.com' },
      include: { setup_tokens: true },
    });
    expect(user).toMatchObject({ role: 'admin', platform_admin: false, project: 'Commerce', self_registered: true });
    expect(user.setup_tokens[0]?.expires_at.getTime()).toBeLessThan(Date.now() + 901_000);
    const { setup_token } = answer.body as { setup_token: string };
    expect((await createHttpClient(site.url)('GET', `/admin/add-passkey?token=${setup_token}`)).status).toBe(200);
  });

  it('records the account and its token with request and address', async () => {
    const site = await open();
    const answer = await register(site, { name: 'Eve', email: 'eve@example.com', role: 'user' });
    const { id } = await site.db.prisma.user.findUniqueOrThrow({ where: { email: 'eve@example.com' } });
    const rows = await site.db.prisma.governanceDecision.findMany({ where: { user_id: id } });
    expect(rows.map(({ action }) => action).sort()).toEqual(['setup_token.create', 'user.create']);
    for (const row of rows) {
      expect(row.request_id).toBe(answer.headers.get('x-request-id'));
      expect(row.ip).not.toBeNull();
    }
  });

  it('answers an email with a passkey alike, without a token, and changes nothing', async () => {
    const site = await open();
    await addPasskey(
      site,
      await site.addUser({ email: 'has@example.com', name: 'Original' }),
      '018f0000-0000-7000-8000-000000000001',
    );
    const answer = await register(site, { name: 'Thief', email: 'HAS@example.com', role: 'admin' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ email: 'HAS@example.com', setup_token: null, setup_url: null });
    const user = await site.db.prisma.user.findUniqueOrThrow({
      where: { email: 'has@example.com' },
      include: { setup_tokens: true },
    });
    expect(user).toMatchObject({ name: 'Original', role: 'user', setup_tokens: [] });
  });

  it("claims an account that an admin made, whose role stays; never a platform admin's", async () => {
    const site = await open();
    await site.addUser({ email: 'invited@example.com' });
    await site.addUser({ email: 'root@example.com', role: 'admin', platformAdmin: true });
    expect((await register(site, { name: 'X', email: 'invited@example.com', role: 'admin' })).body).toMatchObject({
      setup_token: expect.any(String) as string,
    });
    expect(await site.db.prisma.user.findUniqueOrThrow({ where: { email: 'invited@example.com' } })).toMatchObject({
      role: 'user',
    });
    expect((await register(site, { name: 'X', email: 'root@example.com', role: 'admin' })).body).toMatchObject({
      setup_token: null,
    });
  });

  it('is refused while closed, except for an account that an admin made', async () => {
    const site = await open({ SECURITY_ALLOW_REGISTRATION: false });
    await site.addUser({ email: 'expected@example.com' });
    expect((await register(site, { name: 'X', email: 'stranger@example.com', role: 'user' })).status).toBe(403);
    expect((await register(site, { name: 'X', email: 'expected@example.com', role: 'user' })).status).toBe(201);
  });

  it('gives no token for such an account where an invitation is required', async () => {
    const site = await open({ SECURITY_CLAIM_REQUIRES_INVITE: true });
    await site.addUser({ email: 'link-only@example.com' });
    expect((await register(site, { name: 'X', email: 'link-only@example.com', role: 'user' })).body).toMatchObject({
      setup_token: null,
    });
  });

  it.each([
    [{ name: 'A', email: 'nope', role: 'user' }, 'email'],
    [{ name: '', email: 'a@example.com', role: 'user' }, 'name'],
    [{ name: 'A', email: 'a@example.com', role: 'root' }, 'role'],
    [{ name: 'A', email: 'a@example.com', role: 'user', platform_admin: true }, 'platform_admin'],
  ])('answers 422 naming the field: %j', async (body, field) => {
    const answer = await register(sites[0] ?? (await open()), body);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(field);
  });
});
