import { createHttpClient, createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { pageIn } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { setProof } from '../test-records.js';
import { loopbackRedirect, withAnswer } from './loopback-redirect.js';

let database: TestDatabase;
let site: TestConsole;
let user: { id: string; client: HttpClient };

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  const row = await site.addUser({ email: 'ada@example.com', name: '<b>Ada</b>' });
  user = { id: row.id, client: (await site.signIn(row)).client };
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const PATH = '/bridge-auth/device-link';
const CHALLENGE = 'c'.repeat(43);
const asked = {
  redirect: 'http://127.0.0.1:9123/cb?x=1',
  device_name: 'Ada’s laptop',
  state: 'a b&c',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};
const open = (values: Record<string, string>, client = user.client) =>
  client('GET', `${PATH}?${new URLSearchParams(values)}`);
const decide = (values: Record<string, string>, headers: Record<string, string> = {}, client = user.client) =>
  client('POST', PATH, { body: new URLSearchParams(values), headers });
const codes = () => site.db.prisma.deviceLinkCode.count({ where: { user_id: user.id } });

describe('loopbackRedirect', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://127.0.0.1:80/cb',
    'http://127.0.0.1:65535',
    'http://[::1]:9123/cb?a=b',
    'http://localhost:8080/a/b',
  ])('accepts the redirect URI %s and keeps it unchanged', (text) => expect(loopbackRedirect(text)).toBe(text));

  it.each([
    'http://127.0.0.1.evil.example:80/',
    'http://127.0.0.1:80.evil.example/',
    'http://127.1:9000/',
    'http://2130706433:9000/',
    'http://0x7f.0.0.1:9000/',
    'http://0177.0.0.1:9000/',
    'http://127.0.0.2:9000/',
    'http://0.0.0.0:9000/',
    'http://[::]:9000/',
    'http://[::ffff:127.0.0.1]:9000/',
    'http://[0:0:0:0:0:0:0:1]:9000/',
    'http://127.0.0.1/',
    'http://127.0.0.1:/',
    'http://127.0.0.1:0/',
    'http://127.0.0.1:65536/',
    'http://127.0.0.1:080/',
    'http://localhost/cb',
    'http://localhost.:9000/',
    'http://LOCALHOST:9000/',
    'http://localhost.evil.example:9000/',
    'http://evil.example:9000/',
    'http://user@127.0.0.1:9000/',
    'http://127.0.0.1:9000@evil.example/',
    'http://evil.example@127.0.0.1:9000/',
    'http://127.0.0.1:9000\\@evil.example/',
    'http:\\\\127.0.0.1:9000/',
    'http:/127.0.0.1:9000/',
    'http:127.0.0.1:9000/',
    '//127.0.0.1:9000/',
    ' http://127.0.0.1:9000/',
    'http://127.0.0.1:9000/ x',
    'http://127.0.0.1:9000/\r\nSet-Cookie: x',
    'http://127.0.0.1:9000/#x',
    'http://127.0.0.1:9000/?code=mine',
    'http://127.0.0.1:9000/?state=mine',
    'http://127.0.0.1:9000/?c%6fde=mine',
    'https://127.0.0.1:9000/',
    'ftp://127.0.0.1:9000/',
    'javascript:alert(1)//http://127.0.0.1:9000/',
    'http://１２７.0.0.1:9000/',
    'http://127。0.0.1:9000/',
    'http://ⓛocalhost:9000/',
    `http://127.0.0.1:9000/${'a'.repeat(2_000)}`,
    '',
  ])('refuses the redirect URI %j', (text) => expect(loopbackRedirect(text)).toBeUndefined());

  it('keeps the query of the redirect URI and appends the parameters of the answer to it', () => {
    expect(withAnswer('http://localhost:1/cb?a=b', { code: 'c', state: undefined })).toBe(
      'http://localhost:1/cb?a=b&code=c',
    );
    expect(withAnswer('http://localhost:1', { code: 'c', state: 'x y' })).toBe('http://localhost:1?code=c&state=x+y');
  });
});

describe('GET /bridge-auth/device-link', () => {
  it('shows the device and the account on a page that other sites cannot frame', async () => {
    const { status, text, headers } = await open(asked);
    expect(status).toBe(200);
    expect(pageIn(text)).toMatchObject({
      name: 'device-link',
      data: {
        deviceName: 'Ada’s laptop',
        account: { name: '<b>Ada</b>', email: 'ada@example.com' },
        project: 'Core',
        leadsTo: '127.0.0.1:9123',
        fields: asked,
      },
    });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:9123");
    expect(policy).toContain(`script-src ${site.url}/admin/assets/;`);
    expect(await codes()).toBe(0);
  });

  it('escapes the texts of the request as HTML', async () => {
    const { text } = await open({ ...asked, device_name: '"><script>alert(1)</script>', state: `'"><img src=x>` });
    expect(text).not.toMatch(/<script>alert|<img/);
  });

  it('redirects a browser without a session to the sign-in page, and back after the sign-in', async () => {
    const query = new URLSearchParams(asked).toString();
    const { status, headers } = await createHttpClient(site.url)('GET', `${PATH}?${query}`);
    expect([status, headers.get('location')]).toEqual([
      303,
      `/admin/login?redirect=${encodeURIComponent(`${PATH}?${query}`)}`,
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['another host', { redirect: 'http://127.0.0.1.evil.example:80/' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a challenge without a method', { code_challenge_method: '' }],
    ['a method without a challenge', { code_challenge: '' }],
    ['a short challenge', { code_challenge: 'c' }],
    ['a name that hides', { device_name: 'a\u202eb' }],
    ['a long name', { device_name: 'x'.repeat(101) }],
    ['a state out of range', { state: 'ü' }],
  ])('refuses %s and shows a page instead of redirecting', async (_case, change) => {
    for (const answer of [
      await open({ ...asked, ...change }),
      await decide({ ...asked, ...change, decision: 'approve' }),
    ]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
      expect(answer.headers.get('content-type')).toMatch('text/html');
      expect(answer.text).toContain('Nothing was linked');
    }
    expect((await user.client('GET', `${PATH}?redirect=http://localhost:1&redirect=http://localhost:2`)).status).toBe(
      400,
    );
  });
});

describe('POST /bridge-auth/device-link', () => {
  it('redirects after approval to the bridge, with the code and the state of the bridge', async () => {
    const { status, headers } = await decide({ ...asked, decision: 'approve' }, { origin: site.url });
    expect(status).toBe(303);
    expect(headers.get('cache-control')).toBe('no-store');
    const location = headers.get('location') ?? '';
    expect(location).toMatch(/^http:\/\/127\.0\.0\.1:9123\/cb\?x=1&code=[0-9a-f]{64}&state=a\+b%26c$/);
    expect(await site.db.prisma.deviceLinkCode.findFirst({ orderBy: { id: 'desc' } })).toMatchObject({
      user_id: user.id,
      device_name: 'Ada’s laptop',
      code_challenge: CHALLENGE,
      project: 'Core',
    });
  });

  it('shows the code after approval when the request has no redirect', async () => {
    const { status, text } = await decide({ device_name: 'box', decision: 'approve' });
    expect(status).toBe(200);
    const code = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect(pageIn(text)).toMatchObject({ name: 'device-code', data: { code } });
  });

  it('requires a recent proof to approve a device, but not to deny it', async () => {
    const before = await codes();
    const { client, sessionId } = await site.signIn({ id: user.id });
    await setProof(site, sessionId, 'stale');
    const address = `${PATH}?${new URLSearchParams(asked)}`;
    const approve = (accept: string) =>
      client('POST', address, { body: new URLSearchParams({ ...asked, decision: 'approve' }), headers: { accept } });
    const page = await approve('text/html,*/*;q=0.8');
    expect([page.status, page.headers.get('location')]).toEqual([403, null]);
    expect(pageIn(page.text)).toMatchObject({
      title: 'Confirm with your passkey',
      data: { links: [{ href: address }] },
    });
    expect((await approve('application/json')).body).toMatchObject({ error: { code: 'step_up_required' } });
    expect(await codes()).toBe(before);
    const denied = { action: 'device_code.create', decision: 'deny', reason: 'no fresh passkey proof' };
    expect(await site.db.prisma.governanceDecision.count({ where: denied })).toBe(2);
    expect((await decide({ device_name: 'box', decision: 'deny' }, {}, client)).status).toBe(200);
  });

  it('reports a denial to the bridge and creates no code', async () => {
    const before = await codes();
    const { headers } = await decide({ ...asked, decision: 'deny' });
    expect(headers.get('location')).toBe('http://127.0.0.1:9123/cb?x=1&error=access_denied&state=a+b%26c');
    expect((await decide({ device_name: 'box', decision: 'deny' })).text).toContain('was not linked');
    expect(await codes()).toBe(before);
    expect(await site.db.prisma.governanceDecision.count({ where: { action: 'device_link.deny' } })).toBe(3);
  });

  it('changes nothing when the request comes from another site, has no session or contains no decision', async () => {
    const before = await codes();
    const approve = { ...asked, decision: 'approve' };
    expect((await decide(approve, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await decide(approve, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await decide(approve, {}, createHttpClient(site.url))).status).toBe(401);
    expect((await decide({ ...asked })).status).toBe(400);
    expect((await open({ ...approve })).status).toBe(200);
    expect(await codes()).toBe(before);
  });

  it('sends a browser with an ended session to the sign-in page and back, and answers a program with JSON', async () => {
    const form = new URLSearchParams({ ...asked, decision: 'approve' });
    const address = `${PATH}?${new URLSearchParams(asked)}`;
    const send = (accept: string) =>
      createHttpClient(site.url)('POST', address, { body: form, headers: { accept, origin: site.url } });
    const before = await codes();
    const page = await send('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.status, page.headers.get('cache-control')]).toEqual([401, 'no-store']);
    expect(page.headers.get('www-authenticate')).toMatch(/^Cookie /);
    expect(pageIn(page.text)).toMatchObject({
      name: 'notice',
      title: 'Your session has ended',
      data: { links: [{ label: 'Sign in', href: `/admin/login?redirect=${encodeURIComponent(address)}` }] },
    });
    for (const accept of ['*/*', 'application/json']) {
      expect((await send(accept)).body).toMatchObject({ error: { code: 'unauthorized', status: 401 } });
    }
    expect(await codes()).toBe(before);
  });

  it('creates the code for the project that an admin chose', async () => {
    const admin = (await site.signIn(await site.addUser({ email: 'adm@example.com', role: 'admin' }))).client;
    expect(pageIn((await open(asked, admin)).text).data).toMatchObject({ project: null });
    await decide({ ...asked, decision: 'approve', project: 'Commerce' }, {}, admin);
    await decide({ ...asked, decision: 'approve', project: 'Commerce' });
    const made = await site.db.prisma.deviceLinkCode.findMany({ orderBy: { id: 'desc' }, take: 2 });
    expect(made.map(({ project }) => project)).toEqual(['Core', 'Commerce']);
  });
});
