import { createHash } from 'node:crypto';
import type { NoticeDetail } from '@millwright/accounts';
import { encodeId } from '@millwright/db';
import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createCodeStore } from '../oauth/codes.store.js';
import { noticeText } from '../notices/notice-texts.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { openSession } from './sessions.store.js';

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

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** Creates a code as a passkey sign-in does, and the form that exchanges it. */
async function newCode(email: string) {
  const user = await site.addUser({ email });
  const code = await site.db.transaction((tx) => createCodeStore(site.db).issue(tx, user.id, CHALLENGE));
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    client_id: 'marketplace-admin',
    redirect_uri: `${site.url}/admin/login`,
  };
  return { user, form };
}

const exchange = (form: Record<string, string>) =>
  createHttpClient(site.url)('POST', '/admin/oauth/token', { json: form });
const live = (userId: string) => site.db.prisma.userSession.count({ where: { user_id: userId, revoked_at: null } });

describe('POST /admin/oauth/token', () => {
  it('sets both cookies with the specified flags, and returns no token in the body', async () => {
    const { form, user } = await newCode('flags@example.com');
    const answer = await exchange(form);
    expect(answer.body).toEqual({ token_type: 'Bearer', expires_in: 3600, scope: 'user' });
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies)
      expect(cookie).toMatch(/^(access|refresh)_token=.+; Path=\/; .*HttpOnly; SameSite=Lax$/);
    expect(await live(user.id)).toBe(1);
  });

  it('sends the user a message after a sign-in with a browser that the user has not used before', async () => {
    const { user } = await newCode('browsers@example.com');
    const agents = {
      firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
      newerFirefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      edge: 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0',
    };
    const signInWith = async (userAgent: string, method: 'passkey' | 'magic_link' = 'passkey') => {
      const from = { ip: '192.0.2.7', userAgent, requestId: 'r', maxSessions: 9 };
      await site.db.transaction((tx) => openSession(tx, { user, method, ...from }));
    };
    const notices = () => site.db.prisma.accountNotice.findMany({ where: { user_id: user.id } });
    await signInWith(agents.firefox);
    await signInWith(agents.newerFirefox);
    expect(await notices()).toEqual([]);
    await signInWith(agents.edge);
    await signInWith(agents.edge);
    const [notice, ...others] = await notices();
    expect([notice?.kind, notice?.email, others]).toEqual(['new_browser', 'browsers@example.com', []]);
    const detail = notice?.detail as NoticeDetail;
    const { text } = noticeText('new_browser', { email: user.email, baseUrl: site.url, detail });
    expect(text).toContain('with Edge on Windows, from the address 192.0.2.7.');
    await site.db.prisma.userSession.updateMany({
      where: { user_id: user.id, user_agent: agents.edge },
      data: { created_at: new Date(Date.now() - 181 * 86_400_000) },
    });
    await signInWith(agents.edge);
    await signInWith('', 'magic_link');
    expect(await notices()).toHaveLength(2);
  });

  it('ends the least recently used sessions when a user has more than SESSION_MAX_PER_USER, and audits the end of each', async () => {
    const limited = await startConsole(database.url, { settings: { SESSION_MAX_PER_USER: 3 } });
    const { user } = await newCode('limited@example.com');
    const opened = [];
    for (let n = 0; n < 4; n++) opened.push((await site.signIn(user)).sessionId);
    const [first, second, third, fourth] = opened as [string, string, string, string];
    await site.db.prisma.userSession.update({
      where: { id: first },
      data: { last_seen_at: new Date(Date.now() + 1_000) },
    });
    const code = await site.db.transaction((tx) => createCodeStore(site.db).issue(tx, user.id, CHALLENGE));
    const form = { grant_type: 'authorization_code', code, code_verifier: VERIFIER, client_id: 'marketplace-admin' };
    const json = { ...form, redirect_uri: `${limited.url}/admin/login` };
    expect((await createHttpClient(limited.url)('POST', '/admin/oauth/token', { json })).status).toBe(200);
    const ended = await site.db.prisma.userSession.findMany({ where: { user_id: user.id, revoked_at: { not: null } } });
    expect(ended.map(({ id }) => id).sort()).toEqual([second, third].sort());
    expect(await site.db.prisma.userSession.findUnique({ where: { id: fourth } })).toMatchObject({ revoked_at: null });
    const where = { user_id: user.id, action: 'session.revoke' };
    expect(await site.db.prisma.governanceDecision.count({ where })).toBe(2);
    const { client } = await site.signIn(user);
    const { items } = (await client('GET', '/admin/api/me/security-activity')).body as { items: object[] };
    expect(items).toMatchObject(Array(2).fill({ event: 'session_limit_reached', by: 'you' }));
    await limited.close();
  });

  it('keeps the 20-session limit when 30 sign-ins run concurrently', async () => {
    const user = await site.addUser({ email: 'crowd@example.com' });
    const codes = createCodeStore(site.db);
    const from = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' };
    const issued: string[] = [];
    for (let n = 0; n < 30; n++) issued.push(await site.db.transaction((tx) => codes.issue(tx, user.id, CHALLENGE)));
    const opened = await Promise.all(issued.map((code) => codes.exchange(code, CHALLENGE, from)));
    expect(opened.filter((exchange) => exchange !== undefined)).toHaveLength(30);
    expect(await live(user.id)).toBe(20);
  });

  it('also accepts a form, at the path /api/v1/core/oauth/token', async () => {
    const { form } = await newCode('form@example.com');
    const body = new URLSearchParams(form);
    expect((await createHttpClient(site.url)('POST', '/api/v1/core/oauth/token', { body })).status).toBe(200);
  });

  it('accepts one of 100 concurrent requests with one code, then ends the new session because the code was reused', async () => {
    const { form, user } = await newCode('parallel@example.com');
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(form)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await site.db.prisma.userSession.count({ where: { user_id: user.id } })).toBe(1);
    expect(await live(user.id)).toBe(0);
    const ended = await site.db.prisma.governanceDecision.findMany({
      where: { user_id: user.id, action: 'session.revoke' },
    });
    expect(ended).toMatchObject([{ detail: { reason: 'authorization code replayed', by: 'stranger' } }]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a wrong verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['a verifier that is the challenge (plain)', { code_verifier: CHALLENGE }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'https://evil.example/admin/login' }, 'invalid_grant'],
    ['a longer redirect URI', { redirect_uri: 'SITE/admin/login/' }, 'invalid_grant'],
    ['another client', { client_id: 'other' }, 'invalid_client'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another grant type', { grant_type: 'refresh_token' }, 'unsupported_grant_type'],
  ])('refuses %s', async (name, change, error) => {
    const { form, user } = await newCode(`${name.replaceAll(/\W/g, '')}@example.com`);
    const answer = await exchange({ ...form, ...change });
    expect(answer.body).toMatchObject({ error });
    expect(await live(user.id)).toBe(0);
  });
});

describe('the refresh token', () => {
  const withRefresh = (token: string) =>
    createHttpClient(site.url, { cookie: `access_token=expired; refresh_token=${token}` })('GET', '/admin/api/me');
  const successorIn = (headers: Headers) => /refresh_token=([^;]+)/.exec(headers.getSetCookie().join('\n'))?.[1] ?? '';

  it('renews an expired access token during a request; 20 concurrent tabs get the same new refresh token', async () => {
    const { refresh } = await site.signIn(await site.addUser({ email: 'tabs@example.com' }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => withRefresh(refresh)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ headers }) => successorIn(headers))).size).toBe(1);
    expect((await withRefresh(successorIn(answers[0]?.headers ?? new Headers()))).status).toBe(200);
  });

  it('ends the session when it is reused after ten seconds', async () => {
    const { refresh, sessionId } = await site.signIn(await site.addUser({ email: 'thief@example.com' }));
    const first = await withRefresh(refresh);
    await site.db.prisma
      .$executeRaw`UPDATE session_refresh_tokens SET used_at = now() - interval '11 seconds' WHERE session_id = ${sessionId}::uuid AND used_at IS NOT NULL`;
    expect((await withRefresh(refresh)).status).toBe(401);
    expect((await withRefresh(successorIn(first.headers))).status).toBe(401);
    const session = await site.db.prisma.userSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(session.revoked_reason).toBe('refresh token reused');
    const row = await site.db.prisma.governanceDecision.findFirst({
      where: { action: 'session.revoke', resource: encodeId('ses', sessionId) },
    });
    expect(row).toMatchObject({
      ...{ ip: '127.0.0.1', request_id: expect.any(String) as string },
      detail: { reason: 'refresh token reused', by: 'stranger' },
    });
  });
});

describe('own sessions', () => {
  it('are listed with a mark at the current session, and end when they are revoked', async () => {
    const user = await site.addUser({ email: 'two@example.com' });
    const [one, two] = [await site.signIn(user), await site.signIn(user)];
    const { body } = await one.client('GET', '/admin/api/sessions');
    const items = (body as { items: { id: string; current: boolean }[] }).items;
    expect(items.filter(({ current }) => current)).toHaveLength(1);
    const other = items.find(({ current }) => !current)?.id;
    expect((await one.client('DELETE', `/admin/api/sessions/${other}`)).status).toBe(204);
    expect((await two.client('GET', '/admin/api/me')).status).toBe(401);
    expect((await one.client('POST', '/admin/api/sign-out')).status).toBe(204);
    expect((await one.client('GET', '/admin/api/me')).status).toBe(401);
  });

  it('end when the user revokes all other sessions; the current session continues', async () => {
    const user = await site.addUser({ email: 'many@example.com' });
    const stranger = await site.signIn(await site.addUser({ email: 'bystander@example.com' }));
    const [one, two, three] = [await site.signIn(user), await site.signIn(user), await site.signIn(user)];
    const revokeOthers = async () => (await one.client('POST', '/admin/api/sessions/revoke-others')).body;
    expect(await revokeOthers()).toEqual({ revoked: 2 });
    expect(await revokeOthers()).toEqual({ revoked: 0 });
    const statuses = [one, two, three, stranger].map(
      async ({ client }) => (await client('GET', '/admin/api/me')).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 401, 401, 200]);
    const where = { user_id: user.id, action: 'session.revoke_others' };
    expect(await site.db.prisma.governanceDecision.findMany({ where })).toMatchObject([{ detail: { revoked: 2 } }]);
  });

  it('are not found (404) by other users', async () => {
    const mine = await site.signIn(await site.addUser({ email: 'mine@example.com' }));
    const theirs = await site.signIn(await site.addUser({ email: 'theirs@example.com' }));
    const { body } = await theirs.client('GET', '/admin/api/sessions');
    const id = (body as { items: { id: string }[] }).items[0]?.id;
    expect((await mine.client('DELETE', `/admin/api/sessions/${id}`)).status).toBe(404);
  });
});
