import { readFileSync } from 'node:fs';
import {
  createFakeAuthorizationServer,
  createFakeMcpServer,
  createFakeModel,
  type FakeAuthorizationServer,
  type FakeMcpServer,
  type FakeModel,
  type ModelRequest,
} from '@millwright/testing';
import { addAuthenticator, launchChromium } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { callers, send } from '../harness/calls.js';
import { consoleSizes, sizeFaults } from '../harness/console-size.js';
import {
  consoleEnv,
  faultsOfPages,
  keyboardOf,
  navigationOf,
  signInToConsole,
  type ConsolePage,
} from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { noteSecret } from '../harness/secrets.js';
import { until } from '../harness/until.js';

let model: FakeModel;
let tools: FakeMcpServer;
let platform: Platform;
let browser: Browser;
let call: ReturnType<typeof callers>;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;

beforeAll(async () => {
  [model, tools] = await Promise.all([
    createFakeModel(),
    createFakeMcpServer('modern', [{ name: 'grind', description: 'Grinds grain.', inputSchema: { type: 'object' } }]),
  ]);
  [platform, browser] = await Promise.all([startPlatform({ env: consoleEnv(model.url) }), launchChromium()]);
  call = callers(platform);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
  await Promise.all([model.close(), tools.close()]);
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Reads the secret of a new key from its dialog, and closes the dialog. The console shows a secret only once. */
async function takeSecret(page: Page): Promise<string> {
  // The previous dialog may still be closing.
  const shown = dialog(page).filter({ hasText: 'Your new API key' });
  const secret = (await shown.locator('code').textContent()) ?? '';
  noteSecret(secret);
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.waitFor({ state: 'detached' });
  return secret;
}

describe('the console', () => {
  it('has JavaScript within the size limits: for all pages together, for each page, and for code that is loaded on demand', () => {
    const sizes = consoleSizes();
    expect(sizes.pages.length).toBeGreaterThan(20);
    expect(sizeFaults(sizes)).toEqual([]);
  });

  it('opens a dialog even when the user requests it before the code of dialogs is loaded', async () => {
    const { page, open } = await openPage();
    const arrival = Promise.withResolvers<true>();
    await page.route(/\/overlays-[^/]*\.js$/, async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await open('/admin/settings');
    await page
      .getByRole('button', { name: /^Revoke / })
      .first()
      .click();
    expect(await dialog(page).count()).toBe(0);
    arrival.resolve(true);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  });
});

describe('an API key', () => {
  const statusWith = async (key: string) =>
    (await send(`${platform.baseUrl}/api/v1/skills`, { headers: { Authorization: `Bearer ${key}` } })).status;

  it('is created and accepted by the API; after rotation, the old and the new key are accepted until they are revoked', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/settings');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await dialog(page).getByLabel('Name').fill('Reporting');
    await dialog(page).getByLabel('Full access').check();
    await dialog(page).getByRole('button', { name: 'Create key' }).click();
    const first = await takeSecret(page);
    expect(await statusWith(first)).toBe(200);

    await page.getByRole('button', { name: 'Rotate Reporting' }).click();
    await dialog(page).getByLabel('Keep the current key working for').selectOption({ label: '1 hour' });
    await dialog(page).getByRole('button', { name: 'Rotate' }).click();
    const second = await takeSecret(page);
    expect(second).not.toBe(first);
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);

    // Revokes the rotated key, then the key that replaced it.
    const revoke = async (which: ReturnType<typeof row>) => {
      await which.getByRole('button', { name: 'Revoke Reporting' }).click();
      await dialog(page).getByRole('button', { name: 'Revoke' }).click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    const old = row(page, 'Reporting').filter({ hasText: 'Rotated' });
    await revoke(old);
    await old.waitFor({ state: 'detached' });
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
    await revoke(row(page, 'Reporting').filter({ hasNotText: 'Revoked' }));
    expect(await statusWith(second)).toBe(401);
    expect(faults).toEqual([]);
  });
});

/** The actions of the visible rows, sorted. */
const shownActions = async (page: Page) =>
  (await page.getByRole('table', { name: 'Events' }).locator('tbody tr td:nth-child(3)').allTextContents()).sort();

/** Opens the row of the action, then all rows of its request. Waits until `count` rows are visible. @returns the actions of the visible rows */
async function followRequest(page: Page, action: string, count: number): Promise<string[]> {
  await row(page, action).first().getByRole('button').click();
  await page.waitForURL(/[?&]row=/);
  await dialog(page).getByRole('link', { name: 'View all events in this request' }).click();
  await page.waitForURL(/\/admin\/audit\?request_id=[\w.-]+$/);
  await page.getByRole('heading', { name: count === 1 ? '1 event' : `${count} events`, exact: true }).waitFor();
  return shownActions(page);
}

async function exported(page: Page): Promise<{ action?: string; request_id?: string }[]> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /JSON lines/ }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as { action?: string });
}

describe('the audit log', () => {
  it('lists a change that was made in the console, and the row of the change has its own URL', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/build/skills/new');
    await page.getByLabel('Name', { exact: true }).fill('Traced');
    await page.getByLabel('Instructions').fill('Leave a trace.');
    await page.getByRole('button', { name: 'Create skill' }).click();
    await heading(page, 'Traced').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.waitForURL(/\/admin\/audit\?resource=sk_\w+$/);
    await page.getByRole('heading', { name: '1 event', exact: true }).waitFor();
    await row(page, 'skill.create').getByRole('button').click();
    await dialog(page).getByText('admin@localhost').waitFor();

    // The address opens the row for every admin, even when the list does not show it.
    const { searchParams } = new URL(page.url());
    const { page: other, open: openOther } = await openPage();
    await openOther(`/admin/audit?action=nothing&row=${searchParams.get('row') ?? ''}`);
    await dialog(other).getByText('skill.create').waitFor();
    await other.close();

    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await followRequest(page, 'skill.create', 1)).toEqual(['skill.create']);
    expect(faults).toEqual([]);
  });

  it('shows and exports all rows of one request: those of a message to an agent and of the tool call that the message caused', async () => {
    const server = await call.platform<{ id: string }>('/mcp/servers', { body: { name: 'Mill', url: tools.url } });
    const path = `/mcp/servers/${server.body.id}`;
    await until(async () => (await call.platform<{ tools_count: number }>(path)).body.tools_count === 1 || undefined);
    await call.platform('/agents', { body: { name: 'Miller', description: '', mcp_server_ids: [server.body.id] } });
    model.answerWith(({ body }: ModelRequest) => {
      const [available] = (body['tools'] ?? []) as { function: { name: string } }[];
      if (body.messages.at(-1)?.role !== 'user' || !available) return 'Ground.';
      const { name } = available.function;
      return { content: null, toolCalls: [{ id: 'call_1', type: 'function', function: { name, arguments: '{}' } }] };
    });
    const { page, faults, open } = await openPage();
    await open('/admin/talk/miller');
    await page.getByLabel('Message').fill('Grind it.');
    await page.keyboard.press('Enter');
    await page.getByText('Ground.').waitFor();

    await open('/admin/audit?action=agent.message');
    const actions = await followRequest(page, 'agent.message', 2);
    expect(actions).toEqual(['agent.message', 'mcp.call']);
    const requestId = new URL(page.url()).searchParams.get('request_id');
    const rows = (await exported(page)).filter(({ action }) => action !== undefined);
    expect(rows.map(({ action }) => action).sort()).toEqual(actions);
    expect(new Set(rows.map(({ request_id }) => request_id))).toEqual(new Set([requestId]));
    await open('/admin/jobs?job=seal-audit');
    await dialog(page).getByRole('button', { name: 'Run seal-audit now' }).click();
    await dialog(page)
      .getByRole('row')
      .filter({ hasText: /Manual.*Succeeded/ })
      .waitFor();
    await open('/admin/audit');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByRole('status').getByText('Verified', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('a user who is not an administrator', () => {
  let as: FakeAuthorizationServer;
  let own: FakeMcpServer;
  let openOwn: typeof openPage;
  let citedId: string;

  beforeAll(async () => {
    [as, own] = await Promise.all([
      createFakeAuthorizationServer(),
      createFakeMcpServer('modern', [{ name: 'mine', description: 'Mine.', inputSchema: { type: 'object' } }]),
    ]);
    const { origin } = new URL(own.url);
    own.documents = {
      '/.well-known/oauth-protected-resource/mcp': {
        resource: own.url,
        authorization_servers: [as.url],
        scopes_supported: ['tools'],
      },
    };
    own.challenge = ({ authorization }) =>
      as.userOf(authorization, own.url) === undefined
        ? `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
        : undefined;
    await platform.operator('users', 'create', '--email', 'uma@localhost', '--name', 'Uma', '--project', 'Commerce');
    const key = await platform.operator(
      ...['keys', 'create', '--user', 'admin@localhost', '--name', 'commerce', '--project', 'Commerce'],
    );
    const body = { name: 'Post office', url: own.url, auth: { type: 'user' } };
    const headers = { Authorization: `Bearer ${key['key'] ?? ''}` };
    await call.platform('/mcp/servers', { body, headers });
    const item = { title: 'Hoppers', body: 'A hopper holds **grain**.' };
    citedId = (await call.platform<{ id: string }>('/content', { body: item, headers })).body.id;
    openOwn = await signInToConsole(platform, browser, 'uma@localhost', 'New conversation');
  });
  afterAll(() => Promise.all([as.close(), own.close()]));

  it('chats at /chat: edits a message, gets another answer, and arranges the conversations', async () => {
    const { page, faults, open } = await openOwn();
    const said = (role: string) => page.getByRole('article', { name: role });
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await open('/chat');
    model.answerWith('Grain is ground here.');
    await page.getByLabel('Message').fill('What is a mil?');
    await page.keyboard.press('Enter');
    await said('Concierge').getByText('Grain is ground here.').waitFor();
    await page.waitForURL(/\/chat\/ctx_\w+$/);

    model.answerWith('A mill grinds grain.');
    await said('You').getByRole('button', { name: 'Edit message' }).click();
    await page.getByLabel('Edited message').fill('What is a mill?');
    await page.getByRole('button', { name: 'Send again' }).click();
    await said('Concierge').getByText('A mill grinds grain.').waitFor();
    await list.getByRole('link', { name: /What is a mill\?/ }).waitFor();
    const cited = `/chat/passages/${citedId}`;
    model.answerWith(`It grinds, see [Hoppers](${new URL(cited, page.url()).href}).`);
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await said('Concierge').getByText('It grinds').waitFor();
    await page.reload();
    await said('Concierge').getByRole('link', { name: 'Hoppers' }).click();
    await dialog(page).getByText('A hopper holds').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect((await said('You').allInnerTexts()).map((text) => text.includes('What is a mill?'))).toEqual([true]);
    expect(await page.getByText('Grain is ground here.').count()).toBe(0);

    const act = async (name: string) => {
      await list.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await act('Rename');
    await dialog(page).getByLabel('Title').fill('Mills');
    await dialog(page).getByRole('button', { name: 'Rename' }).click();
    await heading(page, 'Mills').waitFor();
    await act('Pin');
    await list.getByRole('img', { name: 'Pinned' }).waitFor();
    await list.getByLabel('Search conversations').fill('nothing');
    await list.getByText('No conversation has this in its title.').waitFor();
    await list.getByLabel('Search conversations').fill('mill');
    await list.getByRole('link', { name: /Mills/ }).waitFor();
    const address = new URL(page.url()).pathname;
    expect(await faultsOfPages(openOwn, ['/chat', address, cited])).toEqual([]);

    await act('Delete');
    await dialog(page).getByRole('button', { name: 'Delete conversation' }).click();
    await heading(page, 'New conversation').waitFor();
    await open(address);
    await heading(page, 'Conversation not found').waitFor();
    expect(faults).toEqual([]);
  });

  it('connects an account to an MCP server of their project, and disconnects it', async () => {
    const { page, open } = await openOwn();
    await open('/admin/profile');
    const popup = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Connect to Post office in a new tab' }).click();
    const tab = await popup;
    await tab.getByRole('button', { name: 'Allow' }).click();
    await heading(tab, 'Connected').waitFor();
    await tab.close();

    await page.reload();
    await row(page, 'Post office').getByText('Connected', { exact: true }).waitFor();
    expect(await row(page, 'Post office').textContent()).toContain('tools');
    await page.getByRole('button', { name: 'Disconnect from Post office' }).click();
    await dialog(page).getByRole('button', { name: 'Disconnect' }).click();
    await row(page, 'Post office').getByText('Not connected').waitFor();
    await until(() => as.revoked.length === 1 || undefined);
  });

  it('can open every page; no request of these pages is refused', async () => {
    const { page, faults, open } = await openOwn();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await open('/admin/profile');
    const addresses = await navigationOf(page);
    expect(addresses).toEqual(expect.arrayContaining(['/admin/setup', '/admin/profile', '/admin/settings']));
    const tabs = ['tokens', 'clients', 'appearance'].map((tab) => `/admin/settings?tab=${tab}`);
    for (const address of [...addresses, ...tabs]) {
      await open(address);
      await page.waitForLoadState('networkidle');
    }
    expect([...refused, ...faults]).toEqual([]);
  });
});

/** A script for the page that reports every use of a mouse. It is a string, because this project's types have no `document`. */
const WITHOUT_MOUSE = `
  for (const type of ['pointerdown', 'mousedown', 'touchstart'])
    addEventListener(type, () => globalThis.reportMouse(type), true);
`;

describe('the keyboard', () => {
  it('is enough to register a passkey, sign in, create an agent and chat with it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const mouse: string[] = [];
    await page.exposeFunction('reportMouse', (type: string) => void mouse.push(type));
    await page.addInitScript(WITHOUT_MOUSE);
    await addAuthenticator(page);
    const { press, tabTo, type } = keyboardOf(page);
    await platform.operator(
      ...['users', 'create', '--email', 'keys@localhost', '--name', 'Keys', '--role', 'admin', '--project', 'Core'],
    );
    const { token = '' } = await platform.operator('setup-token', 'create', '--email', 'keys@localhost');
    await page.goto(`${platform.baseUrl}/admin/add-passkey?token=${token}`);
    await page.getByLabel('Passkey name').waitFor();
    await press('Enter');
    await page.getByRole('button', { name: 'Sign in with passkey' }).waitFor();
    await type('keys@localhost');
    await press('Enter');
    await heading(page, 'Dashboard').waitFor();

    await tabTo(/^Agents$/);
    await press('Enter');
    await heading(page, 'Agents').waitFor();
    await tabTo(/^New agent$/);
    await press('Enter');
    await heading(page, 'New agent').waitFor();
    await tabTo(/^Name$/);
    await type('Keys');
    await press('Enter');
    await heading(page, 'Keys').waitFor();
    model.answerWith('Pressed.');
    await tabTo(/^Chat$/);
    await press('Enter');
    await page.waitForURL(/\/admin\/talk\/keys$/);
    // The message field has the focus when the page is opened, so Tab is not needed.
    await page.locator('textarea[aria-label="Message"]:focus').waitFor();
    await type('Hello?');
    await press('Enter');
    await page.getByText('Pressed.').waitFor();
    // The focus is still in the message field, so the next text goes there.
    await type('And now?');
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('And now?');
    expect(mouse).toEqual([]);
    await context.close();
  });
});
