import { setTimeout as sleep } from 'node:timers/promises';
import { issueSetupToken } from '@millwright/accounts';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Browser, Page } from 'playwright-core';
import { HOSTILE_REDIRECTS } from './protection/test-redirects.js';
import { addAuthenticator, buildFrontend, launchChromium, openBrowser, signInTo } from './test-browser.js';
import { startConsole, type TestConsole } from './test-console.js';

let database: TestDatabase;
let site: TestConsole;
let browser: Browser;
/** The last recovery link sent to each email address. */
const links = new Map<string, string>();

beforeAll(async () => {
  browser = await launchChromium();
  database = await createTestDatabase();
  site = await startConsole(database.url, {
    assets: await buildFrontend(),
    sender: {
      channel: 'smtp',
      send: ({ email, url }) => {
        links.set(email, url);
        return Promise.resolve();
      },
      notify: () => Promise.resolve(),
    },
  });
});

afterAll(async () => {
  await browser.close();
  await site.close();
  await database.drop();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function setupUrl({ id, name }: { id: string; name: string }): Promise<string> {
  const { email } = await site.db.prisma.user.findUniqueOrThrow({ where: { id } });
  const { token } = await site.db.transaction((tx) =>
    issueSetupToken(tx, email, { userId: id, kind: 'user', label: name }),
  );
  return `${site.url}/admin/add-passkey#token=${token}`;
}

/** Opens a browser with the passkey of a new account. The browser is not signed in. */
async function enrolled(email: string, role = 'user') {
  const user = await site.addUser({ email, role: role === 'admin' ? 'admin' : 'user' });
  const opened = await openBrowser(browser, site.url);
  const { page } = opened;
  const authenticator = await addAuthenticator(page);
  await page.goto(await setupUrl(user));
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'Sign in with passkey' }).waitFor();
  return { ...opened, user, authenticator };
}

describe('sign-in in Chromium', () => {
  it('registers, creates a passkey, reaches the dashboard and signs out', async () => {
    const { page, faults } = await openBrowser(browser, site.url);
    await addAuthenticator(page);
    await page.goto(`${site.url}/admin/register`);
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Role').selectOption('admin');
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, 'Add your passkey').waitFor();
    await page.getByRole('button', { name: 'Create passkey' }).click();

    await signInTo(page, heading(page, 'Dashboard'));
    expect(page.url()).toBe(`${site.url}/admin`);

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
    await page.getByRole('menu').getByText('grace@example.com').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with passkey' }).waitFor();
    // The address lacks the parameters of the flow; a reload starts a new flow.
    await page.waitForURL(`${site.url}/admin/login`);
    const request = page.waitForRequest(/\/admin\/oauth\/authorize\?.*state=/);
    await page.reload();
    await request;
    await page.waitForURL(`${site.url}/admin/login`);
    const sessions = await site.db.prisma.userSession.findMany({ where: { user: { email: 'grace@example.com' } } });
    expect(sessions.map(({ revoked_reason }) => revoked_reason)).toContain('signed out');
    expect(faults).toEqual([]);
  });

  it('removes a passkey from the device when it was removed from its account', async () => {
    const { page } = await openBrowser(browser, site.url);
    const { passkeys } = await addAuthenticator(page);
    const user = await site.addUser({ email: 'forget@example.com' });
    await page.goto(await setupUrl(user));
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('button', { name: 'Sign in with passkey' }).waitFor();
    const [passkey] = await site.db.prisma.passkey.findMany({ where: { user_id: user.id } });
    expect(await passkeys()).toEqual([passkey?.credential_id]);
    await site.db.prisma.passkey.updateMany({ where: { user_id: user.id }, data: { removed_at: new Date() } });
    await page.context().clearCookies();
    await page.goto(`${site.url}/admin/login`);
    const notice = page.getByText('This passkey was removed from its account.');
    await signInTo(page, notice);
    // Polls, because the browser sends the signal in the background, and there is no event for its arrival.
    while ((await passkeys()).length > 0) await sleep(10);
  });

  it('refuses a wrong passkey, and accepts the right passkey after `Try again`', async () => {
    const { page, authenticator, faults } = await enrolled('wrong@example.com');
    const useOwn = await authenticator.forge();
    await page.goto(`${site.url}/admin/login?redirect=/admin/settings`);
    await page.getByLabel('Email').fill('wrong@example.com');
    await page.getByRole('button', { name: 'Sign in with passkey' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'This passkey was not accepted.' });
    await alert.waitFor();
    const red = await alert.locator('.failure').evaluate((element) => getComputedStyle(element).color);
    expect(red).toBe('rgb(192, 38, 38)');
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('access_token');

    await useOwn();
    await page.getByRole('link', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await page.getByLabel('Email').fill('wrong@example.com');
    await page.getByRole('button', { name: 'Sign in with passkey' }).click();
    await heading(page, 'Settings').waitFor();
    expect(faults).toEqual([]);
  });

  it('suggests the passkey in the email field where the browser supports it', async () => {
    const user = await site.addUser({ email: 'autofill@example.com' });
    const { page } = await openBrowser(browser, site.url);
    await addAuthenticator(page, { autofill: true });
    await page.addInitScript(() => {
      const get = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = (options) => {
        sessionStorage.setItem('mediation', String(options?.mediation));
        return get(options);
      };
    });
    await page.goto(await setupUrl(user));
    await page.getByRole('button', { name: 'Create passkey' }).click();
    // The page signs in without a click, because this authenticator accepts the suggested passkey at once.
    await heading(page, 'New conversation').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('mediation'))).toBe('conditional');
  });

  it('shows `Processing...` while it loads, and `Try again` for a flow that this tab did not start', async () => {
    const { page } = await openBrowser(browser, site.url);
    await page.route('**/admin/oauth/token', (route) => route.abort());
    await page.goto(`${site.url}/admin/login?code=stolen&state=unknown`);
    expect(await page.getByRole('alert').textContent()).toBe('This sign-in was not started in this tab.');
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Sign in with passkey' }).waitFor();

    let answer = () => {};
    await page.route('**/admin/api/passkey/login/start', (route) => {
      answer = () => void route.fulfill({ status: 503, json: { error: { message: 'Busy.' } } });
    });
    await page.getByRole('button', { name: 'Sign in with passkey' }).click();
    await page.getByRole('status').getByText('Processing...').waitFor();
    answer();
    await page.getByRole('alert').getByText('Busy. Try again').waitFor();
    expect(await page.getByText('Processing...').count()).toBe(0);
  });

  it('renews the session in two tabs at the same time after the access token expired', async () => {
    const user = await site.addUser({ email: 'tabs@example.com', role: 'admin' });
    const { access, refresh } = await site.signIn(user);
    const { context, page, faults } = await openBrowser(browser, site.url);
    const cookie = (name: string, value: string) => ({ name, value, url: site.url });
    await context.addCookies([cookie('access_token', access), cookie('refresh_token', refresh)]);
    const tabs = [page, await context.newPage()];
    for (const tab of tabs) {
      await tab.goto(`${site.url}/admin`);
      await heading(tab, 'Dashboard').waitFor();
    }
    await context.clearCookies({ name: 'access_token' });
    await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Users', exact: true }).click()));
    for (const tab of tabs) {
      await heading(tab, 'Users').waitFor();
      await tab.getByRole('row').filter({ hasText: 'tabs@example.com' }).waitFor();
    }
    const renewed = (await context.cookies()).find(({ name }) => name === 'access_token')?.value;
    expect(renewed).toMatch(/^ey/);
    expect(renewed).not.toBe(access);
    await Promise.all(tabs.map((tab) => tab.reload()));
    for (const tab of tabs) await heading(tab, 'Users').waitFor();
    const sessions = await site.db.prisma.userSession.findMany({ where: { user_id: user.id } });
    expect(sessions.map(({ revoked_at }) => revoked_at)).toEqual([null]);
    expect(faults).toEqual([]);
  });

  it("stays on the console's origin for over 120 hostile redirect targets, and follows a valid target", async () => {
    const texts = HOSTILE_REDIRECTS.filter((text) => typeof text === 'string');
    expect(texts.length).toBeGreaterThanOrEqual(120);
    const { page, faults, user } = await enrolled('redirects@example.com', 'admin');
    const loginFor = (text: string) => `${site.url}/admin/login?redirect=${encodeURIComponent(text)}`;

    await page.goto(`${site.url}/admin/magic-link`);
    const targets = await page.evaluate(async (addresses) => {
      const reported = addresses.map(async (address) => {
        const html = await (await fetch(address)).text();
        const data = new DOMParser().parseFromString(html, 'text/html').getElementById('page-data')?.textContent ?? '';
        const { target } = (JSON.parse(data) as { data: { target: string } }).data;
        return new URL(target, location.href).href;
      });
      return [...new Set(await Promise.all(reported))];
    }, texts.map(loginFor));
    expect(targets).toEqual([`${site.url}/admin`]);

    // This browser runs no scripts, which makes the test faster. The test only needs the address after the redirect.
    const { access } = await site.signIn(user);
    const still = await openBrowser(browser, site.url, { javaScriptEnabled: false });
    await still.context.addCookies([{ name: 'access_token', value: access, url: site.url }]);
    const arrivals = new Set<string>();
    const tabs = [still.page, await still.context.newPage(), await still.context.newPage()];
    const visit = async (tab: Page, nth: number) => {
      for (const text of texts.filter((_text, index) => index % tabs.length === nth)) {
        await tab.goto(loginFor(text), { waitUntil: 'commit' });
        arrivals.add(tab.url());
      }
    };
    await Promise.all(tabs.map(visit));
    expect([...arrivals]).toEqual([`${site.url}/admin`]);

    for (const [target, title] of [
      ['//evil.example/admin', 'Dashboard'],
      ['/admin/settings?tab=clients', 'Settings'],
    ] as const) {
      await page.context().clearCookies();
      await page.goto(loginFor(target));
      await page.getByRole('button', { name: 'Sign in with passkey' }).click();
      await heading(page, title).waitFor();
      expect(page.url()).toBe(`${site.url}${title === 'Dashboard' ? '/admin' : target}`);
    }
    expect([...faults, ...still.faults]).toEqual([]);
  });

  it('is possible again with a new passkey, registered after a recovery link', async () => {
    const user = await site.addUser({ email: 'lost@example.com', name: 'Lost' });
    const { page, faults } = await openBrowser(browser, site.url);
    const { passkeys } = await addAuthenticator(page);
    await page.goto(`${site.url}/admin/magic-link`);
    await page.getByLabel('Email').fill('lost@example.com');
    await page.getByRole('button', { name: 'Request link' }).click();
    await page.getByRole('status').getByText('a recovery link is on its way').waitFor();
    await site.settled();
    await page.goto(links.get('lost@example.com') ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Profile').waitFor();
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('dialog').getByLabel('Passkey name').fill('New phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('row').filter({ hasText: 'New phone' }).waitFor();
    expect(await passkeys()).toHaveLength(1);

    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInTo(page, heading(page, 'New conversation'));
    const sessions = await site.db.prisma.userSession.findMany({
      where: { user_id: user.id },
      orderBy: { created_at: 'asc' },
    });
    expect(sessions.map(({ method, revoked_at }) => [method, revoked_at === null])).toEqual([
      ['magic_link', false],
      ['passkey', true],
    ]);

    await page.goto(links.get('lost@example.com') ?? '');
    await heading(page, 'This link is not valid').waitFor();
    await page.getByText('This link has been used, has expired or is incomplete.').waitFor();
    expect(faults).toEqual([]);
  });
});
