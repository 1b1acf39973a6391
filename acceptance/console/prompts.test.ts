import { createFakeModel, type FakeModel } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { callers } from '../harness/calls.js';
import { consoleEnv, faultsOfPages, signInToConsole, visibleFaults, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';

/** Texts that break a page which does not escape them. */
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "';alert(1);//${alert(1)}{{constructor.constructor('alert(1)')()}}",
  '[x](javascript:alert(1)) `code` **<b onmouseover=alert(1)>bold</b>** \\{{ {{',
  '\u202Egnp.exe\u202C \u2066\u2067مدير',
  'W'.repeat(90),
];
const hostile = HOSTILE.join('\n');

let model: FakeModel;
let platform: Platform;
let browser: Browser;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;
let call: ReturnType<typeof callers>;

beforeAll(async () => {
  model = await createFakeModel();
  [platform, browser] = await Promise.all([startPlatform({ env: consoleEnv(model.url) }), launchChromium()]);
  call = callers(platform);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
  await model.close();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

/** Renders the prompt's production version, as a program does. @returns the text */
async function inProduction(id: string): Promise<string> {
  const body = { structured_data: { city: 'Bonn' }, label: 'production' };
  const answer = await call.prompt<{ data: { dynamic: string } }>(`/prompt/${id}`, { body });
  expect(answer.status).toBe(200);
  return answer.body.data.dynamic;
}

const NO_PAGE = [
  ['/admin/prompts', 'No prompts yet'],
  ['/admin/blocks', 'No blocks yet'],
  ['/admin/conversations', 'No conversations yet'],
] as const;

describe('an installation without prompts', () => {
  it('shows the next step on each empty list', async () => {
    const { page, faults, open } = await openPage();
    for (const [path, text] of NO_PAGE) {
      await open(path);
      await page.getByText(text).waitFor();
      expect(await visibleFaults(page)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });
});

describe('a prompt', () => {
  it('can be written, tried, promoted to production, changed, compared and rolled back; programs get the promoted version', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/blocks/new');
    await page.getByLabel('Name', { exact: true }).fill('house_rules');
    await page.getByRole('textbox', { name: 'Content' }).fill('Be brief.');
    await page.getByLabel('Title').fill('House rules');
    await page.getByRole('button', { name: 'Create block' }).click();
    await heading(page, 'House rules').waitFor();

    // Warnings appear while typing and disappear with their cause.
    await open('/admin/prompts/new');
    await page.getByLabel('Title').fill('Guide');
    await page.getByRole('textbox', { name: 'System' }).fill('You know every town. {{house_rules}}');
    const dynamic = page.getByRole('textbox', { name: 'User message' });
    await dynamic.fill('Show me {{city');
    const warnings = page.getByRole('list', { name: 'Warnings about User message' });
    await warnings.getByText('is never closed').waitFor();
    await dynamic.fill('Show me {{city}}');
    await warnings.getByText('Unknown variable {{city}}.').waitFor();
    await page.getByRole('button', { name: 'Add as input' }).click();
    await warnings.waitFor({ state: 'detached' });
    expect(await page.getByRole('group', { name: 'Input schema' }).getByLabel('Name').inputValue()).toBe('city');
    await page.getByRole('group', { name: 'Output schema' }).getByRole('button', { name: 'Edit as JSON' }).click();
    await page.getByLabel('Output schema').fill('{"type": "txt"}');
    await page.getByText(/^type: /).waitFor();
    await page.getByLabel('Output schema').fill('');
    await page.getByText('You know every town. Be brief.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create prompt' }).click();
    await heading(page, 'Guide').waitFor();
    const [id = ''] = /[0-9a-f-]{36}$/.exec(page.url()) ?? [];

    // Try the prompt: the answer is streamed.
    await tab(page, 'Try');
    // The hidden panel with the workbench has a field with the same label.
    const trial = page.getByRole('tabpanel', { name: 'Try' });
    await trial.getByRole('textbox', { name: 'city' }).fill('Bonn');
    await page.getByLabel('User message, rendered').getByText('Show me Bonn', { exact: true }).waitFor();
    model.answerWith({ content: 'The river first, then the town hall.', trickleMs: 150 });
    await page.getByRole('button', { name: 'Run' }).click();
    const answer = page.getByRole('log', { name: 'Answer' });
    await answer.getByText('The river').waitFor();
    expect(await answer.getAttribute('aria-busy')).toBe('true');
    await answer.getByText('The river first, then the town hall.', { exact: true }).waitFor();
    await page.getByText(/\d+ input, 7 output/).waitFor();
    await page.locator('dt:text-is("Cost") + dd:text-is("—")').waitFor();
    expect(model.requests.at(-1)?.body.messages.map(({ content }) => content)).toEqual([
      'You know every town. Be brief.',
      'Show me Bonn',
    ]);

    // Save an answer of the workbench as a test case, and run the case again after a change of the prompt.
    await tab(page, 'Edit');
    const bench = page.getByRole('region', { name: 'Try this draft' });
    await bench.getByRole('textbox', { name: 'city' }).fill('Bonn');
    await bench.getByRole('button', { name: 'Run draft' }).click();
    await bench.getByRole('button', { name: 'Save as case' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Bonn');
    await page.getByRole('dialog').getByRole('button', { name: 'Save as case' }).click();
    const cases = bench.getByRole('group', { name: 'Cases' });
    await cases.getByRole('button', { name: 'Run cases' }).click();
    await cases.getByText('As expected').waitFor();
    model.answerWith('Only the town hall.');
    await cases.getByRole('button', { name: 'Run cases' }).click();
    await cases.getByText('Differs').waitFor();
    expect(await visibleFaults(page)).toEqual([]);

    // Promote the version.
    await tab(page, 'Labels');
    await page.getByRole('button', { name: 'Promote to production' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Set label' }).click();
    await page.getByText('production now points to version 1.').waitFor();
    expect(await inProduction(id)).toBe('Show me Bonn');

    // Change the prompt: programs keep the production version until the label moves, which needs a reason.
    await tab(page, 'Edit');
    await dynamic.fill('Tell me nothing of {{city}}.');
    await page.getByLabel('Change note').fill('Less of it');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as version 2.').waitFor();
    expect(await inProduction(id)).toBe('Show me Bonn');
    await tab(page, 'Labels');
    await page.getByRole('button', { name: 'Move production' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Move' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('People asked for less.');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByText('production now points to version 2.').waitFor();
    expect(await inProduction(id)).toBe('Tell me nothing of Bonn.');

    // Compare the versions and roll back.
    await tab(page, 'Versions');
    await page.getByText('Less of it').waitFor();
    await page.getByRole('button', { name: '1', exact: true }).click();
    await page.waitForURL(/tab=versions&version=1/);
    const difference = page.getByRole('group', { name: 'Difference of User message' });
    await difference.getByRole('cell', { name: /Show me/ }).waitFor();
    await difference.getByRole('cell', { name: /Tell me nothing/ }).waitFor();
    await page.getByText('Version 1: 1 run').waitFor();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 1 restored as version 3.').waitFor();
    await page.getByRole('button', { name: 'Promote version 3' }).click();
    await dialog.getByLabel('Label').fill('production');
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Reason').fill('People asked for it again.');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByText('production now points to version 3.').waitFor();
    expect(await inProduction(id)).toBe('Show me Bonn');
    const { body: stored } = await call.prompt<{ metadata: { version: number } }>(`/prompt/${id}`);
    expect(stored.metadata.version).toBe(3);

    // The run's answer is stored.
    await open('/admin/conversations');
    await page.getByRole('link', { name: /Guide/ }).click();
    await page.getByRole('article', { name: 'Model, message 2' }).getByText('The river first').waitFor();
    expect(faults).toEqual([]);
  });

  it('is not overwritten when another user changed it; the page then loads the changed prompt', async () => {
    const { page, open } = await openPage();
    const { body } = await call.prompt<{ id: string }>('/prompt', {
      body: { instruction: { dynamic: 'Old.' }, input: {}, output: {}, metadata: { title: 'Shared' } },
    });
    const path = `/prompt/${body.id}`;
    const stored = async () => (await call.prompt<{ instruction: { dynamic: string } }>(path)).body.instruction.dynamic;
    await open(`/admin/prompts/${body.id}`);
    const dynamic = page.getByRole('textbox', { name: 'User message' });
    await dynamic.fill('Mine.');
    await call.prompt(path, { method: 'PUT', body: { instruction: { dynamic: 'Theirs.' } } });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').getByText('This was changed by someone else').waitFor();
    expect(await stored()).toBe('Theirs.');
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await page.locator('span:text-is("Version 2")').waitFor();
    expect(await dynamic.inputValue()).toBe('Theirs.');
    await dynamic.fill('Both.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as version 3.').waitFor();
    expect(await stored()).toBe('Both.');
  });
});

describe('a run of a prompt', () => {
  it('shows an error with the request id when it fails, and is stored with its answer when the user stops following it', async () => {
    const { page, open } = await openPage();
    const { body } = await call.prompt<{ id: string }>('/prompt', {
      body: { instruction: { dynamic: '{{message}}' }, input: {}, output: {}, metadata: { title: 'Slow' } },
    });
    await open(`/admin/prompts/${body.id}?tab=try`);
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Take your time');
    model.answerWith({ status: 400 });
    await page.getByRole('button', { name: 'Run' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('No answer', { exact: true }).waitFor();
    expect(await alert.locator('code').textContent()).toMatch(/^[\w.-]{8,}$/);

    const answered = Promise.withResolvers<undefined>();
    const asked = Promise.withResolvers<undefined>();
    model.answerWith(async () => {
      asked.resolve(undefined);
      await answered.promise;
      return 'Here I am.';
    });
    await page.getByRole('button', { name: 'Run' }).click();
    await asked.promise;
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped following.').waitFor();
    answered.resolve(undefined);
    await expectKept(page, 'Slow');
    await page.getByRole('link', { name: /Slow/ }).click();
    await page.getByText('Here I am.').waitFor();

    await open(`/admin/prompts/${body.id}?tab=runs`);
    const runs = page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
    await runs.filter({ hasText: 'Completed' }).waitFor();
    expect(await runs.filter({ hasText: 'Failed' }).count()).toBe(1);
    await page.getByRole('link', { name: 'View all' }).click();
    await page.waitForURL(new RegExp(`/runs\\?prompt=${body.id}$`));
    await runs.nth(1).waitFor();
    // The table shows the previous rows until the rows of the new filter have loaded.
    await runs.nth(2).waitFor({ state: 'detached' });
    expect(await runs.count()).toBe(2);
    await runs.filter({ hasText: 'Failed' }).getByRole('link').click();
    await page.waitForURL(/\/runs\/run_\w+$/);
    await page.getByRole('link', { name: 'Slow @ version 1' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Prompt: Slow. Show runs of all prompts' }).click();
    await page.waitForURL(/\/runs$/);
  });
});

async function expectKept(page: Page, title: string) {
  for (let tries = 0; ; tries += 1) {
    await page.goto(`${platform.baseUrl}/admin/conversations`, { waitUntil: 'networkidle' });
    if ((await page.getByRole('link', { name: new RegExp(title) }).count()) > 0) return;
    if (tries === 20) throw new Error(`${title} is not kept`);
  }
}

/** Creates prompts and other records with the hostile texts. @returns the pages that show the records */
async function addHostileRecords(): Promise<string[]> {
  const make = async (path: string, body: object) => {
    const answer = await call.prompt<{ id: string }>(path, { body });
    expect([answer.status, answer.body]).toMatchObject([201, {}]);
    return answer.body.id;
  };
  const metadata = (title: string) => ({ title, description: hostile, tag: HOSTILE, log_message: hostile });
  const properties = Object.fromEntries(
    HOSTILE.map((name) => [name, { type: 'string', description: hostile, enum: HOSTILE, default: name }]),
  );
  const schema = { type: 'object', properties, description: hostile };
  let [prompt, block] = ['', ''];
  for (const [index, title] of HOSTILE.entries()) {
    const definition = { name: title, description: hostile, schema };
    const instruction = { static: hostile, state: '{{message}} {{nobody}}', dynamic: hostile };
    prompt = await make('/prompt', { instruction, input: definition, output: definition, metadata: metadata(title) });
    block = await make('/block', {
      prefix: `hostile_${'abcdef'[index] ?? ''}`,
      content: hostile,
      metadata: metadata(title),
    });
  }
  const path = `/prompt/${prompt}`;
  await call.prompt(path, {
    method: 'PUT',
    body: { instruction: { dynamic: `${hostile}\nx` }, output: { schema: {} } },
  });
  await call.prompt(`${path}/label/production`, { method: 'PUT', body: { version: 1 } });
  model.answerWith(hostile);
  const run = await call.prompt<{ data: { conversation: { id: string } } }>(`${path}/openai`, {
    body: { message: hostile, reference: [block] },
  });
  const conversation = run.body.data.conversation.id;
  await call.prompt(`/conversation/${conversation}`, { method: 'PUT', body: { metadata: metadata(hostile) } });
  return [
    '/admin/prompts',
    '/admin/prompts/new',
    `/admin/prompts/${prompt}`,
    `/admin/prompts/${prompt}?tab=try`,
    `/admin/prompts/${prompt}?tab=versions&version=1`,
    `/admin/prompts/${prompt}?tab=labels`,
    `/admin/prompts/${prompt}?tab=runs`,
    `/admin/runs?prompt=${prompt}`,
    '/admin/blocks',
    '/admin/blocks/new',
    `/admin/blocks/${block}`,
    '/admin/conversations',
    `/admin/conversations/${conversation}`,
  ];
}

describe('every page of prompts', () => {
  it('has no serious accessibility fault, executes no record text as script, and fits the screen (light on a wide screen, dark on a phone)', async () => {
    const pages = await addHostileRecords();
    expect(await faultsOfPages(openPage, pages)).toEqual([]);
  });
});

describe('the console, while the prompt API is down,', () => {
  it('shows an error on the pages of the prompt API, while all other pages work', async () => {
    const { page, open } = await openPage();
    await Promise.all(platform.of('prompt-api').map((service) => service.terminate()));
    for (const path of ['prompts', 'blocks', 'conversations']) {
      await open(`/admin/${path}`);
      const alert = page.getByRole('alert');
      await alert.getByText('Service unavailable').waitFor();
      expect(await alert.textContent()).toMatch(/The prompt API is unavailable.*Request ID/);
    }
    await open('/admin/access/users');
    await page.getByRole('row').filter({ hasText: 'admin@localhost' }).waitFor();
  });
});
