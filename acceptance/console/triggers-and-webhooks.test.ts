import { createFakeModel, listen, type FakeModel, type ListeningApp } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { callers } from '../harness/calls.js';
import { consoleEnv, faultsOfPages, signInToConsole, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';

/** Texts that break a page which does not escape them. */
const HOSTILE = `<img src=x onerror=alert(1)> "><script>alert(1)</script> ${'W'.repeat(90)}`;

let model: FakeModel;
let receiver: ListeningApp;
let platform: Platform;
let browser: Browser;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;

beforeAll(async () => {
  model = await createFakeModel('The report is written.');
  receiver = await listen((_request, response) => response.writeHead(500).end(HOSTILE));
  [platform, browser] = await Promise.all([startPlatform({ env: consoleEnv(model.url) }), launchChromium()]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
  await Promise.all([model.close(), receiver.close()]);
});

const make = async (path: string, body: object) => {
  const answer = await callers(platform).platform<{ id: string }>(path, { body });
  expect([path, answer.status]).toEqual([path, path.endsWith('/test') || path.endsWith('/fire') ? 202 : 201]);
  return answer.body.id;
};
const dialog = (page: Page) => page.getByRole('dialog');

describe('the pages of triggers and webhooks', () => {
  it('have no serious accessibility fault, execute no record text as script, and fit the screen (light on a wide screen, dark on a phone)', async () => {
    const texts = { description: HOSTILE, agent: 'concierge' };
    const cron = await make('/triggers', {
      ...{ ...texts, name: `Cron ${HOSTILE}`, input: HOSTILE, kind: 'cron', schedule: '0 9 * * *' },
      timezone: 'Europe/Berlin',
    });
    const post = await make('/triggers', { ...texts, name: `Post ${HOSTILE}`, input: '{{message}}', kind: 'webhook' });
    for (let n = 0; n < 3; n += 1) await make(`/triggers/${post}/fire`, { body: HOSTILE });
    const webhook = await make('/webhooks', { name: `Hook ${HOSTILE}`, description: HOSTILE, url: receiver.url });
    const delivery = await make(`/webhooks/${webhook}/test`, {});
    expect(
      await faultsOfPages(openPage, [
        '/admin/triggers',
        '/admin/triggers/new',
        `/admin/triggers/${cron}`,
        `/admin/triggers/${cron}?tab=edit`,
        `/admin/triggers/${post}`,
        `/admin/triggers/${post}?tab=edit`,
        '/admin/webhooks',
        '/admin/webhooks/new',
        `/admin/webhooks/${webhook}`,
        `/admin/webhooks/${webhook}?tab=edit`,
        `/admin/webhooks/${webhook}?delivery=${delivery}`,
      ]),
    ).toEqual([]);
  }, 600_000);
});

describe('an admin', () => {
  beforeAll(() => callers(platform).platform('/agents', { body: { name: 'Reporter', description: '' } }));

  it('creates a schedule, sees its next times, fires it and opens the run', async () => {
    const { page, open } = await openPage({ timezoneId: 'America/New_York' });
    await open('/admin/triggers/new');
    await page.getByLabel('Name', { exact: true }).fill('Morning report');
    await page.getByLabel('Cron expression').fill('30 9 * * *');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    const times = page.getByRole('status', { name: 'Next times' });
    await times.getByText('Next times in Europe/Berlin, and on your clock (America/New_York)').waitFor();
    // The page shows five next times in each of two time zones.
    await times
      .getByText(/, 09:30$/)
      .nth(4)
      .waitFor();
    await times
      .getByText(/, 0[34]:30$/)
      .nth(4)
      .waitFor();
    await page.getByLabel('Cron expression').fill('often');
    await page.getByText(/must be five fields of cron/).waitFor();
    await page.getByLabel('Cron expression').fill('30 9 * * *');
    await page.getByRole('combobox', { name: 'Agent' }).click();
    await page.getByRole('option', { name: 'Reporter' }).click();
    await page.getByLabel('Message').fill('Write the report for {{at}}.');
    await page.getByRole('button', { name: 'Add trigger' }).click();
    await page.getByRole('heading', { level: 1, name: 'Morning report' }).waitFor();
    await page.getByRole('button', { name: 'Fire now' }).click();
    await page.getByRole('table', { name: 'Firings' }).getByText('Completed').waitFor();
    await page.getByRole('link', { name: 'View run' }).click();
    await page.getByText('The report is written.').first().waitFor();
  });

  it('creates a trigger for posts; the secret, with which the posts are signed, is shown once', async () => {
    const { page, open } = await openPage();
    await open('/admin/triggers/new');
    await page.getByLabel('Name', { exact: true }).fill('New issues');
    await page.getByLabel('Started by').selectOption('webhook');
    await page.getByRole('combobox', { name: 'Agent' }).click();
    await page.getByRole('option', { name: 'Reporter' }).click();
    await page.getByLabel('Message').fill('Look into {{body.title}}.');
    await page.getByRole('button', { name: 'Add trigger' }).click();
    const secret = (await dialog(page).locator('code').textContent()) ?? '';
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    const address = (await page.locator('dd code', { hasText: '://' }).textContent()) ?? '';
    expect(address).toMatch(new RegExp(`^${platform.runtimeUrl}/api/v1/triggers/`));
    const body = '{"title":"a leak"}';
    const at = new Date();
    const answer = await fetch(address, {
      method: 'POST',
      body,
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
      },
    });
    expect(answer.status).toBe(202);
    await page.reload();
    await page.getByText('Look into a leak.').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('table', { name: 'Firings' }).getByText('Completed').waitFor();
  });

  it('adds a webhook, sees its secret once, sends a test event and sees why the delivery failed', async () => {
    const { page, open } = await openPage();
    await open('/admin/webhooks/new');
    await page.getByLabel('Name', { exact: true }).fill('Reports');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The receiver answered 500.').waitFor();
    await page.getByRole('button', { name: 'webhook.test' }).click();
    await dialog(page).getByText('This is a test.').waitFor();
  });
});
