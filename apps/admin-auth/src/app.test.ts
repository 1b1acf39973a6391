import { request as rawRequest } from 'node:http';
import { createHttpClient, sweepEndpoints, type ClientAnswer, type HttpClient } from '@millwright/http/sweep';
import { createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import { loadConfig } from './config.js';
import { getJwks } from './keys/jwks.contract.js';
import { startAdmin, type TestAdmin } from './test-admin.js';
import { pageIn } from './test-assets.js';

let database: TestDatabase;
let admin: TestAdmin;
let call: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
});
/** A process for each test: limits are counted anew. */
beforeEach(async () => {
  admin = await startAdmin(database.url, listen);
  call = createHttpClient(admin.url);
});
afterEach(() => admin.close());
afterAll(() => database.drop());

const limitsOf = ({ headers }: ClientAnswer) =>
  ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

describe('every endpoint', () => {
  const target = () => ({
    baseUrl: admin.url,
    tightUrl: admin.tightUrl,
    credential: {},
    wrongCredential: {},
    credentialWithout: () => ({}),
    params: {},
  });
  it.each(sweepEndpoints({ area: 'admin', contracts: [getJwks], target }))('$title', ({ run }) => run());
});

describe('GET /admin/login', () => {
  it('answers a page that runs only scripts of its own and is framed by nobody', async () => {
    const { status, headers, text } = await call('GET', '/admin/login');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toContain('<title>Sign in · Millwright</title>');
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
    expect(policy).toMatch(/style-src 'self' 'nonce-[\w+/]{22}=='/);
    expect(pageIn(text)).toEqual({ name: 'login', title: 'Sign in', data: { target: '/admin' } });
    expect(text).toContain('<p>Processing...</p>');
    expect([
      headers.get('referrer-policy'),
      headers.get('cache-control'),
      headers.get('x-content-type-options'),
    ]).toEqual(['same-origin', 'no-store', 'nosniff']);
  });

  it('shows nothing of its address as HTML', async () => {
    const { text } = await call('GET', '/admin/login?redirect=/admin/users&error=<script>alert(1)</script>');
    expect(text).not.toContain('alert(1)');
  });

  it('answers HEAD', async () => expect((await call('HEAD', '/admin/login')).status).toBe(200));
});

describe('without a session', () => {
  it.each([
    ['/admin', '/admin'],
    ['/admin/', '/admin/'],
    ['/admin/profile', '/admin/profile'],
    ['/admin/access/users?page=2&q=a%20b', '/admin/access/users?page=2&q=a%20b'],
    ['/admin/enterprises/core', '/admin/enterprises/core'],
    ['/admin/login/', '/admin/login/'],
    ['/admin/nowhere', '/admin/nowhere'],
    [
      '/bridge-auth/device-link?redirect=http://127.0.0.1:9/x',
      '/bridge-auth/device-link?redirect=http://127.0.0.1:9/x',
    ],
    ['/admin/%0d%0aset-cookie:x', '/admin/%0d%0aset-cookie:x'],
    ['/admin//evil.test', '/admin//evil.test'],
  ])('the page %s sends the browser to sign in and come back', async (path, back) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await call(method, path);
      expect([status, headers.get('location')]).toEqual([303, `/admin/login?redirect=${encodeURIComponent(back)}`]);
      expect([headers.get('cache-control'), headers.get('set-cookie')]).toEqual(['no-store', null]);
    }
  });

  it('a request line with a whole URL sends it to no other place', async () => {
    const { hostname, port } = new URL(admin.url);
    const location = await new Promise((resolve, reject) => {
      rawRequest({ hostname, port, path: 'http://evil.test/admin/profile?x=1' }, (response) => {
        response.resume();
        resolve(response.headers.location);
      })
        .on('error', reject)
        .end();
    });
    expect(location).toBe(`/admin/login?redirect=${encodeURIComponent('/admin/profile?x=1')}`);
  });

  it.each([
    ['GET', '/admin/api/me'],
    ['HEAD', '/admin/api/me'],
    ['GET', '/admin/api/nowhere'],
    ['POST', '/admin/access/users'],
    ['PUT', '/admin'],
    ['DELETE', '/admin/api/keys/key_1'],
    ['POST', '/bridge-auth/device-link'],
  ])('%s %s is refused with a challenge, and counted', async (method, path) => {
    for (const remaining of [99, 98]) {
      const answer = await call(method, path, method === 'POST' ? { body: '{"canary' } : {});
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Cookie realm="millwright"']);
      expect(limitsOf(answer)).toEqual([100, remaining]);
      if (method !== 'HEAD') {
        expect(answer.body).toEqual({
          error: { code: 'unauthorized', message: 'A valid credential is required.', status: 401 },
        });
      }
    }
  });

  it('a hundred requests a minute are answered, more are not', async () => {
    const answers = await Promise.all(Array.from({ length: 103 }, () => call('GET', '/admin/api/me')));
    const over = answers.filter(({ status }) => status === 429);
    expect(over).toHaveLength(3);
    expect(over[0]?.body).toMatchObject({ error: { code: 'rate_limited', status: 429 } });
    expect(over[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('a made-up cookie or token is no session', async () => {
    const madeUp: Record<string, string>[] = [
      { cookie: 'access_token=x; refresh_token=y' },
      { authorization: 'Bearer x' },
    ];
    for (const headers of madeUp) {
      expect((await call('GET', '/admin/api/me', { headers })).status).toBe(401);
      expect((await call('GET', '/admin', { headers })).status).toBe(303);
    }
  });

  it('what is not of this area is not found', async () => {
    for (const path of ['/', '/adminx', '/ADMIN/login', '/health', '/admin/.well-known/nothing']) {
      const { status, body } = await call('GET', path);
      expect([path, status, body]).toMatchObject([path, 404, { error: { code: 'not_found' } }]);
    }
  });
});

describe('GET /admin/.well-known/jwks.json', () => {
  it("shows the public halves of this area's keys", async () => {
    const { status, body } = await call('GET', '/admin/.well-known/jwks.json');
    const { kid, publicJwk } = admin.signingKey;
    expect(status).toBe(200);
    const { keys } = body as { keys: { kid: string }[] };
    expect(keys.find((key) => key.kid === kid)).toEqual({ ...publicJwk, kid, use: 'sig', alg: 'ES256' });
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  it('takes no other method', async () => {
    const { status, headers } = await call('POST', '/admin/.well-known/jwks.json');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

it.each(['/admin/openapi.json', '/admin/docs'])('GET %s is public', async (path) =>
  expect((await call('GET', path)).status).toBe(200),
);

describe('loadConfig', () => {
  const env = {
    PORT: '4001',
    ADMIN_PORT: '5001',
    DATABASE_URL: 'postgresql://u:p@db/x',
    BASE_URL: 'https://mw.example.com',
    RUNTIME_URL: 'https://runtime.example.com',
    PROMPT_API_URL: 'https://prompt.example.com',
    SIGNING_KEY_FILE: '/keys/admin.pem',
    SECRETS_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
    DEVICE_CA_KEY_FILE: '/keys/devices.pem',
    DEVICE_CA_CERT_FILE: '/keys/devices-certificate.pem',
  };

  it('takes what it needs', () =>
    expect(loadConfig(env)).toMatchObject({ ...env, PORT: 4_001, ADMIN_PORT: 5_001, SECRETS_KEYS: [{ id: 'test' }] }));

  it('names every variable at fault', () => {
    expect(() => loadConfig({ ...env, BASE_URL: 'https://mw.example.com/admin' })).toThrow('BASE_URL');
    expect(() => loadConfig({})).toThrow(/BASE_URL[^]*RUNTIME_URL[^]*PROMPT_API_URL[^]*SIGNING_KEY_FILE/);
  });
});
