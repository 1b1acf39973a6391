import { newOneTimeToken, newOpaqueSecret } from '@millwright/auth';
import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';

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

/** Runs without the table: a request that asks the database for its rows fails. */
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
    'is refused as a refresh token without the database: %s',
    async (token) => {
      const statuses = await without('session_refresh_tokens', async () => [
        await get('/admin/login', `refresh_token=${token}`),
        await get('/admin/login', `refresh_token=${newOpaqueSecret('mw_rt_')}`),
      ]);
      expect(statuses).toEqual([200, 500]);
    },
  );

  it.each(['x', 'a'.repeat(63), 'a'.repeat(65), 'G'.repeat(64)])(
    'is refused as a setup token without the database: %s',
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

describe('the limits of an address', () => {
  const times = async (count: number, request: () => Promise<number>) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n += 1) statuses.push(await request());
    return statuses;
  };
  const firstRefused = (statuses: number[]) => statuses.indexOf(429);

  it.each(['/admin/login', '/admin/register', '/admin/add-passkey', '/admin/magic-link', '/admin/oauth/authorize'])(
    'count requests for the page %s',
    async (path) => {
      // Few are admitted, so that the test fits into a minute; a new minute begins at most once.
      const url = await site.addInstance(0.05);
      const statuses = await times(11, () => get(path, '', url));
      expect(firstRefused(statuses)).toBeGreaterThanOrEqual(5);
      expect(firstRefused(statuses)).toBeLessThanOrEqual(10);
    },
  );

  it('of other requests do not affect sign-ins', async () => {
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

  it('count page requests of a signed-in user against the session, not the address', async () => {
    const url = await site.addInstance(0.01);
    const { access } = await site.signIn(await site.addUser({ email: 'pages@example.com' }));
    const statuses = await times(7, () => get('/admin/profile', `access_token=${access}`, url));
    expect(firstRefused(statuses)).toBeGreaterThanOrEqual(3);
  });

  it('apply to refused refresh tokens, and refuse further tokens before any database query', async () => {
    const url = await site.addInstance(0.05);
    const refused = () => get('/admin/.well-known/nowhere', `refresh_token=${newOpaqueSecret('mw_rt_')}`, url);
    const statuses = await times(11, refused);
    expect(firstRefused(statuses)).toBeGreaterThanOrEqual(5);
    expect(await without('session_refresh_tokens', refused)).toBe(429);
  });
});
