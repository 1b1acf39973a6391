import { newOneTimeToken, newOpaqueSecret } from '@millwright/auth';
import { createHttpClient, createPasskey, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { beginSignIn, bodyOf, browser, enrolledUser, exchangeForm, newFlow } from '../test-sign-in.js';

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

const get = async (path: string, cookie = '', url = site.url) =>
  (await createHttpClient(url, { cookie })('GET', path)).status;

/** Calls `run` while the table is renamed, so that a request fails if it queries the table. */
async function without<Result>(table: string, run: () => Promise<Result>): Promise<Result> {
  await site.db.prisma.$executeRawUnsafe(`ALTER TABLE ${table} RENAME TO away`);
  try {
    return await run();
  } finally {
    await site.db.prisma.$executeRawUnsafe(`ALTER TABLE away RENAME TO ${table}`);
  }
}

describe('a text without the form of a secret', () => {
  it.each(['x', 'mw_rt_', `mw_rt_${'a'.repeat(42)}`, `mw_rt_${'a'.repeat(44)}`, `mw_rt_${'.'.repeat(43)}`])(
    'is refused as a refresh token without a database query: %s',
    async (token) => {
      const statuses = await without('session_refresh_tokens', async () => [
        await get('/admin/login', `refresh_token=${token}`),
        await get('/admin/login', `refresh_token=${newOpaqueSecret('mw_rt_')}`),
      ]);
      expect(statuses).toEqual([200, 500]);
    },
  );

  it.each(['x', 'a'.repeat(63), 'a'.repeat(65), 'G'.repeat(64)])(
    'is refused as a setup token without a database query: %s',
    async (token) => {
      const statuses = await without('setup_tokens', async () => [
        await get(`/admin/add-passkey?token=${token}`),
        await get(`/admin/add-passkey?token=${newOneTimeToken()}`),
      ]);
      expect(statuses).toEqual([403, 500]);
    },
  );

  it('is refused as a consent request id before any database query', async () => {
    const user = await site.addUser({ email: 'ada@example.com' });
    const { client } = await site.signIn(user);
    const statuses = await without('oauth_authorizations', async () => [
      (await client('GET', '/admin/consent?request=x')).status,
      (await client('GET', `/admin/consent?request=${newOneTimeToken()}`)).status,
    ]);
    expect(statuses).toEqual([404, 500]);
  });
});

const times = async (count: number, request: () => Promise<number>) => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push(await request());
  return statuses;
};
const firstRefused = (statuses: number[]) => statuses.indexOf(429);

describe('the rate limits of an IP address', () => {
  it.each([
    ['/admin/login', 1 / 120],
    ['/admin/oauth/authorize', 1 / 120],
    ['/admin/register', 1 / 20],
    ['/admin/add-passkey', 1 / 20],
    ['/admin/magic-link', 1 / 20],
  ])('count requests for the page %s', async (path, multiplier) => {
    // The limits are low, so that the test takes less than a minute; a new minute begins at most once.
    const url = await site.addInstance(multiplier);
    const statuses = await times(11, () => get(path, '', url));
    expect(firstRefused(statuses)).toBeGreaterThanOrEqual(5);
    expect(firstRefused(statuses)).toBeLessThanOrEqual(10);
  });

  it('still admit sign-ins when the limit for other requests is reached', async () => {
    const url = await site.addInstance(0.05);
    const client = createHttpClient(url, { origin: site.url });
    const statuses = await times(11, () => get('/admin/.well-known/jwks.json', '', url));
    expect(firstRefused(statuses)).toBeGreaterThanOrEqual(5);
    expect([
      await get('/admin/login', '', url),
      await get('/admin/oauth/authorize', '', url),
      (await client('POST', '/admin/api/passkey/login/start', { json: {} })).status,
      (await client('POST', '/admin/oauth/token', { json: {} })).status,
    ]).not.toContain(429);
  });

  it('do not count page requests of a signed-in user, which count against the session', async () => {
    const url = await site.addInstance(0.01);
    const { access } = await site.signIn(await site.addUser({ email: 'pages@example.com' }));
    const statuses = await times(7, () => get('/admin/profile', `access_token=${access}`, url));
    expect(firstRefused(statuses)).toBeGreaterThanOrEqual(3);
  });

  it('count refused refresh tokens, and then refuse further tokens before any database query', async () => {
    const url = await site.addInstance(0.05);
    const refused = () => get('/admin/.well-known/nowhere', `refresh_token=${newOpaqueSecret('mw_rt_')}`, url);
    const statuses = await times(11, refused);
    expect(firstRefused(statuses)).toBeGreaterThanOrEqual(5);
    expect(await without('session_refresh_tokens', refused)).toBe(429);
  });
});

describe('sign-ins from one address', () => {
  let shared: TestConsole | undefined;
  afterEach(() => shared?.close());

  /** Starts an instance with these limits. Its clock is stopped, so that no new minute begins. */
  async function startAt(multiplier: number) {
    const first = await startConsole(database.url, { now: () => Date.UTC(2026, 0, 1) });
    shared = first;
    return { first, url: await first.addInstance(multiplier) };
  }

  it('succeed for 120 people a minute, each with all requests of a sign-in', async () => {
    // Uses a tenth of all limits and a tenth of the people, which makes the test faster.
    const { first, url } = await startAt(0.1);
    const { next } = browser(url);
    for (let person = 0; person < 12; person++) {
      const email = `person-${person}@example.com`;
      const { passkey } = await enrolledUser(first, email);
      const own = browser(url).next;
      const { verifier, query, finish } = await beginSignIn(own, first.url, email);
      const { redirect_to } = bodyOf(await finish(passkey)) as { redirect_to: string };
      bodyOf(await own()('POST', '/admin/oauth/token', { json: exchangeForm(first.url, redirect_to, verifier) }));
      expect((await browser(url).next()('GET', '/admin/login')).status).toBe(200);
      expect((await browser(url).next()('GET', `/admin/oauth/authorize?${query}`)).status).toBe(200);
    }
    expect((await next()('GET', '/admin/login')).status).toBe(429);
  });

  it('are limited to 20 starts a minute for one account, known or not, in any spelling of its email', async () => {
    const { first, url } = await startAt(1);
    await first.addUser({ email: 'known@example.com' });
    const begin = async (email?: string) => {
      const json = { authorization: `?${newFlow(first.url).query}`, email };
      return (await browser(url).next()('POST', '/admin/api/passkey/login/start', { json })).status;
    };
    for (const name of ['known', 'unknown']) {
      expect(await times(10, () => begin(`${name}@example.com`))).not.toContain(429);
      expect(firstRefused(await times(11, () => begin(` ${name.toUpperCase()}@Example.com`)))).toBe(10);
    }
    expect([await begin('another@example.com'), await begin()]).toEqual([200, 200]);
  });

  it('are limited to 20 attempts a minute with one passkey, known or not', async () => {
    const { first, url } = await startAt(1);
    const { passkey } = await enrolledUser(first, 'guessed@example.com');
    const guess = async (id: string) => {
      const { answer, send } = await beginSignIn(browser(first.url, url).next, first.url);
      return (await send(answer(createPasskey(first.url), { id }))).status;
    };
    for (const id of [passkey.id, createPasskey(first.url).id]) {
      const statuses = await times(21, () => guess(id));
      expect(new Set(statuses.slice(0, 20))).toEqual(new Set([401]));
      expect(statuses[20]).toBe(429);
    }
    expect(await guess(createPasskey(first.url).id)).toBe(401);
  });

  it('are limited to 120 starts a minute for all accounts together', async () => {
    const { first, url } = await startAt(1 / 12);
    let turn = 0;
    const begin = async () => {
      const json = { authorization: `?${newFlow(first.url).query}`, email: `${turn++}@example.com` };
      return (await browser(url).next()('POST', '/admin/api/passkey/login/start', { json })).status;
    };
    expect(firstRefused(await times(11, begin))).toBe(10);
  });
});
