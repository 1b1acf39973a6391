import { createHttpClient, createMailServer, createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { AppDeps } from '../app.js';
import { createSmtpSender } from '../magic-link/senders.js';
import { pageIn } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
const sites: TestConsole[] = [];

async function open(settings: Partial<AppDeps['config']> = {}): Promise<TestConsole> {
  const site = await startConsole(database.url, { settings });
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
  it('creates an account in the default project, with a setup token that is valid for 15 minutes', async () => {
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

  it('writes audit rows for the new account and its setup token, each with request id and IP address', async () => {
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

  it('changes nothing and answers in the same form, without a token, when the account with that email has a passkey', async () => {
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

  it('claims an account that an admin created and keeps its role, but never the account of a platform admin', async () => {
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

  it('answers 403 to everyone while registration is closed and an invitation is required', async () => {
    const site = await open({ SECURITY_ALLOW_REGISTRATION: false, SECURITY_CLAIM_REQUIRES_INVITE: true });
    await site.addUser({ email: 'awaited@example.com', role: 'admin' });
    const enrolled = await site.addUser({ email: 'enrolled@example.com' });
    await addPasskey(site, enrolled, '018f0000-0000-7000-8000-000000000002');
    const emails = ['nobody@example.com', 'awaited@example.com', 'enrolled@example.com'];
    const answers = await Promise.all(emails.map((email) => register(site, { name: 'X', email, role: 'user' })));
    for (const { status, text } of answers) expect([status, text]).toEqual([403, answers[0]?.text]);
    expect(await site.db.prisma.setupToken.count({ where: { user: { email: { in: emails } } } })).toBe(0);
    expect(pageIn((await createHttpClient(site.url)('GET', '/admin/register')).text)).toMatchObject({
      name: 'notice',
      title: 'Registration is closed',
    });
  });

  it('answers 422 when the role or the domain may not register, in the same way for known and unknown email addresses', async () => {
    const site = await open({
      SECURITY_REGISTRATION_ROLES: ['user'],
      SECURITY_REGISTRATION_DOMAINS: ['corp.example', 'example.org'],
    });
    await site.addUser({ email: 'known@elsewhere.example' });
    const refused = async (email: string, role = 'user') => {
      const { status, text } = await register(site, { name: 'X', email, role });
      return [status, text];
    };
    expect(await refused('lin@corp.example', 'admin')).toEqual([422, expect.stringContaining('role: must be user')]);
    const unknown = await refused('unknown@elsewhere.example');
    expect(unknown).toEqual([422, expect.stringContaining('email: is not of a domain that may register')]);
    expect(await refused('known@elsewhere.example')).toEqual(unknown);
    // Faults of other fields are found before the account is looked up, so the answer is the same for all email addresses.
    const user = await site.addUser({ email: 'known@corp.example' });
    await addPasskey(site, user, '018f0000-0000-7000-8000-00000000000b');
    const badlyNamed = async (email: string) => (await register(site, { name: 'X\u001b', email, role: 'user' })).text;
    expect(await badlyNamed('known@corp.example')).toEqual(await badlyNamed('other@corp.example'));
    expect((await refused('lin@sub.corp.example'))[0]).toBe(422);
    expect((await refused('lin@CORP.example'))[0]).toBe(201);
    const page = pageIn((await createHttpClient(site.url)('GET', '/admin/register')).text);
    expect(page).toMatchObject({ name: 'register', data: { isOpen: true, roles: ['user'] } });
  });

  it('sends the setup link by email when domains are configured, and gives the same answer for every email address', async () => {
    const mail = await createMailServer();
    const sender = createSmtpSender({ url: mail.url, from: 'mw@example.com' });
    const site = await startConsole(database.url, {
      settings: { SECURITY_REGISTRATION_DOMAINS: ['corp.example'] },
      sender,
    });
    sites.push(site);
    const enrolled = await site.addUser({ email: 'enrolled@corp.example' });
    await addPasskey(site, enrolled, '018f0000-0000-7000-8000-00000000000a');
    const emails = ['new@corp.example', 'enrolled@corp.example'];
    for (const email of emails) {
      const { status, body } = await register(site, { name: 'X', email, role: 'user' });
      expect([status, body]).toEqual([201, { email, setup_token: null, setup_url: null }]);
    }
    await site.settled();
    expect(mail.mails.map(({ to }) => to.join())).toEqual(['new@corp.example']);
    const text = mail.mails[0]?.data.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
    const token = /add-passkey#token=([0-9a-f]{64})/.exec(text)?.[1] ?? '';
    const page = await createHttpClient(site.url)('GET', `/admin/add-passkey?token=${token}`);
    expect(pageIn(page.text)).toMatchObject({ name: 'add-passkey', data: { email: 'new@corp.example' } });
    const form = pageIn((await createHttpClient(site.url)('GET', '/admin/register')).text);
    expect(form).toMatchObject({ name: 'register', data: { sendsLink: true } });
    await mail.close();
  });

  it('claims an account that an admin created, even while registration is closed, if no invitation is required', async () => {
    const site = await open({ SECURITY_ALLOW_REGISTRATION: false, SECURITY_CLAIM_REQUIRES_INVITE: false });
    await site.addUser({ email: 'expected@example.com' });
    expect((await register(site, { name: 'X', email: 'stranger@example.com', role: 'user' })).status).toBe(403);
    expect((await register(site, { name: 'X', email: 'expected@example.com', role: 'user' })).status).toBe(201);
  });

  it('returns no token for an account that an admin created when an invitation is required', async () => {
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
  ])('answers 422, and the error names the field: %j', async (body, field) => {
    const answer = await register(sites[0] ?? (await open()), body);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(field);
  });
});

describe('POST /admin/api/register for an account that an admin created', () => {
  const tokenOf = async (site: TestConsole, email: string) =>
    ((await register(site, { name: 'X', email, role: 'user' })).body as { setup_token: string | null }).setup_token;

  it('writes an audit row that attributes the request to a stranger, and not to the owner of the account', async () => {
    const site = await open();
    const { id } = await site.addUser({ email: 'claimed@example.com' });
    await tokenOf(site, 'claimed@example.com');
    const where = { user_id: id, action: 'setup_token.create' };
    expect(await site.db.prisma.governanceDecision.findMany({ where })).toMatchObject([
      { detail: { origin: 'registration', by: 'stranger' } },
    ]);
  });

  it('returns no token while the account has five live tokens, even to concurrent requests', async () => {
    const site = await open();
    const { id } = await site.addUser({ email: 'wanted@example.com' });
    const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenOf(site, 'wanted@example.com')));
    expect(tokens.filter((token) => token !== null)).toHaveLength(5);
    await site.db.prisma.setupToken.updateMany({ where: { user_id: id }, data: { expires_at: new Date() } });
    expect(await tokenOf(site, 'wanted@example.com')).not.toBeNull();
  });
});

describe('POST /admin/api/passkey/register/start with a used or expired setup token', () => {
  it('answers 403, and writes one audit row a minute for the account of the token', async () => {
    const site = await open();
    const { id } = await site.addUser({ email: 'over@example.com' });
    const { setup_token } = (await register(site, { name: 'X', email: 'over@example.com', role: 'user' })).body as {
      setup_token: string;
    };
    await site.db.prisma.setupToken.updateMany({ where: { user_id: id }, data: { used_at: new Date() } });
    const start = (token: string) =>
      createHttpClient(site.url)('POST', '/admin/api/passkey/register/start', { json: { setup_token: token } });
    const statuses = [await start(setup_token), await start(setup_token), await start('f'.repeat(64))];
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403]);
    const rows = await site.db.prisma.governanceDecision.findMany({ where: { user_id: id, decision: 'deny' } });
    expect(rows[0]).toMatchObject({ action: 'setup_token.use', reason: 'used before', detail: { by: 'stranger' } });
    expect(rows.length).toBeLessThanOrEqual(2);
  });
});
