import { request as rawRequest } from 'node:http';
import { sweepEndpoints } from '@millwright/http-testing';
import {
  createHttpClient,
  createTestDatabase,
  type ClientAnswer,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
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
/** A new app for each test, so that its rate limits start at zero. */
beforeEach(async () => {
  admin = await startAdmin(database.url);
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
  it.each(sweepEndpoints({ area: 'admin', contracts: [getJwks], target }))('keeps its contract: $title', ({ run }) =>
    run(),
  );
});

describe('GET /admin/login', () => {
  it('answers with a page that allows only its own scripts and that other sites cannot frame', async () => {
    const { status, headers, text } = await call('GET', '/admin/login');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toContain('<title>Sign in · Millwright</title>');
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      'script-src http://mw.test/admin/assets/;',
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
    expect(policy).toMatch(/style-src http:\/\/mw\.test\/admin\/assets\/ 'nonce-[\w+/]{22}=='/);
    expect(pageIn(text)).toEqual({ name: 'login', title: 'Sign in', data: { target: '/admin' } });
    expect(text).toContain('<p>Processing...</p>');
    expect([
      headers.get('referrer-policy'),
      headers.get('cache-control'),
      headers.get('x-content-type-options'),
    ]).toEqual(['same-origin', 'no-store', 'nosniff']);
  });

  it('renders no text from the query as HTML', async () => {
    const { text } = await call('GET', '/admin/login?redirect=/admin/users&error=<script>alert(1)</script>');
    expect(text).not.toContain('alert(1)');
  });

  it('answers HEAD like GET, without a body', async () =>
    expect((await call('HEAD', '/admin/login')).status).toBe(200));
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
  ])('GET %s redirects the browser to the sign-in page, and back after the sign-in', async (path, back) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await call(method, path);
      expect([status, headers.get('location')]).toEqual([303, `/admin/login?redirect=${encodeURIComponent(back)}`]);
      expect([headers.get('cache-control'), headers.get('set-cookie')]).toEqual(['no-store', null]);
    }
  });

  it.each(['/admin//evil.test', 'http://evil.test/admin/profile?x=1'])('GET %s answers 400', async (path) => {
    const { hostname, port } = new URL(admin.url);
    const status = await new Promise((resolve, reject) => {
      rawRequest({ hostname, port, path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(400);
  });

  it.each([
    ['GET', '/admin/api/me'],
    ['HEAD', '/admin/api/me'],
    ['GET', '/admin/api/nowhere'],
    ['POST', '/admin/access/users'],
    ['PUT', '/admin'],
    ['DELETE', '/admin/api/keys/key_1'],
    ['POST', '/bridge-auth/device-link'],
  ])('%s %s is refused with a WWW-Authenticate challenge and counts against the rate limit', async (method, path) => {
    for (const remaining of [99, 98]) {
      const answer = await call(method, path, method === 'POST' ? { body: '{"canary' } : {});
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Cookie realm="millwright"']);
      expect(limitsOf(answer)).toEqual([100, remaining]);
      if (method !== 'HEAD') {
        expect(answer.body).toEqual({
          error: { code: 'unauthorized', message: 'Missing or invalid credential.', status: 401 },
        });
      }
    }
  });

  it('100 requests a minute are answered, and the next request is refused', async () => {
    const answers = await Promise.all(Array.from({ length: 103 }, () => call('GET', '/admin/api/me')));
    const over = answers.filter(({ status }) => status === 429);
    expect(over).toHaveLength(3);
    expect(over[0]?.body).toMatchObject({ error: { code: 'rate_limited', status: 429 } });
    expect(over[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('a forged cookie or token opens no session', async () => {
    const madeUp: Record<string, string>[] = [
      { cookie: 'access_token=x; refresh_token=y' },
      { authorization: 'Bearer x' },
    ];
    for (const headers of madeUp) {
      expect((await call('GET', '/admin/api/me', { headers })).status).toBe(401);
      expect((await call('GET', '/admin', { headers })).status).toBe(303);
    }
  });

  it('a path of another service is answered 404', async () => {
    for (const path of ['/', '/adminx', '/ADMIN/login', '/health', '/admin/.well-known/nothing']) {
      const { status, body } = await call('GET', path);
      expect([path, status, body]).toMatchObject([path, 404, { error: { code: 'not_found' } }]);
    }
  });
});

describe('GET /admin/.well-known/jwks.json', () => {
  it('answers the public keys of this service', async () => {
    const { status, body } = await call('GET', '/admin/.well-known/jwks.json');
    const { kid, publicJwk } = admin.signingKey;
    expect(status).toBe(200);
    const { keys } = body as { keys: { kid: string }[] };
    expect(keys.find((key) => key.kid === kid)).toEqual({ ...publicJwk, kid, use: 'sig', alg: 'ES256' });
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  it('answers 405 to other methods', async () => {
    const { status, headers } = await call('POST', '/admin/.well-known/jwks.json');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

it.each(['/admin/openapi.json', '/admin/docs'])('GET %s requires no session', async (path) =>
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
    SECURITY_ALLOW_REGISTRATION: 'false',
  };

  it('returns the settings of valid environment variables', () =>
    expect(loadConfig(env)).toMatchObject({
      ...env,
      PORT: 4_001,
      ADMIN_PORT: 5_001,
      SECRETS_KEYS: [{ id: 'test' }],
      SECURITY_ALLOW_REGISTRATION: false,
    }));

  it('names every invalid variable', () => {
    expect(() => loadConfig({ ...env, BASE_URL: 'https://mw.example.com/admin' })).toThrow('BASE_URL');
    expect(() => loadConfig({})).toThrow(/BASE_URL[^]*RUNTIME_URL[^]*PROMPT_API_URL[^]*SIGNING_KEY_FILE/);
  });
});
