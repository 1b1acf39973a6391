import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import { build } from 'esbuild';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { callers } from '../harness/calls.js';
import { consoleEnv, LOOKS, signInToConsole, visibleFaults, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ANSWER = 'A mill grinds.';
const PROMPT = {
  metadata: { title: 'Rate' },
  instruction: { static: 'You rate {{thing}}.', dynamic: '{{message}}' },
  input: { schema: { type: 'object', properties: { thing: { type: 'string' } }, required: ['thing'] } },
  output: {},
};

let folder: string;
let model: FakeModel;
let platform: Platform;
let browser: Browser;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;
const paths = { agent: '', prompt: '' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-connect-'));
  model = await createFakeModel(ANSWER);
  [platform, browser] = await Promise.all([startPlatform({ env: consoleEnv(model.url) }), launchChromium()]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
  const { platform: call, prompt } = callers(platform);
  const agent = await call<{ id: string }>('/agents', {
    body: { name: 'Old Miller', description: 'Knows mills', published: true },
  });
  const made = await prompt<{ id: string }>('/prompt', { body: PROMPT });
  paths.agent = `/admin/build/agents/${agent.body.id}`;
  paths.prompt = `/admin/prompts/${made.body.id}`;
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
  await model.close();
  rmSync(folder, { recursive: true });
});

const tab = (page: Page, name: string) => page.getByRole('dialog').getByRole('tab', { name, exact: true });

/** Runs, as a user would, the program that a tab shows. @returns its output */
async function run(page: Page, name: string): Promise<string> {
  await tab(page, name).click();
  const code = (await page.getByLabel(`program for ${name}`, { exact: true }).textContent()) ?? '';
  if (name === 'curl') return (await promisify(execFile)('bash', ['-c', code])).stdout;
  const outfile = join(folder, 'program.mjs');
  const stdin = { contents: code, resolveDir: ROOT, loader: 'ts' as const };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return (await promisify(execFile)(process.execPath, [outfile])).stdout;
}

describe('the dialog or page Connect', () => {
  it.each(['agent', 'prompt'] as const)(
    'shows programs that run the %s with a key that the page creates',
    async (kind) => {
      const { page, open, faults } = await openPage();
      await open(paths[kind]);
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByText('Replace $KEY with an API key').waitFor();
      await page.getByRole('button', { name: 'Create API key' }).click();
      const form = page.getByRole('dialog', { name: 'Create API key' });
      await form.getByLabel('Name', { exact: true }).fill(`For the ${kind}`);
      await form.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('The programs below use your new API key').waitFor();
      for (const name of ['curl', 'TypeScript', 'OpenAI SDK'])
        expect([name, await run(page, name)]).toEqual([name, expect.stringContaining(ANSWER)]);
      await tab(page, 'Python').click();
      await page
        .getByLabel('program for Python')
        .getByText(/mw_live_/)
        .waitFor();
      expect(faults).toEqual([]);
    },
  );

  it('shows how MCP clients call the agent, with a link that adds the server to Cursor', async () => {
    const { page, open } = await openPage();
    await open(paths.agent);
    await page.getByRole('button', { name: 'Connect' }).click();
    await tab(page, 'MCP').click();
    await page.getByText('the tool ask_old-miller of the built-in server').waitFor();
    await tab(page, 'Cursor').click();
    const link = page.getByRole('link', { name: 'Open in Cursor' });
    expect(await link.getAttribute('href')).toMatch(
      /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=platform&config=/,
    );
  });

  it('opens from the help menu with programs for the whole installation', async () => {
    const { page, open } = await openPage();
    await open('/admin/setup');
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('menuitem', { name: 'Connect' }).click();
    await page.getByRole('heading', { level: 1, name: 'Connect' }).waitFor();
    await page.getByRole('tab', { name: 'OpenAI SDK' }).click();
    await page
      .getByLabel('program for OpenAI SDK')
      .getByText(/models\.list/)
      .waitFor();
  });

  it.each(LOOKS)('has no serious accessibility fault and fits the screen: %j', async (look) => {
    const { page, open } = await openPage(look);
    for (const path of [paths.agent, paths.prompt, '/admin/connect']) {
      await open(path);
      if (path !== '/admin/connect') await page.getByRole('button', { name: 'Connect' }).click();
      const tabs = page.getByRole('tablist').filter({ has: page.getByRole('tab', { name: 'curl', exact: true }) });
      await tabs.waitFor();
      for (const name of await tabs.getByRole('tab').allTextContents()) {
        await page.getByRole('tab', { name, exact: true }).click();
        expect([path, name, await visibleFaults(page)]).toEqual([path, name, []]);
      }
    }
  });
});
