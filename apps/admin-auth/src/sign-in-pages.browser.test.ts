import { createServer } from 'node:http';
import { issueSetupToken } from '@millwright/accounts';
import { hashSecret, newOneTimeToken } from '@millwright/auth';
import { newId } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  addAuthenticator,
  seriousFaults,
  buildFrontend,
  HOSTILE_NAMES,
  launchChromium,
  openBrowser,
  signInTo,
} from './test-browser.js';
import { startConsole, type TestConsole } from './test-console.js';
import { newFlow } from './test-sign-in.js';

type User = Awaited<ReturnType<TestConsole['addUser']>>;

let database: TestDatabase;
let site: TestConsole;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  database = await createTestDatabase();
  site = await startConsole(database.url, { assets: await buildFrontend() });
});

afterAll(async () => {
  await browser.close();
  await site.close();
  await database.drop();
});

/** Opens a browser with a session of the user. */
async function browserOf(user: User, options: BrowserContextOptions = {}) {
  const { access } = await site.signIn(user);
  const opened = await openBrowser(browser, site.url, options);
  await opened.context.addCookies([{ name: 'access_token', value: access, url: site.url }]);
  return opened;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

interface Application {
  name?: string;
  kind?: 'registered' | 'document';
  clientId?: string;
  redirectUri?: string;
  scopes?: string[];
}

/** Returns the path of the consent page for a dynamically registered application, stored as the runtime API does. */
async function consentPath({
  name = 'Inspector',
  kind = 'registered',
  clientId = newId(),
  redirectUri = 'https://app.example/cb',
  scopes = ['agents:read', 'agents:message'],
}: Application = {}): Promise<string> {
  const bytes = (text: string) => new Uint8Array(hashSecret(text));
  const row = { id: newId(), client_id: clientId, name, kind, auth_method: 'none', scopes: ['*'] };
  const client = await site.db.prisma.oAuthClient.create({ data: { ...row, redirect_uris: [redirectUri] } });
  const request = newOneTimeToken();
  await site.db.prisma.oAuthAuthorization.create({
    data: {
      id: newId(),
      request_hash: bytes(request),
      browser_hash: bytes(newOneTimeToken()),
      client_id: client.id,
      redirect_uri: redirectUri,
      scopes,
      resources: [],
      expires_at: new Date(Date.now() + 600_000),
    },
  });
  return `/admin/consent?request=${request}`;
}

async function setupToken(email: string, name: string): Promise<string> {
  const { id } = await site.addUser({ email, name });
  const actor = { userId: id, kind: 'user', label: name } as const;
  return (await site.db.transaction((tx) => issueSetupToken(tx, email, actor))).token;
}

async function recoveryToken(email: string): Promise<string> {
  const { id } = await site.addUser({ email, name: 'Recovers' });
  const token = newOneTimeToken();
  const hash = { token_hash: new Uint8Array(hashSecret(token)), expires_at: new Date(Date.now() + 600_000) };
  await site.db.prisma.magicLinkToken.create({ data: { id: newId(), user_id: id, ...hash } });
  return token;
}

const devicePath = (values: Record<string, string>) => `/bridge-auth/device-link?${new URLSearchParams(values)}`;
/** The hostile names, reduced to characters and a length that device names may have. */
const DEVICE_NAMES = HOSTILE_NAMES.map((name) => name.replaceAll(/\p{C}/gu, '').slice(0, 100));

/** A program on this machine that waits for the browser's redirect. */
async function startProgram() {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '/', 'http://program.test'));
    response.end('<title>Program</title>You can close this page.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { url, asked, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('every page outside the console', () => {
  const looks = [
    ['light, wide', { colorScheme: 'light', viewport: { width: 1360, height: 900 } }],
    ['dark, phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
  ] as const satisfies (readonly [string, BrowserContextOptions])[];

  it.each(looks)(
    'has no serious accessibility fault, runs no script in a name, and fits the screen (%s)',
    async (_look, options) => {
      const { colorScheme } = options;
      const token = await setupToken(`new-${colorScheme}@example.com`, 'New');
      const anonymous = [
        '/admin/login?error=access_denied',
        `/admin/oauth/authorize?${newFlow(site.url).query}`,
        '/admin/oauth/authorize?client_id=other',
        '/admin/register',
        `/admin/add-passkey?token=${token}`,
        `/admin/add-passkey#token=${token}`,
        '/admin/add-passkey#token="><script>alert(1)</script>',
        '/admin/add-passkey?token="><script>alert(1)</script>',
        `/admin/verify-pending?token=${token}&name="><script>alert(1)</script>`,
        '/admin/magic-link',
        `/admin/magic-link#token=${await recoveryToken(`recovers-${colorScheme}@example.com`)}`,
        '/admin/magic-link?token=</script><script>alert(1)</script>',
        '/admin/magic-link#token=</script><script>alert(1)</script>',
      ];
      const signedIn = [
        '/admin/consent?request=over',
        await consentPath({ scopes: ['*', 'skills:read', 'content:write', 'mcp:call'] }),
        await consentPath({ scopes: ['admin'] }),
        ...(await Promise.all(HOSTILE_NAMES.map((name) => consentPath({ name, redirectUri: 'http://127.0.0.1/cb' })))),
        ...DEVICE_NAMES.map((device_name) => devicePath({ device_name, state: '"><script>alert(1)</script>' })),
        devicePath({ redirect: 'https://evil.example/' }),
        '/bridge-auth/nowhere',
        '/admin/reports/internal',
      ];
      const name = HOSTILE_NAMES[0] ?? '';
      const user = await site.addUser({ email: `hostile-${colorScheme}@example.com`, name, role: 'admin' });
      const found: string[] = [];
      const examined = new Set<string>();
      for (const [{ page, faults, context }, paths] of [
        [await openBrowser(browser, site.url, options), anonymous],
        [await browserOf(user, options), signedIn],
      ] as const) {
        for (const path of paths) {
          await page.goto(`${site.url}${path}`);
          await page.locator('main.card h1').waitFor();
          await page.waitForFunction(() => document.querySelector('#page noscript') === null);
          const kind = `${new URL(page.url()).pathname} ${await page.locator('h1').textContent()}`;
          if (!examined.has(kind)) found.push(...(await seriousFaults(page)).map((fault) => `${path}: ${fault}`));
          examined.add(kind);
          const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
          if (isTooWide) found.push(`${path}: wider than the screen`);
        }
        expect(faults).toEqual([]);
        await context.close();
      }
      expect(found).toEqual([]);
    },
  );
});

describe('the one-time token of a link', () => {
  /** Opens a browser, and keeps the address and the Referer of each of its requests. */
  async function watched() {
    const opened = await openBrowser(browser, site.url);
    const sent: string[] = [];
    opened.page.on('request', (request) =>
      sent.push(`${request.method()} ${request.url()} ${request.headers()['referer'] ?? ''}`),
    );
    await addAuthenticator(opened.page);
    return { ...opened, sent };
  }

  it('is sent only in request bodies and is removed from the address bar (setup link)', async () => {
    const token = await setupToken('fragment@example.com', 'Fragment');
    const { page, sent } = await watched();
    await page.goto(`${site.url}/admin/add-passkey#token=${token}`);
    await heading(page, 'Add your passkey').waitFor();
    expect([page.url(), await page.title()]).toEqual([
      `${site.url}/admin/add-passkey`,
      'Add your passkey · Millwright',
    ]);
    const posted = sent.filter((request) => request.startsWith('POST'));
    expect(posted).toEqual([`POST ${site.url}/admin/api/passkey/register/account `]);
    await page.getByLabel('Passkey name').fill('Key & token=1');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('button', { name: 'Sign in with passkey' }).waitFor();
    await page.goBack();
    expect([...sent, page.url()].filter((text) => text.includes(token))).toEqual([]);
    expect(await site.db.prisma.passkey.findMany({ where: { user: { email: 'fragment@example.com' } } })).toMatchObject(
      [{ name: 'Key & token=1' }],
    );
    await page.goto(`${site.url}/admin/add-passkey#token=${token}`);
    await heading(page, 'This link is not valid').waitFor();
  });

  it('is accepted in a tab that already shows the setup page, also after a failed connection (setup link)', async () => {
    const token = await setupToken('tab@example.com', 'Tab');
    const { page } = await watched();
    await page.goto(`${site.url}/admin/add-passkey`);
    await heading(page, 'This link is not valid').waitFor();
    await page.route('**/register/account', (route) => route.abort(), { times: 1 });
    await page.evaluate((fragment) => window.location.assign(fragment), `#token=${token}`);
    await heading(page, 'Please try again').waitFor();
    await page.evaluate((fragment) => window.location.assign(fragment), `#token=${token}`);
    await page.getByText('tab@example.com').waitFor();
  });

  it('is sent only in a request body and is removed from the address bar (recovery link)', async () => {
    const token = await recoveryToken('recovers@example.com');
    const { page, sent } = await watched();
    await page.goto(`${site.url}/admin/magic-link#token=${token}`);
    await page.getByText('This signs you in to the account recovers@example.com once').waitFor();
    expect(page.url()).toBe(`${site.url}/admin/magic-link`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(page, 'Profile').waitFor();
    expect(sent.filter((text) => text.includes(token))).toEqual([]);
  });

  it('is accepted in the query, as in links of an earlier release, and is removed from the address bar (setup link)', async () => {
    const token = await setupToken('former@example.com', 'Former');
    const { page } = await watched();
    await page.goto(`${site.url}/admin/add-passkey?token=${token}`);
    await heading(page, 'Add your passkey').waitFor();
    expect(page.url()).toBe(`${site.url}/admin/add-passkey`);
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('button', { name: 'Sign in with passkey' }).waitFor();
  });
});

describe('the keyboard alone', () => {
  it('is enough to register, create a passkey, sign in and consent to an application', async () => {
    const { page, faults } = await openBrowser(browser, site.url);
    await addAuthenticator(page);
    await page.goto(`${site.url}/admin/register`);
    await page.getByLabel('Name').waitFor();
    await page.keyboard.type('Grace Hopper');
    await page.keyboard.press('Tab');
    await page.keyboard.type('grace@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Add your passkey').waitFor();
    await page.getByLabel('Passkey name').press('Enter');
    await signInTo(page, heading(page, 'New conversation'));

    const request = await consentPath();
    await page.route('http://runtime.test/**', (route) => route.fulfill({ body: 'Runtime API' }));
    await page.goto(`${site.url}${request}`);
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/^http:\/\/runtime\.test\/oauth\/authorize\/return\?/);
    expect(faults.filter((fault) => !fault.startsWith('request to http://runtime.test/'))).toEqual([]);
  });
});

describe('the consent page', () => {
  let ada: User;
  beforeAll(async () => {
    ada = await site.addUser({ email: 'consent@example.com', name: 'Ada' });
  });
  const decided = () =>
    site.db.prisma.governanceDecision.findMany({
      where: { user_id: ada.id, action: { startsWith: 'oauth_consent.' } },
      orderBy: { seq: 'asc' },
    });

  it('names a client with a metadata document, its permissions and the address that receives the answer', async () => {
    const { page } = await browserOf(ada);
    await page.route('http://runtime.test/**', (route) => route.fulfill({ body: 'Runtime API' }));
    const clientId = 'https://tools.example/client.json';
    const redirectUri = 'http://127.0.0.1/cb';
    await page.goto(`${site.url}${await consentPath({ kind: 'document', clientId, redirectUri })}`);
    await heading(page, 'Allow access?').waitFor();
    const text = await page.locator('main').innerText();
    expect(text).toContain('Inspector from tools.example wants to access your account consent@example.com.');
    expect(text).toContain('This application is not verified.');
    expect(await page.getByRole('list', { name: 'It will be able to' }).getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Read agents\s+agents:read$/),
      expect.stringMatching(/^Send messages to agents\s+agents:message$/),
    ]);
    expect(text).toContain('You will be sent to 127.0.0.1.');
    expect(text).toContain('This is a program on your computer.');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(/^http:\/\/runtime\.test\//);
    expect((await decided()).map(({ action }) => action)).toEqual(['oauth_consent.deny']);
  });

  it('shows why a decision failed, and succeeds on retry', async () => {
    const { page } = await browserOf(ada);
    await page.route('http://runtime.test/**', (route) => route.fulfill({ body: 'Runtime API' }));
    await page.goto(`${site.url}${await consentPath()}`);
    await page.route('**/admin/api/consents', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('alert').getByText('The server could not be reached.').waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(/^http:\/\/runtime\.test\//);
    expect((await decided()).map(({ action }) => action)).toEqual(['oauth_consent.deny', 'oauth_consent.approve']);
  });
});

describe('the device-link page', () => {
  let ada: User;
  let program: Awaited<ReturnType<typeof startProgram>>;
  beforeAll(async () => {
    ada = await site.addUser({ email: 'device@example.com', name: 'Ada' });
    program = await startProgram();
  });
  afterAll(() => program.close());

  const open = async (values: Record<string, string>) => {
    const opened = await browserOf(ada);
    await opened.page.goto(`${site.url}${devicePath({ device_name: 'Ada’s laptop', ...values })}`);
    await opened.page.getByText('wants to access your account.').waitFor();
    return opened;
  };
  const codes = () => site.db.prisma.deviceLinkCode.count({ where: { user_id: ada.id } });

  it('redirects to the waiting program with a code after approval', async () => {
    const { page, faults } = await open({ redirect: `${program.url}/cb`, state: 'a b&c' });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/cb\?/);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('code'), searchParams.get('state')]).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      'a b&c',
    ]);
    expect(faults.filter((fault) => !fault.startsWith(`request to ${program.url}/`))).toEqual([]);
  });

  it('shows the code after approval when no program waits', async () => {
    const { page, faults } = await open({});
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    await heading(page, 'One more step').waitFor();
    expect(await page.locator('main code').textContent()).toMatch(/^[0-9a-f]{64}$/);
    expect(faults).toEqual([]);
  });

  it('reports a denial to the program or the user, and creates no code', async () => {
    const before = await codes();
    const { page } = await open({ redirect: `${program.url}/cb`, state: 's' });
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${program.url}/cb?error=access_denied&state=s`);
    const { page: other } = await open({});
    await other.getByRole('button', { name: 'Deny' }).click();
    await heading(other, 'Denied').waitFor();
    expect(await codes()).toBe(before);
  });

  it('sends a user without a session to the sign-in page, and back to the same request', async () => {
    const token = await setupToken('bridge@example.com', 'Bridge');
    const { page } = await openBrowser(browser, site.url);
    await addAuthenticator(page);
    await page.goto(`${site.url}/admin/add-passkey?token=${token}`);
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await signInTo(page, heading(page, 'New conversation'));
    await page.context().clearCookies();
    await page.goto(`${site.url}${devicePath({ device_name: 'Shed', redirect: `${program.url}/cb` })}`);
    await signInTo(page, page.getByText('Shed wants to access your account.'));
    // The session ends while the page is open. `Approve` needs a proof, so it opens the sign-in page at once. `Deny` is sent first, and its
    // answer redirects to the sign-in page.
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Approve' }).click();
    await signInTo(page, page.getByText('Shed wants to access your account.'));
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Deny' }).click();
    await heading(page, 'Your session has ended').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInTo(page, page.getByText('Shed wants to access your account.'));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/cb\?code=/);
  });
});
