import { issueSetupToken } from '@millwright/auth';
import { createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import type { Browser } from 'playwright-core';
import { addAuthenticator, buildFrontend, launchChromium, openBrowser } from './test-browser.js';
import { startConsole, type TestConsole } from './test-console.js';

let database: TestDatabase;
let site: TestConsole;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  database = await createTestDatabase();
  site = await startConsole(database.url, listen, { assets: await buildFrontend() });
}, 300_000);

afterAll(async () => {
  await browser.close();
  await site.close();
  await database.drop();
});

describe('sign-in in Chromium', () => {
  it('leads from registration over a passkey to the dashboard, and out again', async () => {
    const { page, faults } = await openBrowser(browser, site.url);
    await addAuthenticator(page);
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
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();

    const cookies = await page.context().cookies();
    for (const name of ['access_token', 'refresh_token']) {
      expect(cookies.find((cookie) => cookie.name === name)).toMatchObject({
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
        secure: false,
      });
    }
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByText('grace@example.com').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/admin\/oauth\/authorize\?/);
    const sessions = await site.db.prisma.userSession.findMany({ where: { user: { email: 'grace@example.com' } } });
    expect(sessions.map(({ revoked_reason }) => revoked_reason)).toContain('signed out');
    expect(faults).toEqual([]);
  }, 60_000);

  it('has the device forget a passkey that was removed from its account', async () => {
    const { page } = await openBrowser(browser, site.url);
    const { passkeys } = await addAuthenticator(page);
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
