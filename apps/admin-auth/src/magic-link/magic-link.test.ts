import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { pageIn } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { createMagicLinkStore } from './magic-link.store.js';

let database: TestDatabase;
let site: TestConsole;

beforeEach(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, { settings: { TRUSTED_PROXY_HOPS: 1 } });
});

afterEach(async () => {
  await site.close();
  await database.drop();
});

const post = (path: string, json: object) =>
  createHttpClient(site.url)('POST', `/admin/api/magic-link/${path}`, { json });
const from = { ip: '127.0.0.1', requestId: 'test' };

describe('POST /admin/api/magic-link/request', () => {
  it('answers known and unknown emails in the same way, and issues at most three tokens for an email in 15 minutes', async () => {
    await site.addUser({ email: 'ada@example.com' });
    const known = await Promise.all(Array.from({ length: 5 }, () => post('request', { email: 'Ada@example.com' })));
    const unknown = await post('request', { email: 'nobody@example.com' });
    await site.settled();
    for (const { status, text } of known) expect([status, text]).toEqual([200, unknown.text]);
    expect(await site.db.prisma.magicLinkToken.count()).toBe(3);
  });

  it('writes an audit row that attributes the request to a stranger, and not to the owner of the account', async () => {
    const { id } = await site.addUser({ email: 'ada@example.com' });
    await post('request', { email: 'ada@example.com' });
    await site.settled();
    const where = { user_id: id, action: 'magic_link.create' };
    expect(await site.db.prisma.governanceDecision.findMany({ where })).toMatchObject([
      { decision: 'allow', ip: '127.0.0.1', detail: { by: 'stranger' } },
    ]);
  });

  it('admits ten requests per IP address in 15 minutes, including those for unknown emails', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => post('request', { email: `nobody${n}@example.com` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('900');
  });

  it('counts all addresses of an IPv6 network as one address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        createHttpClient(site.url, { 'x-forwarded-for': `2001:db8:0:7::${n + 1}` })(
          'POST',
          '/admin/api/magic-link/request',
          { json: { email: `nobody${n}@example.com` } },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  });
});

describe('POST /admin/api/magic-link/validate', () => {
  async function newToken(): Promise<string> {
    await site.addUser({ email: 'lost@example.com' });
    return (await createMagicLinkStore(site.db).issue('lost@example.com', from))?.token ?? '';
  }

  it('accepts one of 100 concurrent redemptions of a link, and opens a fresh session', async () => {
    const startedAt = Date.now();
    const token = await newToken();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const answers = await Promise.all(Array.from({ length: 100 }, () => post('validate', { token })));
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expect(await site.db.prisma.accountNotice.findMany()).toMatchObject([
      { kind: 'recovery_used', email: 'lost@example.com' },
    ]);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(99);
    const denied = await site.db.prisma.governanceDecision.findMany({ where: { reason: 'recovery link not good' } });
    const minutes = 1 + Math.floor((Date.now() - startedAt) / 60_000);
    expect([denied.length > 0, denied.length <= minutes + 1]).toEqual([true, true]);
    expect(denied[0]).toMatchObject({ action: 'session.create', decision: 'deny', detail: { by: 'stranger' } });
    const cookie =
      good[0]?.headers
        .getSetCookie()
        .map((text) => text.split(';')[0])
        .join('; ') ?? '';
    const call = createHttpClient(site.url, { cookie });
    expect((await call('POST', '/admin/api/passkey/register/start', { json: {} })).status).toBe(200);
  });

  it('refuses an expired token, an unknown token and the token of a disabled user', async () => {
    const token = await newToken();
    await site.db.prisma.user.updateMany({ data: { status: 'inactive' } });
    expect((await post('validate', { token })).status).toBe(401);
    await site.db.prisma.user.updateMany({ data: { status: 'active' } });
    await site.db.prisma.magicLinkToken.updateMany({ data: { expires_at: new Date(Date.now() - 1) } });
    expect((await post('validate', { token })).status).toBe(401);
    expect((await post('validate', { token: 'f'.repeat(64) })).status).toBe(401);
  });
});

describe('POST /admin/api/magic-link/account', () => {
  it('returns the account of a link, which stays valid, and answers 401 for an invalid link', async () => {
    const { id } = await site.addUser({ email: 'lost@example.com' });
    const token = (await createMagicLinkStore(site.db).issue('Lost@Example.com', from))?.token ?? '';
    for (let n = 0; n < 2; n++)
      expect(await post('account', { token })).toMatchObject({ status: 200, body: { email: 'lost@example.com' } });
    expect((await post('validate', { token })).status).toBe(200);
    expect((await post('account', { token })).status).toBe(401);

    const { prisma } = site.db;
    const setUser = (data: object) => prisma.user.update({ where: { id }, data });
    const statusOnce = async (change: () => Promise<unknown>) => {
      await setUser({ recovery_after: null });
      await prisma.magicLinkToken.updateMany({ data: { used_at: null, expires_at: new Date(Date.now() + 60_000) } });
      expect((await post('account', { token })).status).toBe(200);
      await change();
      return (await post('account', { token })).status;
    };
    const tomorrow = new Date(Date.now() + 86_400_000);
    expect([
      await statusOnce(() => prisma.magicLinkToken.updateMany({ data: { expires_at: new Date() } })),
      await statusOnce(() => setUser({ recovery_after: tomorrow })),
      await statusOnce(() => setUser({ status: 'inactive' })),
      (await post('account', { token: 'f'.repeat(64) })).status,
      (await post('account', { token: 'x' })).status,
    ]).toEqual([401, 401, 401, 401, 401]);
  });
});

describe('GET /admin/magic-link', () => {
  it('does not consume the link, and escapes all texts of the page', async () => {
    const page = await createHttpClient(site.url)('GET', '/admin/magic-link?token=%22%3E%3Cscript%3E');
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('"><script>');
  });
});

describe('recovery', () => {
  const issue = (recovery: 'off' | 'users-only' | 'all', email: string) =>
    createMagicLinkStore(site.db, recovery).issue(email, from);

  it('issues links to users only, to all accounts or to nobody, depending on RECOVERY', async () => {
    await site.addUser({ email: 'mere@example.com' });
    await site.addUser({ email: 'root@example.com', role: 'admin', platformAdmin: true });
    expect(await issue('off', 'mere@example.com')).toBeUndefined();
    expect(await issue('users-only', 'mere@example.com')).toMatchObject({ email: 'mere@example.com' });
    expect(await issue('users-only', 'root@example.com')).toBeUndefined();
    expect(await issue('all', 'root@example.com')).toMatchObject({ email: 'root@example.com' });
  });

  it('refuses a link that was issued before RECOVERY excluded its account', async () => {
    await site.addUser({ email: 'root@example.com', role: 'admin' });
    const { token = '' } = (await issue('all', 'root@example.com')) ?? {};
    const session = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' };
    for (const recovery of ['off', 'users-only'] as const)
      expect(await createMagicLinkStore(site.db, recovery).redeem(token, session)).toBeUndefined();
    expect(await createMagicLinkStore(site.db, 'all').redeem(token, session)).toMatchObject({ isAdmin: true });
  });

  it('answers 403 to every request for a link when RECOVERY is off, and shows a notice on the recovery page', async () => {
    const off = await startConsole(database.url, { settings: { RECOVERY: 'off' } });
    await off.addUser({ email: 'ada@example.com' });
    const ask = (email: string) =>
      createHttpClient(off.url)('POST', '/admin/api/magic-link/request', { json: { email } });
    expect([(await ask('ada@example.com')).status, (await ask('nobody@example.com')).status]).toEqual([403, 403]);
    expect(pageIn((await createHttpClient(off.url)('GET', '/admin/magic-link')).text)).toMatchObject({
      name: 'notice',
      title: 'Recovery by email is off',
    });
    await off.close();
  });

  it('stays possible after three requests by a stranger: the links are valid, and the owner gets one message about the limit', async () => {
    const { id } = await site.addUser({ email: 'ada@example.com' });
    for (let n = 0; n < 6; n++) await post('request', { email: 'ada@example.com' });
    await site.settled();
    const { prisma } = site.db;
    expect(await prisma.magicLinkToken.count({ where: { expires_at: { gt: new Date() } } })).toBe(3);
    expect(await prisma.accountNotice.findMany({ where: { user_id: id } })).toMatchObject([
      { email: 'ada@example.com', kind: 'recovery_limited' },
    ]);
    const agedBy = (minutes: number) => prisma.$executeRaw`
      UPDATE magic_link_requests
         SET times = ARRAY(SELECT time - make_interval(mins => ${minutes}) FROM unnest(times) time) WHERE kind = 'email'`;
    await agedBy(16);
    expect(await issue('all', 'ada@example.com')).toMatchObject({ email: 'ada@example.com' });
  });
});
