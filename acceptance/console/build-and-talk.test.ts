import { readFileSync } from 'node:fs';
import {
  createFakeMcpServer,
  createFakeModel,
  listen,
  type FakeMcpServer,
  type FakeModel,
  type ModelRequest,
} from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { callers } from '../harness/calls.js';
import { consoleEnv, signInToConsole, visibleFaults, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';

let model: FakeModel;
let tools: FakeMcpServer;
let platform: Platform;
let browser: Browser;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;
let call: ReturnType<typeof callers>;

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

/** Makes the model call the tool of the MCP server, and then answer with the text. */
function useToolThenAnswer(text: string) {
  model.answerWith(({ body }: ModelRequest) => {
    const available = (body['tools'] ?? []) as { function: { name: string } }[];
    const name = available.map((tool) => tool.function.name).find((one) => one.endsWith('grind'));
    if (body.messages.at(-1)?.role !== 'user' || name === undefined) return text;
    return { content: null, toolCalls: [{ id: 'call_1', type: 'function', function: { name, arguments: '{}' } }] };
  });
}

/** Registers the MCP server and waits for its tools. */
async function registerTools(page: Page, name: string) {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('URL').fill(tools.url);
  await page.getByRole('button', { name: 'Add server' }).click();
  await heading(page, name).waitFor();
  await page.getByRole('button', { name: 'Try grind' }).waitFor();
}

describe('an administrator who builds agents and chats with them', () => {
  it("creates a skill and an agent, sees the tool calls of the agent's answer, and has the conversation's id in the page's URL", async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/build/skills');
    await page.getByText('No skills yet').waitFor();
    await page.getByRole('link', { name: 'New skill' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Plain words');
    await page.getByLabel('Instructions').fill('Explain as to a neighbour.');
    await page.getByRole('button', { name: 'Add parameter' }).click();
    const parameter = page.getByRole('group', { name: 'Parameter 1' });
    await parameter.getByLabel('Name').fill('words');
    await parameter.getByLabel('Type').selectOption('integer');
    await parameter.getByLabel('Default').fill('200');
    await page.getByRole('button', { name: 'Create skill' }).click();
    await heading(page, 'Plain words').waitFor();

    await open('/admin/build/mcp/new');
    await registerTools(page, 'Mill tools');

    await open('/admin/build/agents/new');
    await page.getByLabel('Name', { exact: true }).fill('Guide');
    await page.getByRole('textbox', { name: 'Instructions' }).fill('You are friendly.');
    for (const [label, name] of [
      ['Skills', 'Plain words'],
      ['MCP servers', 'Mill tools'],
    ] as const) {
      await page.getByRole('main').getByLabel(label).first().click();
      await page.getByRole('option', { name }).click();
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Create agent' }).click();
    await heading(page, 'Guide').waitFor();

    useToolThenAnswer('A mill **grinds** grain.');
    await page.getByRole('main').getByRole('link', { name: 'Chat', exact: true }).click();
    // The agent's page has a field with the same label, and stays visible until the next page is loaded.
    await page.getByRole('region', { name: 'Try this draft' }).waitFor({ state: 'detached' });
    await page.getByLabel('Message').fill('What is a mill?');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/talk\/guide\/ctx_\w+$/);
    await page.getByText('A mill grinds grain.').waitFor();
    await page.locator('summary').filter({ hasText: 'grind' }).getByText('Done').waitFor();
    expect(tools.calls.map(({ name }) => name)).toEqual(['grind']);
    const system = JSON.stringify(model.requests.at(-1)?.body.messages[0]);
    for (const part of ['You are friendly.', 'Explain as to a neighbour.', '200']) expect(system).toContain(part);

    await page.reload();
    await page.getByText('A mill grinds grain.').waitFor();
    expect(await page.getByRole('article', { name: 'You' }).textContent()).toContain('What is a mill?');

    await page.getByRole('link', { name: 'Edit agent' }).click();
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await heading(page, 'New agent').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Guide copy');
    expect(await page.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe('You are friendly.');
    await page.getByRole('button', { name: 'Create agent' }).click();
    await heading(page, 'Guide copy').waitFor();

    await open('/admin/talk');
    expect(await visibleFaults(page)).toEqual([]);
    await page.getByLabel('Search agents').fill('guide copy');
    await page.getByText('1 agent', { exact: true }).waitFor();
    await page.getByLabel('Search agents').fill('no such agent');
    await page.getByText('No agents match “no such agent”').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    const conversations = page.getByRole('region', { name: 'Your conversations' });
    await conversations.getByRole('link', { name: /What is a mill/ }).click();
    await page.waitForURL(/\/admin\/talk\/guide\/ctx_\w+$/);
    await page.getByText('A mill grinds grain.').waitFor();
    await page.getByRole('combobox', { name: 'Agent' }).click();
    await page.getByRole('option', { name: 'Guide copy' }).click();
    await page.waitForURL(/\/admin\/talk\/guide-copy$/);
    await page.getByText('Chat with Guide copy').waitFor();
    expect(faults).toEqual([]);
  });

  it("sends a message to an agent's unsaved draft and to an earlier version, and sees both answers side by side", async () => {
    const { page, faults, open } = await openPage();
    const { body } = await call.platform<{ id: string }>('/agents', {
      body: { name: 'Draftee', description: '', instructions: 'You are saved.', mcp_tools: ['platform/*'] },
    });
    await open(`/admin/build/agents/${body.id}`);
    await page.getByRole('textbox', { name: 'Instructions' }).fill('You are a draft.');
    model.answerWith(({ body: { messages } }: ModelRequest) => {
      if (messages.at(-1)?.role === 'tool' || !JSON.stringify(messages[0]).includes('a draft')) return 'Done thinking.';
      return { toolCalls: [{ id: 'a', type: 'function', function: { name: 'current_time', arguments: '{}' } }] };
    });
    await page.getByRole('button', { name: 'Compare' }).click();
    const second = page.getByRole('group', { name: 'Second' });
    await second.getByLabel('Version').selectOption('Version 1');
    const message = page.getByRole('textbox', { name: 'Message', exact: true });
    await message.fill('What day is it?');
    await page.keyboard.press('Control+Enter');
    const first = page.getByRole('group', { name: 'First' });
    await first.getByText('Done thinking.').waitFor();
    await first.locator('summary').filter({ hasText: 'current_time' }).getByText('Done').waitFor();
    await first.getByText(/^fake · .* tokens · .* · 1 tool call$/).waitFor();
    await second.getByText('Done thinking.').waitFor();
    await second.getByText(/^fake · .* tokens/).waitFor();
    await page.getByRole('region', { name: 'Changes of this draft' }).getByText('You are a draft.').waitFor();
    expect(await visibleFaults(page)).toEqual([]);
    const saved = await call.platform<{ instructions: string }>(`/agents/${body.id}`);
    expect(saved.body.instructions).toBe('You are saved.');

    await message.fill('And tomorrow?');
    await page.keyboard.press('Control+Enter');
    await first
      .getByText(/^fake · .* · 1 tool call$/)
      .nth(1)
      .waitFor();
    const asked = model.requests.filter(({ body: { messages } }) => messages.at(-1)?.content === 'And tomorrow?');
    expect(asked.map(({ body: { messages } }) => messages.filter(({ role }) => role === 'user').length)).toEqual([
      2, 2,
    ]);
    await page.getByRole('textbox', { name: 'Instructions' }).press('Control+s');
    await page.getByText('Saved. Applies from the next message.').waitFor();
    expect(faults).toEqual([]);
  });

  it('compares a skill with an earlier version and restores the earlier version', async () => {
    const { page, open } = await openPage();
    const skill = await call.platform<{ id: string }>('/skills', {
      body: { name: 'Versioned', description: '', instructions: 'First line.' },
    });
    await open(`/admin/build/skills/${skill.body.id}`);
    await page.getByLabel('Instructions').fill('First line.\nSecond line.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: '1', exact: true }).click();
    await page.waitForURL(/tab=versions&version=1/);
    await page.getByRole('group', { name: 'Difference of Instructions' }).getByText('Second line.').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 1 restored.').waitFor();
    const restored = await call.platform<{ instructions: string }>(`/skills/${skill.body.id}`);
    expect(restored.body.instructions).toBe('First line.');
  });
});

describe('a conflicting edit', () => {
  it('overwrites the change of another user only after confirmation', async () => {
    const { page, open } = await openPage();
    const item = await call.platform<{ id: string }>('/content', { body: { title: 'Shared', body: 'Old.' } });
    await open(`/admin/build/content/${item.body.id}`);
    await page.getByLabel('Body').fill('Mine.');
    await call.platform(`/content/${item.body.id}`, { method: 'PATCH', body: { body: 'Theirs.' } });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This was changed by someone else').waitFor();
    const bodyNow = async () => (await call.platform<{ body: string }>(`/content/${item.body.id}`)).body.body;
    expect(await bodyNow()).toBe('Theirs.');
    await dialog.getByRole('button', { name: 'Overwrite' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await bodyNow()).toBe('Mine.');
  });
});

describe('several records that are selected in a list', () => {
  it('are disabled or deleted by one action; the page names each record that could not be changed, with the reason', async () => {
    const { page, faults, open } = await openPage();
    const ids: string[] = [];
    for (const title of ['Bulk one', 'Bulk two', 'Bulk gone'])
      ids.push((await call.platform<{ id: string }>('/content', { body: { title, body: '-' } })).body.id);
    await open('/admin/build/content?search=Bulk');
    await page.getByRole('checkbox', { name: 'Select Bulk gone' }).waitFor();
    await call.platform(`/content/${ids[2]}`, { method: 'DELETE' });
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('group', { name: 'Selected' });
    await bar.getByRole('button', { name: 'Disable' }).click();
    const alert = page.getByRole('alert').filter({ hasText: '1 content item not changed' });
    await alert.getByRole('listitem').filter({ hasText: 'Bulk gone' }).waitFor();
    expect(await alert.getByRole('listitem').count()).toBe(1);
    const statusOf = async (id = '') => (await call.platform<{ status: string }>(`/content/${id}`)).body.status;
    expect([await statusOf(ids[0]), await statusOf(ids[1])]).toEqual(['inactive', 'inactive']);
    await alert.getByRole('button', { name: 'Dismiss' }).click();

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    for (const name of ['Bulk one', 'Bulk two']) await dialog.getByText(name, { exact: true }).waitFor();
    await dialog.getByLabel('Type delete to confirm').fill('delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByText('No content items match “Bulk”')
      .or(page.getByText('2 content items deleted.'))
      .first()
      .waitFor();
    expect((await call.platform<{ total: number }>('/content?search=Bulk')).body.total).toBe(0);
    // The API answers 404 to the change of the record that this test has deleted.
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });
});

describe('a tool whose definition has changed', () => {
  it('is quarantined; an administrator sees what changed, approves the tool, and tries it', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/build/mcp/new');
    await registerTools(page, 'Watched');
    const before = tools.tools;
    const annotations = { readOnlyHint: true };
    const changed = { name: 'grind', description: 'Grinds grain, and sends it away.', annotations };
    tools.tools = [{ ...changed, inputSchema: { type: 'object', properties: { kilos: { type: 'number' } } } }];
    await page.getByRole('button', { name: 'Refresh tools' }).click();
    await page.getByText('Tools refreshed: 0 available.').waitFor();
    await page.getByRole('tab', { name: 'Quarantined (1)' }).click();
    const difference = page.getByRole('group', { name: 'Difference of Description' });
    await difference.getByText('Grinds grain, and sends it away.').waitFor();
    const hints = page.getByRole('group', { name: 'Difference of Annotations' });
    await hints.getByText('"readOnlyHint": true').waitFor();
    await page.getByRole('button', { name: 'Approve grind' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('No tools to review').waitFor();

    await page.getByRole('tab', { name: 'Tools', exact: true }).click();
    await page.getByRole('button', { name: 'Try grind' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('kilos').fill('2');
    await drawer.getByRole('button', { name: 'Run tool' }).click();
    await drawer.getByText('grind {"kilos":2}').waitFor();
    tools.tools = before;
    expect(faults).toEqual([]);
  });
});

describe('a file', () => {
  it('is uploaded, listed, downloaded byte for byte, and deleted after confirmation', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/build/files');
    const buffer = Buffer.from('Größe\n'.repeat(20_000));
    await page.locator('input[type=file]').setInputFiles([{ name: 'größe.txt', mimeType: 'text/plain', buffer }]);
    await page.getByRole('row').filter({ hasText: 'größe.txt' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download größe.txt' }).click();
    expect(readFileSync(await (await download).path()).equals(buffer)).toBe(true);
    await page.getByRole('button', { name: 'Delete größe.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No files yet').waitFor();
    expect(faults).toEqual([]);
  });
});

describe('an answer', () => {
  it('is stored in the conversation even when the user leaves the page before the end of the answer', async () => {
    const { page, open } = await openPage();
    const answered = Promise.withResolvers<undefined>();
    model.answerWith(async () => {
      await answered.promise;
      return 'Here I am.';
    });
    await open('/admin/talk/concierge');
    await page.getByLabel('Message').fill('Take your time');
    await page.keyboard.press('Enter');
    await page.waitForURL(/concierge\/ctx_/);
    await page.reload();
    await page.getByRole('article', { name: 'You' }).getByText('Take your time').waitFor();
    answered.resolve(undefined);
    await expectAfterReload(page, 'Here I am.');
  });

  it('is canceled by Stop, and requested again by Regenerate', async () => {
    const { page, open } = await openPage();
    const answered = Promise.withResolvers<undefined>();
    model.answerWith(async () => {
      await answered.promise;
      return 'Too late.';
    });
    await open('/admin/talk/concierge');
    await page.getByLabel('Message').fill('On second thought');
    await page.keyboard.press('Enter');
    await page.waitForURL(/concierge\/ctx_/);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Canceled', { exact: true }).waitFor();
    answered.resolve(undefined);
    model.answerWith('Here you are.');
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByText('Here you are.').waitFor();
    expect(await page.getByRole('article', { name: 'You' }).count()).toBe(1);
  });

  it('shows an error with the request id when it fails, and can be requested again', async () => {
    const { page, open } = await openPage();
    model.answerWith({ status: 500 });
    await open('/admin/talk/concierge');
    await page.getByLabel('Message').fill('Are you there?');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('No answer', { exact: true }).waitFor();
    expect(await alert.locator('code').textContent()).toMatch(/^[\w.-]{8,}$/);
    // An administrator sees the cause.
    await alert.getByText(/^The upstream answered 500\./).waitFor();
    await alert.getByRole('link', { name: 'View run' }).waitFor();
    model.answerWith('I am back.');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('I am back.').waitFor();
    expect(await page.getByRole('article', { name: 'You' }).count()).toBe(1);
  });
});

async function expectAfterReload(page: Page, text: string) {
  for (let tries = 0; ; tries += 1) {
    await page.reload({ waitUntil: 'networkidle' });
    if ((await page.getByText(text).count()) > 0) return;
    if (tries === 20) throw new Error(`${text} is not kept`);
  }
}

describe('a knowledge source', () => {
  it('is added by its URL, shows why a fetch failed, is refreshed, edited and deleted; the page of a passage links to the URL', async () => {
    let status = 404;
    const site = await listen((_request, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<p>The heliotrope mill grinds at night.'),
    );
    const { page, faults, open } = await openPage();
    await open('/admin/build/files');
    await page.getByText('No sources yet').waitFor();
    await page.getByRole('button', { name: 'Add URL' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add source' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name').fill('Rules of the mill');
    await dialog.getByRole('textbox', { name: 'URL' }).fill('https://10.0.0.1/');
    await dialog.getByLabel('Schedule').fill('*/5 * * * *');
    await dialog.getByRole('button', { name: 'Add source' }).click();
    await dialog.getByText(/15 minutes between/).waitFor();
    await dialog.getByLabel('Schedule').fill('0 6 * * *');
    await dialog.getByRole('button', { name: 'Add source' }).click();
    await dialog.getByText(/not a public one/).waitFor();
    await dialog.getByRole('textbox', { name: 'URL' }).fill(`${site.url}/rules`);
    await dialog.getByRole('button', { name: 'Add source' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Rules of the mill' });
    await row.getByText('There is no document at the address (status 404).').waitFor();

    status = 200;
    await page.getByRole('button', { name: 'Refresh Rules of the mill' }).click();
    await row.getByText('Ready').waitFor();
    await page.getByRole('button', { name: 'Edit Rules of the mill' }).click();
    await dialog.getByLabel('Name').fill('Mill rules');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'Mill rules' }).getByText('Ready').waitFor();

    const { body } = await call.runtime<{ results: { id: string }[] }>('/api/v1/content/search?q=heliotrope');
    const [found] = body.results;
    await open(`/chat/passages/${found?.id ?? ''}`);
    await heading(page, 'Mill rules').waitFor();
    const link = page.getByRole('link', { name: `${site.url}/rules` });
    expect(await link.getAttribute('href')).toBe(`${site.url}/rules`);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');

    await open('/admin/build/files');
    await page.getByRole('button', { name: 'Delete Mill rules' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No sources yet').waitFor();
    expect(faults).toEqual([]);
    await site.close();
  });
});

describe('the search of knowledge', () => {
  it('uses full text until an admin sets an embedding model, shows the state of the vectors, and uses full text again without the model', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/build/files');
    const section = page.getByRole('region', { name: 'Knowledge search' });
    await section.getByText(/^Full text only: no embedding model is set/).waitFor();
    await section.getByRole('button', { name: 'Set embedding model' }).click();
    const dialog = page.getByRole('dialog');
    const chosen = dialog.getByRole('combobox', { name: 'Embedding model' });
    await chosen.click();
    await page.getByRole('option', { name: 'fake' }).click();
    await dialog.getByLabel('Length of vectors').fill('2001');
    await dialog.getByText('Enter a whole number up to 2,000, or nothing.').waitFor();
    await dialog.getByLabel('Length of vectors').fill('256');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Model fake, vectors of 256 numbers').waitFor();
    await section.getByText(/PostgreSQL has no pgvector|Vectors are made|makes no embeddings/).waitFor();
    await section.getByRole('button', { name: 'Change' }).click();
    await chosen.click();
    await page.getByRole('option', { name: 'None: full text only' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await section.getByText(/^Full text only: no embedding model is set/).waitFor();
    expect(faults).toEqual([]);
  });
});
