import { issueSetupToken } from '@millwright/auth';
import { createHttpClient, type ClientAnswer, type HttpClient } from '@millwright/http/sweep';
import { createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import { createMagicLinkStore } from './magic-link/magic-link.store.js';
import { startConsole, type TestConsole } from './test-console.js';
import { createPasskey } from './test-passkey.js';
import { beginSignIn, bodyOf, browser, enrolledUser, exchangeForm, signInWith } from './test-sign-in.js';

let database: TestDatabase;
let site: TestConsole;
let urls: [string, string];

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, listen);
  urls = [site.url, await site.addInstance()];
});

afterAll(async () => {
  await site.close();
  await database.drop();
});

const HUNDRED = Array.from({ length: 100 }, (_, n) => n);
/** A hundred requests at once, every other one at the other instance. */
const race = (send: (client: HttpClient, n: number) => Promise<ClientAnswer>, headers: Record<string, string> = {}) =>
  Promise.all(HUNDRED.map((n) => send(createHttpClient(urls[n % 2] ?? '', headers), n)));
const count = (answers: ClientAnswer[], wanted: number) => answers.filter(({ status }) => status === wanted).length;
/** Whatever did not succeed was refused; a machine that is overloaded may say so instead (503), and has used nothing up. */
function expectOne(answers: ClientAnswer[], success: number, refusal: number): void {
  expect(count(answers, success)).toBe(1);
  expect(count(answers, refusal) + count(answers, 503)).toBe(99);
  expect(count(answers, refusal)).toBeGreaterThan(10);
}
const headersOf = (cookies: ReadonlyMap<string, string>) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});

describe('of 100 redemptions at once over two instances, one succeeds:', () => {
  it('a setup token', async () => {
    const user = await site.addUser({ email: 'setup@example.com' });
    const actor = { userId: user.id, kind: 'user', label: user.name } as const;
    const { token } = await site.db.transaction((tx) => issueSetupToken(tx, 'setup@example.com', actor));
    const { next, cookies } = browser(...urls);
    const begun: object[] = [];
    for (const n of HUNDRED) {
      const started = await next()('POST', '/admin/api/passkey/register/start', { json: { setup_token: token } });
      const { ceremony, options } = bodyOf(started) as {
        ceremony: string;
        options: Parameters<ReturnType<typeof createPasskey>['create']>[0];
      };
      begun.push({ ceremony, name: `n${n}`, response: createPasskey(site.url).create(options) });
    }
    const finish = '/admin/api/passkey/register/finish';
    const answers = await race((client, n) => client('POST', finish, { json: begun[n] }), headersOf(cookies));
    expectOne(answers, 201, 403);
    expect(await site.db.prisma.passkey.count({ where: { user_id: user.id } })).toBe(1);
    expect(await site.db.prisma.setupToken.count({ where: { user_id: user.id, used_at: null } })).toBe(0);
  }, 60_000);

  it('a recovery link', async () => {
    const user = await site.addUser({ email: 'link@example.com' });
    const issued = await createMagicLinkStore(site.db).issue('link@example.com', {
      ip: '127.0.0.1',
      requestId: 'test',
    });
    const json = { token: issued?.token };
    const answers = await race((client) => client('POST', '/admin/api/magic-link/validate', { json }));
    expectOne(answers, 200, 401);
    expect(await site.db.prisma.userSession.count({ where: { user_id: user.id } })).toBe(1);
  });

  it('a sign-in challenge', async () => {
    const { user, passkey } = await enrolledUser(site, 'challenge@example.com', { counting: false });
    const { next, cookies } = browser(...urls);
    const { answer } = await beginSignIn(next, site.url);
    const json = answer(passkey);
    const finish = '/admin/api/passkey/login/finish';
    const answers = await race((client) => client('POST', finish, { json }), headersOf(cookies));
    expectOne(answers, 200, 401);
    expect(await site.db.prisma.consoleCode.count({ where: { user_id: user.id } })).toBe(1);
  });

  it('a signature counter, however many challenges it answers', async () => {
    const { user, passkey } = await enrolledUser(site, 'cloned@example.com');
    const { next, cookies } = browser(...urls);
    const begun: object[] = [];
    while (begun.length < 100) begun.push((await beginSignIn(next, site.url)).answer(passkey, { counter: 7 }));
    const finish = '/admin/api/passkey/login/finish';
    const answers = await race((client, n) => client('POST', finish, { json: begun[n] }), headersOf(cookies));
    expectOne(answers, 200, 401);
    const where = { user_id: user.id, decision: 'deny', reason: 'signature counter went back' };
    expect(await site.db.prisma.governanceDecision.count({ where })).toBe(count(answers, 401));
  }, 60_000);

  it('an authorization code, and the replays end what it minted', async () => {
    const { user, passkey } = await enrolledUser(site, 'code@example.com');
    const { verifier, finish } = await beginSignIn(browser(...urls).next, site.url);
    const { redirect_to } = bodyOf(await finish(passkey)) as { redirect_to: string };
    const json = exchangeForm(site.url, redirect_to, verifier);
    const answers = await race((client) => client('POST', '/admin/oauth/token', { json }));
    expectOne(answers, 200, 400);
    const sessions = await site.db.prisma.userSession.findMany({ where: { user_id: user.id } });
    expect(sessions.map(({ revoked_reason }) => revoked_reason)).toEqual(['authorization code replayed']);
  });

  it('a step-up challenge', async () => {
    const { user, passkey } = await enrolledUser(site, 'step@example.com', { counting: false });
    const { client, access } = await site.signIn(user);
    const options = bodyOf(await client('POST', '/admin/api/step-up/start')) as { challenge: string };
    const json = { response: passkey.get(options) };
    const cookie = { cookie: `access_token=${access}` };
    const answers = await race((each) => each('POST', '/admin/api/step-up/finish', { json }), cookie);
    expectOne(answers, 200, 403);
    const where = { user_id: user.id, action: 'session.step_up', decision: 'allow' };
    expect(await site.db.prisma.governanceDecision.count({ where })).toBe(1);
  });
});

describe('of 100 uses of one refresh token at once over two instances', () => {
  it('all get the same successor, and one family goes on', async () => {
    const user = await site.addUser({ email: 'refresh@example.com' });
    const { refresh, sessionId } = await site.signIn(user);
    const answers = await race((client) => client('GET', '/admin/api/me'), { cookie: `refresh_token=${refresh}` });
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length + count(answers, 503)).toBe(100);
    const successors = new Set(
      good.map(({ headers }) => /refresh_token=([^;]+)/.exec(headers.getSetCookie().join())?.[1]),
    );
    expect(successors.size).toBe(1);
    expect(await site.db.prisma.sessionRefreshToken.count({ where: { session_id: sessionId } })).toBe(2);
    expect(await site.db.prisma.sessionRefreshToken.count({ where: { session_id: sessionId, used_at: null } })).toBe(1);
    expect(await site.db.prisma.userSession.count({ where: { user_id: user.id, revoked_at: null } })).toBe(1);
  });

  it('after its ten seconds, none gets anything and the session ends once', async () => {
    const { refresh, sessionId } = await site.signIn(await site.addUser({ email: 'stolen@example.com' }));
    const cookie = { cookie: `refresh_token=${refresh}` };
    bodyOf(await createHttpClient(site.url, cookie)('GET', '/admin/api/me'));
    await site.db.prisma
      .$executeRaw`UPDATE session_refresh_tokens SET used_at = now() - interval '11 seconds' WHERE session_id = ${sessionId}::uuid AND used_at IS NOT NULL`;
    const answers = await race((client) => client('GET', '/admin/api/me'), cookie);
    expect(count(answers, 401) + count(answers, 503)).toBe(100);
    const session = await site.db.prisma.userSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(session.revoked_reason).toBe('refresh token reused');
    const where = { action: 'session.revoke', user_id: session.user_id };
    expect(await site.db.prisma.governanceDecision.count({ where })).toBe(1);
  });
});

describe('a browser whose every request reaches the other instance', () => {
  it('registers, enrols, signs in, proves again, makes a key and signs out', async () => {
    const { next, cookies } = browser(...urls);
    const registered = await next()('POST', '/admin/api/register', {
      json: { name: 'Eve', email: 'alternating@example.com', role: 'user' },
    });
    const { setup_token } = bodyOf(registered, 201) as { setup_token: string };
    const passkey = createPasskey(site.url);
    const started = await next()('POST', '/admin/api/passkey/register/start', { json: { setup_token } });
    const { ceremony, options } = bodyOf(started) as {
      ceremony: string;
      options: Parameters<typeof passkey.create>[0];
    };
    const response = passkey.create(options);
    bodyOf(await next()('POST', '/admin/api/passkey/register/finish', { json: { ceremony, response } }), 201);
    await signInWith(next, site.url, passkey);
    expect(bodyOf(await next()('GET', '/admin/api/me'))).toMatchObject({ email: 'alternating@example.com' });
    const stepUp = bodyOf(await next()('POST', '/admin/api/step-up/start')) as { challenge: string };
    bodyOf(await next()('POST', '/admin/api/step-up/finish', { json: { response: passkey.get(stepUp) } }));
    bodyOf(await next()('POST', '/admin/api/keys', { json: { name: 'k' } }), 201);
    cookies.delete('access_token');
    for (let n = 0; n < 4; n++) bodyOf(await next()('GET', '/admin/api/me'));
    const { access_token } = Object.fromEntries(cookies);
    expect((await next()('POST', '/admin/api/sign-out')).status).toBe(204);
    expect(cookies.has('access_token')).toBe(false);
    cookies.set('access_token', access_token ?? '');
    for (let n = 0; n < 2; n++) expect((await next()('GET', '/admin/api/me')).status).toBe(401);
  });
});
