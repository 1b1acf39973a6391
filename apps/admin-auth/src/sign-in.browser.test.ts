import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

async function openPage(): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
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
});
