import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createHttpClient, createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { request } from 'undici';
import { NO_ASSETS } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { loadConsole } from './console-files.js';

const SCRIPT = 'export const answer = 42;\n'.repeat(50);

let folder: string;
let database: TestDatabase;
let site: TestConsole;
let anonymous: HttpClient;
let access: string;
let admin: HttpClient;
let user: HttpClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-console-'));
  mkdirSync(join(folder, 'assets/console'), { recursive: true });
  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  put('index.html', NO_ASSETS.index);
  put('sign-in.html', NO_ASSETS.signIn);
  put('assets/console/index-abc.js', SCRIPT);
  put('assets/console/index-abc.js.gz', gzipSync(SCRIPT));
  put('assets/console/index-abc.js.br', brotliCompressSync(SCRIPT));
  put('assets/console/index-abc.css', 'a{}');
  put('assets/console/index-abc.js.map', '{}');

  database = await createTestDatabase();
  site = await startConsole(database.url, { assets: await loadConsole(pathToFileURL(`${folder}/`)) });
  anonymous = createHttpClient(site.url);
  const signedIn = await site.signIn(await site.addUser({ email: 'admin@example.com', role: 'admin' }));
  access = signedIn.access;
  admin = signedIn.client;
  user = (await site.signIn(await site.addUser({ email: 'user@example.com' }))).client;
});

afterAll(async () => {
  await site.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

describe("the console's files", () => {
  /** Returns the bytes as the server sends them. `fetch` would decompress them. */
  async function bytesOf(name: string, encoding: string) {
    const { headers, body, statusCode } = await request(`${site.url}/admin/assets/console/${name}`, {
      headers: { 'accept-encoding': encoding },
    });
    return { statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
  }

  it('are sent in the best content coding that the browser accepts, and may be cached for a year', async () => {
    const [br, gzip, plain] = await Promise.all([
      bytesOf('index-abc.js', 'gzip, deflate, br, zstd'),
      bytesOf('index-abc.js', 'gzip'),
      bytesOf('index-abc.js', 'identity'),
    ]);
    expect([br, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    expect(br.bytes).toEqual(brotliCompressSync(SCRIPT));
    expect(gunzipSync(gzip.bytes).toString()).toBe(SCRIPT);
    expect(plain.bytes.toString()).toBe(SCRIPT);
    for (const { headers } of [br, gzip, plain]) {
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
    }
  });

  it('are sent uncompressed when the build has no compressed copy', async () => {
    const { headers, bytes } = await bytesOf('index-abc.css', 'br, gzip');
    expect([headers['content-encoding'], headers['content-type'], bytes.toString()]).toEqual([
      undefined,
      'text/css; charset=utf-8',
      'a{}',
    ]);
  });

  it.each([
    ['index-old.js', 404],
    ['index-abc.js.map', 404],
    ['index-abc.js.gz', 404],
    ['..%2findex.html', 400],
    ['%2e%2e%2f%2e%2e%2findex.html', 400],
  ])('do not include the address %s', async (name, status) =>
    expect((await anonymous('GET', `/admin/assets/console/${name}`)).status).toBe(status),
  );
});

describe("the console's page", () => {
  const nonceOf = (text: string) => /nonce="([^"]+)"/.exec(text)?.[1] ?? '';

  it('has a content security policy without `unsafe`, and a new nonce in each answer', async () => {
    const answers = await Promise.all([admin('GET', '/admin'), admin('GET', '/admin/audit')]);
    const nonces = answers.map(({ text }) => nonceOf(text));
    expect(new Set(nonces).size).toBe(2);
    answers.forEach(({ headers }, index) => {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain(`style-src ${site.url}/admin/assets/ 'nonce-${nonces[index]}'`);
      expect(policy).toContain(`default-src 'none'; script-src ${site.url}/admin/assets/;`);
      expect(policy).not.toContain('unsafe');
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
    });
  });

  it.each([
    ['theme=dark', 'dark'],
    ['theme=light', 'light'],
    ['', 'auto'],
    ['theme="><script>alert(1)</script>', 'auto'],
  ])('selects for the cookie %j the colour scheme %s', async (cookie, scheme) => {
    const client = createHttpClient(site.url, { cookie: `access_token=${access}; ${cookie}` });
    const { text } = await client('GET', '/admin/profile');
    expect(text).toContain(`data-mantine-color-scheme="${scheme}"`);
    expect(text).not.toContain('alert(1)');
  });

  it('has the status 404 at an unknown address', async () => {
    const { status, text } = await admin('GET', '/admin/nowhere/at/all');
    expect([status, nonceOf(text)]).toEqual([404, expect.stringMatching(/^[\w+/]{22}==$/)]);
  });
});

describe("the console's own table of pages", () => {
  const sourceOf = (name: string) => readFileSync(new URL(`../../../console/src/${name}`, import.meta.url), 'utf8');

  const CHAT_PATHS = [':context?', 'passages/:id'];

  it('contains only addresses at which a page is served', async () => {
    const paths = [...sourceOf('routes.tsx').matchAll(/path: '([^'*]+)'/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(40);
    const root = (await site.signIn(await site.addUser({ email: 'root@x.com', role: 'admin', platformAdmin: true })))
      .client;
    const statuses = await Promise.all(
      paths.map(async (path) => {
        const base = CHAT_PATHS.includes(path) ? '/chat/' : '/admin/';
        return `${(await root('GET', `${base}${path.replaceAll(/:\w+\??/g, 'x')}`)).status} ${path}`;
      }),
    );
    expect(statuses.filter((line) => !line.startsWith('200 '))).toEqual([]);
  });

  it('admits each role to the pages that the navigation lists for this role', async () => {
    const entries = [...sourceOf('shell/navigation.ts').matchAll(/to: '([^']+)', icon: \w+, audience: (.+?) \}/g)];
    expect(entries.length).toBeGreaterThan(20);
    const projectAdmin = (await site.signIn(await site.addUser({ email: 'pa@x.com', role: 'project_admin' }))).client;
    const visitors: Readonly<Record<string, HttpClient>> = {
      PROJECT_ROLES: projectAdmin,
      EVERYONE: user,
      "['user']": user,
    };
    const refused: string[] = [];
    for (const [, to = '', audience = ''] of entries) {
      const status = (await (visitors[audience] ?? admin)('GET', `/admin${to}`.replace(/\/$/, ''))).status;
      if (status !== 200 && audience !== "['platform_admin']") refused.push(`${status} ${to}`);
    }
    expect(refused).toEqual([]);
  });
});

describe('GET /admin/api/me/addresses', () => {
  it('returns the addresses of the services to every signed-in user', async () => {
    expect((await user('GET', '/admin/api/me/addresses')).body).toEqual({
      base_url: site.url,
      runtime_url: 'http://runtime.test',
      prompt_api_url: 'http://prompt.test',
    });
    expect((await anonymous('GET', '/admin/api/me/addresses')).status).toBe(401);
  });
});
