import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { issueSetupToken } from '@millwright/auth';
import { createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { loadAssets } from './pages/assets.js';
import { startConsole, type TestConsole } from './test-console.js';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A Chromium that is installed, or Debian's, which root installs here. */
function chromiumPath(): string {
  const installed = () => BROWSERS.find((path) => existsSync(path));
  if (!installed() && process.getuid?.() === 0) {
    const apt = 'DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300';
    execFileSync('sh', ['-c', `${apt} update && ${apt} install -y --no-install-recommends chromium`], {
      stdio: 'ignore',
    });
  }
  const path = installed();
  if (path === undefined) throw new Error('This test needs a browser: install the package chromium.');
  return path;
}

function bundleScripts(): URL {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-assets-'));
  const tool = pathToFileURL(join(process.cwd(), '../../tools/page-scripts.mjs')).href;
  const script = `import { buildPageScripts } from ${JSON.stringify(tool)}; await buildPageScripts('.', ${JSON.stringify(folder)});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script]);
  return pathToFileURL(`${folder}/`);
}

let database: TestDatabase;
let site: TestConsole;
let browser: Browser;
let scripts: URL;

beforeAll(async () => {
  const executablePath = chromiumPath();
  database = await createTestDatabase();
  scripts = bundleScripts();
  site = await startConsole(database.url, listen, { assets: await loadAssets(scripts) });
  browser = await chromium.launch({ executablePath, args: FLAGS });
}, 300_000);

afterAll(async () => {
  await browser.close();
  await site.close();
  await database.drop();
  rmSync(scripts, { recursive: true });
});

interface Device {
  page: Page;
  /** The passkeys that the device holds. */
  passkeys: () => Promise<string[]>;
}

async function openPage(): Promise<Page> {
  return (await openDevice()).page;
}

async function openDevice(): Promise<Device> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const passkeys = async () => {
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials.map(({ credentialId }) => Buffer.from(credentialId, 'base64').toString('base64url'));
  };
  return { page, passkeys };
}

describe('sign-in in Chromium', () => {
  it('leads from registration over a passkey to the dashboard, and out again', async () => {
    const page = await openPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()));
    await page.goto(`${site.url}/admin/register`);
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Role').selectOption('admin');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL(/\/admin\/add-passkey\?token=[0-9a-f]{64}$/);
    await page.getByRole('button', { name: 'Create passkey' }).click();

    await page.waitForURL(/\/admin\/oauth\/authorize\?/);
    // With a passkey at hand, the virtual authenticator may complete the autofill request by itself.
    await page
      .getByRole('button', { name: 'Sign in with passkey' })
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    await page.waitForURL(`${site.url}/admin`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Dashboard');
    expect(await page.locator('main').textContent()).toContain('grace@example.com');

    const cookies = await page.context().cookies();
    for (const name of ['access_token', 'refresh_token']) {
      expect(cookies.find((cookie) => cookie.name === name)).toMatchObject({
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
        secure: false,
      });
    }
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/admin\/oauth\/authorize\?/);
    const sessions = await site.db.prisma.userSession.findMany({ where: { user: { email: 'grace@example.com' } } });
    expect(sessions.map(({ revoked_reason }) => revoked_reason)).toContain('signed out');
    expect(faults).toEqual([]);
  }, 60_000);

  it('has the device forget a passkey that was removed from its account', async () => {
    const { page, passkeys } = await openDevice();
    const user = await site.addUser({ email: 'forget@example.com' });
    const actor = { userId: user.id, kind: 'user', label: user.name } as const;
    const { token } = await site.db.transaction((tx) => issueSetupToken(tx, 'forget@example.com', actor));
    await page.goto(`${site.url}/admin/add-passkey?token=${token}`);
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.waitForURL(/\/admin\/oauth\/authorize\?|\/admin\/profile$/);
    const [passkey] = await site.db.prisma.passkey.findMany({ where: { user_id: user.id } });
    expect(await passkeys()).toEqual([passkey?.credential_id]);
    await site.db.prisma.passkey.updateMany({ where: { user_id: user.id }, data: { removed_at: new Date() } });
    await page.context().clearCookies();
    await page.goto(`${site.url}/admin/login`);
    await page.waitForURL(/\/admin\/oauth\/authorize\?/);
    const told = page.getByText('This passkey was removed from its account.');
    // The virtual authenticator may complete the autofill request by itself.
    const isTold = told.waitFor({ timeout: 5_000 }).then(() => true);
    if (!(await isTold.catch(() => false))) await page.getByRole('button', { name: 'Sign in with passkey' }).click();
    await told.waitFor();
    // The signal travels by itself, and nobody is told when it has arrived.
    while ((await passkeys()).length > 0);
  }, 60_000);
});
