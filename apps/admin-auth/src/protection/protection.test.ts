import { createHttpClient, createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
let site: TestConsole;
let clients: Record<'anonymous' | 'user' | 'admin' | 'platform', HttpClient>;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  const [user, admin, platform] = await Promise.all([
    site.addUser({ email: 'user@example.com' }),
    site.addUser({ email: 'admin@example.com', role: 'admin' }),
    site.addUser({ email: 'platform@example.com', role: 'admin', platformAdmin: true }),
  ]);
  clients = {
    anonymous: createHttpClient(site.url),
    user: (await site.signIn(user)).client,
    admin: (await site.signIn(admin)).client,
    platform: (await site.signIn(platform)).client,
  };
});

afterAll(async () => {
  await site.close();
  await database.drop();
});

const login = (path: string) => `303 /admin/login?redirect=${encodeURIComponent(path)}`;

/**
 * Rows of method and path, with the statuses for anonymous browsers, users, admins and platform admins. A status of 404 means that the
 * request was admitted, but that no page exists.
 */
const ROWS: readonly (readonly [string, string, string, string, string])[] = [
  ['GET /admin/login', '200', '303 /chat', '303 /admin', '303 /admin'],
  ['GET /admin/login?redirect=/admin', '200', '303 /chat', '303 /admin', '303 /admin'],
  ['GET /admin/login?redirect=/admin/profile', '200', '303 /admin/profile', '303 /admin/profile', '303 /admin/profile'],
  ['GET /chat', login('/chat'), '200', '200', '200'],
  ['GET /chat/ctx_1', login('/chat/ctx_1'), '200', '200', '200'],
  ['GET /chat/passages/ct_1', login('/chat/passages/ct_1'), '200', '200', '200'],
  ['GET /chat/ctx_1/more', login('/chat/ctx_1/more'), '404', '404', '404'],
  ['GET /admin/register', '200', '200', '200', '200'],
  ['GET /admin/add-passkey', '403', '403', '403', '403'],
  ['GET /admin/verify-pending?token=x', '403', '403', '403', '403'],
  ['GET /admin/profile', login('/admin/profile'), '200', '200', '200'],
  ['GET /admin/settings', login('/admin/settings'), '200', '200', '200'],
  ['GET /admin/setup?a=b', login('/admin/setup?a=b'), '200', '200', '200'],
  ['GET /admin', login('/admin'), '303 /admin/profile', '200', '200'],
  ['GET /admin/whatever', login('/admin/whatever'), '303 /admin/profile', '404', '404'],
  ['GET /admin/enterprises', login('/admin/enterprises'), '403', '403', '200'],
  ['GET /admin/enterprises/Core', login('/admin/enterprises/Core'), '403', '403', '200'],
  ['GET /admin/usage', login('/admin/usage'), '303 /admin/profile', '200', '200'],
  ['GET /admin/reports/internal', login('/admin/reports/internal'), '403', '403', '200'],
  ['GET /bridge-auth/device-link', login('/bridge-auth/device-link'), '200', '200', '200'],
  ['POST /bridge-auth/session', '400', '400', '400', '400'],
  ['GET /admin/api/devices', '401', '200', '200', '200'],
  ['GET /admin/api/areas/platform/x', '401', '503', '503', '503'],
  ['GET /admin/api/me', '401', '200', '200', '200'],
  ['GET /admin/api/users', '401', '403', '200', '200'],
  ['GET /admin/api/audit', '401', '403', '200', '200'],
  ['GET /admin/api/audit/nothing', '401', '403', '404', '404'],
  ['GET /admin/api/audit/export', '401', '403', '200', '200'],
  ['GET /admin/api/audit/chain', '401', '403', '200', '200'],
  ['POST /admin/api/audit/verify', '401', '403', '200', '200'],
  ['GET /admin/api/jobs', '401', '403', '200', '200'],
  ['POST /admin/api/jobs/x/run', '401', '403', '404', '404'],
  ['GET /admin/api/quotas', '401', '403', '200', '200'],
  ['GET /admin/api/signing-keys', '401', '403', '200', '200'],
  ['GET /admin/api/enterprises', '401', '403', '403', '200'],
  ['GET /admin/api/enterprises/Core', '401', '403', '403', '200'],
  ['GET /admin/api/usage', '401', '403', '200', '200'],
  ['GET /admin/api/usage/tools', '401', '403', '200', '200'],
  ['GET /admin/api/reports/internal', '401', '403', '403', '200'],
  ['GET /admin/api/reports/internal.csv', '401', '403', '403', '200'],
  ['POST /admin/whatever', '401', '403', '404', '404'],
  ['GET /admin/.well-known/jwks.json', '200', '200', '200', '200'],
];

describe('route protection', () => {
  it.each(ROWS)(
    'answers the request %s: %s without a session, %s to a user, %s to an admin, %s to a platform admin',
    async (request, ...expected) => {
      const [method = '', path = ''] = request.split(' ');
      const answers = [];
      for (const client of [clients.anonymous, clients.user, clients.admin, clients.platform]) {
        const { status, headers } = await client(method, path);
        answers.push([status, headers.get('location')].filter(Boolean).join(' '));
      }
      expect(answers).toEqual(expected);
    },
  );

  it('answers an HTML 403 on platform-admin pages and a JSON 403 on API routes', async () => {
    expect((await clients.admin('GET', '/admin/enterprises')).headers.get('content-type')).toMatch('text/html');
    expect((await clients.user('GET', '/admin/api/users')).body).toMatchObject({
      error: { code: 'forbidden', status: 403 },
    });
  });

  it('records the refused attempt of a signed-in user', async () => {
    await clients.user('GET', '/admin/api/recorded');
    const row = await site.db.prisma.governanceDecision.findFirst({ where: { resource: '/admin/api/recorded' } });
    expect(row).toMatchObject({ decision: 'deny', action: 'console.access', reason: 'not an admin' });
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ])('refuses a POST from another origin: %j', async (headers) => {
    expect((await clients.user('POST', '/admin/api/sign-out', { headers })).status).toBe(403);
    expect((await clients.user('GET', '/admin/api/me')).status).toBe(200);
  });

  it('refuses a disabled user, and applies a changed role, from the next request on', async () => {
    const user = await site.addUser({ email: 'leaver@example.com' });
    const { client } = await site.signIn(user);
    await site.db.prisma.user.update({ where: { id: user.id }, data: { role: 'admin' } });
    expect((await client('GET', '/admin')).status).toBe(200);
    await site.db.prisma.user.update({ where: { id: user.id }, data: { status: 'inactive' } });
    expect((await client('GET', '/admin/api/me')).status).toBe(401);
  });

  it('refuses a token for another audience', async () => {
    const user = await site.addUser({ email: 'other-area@example.com' });
    const { sessionId } = await site.signIn(user);
    const token = site.sign({
      issuer: site.url,
      audience: 'gateway',
      subject: user.id,
      scope: 'user',
      sid: sessionId,
      expiresIn: 60,
    });
    expect((await createHttpClient(site.url, { cookie: `access_token=${token}` })('GET', '/admin/api/me')).status).toBe(
      401,
    );
  });
});

describe('a path without a contract', () => {
  it.each([
    ['/admin/login', 'POST', 'GET, HEAD'],
    ['/admin/oauth/authorize', 'POST', 'GET, HEAD'],
    ['/admin/oauth/token', 'GET', 'POST'],
    ['/admin/api/passkey/login/start', 'GET', 'POST'],
    ['/admin/api/passkey/login/finish', 'DELETE', 'POST'],
    ['/admin/api/passkey/register/account', 'GET', 'POST'],
    ['/admin/api/passkey/register/start', 'GET', 'POST'],
    ['/admin/api/passkey/register/finish', 'PUT', 'POST'],
    ['/admin/api/magic-link/request', 'GET', 'POST'],
    ['/admin/api/magic-link/account', 'GET', 'POST'],
    ['/admin/api/magic-link/validate', 'PATCH', 'POST'],
    ['/admin/api/sign-out', 'GET', 'POST'],
    ['/admin/assets/console/x.js', 'POST', 'GET, HEAD'],
    ['/admin/profile', 'DELETE', 'GET, HEAD'],
    ['/bridge-auth/device-link', 'PUT', 'GET, HEAD, POST'],
    ['/admin/api/audit/export', 'POST', 'GET, HEAD'],
    ['/admin/openapi.json', 'POST', 'GET, HEAD'],
  ] as const)('%s answers 405 to %s, with the header Allow: %s', async (path, method, allow) => {
    const { status, headers } = await clients.platform(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });

  it.each(['/admin/oauth/token', '/admin/api/passkey/login/start', '/admin/api/magic-link/request'])(
    '%s answers 405 without a credential',
    async (path) => expect((await clients.anonymous('GET', path)).status).toBe(405),
  );
});
