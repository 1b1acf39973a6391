import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium, seriousFaults } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startPlatform, type Platform } from './harness/platform.js';

/** Folder for a screenshot of each page in each theme and screen size; undefined when no screenshots are taken. */
const folder = process.env['DOCS_LOOK_FOLDER'];

const LOOKS: [string, BrowserContextOptions][] = [
  ['light-wide', { colorScheme: 'light', viewport: { width: 1_280, height: 860 } }],
  ['dark-wide', { colorScheme: 'dark', viewport: { width: 1_280, height: 860 } }],
  ['light-phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ['dark-phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
];
const PAGES: [name: string, path: string][] = [
  ['home', ''],
  ['quickstart', '/quickstart'],
  ['guide', '/from-openai'],
  ['document', '/prompts'],
  ['compatibility', '/compatibility'],
  ['errors', '/errors'],
  ['error', '/errors/payload_too_large'],
  ['reference', '/reference/prompt'],
  ['operations', '/reference/prompt/responses'],
];

let platform: Platform;
let browser: Browser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform({ replicas: { 'prompt-api': 0 } }), launchChromium()]);
  if (folder) mkdirSync(folder, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

/** Opens a browser page. @returns the page and its faults: requests to other origins, failed requests, and messages in the browser's console */
async function openPage(options: BrowserContextOptions): Promise<{ page: Page; faults: string[] }> {
  const page = await (await browser.newContext(options)).newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== platform.baseUrl) faults.push(`request to ${url.href}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return { page, faults };
}

async function faultsOf(page: Page, name: string, look: string): Promise<string[]> {
  if (folder) await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
  // A script as a string, because this project's types have no `document`.
  const isWider = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  return [...(await seriousFaults(page)), ...(isWider ? ['is wider than the window'] : [])];
}

describe('the documentation in a browser', () => {
  it.each(LOOKS)(
    '%s: sends no request to another origin, has no serious accessibility faults and fits the window',
    async (look, options) => {
      const { page, faults } = await openPage(options);
      const found: [string, string[]][] = [];
      for (const [name, path] of PAGES) {
        await page.goto(`${platform.baseUrl}/docs${path}`);
        found.push([name, await faultsOf(page, name, look)]);
      }
      await page.goto(`${platform.baseUrl}/docs/quickstart`);
      await page.getByRole('searchbox').fill('approval');
      const results = page.getByRole('list', { name: 'Results' }).getByRole('link');
      await results.first().waitFor();
      expect(await results.count()).toBeGreaterThan(3);
      found.push(['search', await faultsOf(page, 'search', look)]);
      await results.first().click();
      await page.waitForURL((url) => url.pathname !== '/docs/quickstart');
      expect(found.filter(([, ofPage]) => ofPage.length > 0)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );
});
