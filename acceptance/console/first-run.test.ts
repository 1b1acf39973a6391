import { createFakeModel, type FakeModel, type ModelRequest } from '@millwright/testing';
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
  model = await createFakeModel('A mill grinds grain.');
  [platform, browser] = await Promise.all([startPlatform({ env: consoleEnv(model.url) }), launchChromium()]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
  await model.close();
});

/** Returns the faults of the first pages in each theme and screen size: serious accessibility faults, and pages wider than the screen. */
async function visibleInLooks(): Promise<string[]> {
  const found = await Promise.all(
    LOOKS.map(async (look) => {
      const { page, faults, open } = await openPage(look);
      const seen: string[] = [];
      const name = `${look.colorScheme} ${look.viewport.width}`;
      for (const path of ['/admin/setup', '/admin?period=24h']) {
        await open(path);
        seen.push(...(await visibleFaults(page)).map((fault) => `${name} ${path}: ${fault}`));
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: 'Dashboard' }).waitFor();
      seen.push(...(await visibleFaults(page)).map((fault) => `${name} search: ${fault}`));
      await page.context().close();
      return [...seen, ...faults];
    }),
  );
  return found.flat();
}

const step = (page: Page, title: string) => page.getByRole('region', { name: title });
const figure = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Figures' }).locator('> *').filter({ hasText: name });

/** Makes the model call the clock tool, and then answer with the weekday in the tool's result. */
function weekday({ body }: ModelRequest) {
  const { role, content } = body.messages.at(-1) ?? {};
  if (role === 'tool') return `It is a ${(JSON.parse(String(content)) as { weekday: string }).weekday}.`;
  return { toolCalls: [{ id: 'a', type: 'function' as const, function: { name: 'current_time', arguments: '{}' } }] };
}

describe('a new installation', () => {
  it('has no serious accessibility fault while it is empty (light on a wide screen, dark on a phone)', async () => {
    expect(await visibleInLooks()).toEqual([]);
  });

  it('adds sample records with an agent that uses a tool, and lists the changed sample records before it removes all of them', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/setup');
    const samples = step(page, 'Sample records');
    await samples.getByRole('button', { name: 'Add sample records' }).click();
    for (const name of ['Shop guide', 'Kind answers', 'Returns', 'Delivery', 'Sort a review'])
      await samples.getByRole('link', { name: `${name} (sample)` }).waitFor();
    expect(await visibleInLooks()).toEqual([]);

    const talk = step(page, '4. Chat with the agent');
    model.answerWith(weekday);
    await talk.getByLabel('Message').fill('What day is it?');
    await page.keyboard.press('Enter');
    await talk.getByText(/^It is a \w+day\.$/).waitFor();
    await talk.locator('summary').filter({ hasText: 'current_time' }).getByText('Done').waitFor();
    const { messages } = model.requests.at(-1)?.body ?? {};
    expect(JSON.stringify(messages)).toContain('Answer in at most three sentences.');
    await open('/admin/usage?by=tool');
    const called = page
      .getByRole('table', { name: 'Usage by tool' })
      .getByRole('row')
      .filter({ hasText: 'current_time' });
    await called.getByRole('cell', { name: 'platform', exact: true }).waitFor();
    expect(await visibleFaults(page)).toEqual([]);
    await open('/admin/setup');

    await samples.getByRole('link', { name: 'Sort a review (sample)' }).click();
    model.answerWith(({ body }) => {
      const isMixed = JSON.stringify(body.messages).includes('one was broken');
      return JSON.stringify({ mood: isMixed ? 'mixed' : 'happy' });
    });
    const cases = page.getByRole('group', { name: 'Cases' });
    await cases.getByRole('button', { name: 'Run cases' }).click();
    await cases.getByText('As expected').nth(1).waitFor();
    model.answerWith('A mill grinds grain.');
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByText('A rule for mixed reviews').waitFor();

    await open('/admin/setup');
    await samples.getByRole('link', { name: 'Returns (sample)' }).click();
    await page.getByLabel('Body').fill('Ours now.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // Waits until the record is saved, because the form prevents leaving the page before that. A disabled Save would prove nothing: the button
    // is also disabled while the request runs.
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await open('/admin/setup');
    await samples.getByText('Changed').waitFor();
    await samples.getByRole('button', { name: 'Remove sample records' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('alert').textContent()).toBe('Changed since they were addedReturns (sample)');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await samples.getByRole('button', { name: 'Add sample records' }).waitFor();
    const kept = await page.evaluate<string[]>('Object.keys(localStorage)');
    expect(kept.filter((key) => key.startsWith('workbench:'))).toEqual([]);
    for (const path of ['/admin/build/agents', '/admin/build/skills', '/admin/build/content', '/admin/prompts']) {
      await open(path);
      await page.getByText(/^No .* yet$/).waitFor();
    }
    expect(faults).toEqual([]);
  });

  it('adds a tag to the selected records of a list, and removes the tag again', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/setup');
    const samples = step(page, 'Sample records');
    await samples.getByRole('button', { name: 'Add sample records' }).click();
    await samples.getByRole('button', { name: 'Remove sample records' }).waitFor();
    for (const [path, name] of [
      ['/admin/build/content', 'Returns (sample)'],
      ['/admin/prompts', 'Sort a review (sample)'],
    ] as const) {
      await open(path);
      const row = page.getByRole('row').filter({ hasText: name });
      const enter = async (action: string) => {
        await page.getByRole('button', { name: action }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Tag').fill('spring');
        await dialog.getByRole('button', { name: action }).click();
      };
      await page.getByLabel('Select all on this page').check();
      await enter('Add tag');
      await row.getByText('spring').waitFor();
      expect(await visibleFaults(page)).toEqual([]);
      await page.getByLabel(`Select ${name}`).check();
      await enter('Remove tag');
      await row.getByText('spring').waitFor({ state: 'detached' });
    }
    await open('/admin/setup');
    await samples.getByRole('button', { name: 'Remove sample records' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await samples.getByRole('button', { name: 'Add sample records' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('guides the user from the first skill to the first answer and the first key, and keeps the progress after a reload', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin/setup');
    await step(page, '1. Add a model').getByText('Done').waitFor();
    const skill = step(page, '2. Create a skill');
    await skill.getByText('To do', { exact: true }).waitFor();
    await skill.getByRole('button', { name: 'Create skill' }).click();
    await skill.getByText('Done').waitFor();

    const agent = step(page, '3. Create an agent');
    await agent.getByText('Skill: Plain words').waitFor();
    // The API call of this step contains the skill's id.
    expect(await agent.locator('pre').textContent()).toMatch(/"sk_\w{22}"/);
    await agent.getByRole('button', { name: 'Create agent' }).click();
    await agent.getByText('Done').waitFor();

    const talk = step(page, '4. Chat with the agent');
    model.answerWith(weekday);
    await talk.getByLabel('Message').fill('What day is it?');
    await page.keyboard.press('Enter');
    await talk.getByText(/^It is a \w+day\.$/).waitFor();
    await talk.locator('summary').filter({ hasText: 'current_time' }).getByText('Done').waitFor();
    model.answerWith('A mill grinds grain.');
    // The page shows "Done" twice: for the tool call and for the step.
    await talk.getByText('Done', { exact: true }).nth(1).waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.body.messages[0])).toContain(
      'Explain things in plain language, without jargon.',
    );

    await step(page, '5. Add tools').getByText('Optional').waitFor();
    const key = step(page, '6. Create an API key');
    await key.getByRole('button', { name: 'Create API key' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('First');
    await form.getByLabel('Full access').check();
    await form.getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    noteSecret(secret);
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByText('Everything is set up').waitFor();
    await key.getByRole('button', { name: 'Show curl' }).click();
    await key.locator('pre').waitFor();
    expect(await key.locator('pre').textContent()).toContain(`Bearer ${secret}`);
    const answer = await send<{ items: { name: string }[] }>(`${platform.baseUrl}/api/v1/skills`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(answer.body.items.map(({ name }) => name)).toEqual(['Plain words']);

    await page.reload();
    await page.getByText('Everything is set up').waitFor();
    expect(await page.content()).not.toContain(secret);
    await talk.getByRole('link', { name: 'View conversation' }).click();
    await page.getByText(/^It is a \w+day\.$/).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('counts messages, and keeps the selected period after a reload and after Back', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin');
    await figure(page, 'Agent messages2').waitFor();
    await figure(page, 'Cost—').waitFor();
    await page.getByRole('table', { name: 'Busiest agents' }).getByRole('link', { name: 'Guide' }).waitFor();
    await page.getByRole('table', { name: 'Busiest skills' }).getByRole('link', { name: 'Plain words' }).waitFor();
    await page.getByRole('table', { name: 'Live activity' }).getByText('api_key.create').first().waitFor();
    await page.getByText('Registration is open').waitFor();

    await page.getByText('30 d', { exact: true }).click();
    await page.waitForURL(/\?period=30d$/);
    await page.getByText('24 h', { exact: true }).click();
    await page.waitForURL(/\?period=24h$/);
    await page.reload();
    await page.getByRole('radio', { name: '24 h', checked: true }).waitFor({ state: 'attached' });
    await figure(page, 'Agent messages2').waitFor();
    await page.goBack();
    await page.getByRole('radio', { name: '30 d', checked: true }).waitFor({ state: 'attached' });
    expect(faults).toEqual([]);
  });

  it('has no serious accessibility fault while it shows figures (light on a wide screen, dark on a phone)', async () => {
    expect(await visibleInLooks()).toEqual([]);
  });
});

describe('a skill', () => {
  it('can be tried with a message and parameters on an agent that has the skill', async () => {
    const { page, faults, open } = await openPage(LOOKS[1]);
    await open('/admin/build/skills');
    await page.getByRole('link', { name: 'Plain words' }).click();
    await page.getByRole('button', { name: 'Add parameter' }).click();
    const parameter = page.getByRole('group', { name: 'Parameter 1' });
    await parameter.getByLabel('Name').fill('words');
    await parameter.getByLabel('Type').selectOption('integer');
    await parameter.getByLabel('Default').fill('200');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();

    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.waitForURL(/tab=try$/);
    const words = page.getByRole('textbox', { name: 'words', exact: true });
    expect(await words.inputValue()).toBe('200');
    await words.fill('many');
    await page.getByText('This has to be a number.').waitFor();
    await words.fill('50');
    await page.getByLabel('Message').fill('What is a mill?');
    await page.getByRole('button', { name: 'Send' }).click();
    const log = page.getByRole('log', { name: 'Answer' });
    await log.getByText('A mill grinds grain.').waitFor();
    await page.getByRole('link', { name: 'Continue the conversation' }).waitFor();
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toBe('What is a mill?\n\nwords: 50');
    expect([...(await visibleFaults(page)), ...faults]).toEqual([]);
  });
});

describe('Ctrl-K', () => {
  it('finds an agent and opens it with the keyboard alone', async () => {
    const { page, open } = await openPage();
    await open('/admin/profile');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search everything' });
    await field.waitFor();
    await page.keyboard.type('gui');
    const option = page.getByRole('group', { name: 'Agents' }).getByRole('option', { name: 'Guide' });
    await option.waitFor();
    while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor();
  });

  it('names a service that is down, and still finds the records of the other services', async () => {
    const { page, open } = await openPage();
    await open('/admin/profile');
    await Promise.all(platform.of('platform-api').map((service) => service.terminate()));
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('combobox').fill('admin');
    await dialog.getByText('The platform API is unavailable').waitFor();
    await dialog.getByRole('option', { name: 'admin@localhost' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
