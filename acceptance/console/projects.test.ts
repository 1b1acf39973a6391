import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { send } from '../harness/calls.js';
import { consoleEnv, LOOKS, signInToConsole, visibleFaults, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { noteSecret } from '../harness/secrets.js';

let model: FakeModel;
let platform: Platform;
let browser: Browser;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;

beforeAll(async () => {
  model = await createFakeModel();
  const env = { ...consoleEnv(model.url), PROJECTS_OPEN: 'true' };
  [platform, browser] = await Promise.all([
    startPlatform({ env, replicas: { 'admin-auth': 2, 'platform-api': 2 } }),
    launchChromium(),
  ]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
  await model.close();
});

/** Folder for screenshots of the pages in both themes. Without `LOOK_FOLDER`, none are taken. */
const folder = process.env['LOOK_FOLDER'];

/** The fault that axe reports for each menu of Mantine: a menu has a focusable element without a role, which receives the first focus. */
const OF_MENUS = /: aria-required-children .*role="menu"/;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const optionsOf = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).locator('option').allTextContents();
const choose = async (page: Page, name: string) => {
  await page.getByRole('button', { name: /^Project: / }).click();
  await page.getByRole('menuitemradio', { name }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Project: ${name}` }).waitFor();
};

async function create(page: Page, name: string) {
  await page.getByRole('button', { name: 'New project' }).click();
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByRole('button', { name: 'Create project' }).click();
}

const NAME = 'Research & Development';
const ID = 'research-development';

describe('the page Projects', () => {
  it('creates a project that can then be chosen in every project selection', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/enterprises');
    await create(page, NAME);
    await row(page, NAME).getByText(ID).waitFor();
    await dialog(page).waitFor({ state: 'detached' });

    await create(page, 'research & DEVELOPMENT');
    await dialog(page).getByText('Another project has this name. Choose another.').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();

    const all = ['Core', 'Commerce', NAME];
    await open('/admin/access/users');
    expect(await optionsOf(page, 'Project')).toEqual(['Project: all', ...all]);
    await page.getByRole('button', { name: 'New user' }).click();
    expect(await dialog(page).getByLabel('Project').locator('option').allTextContents()).toEqual(all);
    await page.keyboard.press('Escape');
    for (const [path, button] of [
      ['/admin/settings', 'Create API key'],
      ['/admin/settings?tab=clients', 'Create client'],
    ] as const) {
      await open(path);
      await page.getByRole('button', { name: button }).first().click();
      expect(await dialog(page).getByLabel('Project').locator('option').allTextContents()).toEqual(all);
    }
    for (const path of ['/admin', '/admin/usage']) {
      await open(path);
      expect(await optionsOf(page, 'Project')).toEqual(['All projects', ...all]);
    }
    await open('/admin/limits');
    await page.getByRole('heading', { name: NAME }).waitFor();
    expect(faults).toEqual([]);
  });

  it("moves a user to a project; the user then sees only that project's records at every service", async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/build/skills/new');
    await page.getByLabel('Name', { exact: true }).fill('Skill of Core');
    await page.getByLabel('Instructions').fill('Stay.');
    await page.getByRole('button', { name: 'Create skill' }).click();
    await heading(page, 'Skill of Core').waitFor();
    await open('/admin/build/skills');
    await choose(page, NAME);
    await page
      .getByText(/No skills/)
      .first()
      .waitFor();
    await open('/admin/build/skills/new');
    await page.getByLabel('Name', { exact: true }).fill('Skill of research');
    await page.getByLabel('Instructions').fill('Seek.');
    await page.getByRole('button', { name: 'Create skill' }).click();
    await heading(page, 'Skill of research').waitFor();

    const email = 'rosa@example.com';
    const rosa = ['--email', email, '--name', 'Rosa', '--role', 'project_admin'];
    const { id } = await platform.operator<{ id: string }>('users', 'create', ...rosa);
    const before = await platform.operator<{ key: string }>('keys', 'create', '--user', email, '--name', 'old');
    await open(`/admin/access/users/${id}`);
    await page.getByLabel('Project', { exact: true }).selectOption({ label: NAME });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It applies from their next request.').waitFor();

    // The credentials of the former project are refused; the credentials of the new project reach only the records of that project.
    const skills = (key: string) =>
      send<{ items: { name: string }[] }>(`${platform.baseUrl}/api/v1/skills`, {
        headers: { Authorization: `Bearer ${key}` },
      });
    expect((await skills(before.key)).status).toBe(401);
    const { key } = await platform.operator<{ key: string }>('keys', 'create', '--user', email, '--name', 'new');
    noteSecret(key);
    const bearer = { headers: { Authorization: `Bearer ${key}` } };
    for (let turn = 0; turn < 4; turn += 1)
      // The request is repeated, so that each replica answers it once.
      expect((await skills(key)).body.items.map(({ name }) => name)).toEqual(['Skill of research']);
    for (const url of [`${platform.baseUrl}/api/v1/whoami`, `${platform.runtimeUrl}/api/v1/whoami`])
      expect((await send(url, bearer)).body).toMatchObject({ project: ID });
    const registry = await send(`${platform.runtimeUrl}/api/v1/agents/registry`, bearer);
    expect([registry.status, registry.text.includes('Core')]).toEqual([200, false]);
    const prompts = await send(`${platform.promptUrl}/v1/prompt`, { headers: { 'api-key': key } });
    expect([prompts.status, prompts.body]).toEqual([200, []]);

    const openAsRosa = await signInToConsole(platform, browser, email);
    const seen = await openAsRosa();
    await seen.open('/admin/build/skills');
    await row(seen.page, 'Skill of research').waitFor();
    expect(await seen.page.getByText('Skill of Core').count()).toBe(0);
    expect(await seen.page.getByRole('button', { name: /^Project: / }).count()).toBe(0);
    await seen.open('/admin/profile');
    await seen.page.getByText(NAME).first().waitFor();
    await seen.open('/admin/access/users');
    expect(await seen.page.getByRole('table', { name: 'Users' }).locator('tbody tr').count()).toBe(1);
    expect([...faults, ...seen.faults]).toEqual([]);
  });

  it.each(LOOKS)('has no serious accessibility fault and fits the screen: %j', async (look) => {
    const { page, faults, open } = await openPage(look);
    const found: string[] = [];
    const check = async (name: string) => {
      if (folder !== undefined) {
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: join(folder, `${name}.${look.colorScheme}.png`) });
      }
      found.push(...(await visibleFaults(page)).map((fault) => `${name}: ${fault}`));
    };
    const press = async (name: string) => {
      await page.getByRole('button', { name }).click();
      await dialog(page).waitFor();
    };
    await open('/admin/enterprises');
    await check('projects');
    await press('New project');
    await check('project-new');
    await dialog(page).getByLabel('Name').fill('Core');
    await dialog(page).getByRole('button', { name: 'Create project' }).click();
    await dialog(page).getByText('Another project has this name. Choose another.').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel', disabled: false }).waitFor();
    await check('project-name-taken');

    await open(`/admin/enterprises/${ID}`);
    await check('project');
    await press('Rename');
    await check('project-rename');

    await page.route('**/admin/api/enterprises', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(`${platform.baseUrl}/admin/enterprises`);
    await page
      .getByRole('button', { name: /try again|retry/i })
      .first()
      .waitFor();
    await check('projects-failed');
    await page.unroute('**/admin/api/enterprises');

    await open('/admin/access/users');
    await check('users');
    await open('/admin/build/skills');
    await choose(page, NAME);
    await page.getByRole('button', { name: `Project: ${NAME}` }).click();
    await page.getByRole('menuitemradio', { name: NAME }).waitFor();
    await check('project-menu');
    expect([...faults, ...found].filter((fault) => !OF_MENUS.test(fault))).toEqual([]);
  });

  it('renames a project, refuses to delete one with members, and deletes an empty project', async () => {
    const { page, faults, open } = await openPage();
    await open(`/admin/enterprises/${ID}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog(page).getByLabel('Name').fill('Labs');
    await dialog(page).getByRole('button', { name: 'Rename' }).click();
    await heading(page, 'Labs').waitFor();
    await page.getByRole('button', { name: 'Delete project' }).click();
    await dialog(page).getByRole('textbox').fill('Labs');
    await dialog(page).getByRole('button', { name: 'Delete project' }).click();
    await page
      .getByText(/still has active members, skills/)
      .first()
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });

    await open('/admin/enterprises');
    await create(page, 'Short');
    await row(page, 'Short').first().waitFor();
    await choose(page, 'Short');
    await open('/admin/enterprises/short');
    await page.getByRole('button', { name: 'Delete project' }).click();
    await dialog(page).getByRole('textbox').fill('Short');
    await dialog(page).getByRole('button', { name: 'Delete project' }).click();
    await heading(page, 'Projects').waitFor();
    await page.getByRole('button', { name: 'Project: Core' }).waitFor();
    expect(await row(page, 'Short').count()).toBe(0);
    await open('/admin/enterprises/Core');
    expect(await page.getByRole('button', { name: /Rename|Delete project/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
