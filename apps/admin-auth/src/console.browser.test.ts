import { issueSetupToken, type NewUser } from '@millwright/accounts';
import { encodeId } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Browser, Page } from 'playwright-core';
import {
  addAuthenticator,
  seriousFaults,
  buildFrontend,
  launchChromium,
  openBrowser,
  signInTo,
} from './test-browser.js';
import { startConsole, type TestConsole } from './test-console.js';

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

/** Creates an account and opens a browser that is signed in with the account's passkey. */
async function signedIn(account: Partial<NewUser> & { email: string }) {
  const user = await site.addUser(account);
  const actor = { userId: user.id, kind: 'user', label: user.name } as const;
  const { token } = await site.db.transaction((tx) => issueSetupToken(tx, account.email, actor));
  const opened = await openBrowser(browser, site.url);
  const { page } = opened;
  const authenticator = await addAuthenticator(page);
  await page.goto(`${site.url}/admin/add-passkey?token=${token}`);
  await page.getByRole('button', { name: 'Create passkey' }).click();
  const isAdmin = account.role === 'admin';
  await signInTo(page, heading(page, isAdmin ? 'Dashboard' : 'New conversation'));
  if (!isAdmin) {
    await page.goto(`${site.url}/admin/profile`);
    await heading(page, 'Profile').waitFor();
  }
  return { ...opened, user, authenticator };
}

/** Makes the last proof old, so that sensitive requests need a new proof. */
const forgetProof = (userId: string) =>
  site.db.prisma.userSession.updateMany({ where: { user_id: userId }, data: { proven_at: new Date(0) } });

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const provedCount = (userId: string) =>
  site.db.prisma.governanceDecision.count({ where: { user_id: userId, action: 'session.step_up', decision: 'allow' } });

describe('a platform admin', () => {
  it('is appointed by two platform admins: one requests the appointment, the other confirms it, each with a new passkey proof', async () => {
    const platform = { role: 'admin', platformAdmin: true } as const;
    const alice = await signedIn({ email: 'alice@example.com', name: 'Alice', ...platform });
    const bob = await signedIn({ email: 'bob@example.com', name: 'Bob', ...platform });
    const carol = await site.addUser({ email: 'carol@example.com', name: 'Carol', role: 'admin' });
    await forgetProof(alice.user.id);
    await alice.page.goto(`${site.url}/admin/access/users/${encodeId('usr', carol.id)}`);
    await alice.page.getByRole('button', { name: 'Request platform administrator' }).click();
    await dialog(alice.page).getByRole('button', { name: 'Request' }).click();
    await alice.page.getByText('Alice requested that this account becomes').waitFor();
    await alice.page.getByText(/The request expires \w+ \d+, \d{4}/).waitFor();
    expect(await alice.page.getByRole('button', { name: 'Confirm Carol' }).count()).toBe(0);
    await alice.page.getByRole('button', { name: 'Withdraw Carol' }).waitFor();

    await forgetProof(bob.user.id);
    await bob.page.goto(`${site.url}/admin/access/users`);
    const pending = bob.page.getByRole('table', { name: 'Platform administrator requests' });
    await pending.getByText(/^(in \d+ hours|tomorrow)$/).waitFor();
    expect(await seriousFaults(bob.page)).toEqual([]);
    await bob.page.getByRole('button', { name: 'Confirm Carol' }).click();
    await dialog(bob.page).getByRole('button', { name: 'Confirm' }).click();
    await pending.waitFor({ state: 'detached' });
    expect(await site.db.prisma.user.findUnique({ where: { id: carol.id } })).toMatchObject({ platform_admin: true });
    expect([await provedCount(alice.user.id), await provedCount(bob.user.id)]).toEqual([1, 1]);
    expect([...alice.faults, ...bob.faults]).toEqual([]);
  });

  it('can refuse the appointment that another platform admin requested', async () => {
    const platform = { role: 'admin', platformAdmin: true } as const;
    const requester = await site.addUser({ email: 'asks@example.com', name: 'Asks', ...platform });
    const dave = await site.addUser({ email: 'dave@example.com', name: 'Dave' });
    const { client } = await site.signIn(requester);
    const asked = await client('POST', `/admin/api/users/${encodeId('usr', dave.id)}/platform-admin`);
    expect(asked.status).toBe(201);
    const { page } = await signedIn({ email: 'refuses@example.com', name: 'Refuses', ...platform });
    await page.goto(`${site.url}/admin/access/users`);
    await page.getByRole('button', { name: 'Refuse Dave' }).click();
    await page.getByText('The request is refused.').waitFor();
    expect(await site.db.prisma.platformAdminRequest.findMany({ where: { user_id: dave.id } })).toMatchObject([
      { outcome: 'refused' },
    ]);
  });
});

describe('the profile', () => {
  it('lets a user rename passkeys and, after a new proof, replace the last passkey, but not remove it', async () => {
    const { page, user, faults, authenticator } = await signedIn({ email: 'keys@example.com', name: 'Grace' });
    await row(page, 'My passkey').getByRole('button', { name: 'Rename My passkey' }).click();
    await dialog(page).getByLabel('Passkey name').fill('Old phone');
    await dialog(page).getByRole('button', { name: 'Rename' }).click();
    await row(page, 'Old phone').waitFor();
    expect(await page.getByRole('button', { name: 'Remove Old phone' }).isDisabled()).toBe(true);

    await authenticator.remove();
    await addAuthenticator(page);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await dialog(page).getByLabel('Passkey name').fill('Security key');
    await dialog(page).getByRole('button', { name: 'Create passkey' }).click();
    await row(page, 'Security key').waitFor();

    await forgetProof(user.id);
    await page.getByRole('button', { name: 'Remove Old phone' }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await row(page, 'Old phone').waitFor({ state: 'detached' });
    expect(await provedCount(user.id)).toBe(1);
    const left = await site.db.prisma.passkey.findMany({ where: { user_id: user.id, removed_at: null } });
    expect(left.map(({ name }) => name)).toEqual(['Security key']);
    expect(faults).toEqual([]);
  });

  it('lists the keys that expire soon, with a link to Settings', async () => {
    const { page, user } = await signedIn({ email: 'soon@example.com', name: 'Grace' });
    const { client } = await site.signIn(user);
    for (const [name, expires_in_days] of [
      ['nightly', 10],
      ['yearly', 365],
    ] as const)
      expect((await client('POST', '/admin/api/keys', { json: { name, expires_in_days } })).status).toBe(201);
    await page.reload();
    const message = page.getByRole('alert').filter({ hasText: 'Keys that expire soon' });
    await message.getByText('nightly').waitFor();
    expect(await message.getByText('yearly').count()).toBe(0);
    await message.getByRole('link', { name: 'Rotate it in Settings' }).click();
    await heading(page, 'Settings').waitFor();
  });

  it("changes the account's display name", async () => {
    const { page, user } = await signedIn({ email: 'name@example.com', name: 'Grace' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your name is changed.').waitFor();
    expect(await site.db.prisma.user.findUnique({ where: { id: user.id } })).toMatchObject({ name: 'Grace Hopper' });
  });

  it('ends all sessions except the current session', async () => {
    const { page, user } = await signedIn({ email: 'sessions@example.com' });
    const others = await Promise.all([site.signIn(user), site.signIn(user)]);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await dialog(page).getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('2 sessions signed out.').waitFor();
    for (const { client } of others) expect((await client('GET', '/admin/api/me')).status).toBe(401);
    await page.reload();
    await heading(page, 'Profile').waitFor();
  });
});

describe('the settings', () => {
  it('let a user create a key after a new proof, see it once, rotate it and revoke it', async () => {
    const { page, user, faults } = await signedIn({ email: 'settings@example.com' });
    await page.getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'Settings').waitFor();
    await forgetProof(user.id);
    await page.getByRole('button', { name: 'Create API key' }).click();
    await dialog(page).getByLabel('Name').fill('Reporting');
    // The form selects no permission by default, and a key needs at least one permission.
    await dialog(page).getByRole('button', { name: 'Create key' }).click();
    await dialog(page).getByText('Choose at least one permission.').waitFor();
    await dialog(page).getByLabel('Selected scopes').check();
    await dialog(page).getByLabel('skills:read').check();
    await dialog(page).getByRole('button', { name: 'Create key' }).click();

    const shown = dialog(page).filter({ hasText: 'Your new API key' }).locator('code');
    const first = (await shown.textContent()) ?? '';
    expect(first).toMatch(/^mw_live_/);
    expect(await provedCount(user.id)).toBe(1);
    await page.keyboard.press('Escape');
    expect(await shown.isVisible()).toBe(true);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await row(page, 'Reporting').waitFor();
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Rotate Reporting' }).click();
    await dialog(page).getByLabel('Keep the current key working for').selectOption({ label: '7 days' });
    await dialog(page).getByRole('button', { name: 'Rotate' }).click();
    const second = (await shown.textContent()) ?? '';
    expect(second).toMatch(/^mw_live_/);
    expect(second).not.toBe(first);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await row(page, 'Rotated').waitFor();

    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Revoke Reporting' }).first().click();
      await dialog(page).getByRole('button', { name: 'Revoke' }).click();
      await dialog(page).waitFor({ state: 'detached' });
      await page.waitForFunction(
        (count) => document.querySelectorAll('button[aria-label="Revoke Reporting"]').length === count,
        left,
      );
    }
    const keys = await site.db.prisma.userApiKey.findMany({ where: { user_id: user.id } });
    expect(keys.map(({ revoked_at }) => revoked_at === null)).toEqual([false, false]);
    expect(faults).toEqual([]);
  });

  it('let a user create a client, change its redirect URIs and revoke it', async () => {
    const { page, user } = await signedIn({ email: 'clients@example.com' });
    await page.goto(`${site.url}/admin/settings?tab=clients`);
    await page.getByRole('button', { name: 'Create client' }).click();
    await dialog(page).getByLabel('Name').fill('Support desk');
    await dialog(page).getByLabel('Redirect URIs').fill('https://app.example.com/callback');
    await dialog(page).getByLabel('Full access').check();
    await dialog(page).getByRole('button', { name: 'Create client' }).click();
    await dialog(page).getByText('Your new client secret').waitFor();
    await dialog(page).getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Edit Support desk' }).click();
    await dialog(page).getByLabel('Redirect URIs').fill('https://app.example.com/other');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await row(page, 'https://app.example.com/other').waitFor();
    await page.getByRole('button', { name: 'Revoke Support desk' }).click();
    await dialog(page).getByRole('button', { name: 'Revoke' }).click();
    await row(page, 'Revoked').waitFor();
    const [client] = await site.db.prisma.oAuthClient.findMany({ where: { user_id: user.id } });
    expect(client).toMatchObject({ redirect_uris: ['https://app.example.com/other'] });
    expect(client?.revoked_at).not.toBeNull();
  });

  it("show the server's message and the request id after a refusal", async () => {
    const { page } = await signedIn({ email: 'refused@example.com' });
    await page.goto(`${site.url}/admin/settings?tab=clients`);
    await page.getByRole('button', { name: 'Create client' }).click();
    await dialog(page).getByLabel('Name').fill('Wrong');
    await dialog(page).getByLabel('Redirect URIs').fill('http://attacker.example/callback');
    await dialog(page).getByLabel('Full access').check();
    await dialog(page).getByRole('button', { name: 'Create client' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'redirect_uris' });
    expect(await alert.textContent()).toMatch(/Request ID [\w-]{8,}/);
    expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Wrong');
  });
});

describe('the theme', () => {
  it('is set in the HTML of the next page after the user has selected it', async () => {
    const { page } = await signedIn({ email: 'theme@example.com' });
    const { hostname } = new URL(site.url);
    await page.context().addCookies([{ name: 'theme', value: 'light', domain: hostname, path: '/admin' }]);
    await page.reload();
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    expect(await scheme()).toBe('dark');
    const answer = await page.reload();
    expect(await answer?.text()).toContain('data-mantine-color-scheme="dark"');
    expect(await scheme()).toBe('dark');
    await page.goto(`${site.url}/bridge-auth/device-link`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(await scheme()).toBe('dark');
  });
});
