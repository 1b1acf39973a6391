import { readFileSync } from 'node:fs';
import { sealAuditLog } from '@millwright/audit';
import { encodeId, newId } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { HOSTILE_NAMES, buildFrontend, createPages, launchChromium, seriousFaults, watch } from './test-browser.js';
import { startConsole, type TestConsole } from './test-console.js';

type User = Awaited<ReturnType<TestConsole['addUser']>>;

let database: TestDatabase;
let site: TestConsole;
let browser: Browser;
let openEmpty: ReturnType<typeof createPages>;
let platformAdmin: User;

beforeAll(async () => {
  browser = await launchChromium();
  database = await createTestDatabase();
  site = await startConsole(database.url, { assets: await buildFrontend() });
  openEmpty = createPages(browser, site.url);
  platformAdmin = await site.addUser({
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    role: 'admin',
    platformAdmin: true,
  });
});

afterAll(async () => {
  await browser.close();
  await site.close();
  await database.drop();
});

/** Opens a browser with a session of the user. */
async function browserOf(user: User, options: BrowserContextOptions = {}) {
  const { access } = await site.signIn(user);
  const page = await openEmpty(options);
  await page.context().addCookies([{ name: 'access_token', value: access, url: site.url }]);
  return watch(page, site.url);
}

/** Opens a page and waits for all its data. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${site.url}${path}`, { waitUntil: 'networkidle' });
  await page.locator('main h1').waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Returns the labels of the tables that are wider than the element around them. It runs in the page. */
const wideTables = () =>
  [...document.querySelectorAll('main table')].flatMap((table) =>
    table.parentElement && table.scrollWidth > table.parentElement.clientWidth + 1
      ? [table.getAttribute('aria-label') ?? '']
      : [],
  );

const PAGES = [
  '/admin',
  '/admin/setup',
  '/admin/profile',
  '/admin/settings',
  '/admin/settings?tab=tokens',
  '/admin/settings?tab=clients',
  '/admin/settings?tab=appearance',
  '/admin/access/users',
  '/admin/access/users/:id',
  '/admin/audit',
  '/admin/jobs',
  '/admin/enterprises',
  '/admin/enterprises/Core',
  '/admin/usage',
  '/admin/usage?by=tool',
  '/admin/reports/internal',
  '/admin/nowhere',
];

/** Returns the address of a page. In a page about a user, this user has the hostile texts as names. */
const addressOf = (path: string, user: User) => path.replace(':id', encodeId('usr', user.id));

describe('every page', () => {
  const looks = [
    ['light, wide', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
    ['dark, phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
  ] as const satisfies (readonly [string, BrowserContextOptions])[];

  it.each(looks)(
    'has no serious accessibility fault, runs no script in the name of a record, and fits the screen (%s)',
    async (_look, options) => {
      const named = [];
      for (const [index, name] of HOSTILE_NAMES.entries()) {
        const email = `hostile-${index}-${options.colorScheme}@example.com`;
        named.push(await site.addUser({ email, name }));
      }
      const { client } = await site.signIn(platformAdmin);
      for (const name of HOSTILE_NAMES) {
        await client('POST', '/admin/api/keys', { json: { name } });
        await client('POST', '/admin/api/clients', {
          json: { name, redirect_uris: ['https://app.example.com/"><b>'] },
        });
      }
      const { page, faults } = await browserOf(platformAdmin, options);
      const found: string[] = [];
      for (const path of PAGES) {
        await open(page, addressOf(path, named[0] ?? platformAdmin));
        found.push(...(await seriousFaults(page)).map((fault) => `${path}: ${fault}`));
        const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        if (isTooWide) found.push(`${path}: wider than the screen`);
        for (const name of await page.evaluate(wideTables)) found.push(`${path}: the table ${name} is cut off`);
      }
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    },
  );
});

const PROJECT_PAGES = [
  'Dashboard',
  'Get started',
  'Chat',
  'Inbox',
  'Runs',
  'Usage',
  'Agents',
  'Models',
  'Skills',
  'MCP servers',
  'Content',
  'Plugins',
  'Tool policy',
  'Guards',
  'Files',
].concat([
  'Prompts',
  'Blocks',
  'Conversations',
  'Users',
  'Triggers',
  'Webhooks',
  'Budgets',
  'Limits',
  'Profile',
  'Settings',
]);

describe('someone who is not an admin', () => {
  it.each([
    ['user', ['Get started', 'Chat', 'Inbox', 'Runs', 'Profile', 'Settings']],
    ['auditor', ['Audit log', 'Profile']],
    ['project_admin', PROJECT_PAGES],
  ] as const)(
    'sees only pages that they may open, and these pages send no request that is refused: %s',
    async (role, pages) => {
      const user = await site.addUser({ email: `${role}@example.com`, name: 'Uma', role, project: 'Commerce' });
      const { page } = await browserOf(user);
      const refused: string[] = [];
      page.on('response', (response) => {
        // Other services are not deployed in this test, so their 503 answers are ignored.
        if (response.status() >= 400 && response.status() !== 503)
          refused.push(`${response.status()} ${response.url()}`);
      });
      await open(page, '/admin/profile');
      const navigation = page.getByRole('navigation', { name: 'Console' });
      expect(await navigation.getByRole('link').allTextContents()).toEqual(pages);
      for (const name of pages) {
        await navigation.getByRole('link', { name, exact: true }).click();
        await page.locator('main h1').waitFor();
        await page.waitForLoadState('networkidle');
        // The chat lacks the console's navigation, so a page of the console is opened.
        if ((await navigation.count()) === 0) await open(page, '/admin/profile');
      }
      expect(refused).toEqual([]);
    },
  );
});

describe('a user account', () => {
  it('is created with a setup link that is shown once', async () => {
    const { page } = await browserOf(platformAdmin);
    await open(page, '/admin/access/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Noor');
    await dialog.getByLabel('Email').fill('noor@example.com');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    const link = page.getByRole('dialog').filter({ hasText: 'Setup link' }).locator('code');
    expect(await link.textContent()).toMatch(new RegExp(`^${site.url}/admin/add-passkey#token=[0-9a-f]{64}$`));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').filter({ hasText: 'noor@example.com' }).waitFor();
  });

  it("is signed out at its user's next click after an admin has disabled the account in another browser", async () => {
    const user = await site.addUser({ email: 'leaver@example.com', name: 'Leaver' });
    const [leaver, admin] = [await browserOf(user), await browserOf(platformAdmin)];
    await open(leaver.page, '/admin/profile');
    await open(admin.page, `/admin/access/users?search=leaver`);
    await admin.page.getByRole('link', { name: 'Leaver' }).click();
    await heading(admin.page, 'Leaver').waitFor();
    await admin.page.getByRole('button', { name: 'Disable' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await admin.page.getByText('The account is disabled.').waitFor();

    await leaver.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await leaver.page.getByRole('button', { name: 'Sign in with passkey' }).waitFor();
  });

  it('is unlinked from an identity provider after a confirmation', async () => {
    const user = await site.addUser({ email: 'linked@example.com', name: 'Linked' });
    const issuer = 'https://issuer.example';
    await site.db.prisma.ssoIdentity.create({ data: { id: newId(), user_id: user.id, issuer, subject: 'sub-7' } });
    const { page } = await browserOf(platformAdmin);
    await open(page, addressOf('/admin/access/users/:id', user));
    await page.getByRole('button', { name: `Unlink ${issuer}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('The identity is unlinked.').waitFor();
    await page.getByRole('cell', { name: issuer, exact: true }).waitFor({ state: 'detached' });
    expect(await site.db.prisma.accountNotice.findMany({ where: { user_id: user.id } })).toMatchObject([
      { kind: 'identity_unlinked', email: 'linked@example.com' },
    ]);
  });

  it('is deleted only after the admin typed its email', async () => {
    const user = await site.addUser({ email: 'gone@example.com', name: 'Gone' });
    const { page } = await browserOf(platformAdmin);
    await open(page, addressOf('/admin/access/users/:id', user));
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Delete account' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type gone@example.com to confirm').fill('gone@example.com');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await heading(page, 'Users').waitFor();
    expect(await site.db.prisma.user.findUnique({ where: { id: user.id } })).toMatchObject({ status: 'inactive' });
  });
});

describe('an address', () => {
  it('keeps the filters of a list after a reload and after Back', async () => {
    const { page } = await browserOf(platformAdmin);
    await site.addUser({ email: 'needle@example.com', name: 'Needle' });
    await open(page, '/admin/access/users');
    await page.getByLabel('Search by name or email').fill('needle');
    await page.waitForURL(/search=needle/);
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.getByLabel('Status').selectOption('active');
    await page.waitForURL(/search=needle&status=active/);
    await page.reload();
    expect(await page.getByLabel('Search by name or email').inputValue()).toBe('needle');
    await page.getByRole('link', { name: 'Needle' }).click();
    await heading(page, 'Needle').waitFor();
    await page.goBack();
    await page.goBack();
    await page.waitForURL(/search=needle$/);
    expect(await page.getByLabel('Status').inputValue()).toBe('');
  });

  it('shows a message and a link back when it belongs to no page', async () => {
    const { page } = await browserOf(platformAdmin);
    await open(page, '/admin/no/such/page');
    await heading(page, 'Page not found').waitFor();
    await page.getByRole('link', { name: 'Go to dashboard' }).click();
    await heading(page, 'Dashboard').waitFor();
  });
});

describe('a list of 1,000 rows', () => {
  it('shows 100 rows first and 100 more on request, without a serious accessibility fault', async () => {
    const owner = await site.addUser({ email: 'keys@example.com', name: 'Keeper', role: 'project_admin' });
    const keys = Array.from({ length: 1_000 }, (_, n) => ({
      ...{ id: newId(), user_id: owner.id, kind: 'api_key', public_id: `many${n}`, name: `Key ${n}` },
      ...{ secret_hash: Buffer.alloc(32), scopes: ['skills:read'], project: owner.project },
    }));
    await site.db.prisma.userApiKey.createMany({ data: keys });
    const { page, faults } = await browserOf(owner);
    await open(page, '/admin/settings');
    const table = page.getByRole('table', { name: 'API keys' });
    const rows = table.locator('tbody').getByRole('row');
    expect(await rows.count()).toBe(100);
    await page.getByText('100 of 1,000').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show 100 more' }).click();
    await page.getByText('200 of 1,000').waitFor();
    expect(await rows.count()).toBe(200);
    expect(faults).toEqual([]);
  });
});

describe('the usage page', () => {
  it('keeps the keyboard focus on the grouping control when the user switches from models to tools and back', async () => {
    const { page } = await browserOf(platformAdmin);
    await open(page, '/admin/usage');
    const grouping = page.getByLabel('Group by');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await grouping.focus();
    await grouping.selectOption('tool');
    await page.getByRole('heading', { name: 'By tool', exact: true }).waitFor();
    expect(await focused()).toBe('Group by');
    await grouping.selectOption('agent');
    await page.getByRole('heading', { name: 'By agent', exact: true }).waitFor();
    expect(await focused()).toBe('Group by');
  });
});

describe('the dashboard', () => {
  it('names the services that could not be checked, instead of reporting that all is clear', async () => {
    const { page } = await browserOf(platformAdmin);
    await page.route('**/admin/api/jobs', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'Out of order.' } } }),
    );
    await open(page, '/admin');
    // The models cannot be checked, because the platform API, which lists them, is not deployed in this test.
    await page.getByText('Not checked, because loading failed: Jobs, Models.').waitFor();
    expect(await page.getByText('All clear.').count()).toBe(0);
    await page.unroute('**/admin/api/jobs');
    await page.getByRole('alert').filter({ hasText: 'Not checked' }).getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Not checked, because loading failed: Models.').waitFor();
  });
});

describe('the page of a user without credentials', () => {
  it('shows one line for each empty list', async () => {
    const user = await site.addUser({ email: 'new@example.com', name: 'New' });
    const { page } = await browserOf(platformAdmin);
    await open(page, addressOf('/admin/access/users/:id', user));
    for (const [title, text] of [
      ['Sessions', 'Not signed in'],
      ['Keys', 'No API keys or access tokens'],
      ['OAuth clients', 'No OAuth clients'],
      ['Devices', 'No devices'],
      ['Connected apps', 'No apps'],
    ] as const) {
      const section = page.getByRole('region', { name: title, exact: true });
      await section.getByText(text).waitFor();
      expect((await section.boundingBox())?.height).toBeLessThan(60);
    }
  });
});

describe('the audit log', () => {
  it('links a change to all rows of its request, and can be exported and verified', async () => {
    const { page, faults } = await browserOf(platformAdmin);
    await site.addUser({ email: 'traced@example.com', name: 'Traced' });
    await open(page, '/admin/access/users?search=traced');
    await page.getByRole('link', { name: 'Traced' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('The account is disabled.').waitFor();

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('combobox', { name: 'Action' }).fill('user.disable');
    await page.waitForURL(/action=user\.disable/);
    await page.getByLabel('Result', { exact: true }).selectOption('allow');
    await page.getByRole('row').filter({ hasText: 'user.disable' }).first().click();
    const detail = page.getByRole('dialog');
    await detail.getByText('ada@example.com').waitFor();
    await detail.getByRole('link', { name: 'View all events in this request' }).click();
    await page.waitForURL(/\/admin\/audit\?request_id=[\w.-]+$/);
    await page.waitForFunction(() => {
      const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.textContent);
      return rows.filter((text) => text.includes('user.disable')).length === 1;
    });

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /JSON lines/ }).click();
    const file = readFileSync(await (await download).path(), 'utf8');
    expect(
      file
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { action?: string }).action),
    ).toContain('user.disable');
    await sealAuditLog(site.db, site.signingKey());
    await page.reload();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByRole('status').getByText('Verified', { exact: true }).waitFor();
    await page.getByText('This check trusted the keys that the database lists').waitFor();
    await page.getByText('AUDIT_PINNED_KEYS_FILE').waitFor();
    expect(faults).toEqual([]);
  });
});

describe('the internal report', () => {
  it('shows a month as figures and as a chart that the content security policy allows', async () => {
    const user = await site.addUser({ email: 'spender@example.com', name: 'Spender', project: 'Commerce' });
    const used = {
      kind: 'agent_message',
      model: 'house',
      prompt_tokens: 1_200,
      completion_tokens: 300,
      cost_usd: '0.25',
    };
    const at = new Date('2026-03-20T12:00:00.000Z');
    await site.db.prisma.usageEvent.create({
      data: { ...used, id: newId(), subject_id: newId(), user_id: user.id, project: 'Commerce', at },
    });
    const { page, faults } = await browserOf(platformAdmin);
    await open(page, '/admin/reports/internal?month=2026-03&by=user');
    expect(await page.getByRole('row').filter({ hasText: 'spender@example.com' }).textContent()).toContain('$0.25');
    await page.locator('.recharts-bar-rectangle').first().waitFor();
    await page.waitForFunction(() => {
      const [section, chart] = [
        document.querySelector('section:has(svg.recharts-surface)'),
        document.querySelector('svg.recharts-surface'),
      ];
      return chart && section && chart.getBoundingClientRect().right <= section.getBoundingClientRect().right;
    });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('spender@example.com');
    expect(faults).toEqual([]);
  });
});

describe('a user without a mouse', () => {
  it('can skip the navigation and open a page, whose heading then has the focus', async () => {
    const { page } = await browserOf(platformAdmin);
    await open(page, '/admin');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.getByRole('link', { name: 'Users', exact: true }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Users').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Users');
    expect(await page.title()).toBe('Users · Millwright');
  });

  it('can open the navigation on a phone, and closes it by the selection of a page', async () => {
    const { page } = await browserOf(platformAdmin, { viewport: { width: 390, height: 844 } });
    await open(page, '/admin');
    const link = page.getByRole('link', { name: 'Users', exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open navigation' }).press('Enter');
    await link.click();
    await heading(page, 'Users').waitFor();
    await page.getByRole('button', { name: 'Open navigation' }).waitFor();
  });
});
