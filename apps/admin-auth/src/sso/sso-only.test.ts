import { issueSetupToken } from '@millwright/accounts';
import { createLogger } from '@millwright/http/process';
import { createHttpClient, createPasskey, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createMagicLinkStore } from '../magic-link/magic-link.store.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { beginSignIn, bodyOf, browser, enrol, enrolledUser } from '../test-sign-in.js';
import type { SsoIssuer } from './sso-file.js';

const ISSUER: SsoIssuer = {
  ...{ name: 'okta', label: 'Okta', url: 'https://id.invalid', clientId: 'mw', clientSecret: undefined },
  ...{ scopes: ['openid'], domains: ['captured.example'], linkByVerifiedEmail: true, createAccounts: true },
  ...{ groups: undefined, ssoOnly: true, breakGlass: ['Glass@captured.example'], scim: undefined },
};

let database: TestDatabase;
/** Two consoles on one database. `before` does not capture the domain, `site` captures it. */
let before: TestConsole;
let site: TestConsole;
let lines: { event?: string; level?: number }[];
beforeAll(async () => {
  database = await createTestDatabase();
  lines = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as object) };
  const logger = createLogger({ service: 'test', level: 'info', version: 'test', destination });
  before = await startConsole(database.url);
  const fetch = () => Promise.reject(new Error('no issuer is called'));
  site = await startConsole(database.url, { logger, sso: { issuers: [ISSUER], fetch } });
});
afterAll(async () => {
  await site.close();
  await before.close();
  await database.drop();
});

const REFUSED = { error: { code: 'sso_required', status: 403 } };
const setupToken = async (email: string) => {
  const user = await site.db.prisma.user.findUniqueOrThrow({ where: { email } });
  const actor = { userId: user.id, kind: 'user', label: user.name } as const;
  return (await site.db.transaction((tx) => issueSetupToken(tx, email, actor))).token;
};
/**
 * Creates an account with a passkey, as if before the domain was captured. Both consoles have the same host, so the passkey works at both.
 */
async function enrolled(email: string) {
  await site.addUser({ email });
  const passkey = createPasskey(site.url);
  return { passkey, enrolling: await enrol(browser(site.url).next, passkey, await setupToken(email)) };
}
const noticesTo = (email: string) => site.db.prisma.accountNotice.findMany({ where: { email } });

describe('an account of a captured domain', () => {
  it('cannot enrol a passkey', async () => {
    const email = 'new@captured.example';
    await site.addUser({ email });
    const token = await setupToken(email);
    const answer = await createHttpClient(site.url)('POST', '/admin/api/passkey/register/start', {
      json: { setup_token: token },
    });
    expect(answer.body).toMatchObject(REFUSED);
  });

  it('cannot sign in with an earlier passkey, and the attempt is recorded', async () => {
    const { user, passkey } = await enrolledUser(site, 'moved@free.example');
    await site.db.prisma.user.update({ where: { id: user.id }, data: { email: 'moved@captured.example' } });
    const { finish } = await beginSignIn(browser(site.url).next, site.url);
    expect((await finish(passkey)).body).toMatchObject(REFUSED);
    expect(
      await site.db.prisma.governanceDecision.findMany({ where: { user_id: user.id, decision: 'deny' } }),
    ).toMatchObject([{ action: 'session.create', reason: 'single sign-on only' }]);
    expect(await site.db.prisma.consoleCode.count({ where: { user_id: user.id } })).toBe(0);
  });

  it('cannot be registered, whatever the letter case of its domain', async () => {
    const json = { name: 'Ann', email: 'ann@CAPTURED.example', role: 'user' };
    expect((await createHttpClient(site.url)('POST', '/admin/api/register', { json })).body).toMatchObject(REFUSED);
    expect(await site.db.prisma.user.count({ where: { email: json.email } })).toBe(0);
  });

  it('gets no recovery link but the same answer as any other account, and cannot use an earlier link', async () => {
    const email = 'lost@captured.example';
    await site.addUser({ email });
    const request = (address: string) =>
      createHttpClient(site.url)('POST', '/admin/api/magic-link/request', { json: { email: address } });
    const [captured, unknown] = [await request(email), await request('unknown@free.example')];
    expect([captured.status, captured.text]).toEqual([unknown.status, unknown.text]);
    await site.settled();
    const user = await site.db.prisma.user.findUniqueOrThrow({ where: { email } });
    expect(await site.db.prisma.magicLinkToken.count({ where: { user_id: user.id } })).toBe(0);
    const issued = await createMagicLinkStore(site.db).issue(email, { ip: '127.0.0.1', requestId: 'test' });
    const { status } = await createHttpClient(site.url)('POST', '/admin/api/magic-link/validate', {
      json: { token: issued?.token },
    });
    expect(status).toBe(401);
  });

  it('can sign in with its passkey at a console that does not capture the domain', async () => {
    const { user, passkey } = await enrolledUser(before, 'later@captured.example');
    const { finish } = await beginSignIn(browser(before.url).next, before.url);
    bodyOf(await finish(passkey));
    expect(await site.db.prisma.governanceDecision.count({ where: { user_id: user.id, decision: 'deny' } })).toBe(0);
  });

  it('is only an account with exactly this domain: accounts of subdomains and other domains may enrol a passkey', async () => {
    for (const email of ['a@sub.captured.example', 'a@notcaptured.example', 'captured.example@free.example'])
      expect((await enrolled(email)).enrolling.status).toBe(201);
  });
});

describe('a break-glass account', () => {
  it('can sign in with its passkey, which raises an alarm', async () => {
    const admin = await site.addUser({ email: 'root@free.example', role: 'admin', platformAdmin: true });
    const { passkey, enrolling } = await enrolled('glass@captured.example');
    expect(enrolling.status).toBe(201);
    const { finish } = await beginSignIn(browser(site.url).next, site.url);
    bodyOf(await finish(passkey));
    const user = await site.db.prisma.user.findUniqueOrThrow({ where: { email: 'glass@captured.example' } });
    expect(
      await site.db.prisma.governanceDecision.findMany({
        where: { user_id: user.id, action: 'session.break_glass' },
      }),
    ).toMatchObject([{ decision: 'allow', detail: { method: 'passkey' } }]);
    expect(await noticesTo('root@free.example')).toMatchObject([{ user_id: admin.id, kind: 'break_glass_used' }]);
    expect(lines.filter(({ event }) => event === 'sso.break_glass')).toMatchObject([{ level: 'error' }]);
  });

  it('raises the alarm when a recovery link signs it in', async () => {
    const email = 'glass@captured.example';
    const issued = await createMagicLinkStore(site.db).issue(email, { ip: '127.0.0.1', requestId: 'test' });
    const { status } = await createHttpClient(site.url)('POST', '/admin/api/magic-link/validate', {
      json: { token: issued?.token },
    });
    const user = await site.db.prisma.user.findUniqueOrThrow({ where: { email } });
    const rows = await site.db.prisma.governanceDecision.findMany({
      where: { user_id: user.id, action: 'session.break_glass' },
      orderBy: { seq: 'asc' },
    });
    expect([status, rows.at(-1)?.detail]).toEqual([200, { method: 'magic_link' }]);
  });

  it('raises no alarm when the proof is wrong', async () => {
    const { user, passkey } = await enrolledUser(site, 'other@free.example');
    const { finish } = await beginSignIn(browser(site.url).next, site.url);
    await finish(passkey, { origin: 'https://evil.example' });
    expect(
      await site.db.prisma.governanceDecision.count({ where: { user_id: user.id, action: 'session.break_glass' } }),
    ).toBe(0);
  });
});
