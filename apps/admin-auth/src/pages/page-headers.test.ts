import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { CONSOLE_PAGES } from './console.page.js';

let database: TestDatabase;
let site: TestConsole;
/** Access token of a platform admin. */
let admin: string;
beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, { settings: { TRUSTED_PROXY_HOPS: 1 } });
  const root = await site.addUser({ email: 'root@example.com', role: 'admin', platformAdmin: true });
  admin = (await site.signIn(root)).access;
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const NAMES = ['strict-transport-security', 'permissions-policy', 'cross-origin-opener-policy'];
const headersOf = async (path: string, more: Record<string, string> = {}) => {
  const { headers } = await createHttpClient(site.url, more)('GET', path);
  return NAMES.map((name) => headers.get(name));
};
const FORBIDDEN = expect.stringContaining('camera=()') as string;

describe('a page', () => {
  it.each([
    ...CONSOLE_PAGES.map((path) => path.replaceAll(/\{[^}]*\}*/g, '')),
    '/admin/login',
    '/admin/register',
    '/admin/add-passkey',
    '/admin/verify-pending',
    '/admin/oauth/authorize',
    '/admin/consent',
    '/admin/consent/silent',
    '/admin/oauth/end-session',
    '/admin/magic-link',
    '/admin/nowhere',
    '/admin/docs',
    '/bridge-auth/device-link',
    '/bridge-auth/nowhere',
  ])('may load scripts only from /admin/assets/: %s', async (path) => {
    const own = ['/admin/login', '/admin/register', '/admin/oauth/authorize'].includes(path);
    const cookie = own ? '' : `access_token=${admin}`;
    const { headers } = await createHttpClient(site.url, { cookie })('GET', path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toContain('unsafe');
    // The console shows images of conversations, which it fetches itself. Pages of sign-in and consent show no images.
    const images = headers.has('cross-origin-opener-policy') ? ' blob:' : '';
    for (const [, kind, sources] of policy.matchAll(/(script|img)-src ([^;]*)/g))
      expect([kind, sources]).toEqual([kind, `${site.url}/admin/assets/${kind === 'img' ? images : ''}`]);
  });

  it.each(['/admin/add-passkey', '/admin/verify-pending', '/admin/magic-link', '/admin/oauth/end-session'])(
    'has a policy by which the browser sends no Referer, with or without a token in the address: %s',
    async (path) => {
      for (const query of ['', '?token=x']) {
        const { headers } = await createHttpClient(site.url)('GET', `${path}${query}`);
        expect(headers.get('referrer-policy')).toBe('no-referrer');
      }
    },
  );

  it('disables unneeded browser features, and requires TLS for later requests when it is served over TLS', async () => {
    expect(await headersOf('/admin/login')).toEqual([null, FORBIDDEN, null]);
    expect(await headersOf('/admin/login', { 'x-forwarded-proto': 'https' })).toEqual([
      'max-age=31536000',
      FORBIDDEN,
      null,
    ]);
  });

  it('is isolated from the window that opened it if it belongs to the console; a page for sign-in or consent is not isolated', async () => {
    const { access } = await site.signIn(await site.addUser({ email: 'ada@example.com' }));
    const cookie = `access_token=${access}`;
    expect(await headersOf('/admin/profile', { cookie })).toEqual([null, FORBIDDEN, 'same-origin']);
    expect(await headersOf('/admin/consent?request=x', { cookie })).toEqual([null, FORBIDDEN, null]);
  });
});
