import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createFakeMcpServer,
  createFakeModel,
  type FakeMcpServer,
  type FakeModel,
  type ModelRequest,
} from '@millwright/testing';
import { addAuthenticator, launchChromium } from '@millwright/testing/chromium';
import type { Browser, Page } from 'playwright-core';

/**
 * `npm run newcomer`: measures how long a new user needs, in a fresh clone with its packages installed. The clone is started by `npm start` without
 * a model key, and used only through the console. Prints the times, and fails when a time exceeds its limit. The model and the MCP server are
 * simulated on this machine, so that their answers take no time.
 */

const MINUTE_MS = 60_000;
const LIMITS = { firstAnswer: 3 * MINUTE_MS, realModel: MINUTE_MS, mcpTool: 2 * MINUTE_MS };

const root = fileURLToPath(new URL('../..', import.meta.url));
const print = (text: string) => process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

interface LocalPlatform {
  base_url: string;
  admin: { setup_url: string };
  services: Record<string, { pid: number }>;
}

let folder: string;
let installation: ChildProcess | undefined;
let output = '';
let browser: Browser;
let page: Page;
let model: FakeModel;
let tools: FakeMcpServer;

const clone = () => join(folder, 'millwright');
const platform = () => JSON.parse(readFileSync(join(folder, 'state/platform.json'), 'utf8')) as LocalPlatform;
const pids = () => Object.values(platform().services).map(({ pid }) => pid);

/**
 * Makes a clone of the committed files with the installed packages. The packages are hard links, or copies where the file system has no such links.
 */
function makeClone(): void {
  execFileSync('git', ['clone', '--quiet', root, clone()]);
  const packages = [join(root, 'node_modules'), join(clone(), 'node_modules')];
  try {
    execFileSync('cp', ['-al', ...packages], { stdio: 'ignore' });
  } catch {
    rmSync(join(clone(), 'node_modules'), { recursive: true, force: true });
    execFileSync('cp', ['-a', ...packages]);
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function threeFreePorts(): Promise<number> {
  for (let base = 25_000 + (process.pid % 300) * 10; ; base += 10)
    if ((await Promise.all([base, base + 1, base + 2].map(isFree))).every(Boolean)) return base;
}

async function start(): Promise<void> {
  const env = {
    ...process.env,
    ...{ MILLWRIGHT_STATE: join(folder, 'state'), MILLWRIGHT_PORT: String(await threeFreePorts()) },
    ...{ DATABASE_URL: undefined, REDIS_URL: undefined, MODEL_BASE_URL: undefined, MODEL_API_KEY: undefined },
    // Builds without the cache of Nx, because a newcomer has no cached builds.
    ...{ NX_SKIP_NX_CACHE: 'true', NX_DAEMON: 'false' },
  };
  const child = spawn('npm', ['start'], { cwd: clone(), env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  installation = child;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const deadline = Date.now() + 10 * MINUTE_MS;
  while (!output.includes('Ctrl-C stops')) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`npm start:\n${output}`);
    await delay(50);
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-newcomer-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user when root starts it
  makeClone();
  [browser, model, tools] = await Promise.all([
    launchChromium(),
    createFakeModel('Hello from the real model.'),
    createFakeMcpServer('modern', [{ name: 'grind', description: 'Grinds grain.', inputSchema: { type: 'object' } }]),
  ]);
  page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(30_000);
  await addAuthenticator(page);
  print(`newcomer's clock: ${cpus().length} cores, load average ${loadavg()[0]?.toFixed(1) ?? ''}`);
}, 5 * MINUTE_MS);

afterAll(async () => {
  await browser.close();
  if (installation?.pid !== undefined && installation.exitCode === null) {
    const exited = once(installation, 'exit');
    process.kill(-installation.pid, 'SIGINT');
    await exited;
  }
  await Promise.all([model.close(), tools.close()]);
  rmSync(folder, { recursive: true, force: true });
}, MINUTE_MS);

const step = (title: string) => page.getByRole('region', { name: title });
const open = (path: string) => page.goto(`${platform().base_url}${path}`);

/** Sends a message to the agent that the setup created, on the agent's chat page. */
async function ask(text: string): Promise<void> {
  await open('/admin/talk/guide');
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
}
const toolUsed = (name: string) => page.locator('summary').filter({ hasText: name }).getByText('Done').last().waitFor();

async function timed(name: string, limit: number, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  try {
    await work();
  } catch (error) {
    print(`  ${name}: ended at ${page.url()}, which shows:\n${await page.locator('body').innerText()}`);
    throw error;
  }
  const took = performance.now() - startedAt;
  print(`  ${name}: ${seconds(took)} (limit ${seconds(limit)})`);
  expect(took).toBeLessThan(limit);
}

describe("the newcomer's clock", () => {
  it(
    'measures the time from the clone to the first answer of an agent that used a tool, without a model key',
    async () => {
      await timed('clone → first answer with a tool', LIMITS.firstAnswer, async () => {
        const startedAt = performance.now();
        await start();
        print(`    npm start was ready after ${seconds(performance.now() - startedAt)}`);
        await page.goto(platform().admin.setup_url);
        await page.getByRole('button', { name: /create (a )?passkey/i }).click();
        await page.getByRole('button', { name: 'Sign in with passkey' }).click();
        await page.getByRole('navigation', { name: 'Console' }).waitFor();
        await open('/admin/setup');
        await step('2. Create a skill').getByRole('button', { name: 'Create skill' }).click();
        await step('2. Create a skill').getByText('Done').waitFor();
        await step('3. Create an agent').getByRole('button', { name: 'Create agent' }).click();
        await step('3. Create an agent').getByText('Done').waitFor();
        const talk = step('4. Chat with the agent');
        await talk.getByLabel('Message').fill('What is the current time?');
        await page.keyboard.press('Enter');
        await talk.locator('summary').filter({ hasText: 'current_time' }).getByText('Done').waitFor();
        await talk.getByText(/The tool current_time answered/).waitFor();
      });
    },
    15 * MINUTE_MS,
  );

  it(
    "measures the time to the first answer of a provider's model that is added in the console, without a restart",
    async () => {
      const before = pids();
      await timed('→ first answer of a real model', LIMITS.realModel, async () => {
        await open('/admin/setup');
        await step('1. Add a model').getByRole('link', { name: 'Add model' }).click();
        await page.getByRole('combobox', { name: 'Provider' }).selectOption('compatible');
        await page.getByLabel('Name', { exact: true }).fill('real-model');
        await page.getByLabel('Base address').fill(model.url);
        await page.getByRole('textbox', { name: 'API key' }).fill('a-key');
        await page.getByLabel('Default model').check();
        await page.getByRole('button', { name: 'Add model' }).click();
        await page.getByRole('heading', { level: 1, name: 'real-model' }).waitFor();
        await ask('Hello?');
        await page.getByText('Hello from the real model.').waitFor();
      });
      expect(model.requests.at(-1)?.headers['authorization']).toBe('Bearer a-key');
      expect(pids()).toEqual(before);
    },
    5 * MINUTE_MS,
  );

  it(
    "measures the time to the agent's first use of a tool of an MCP server",
    async () => {
      model.answerWith(({ body }: ModelRequest) => {
        const available = (body['tools'] ?? []) as { function: { name: string } }[];
        const name = available.map((tool) => tool.function.name).find((one) => one.endsWith('grind'));
        if (body.messages.at(-1)?.role !== 'user' || name === undefined) return 'The grain is ground.';
        return { content: null, toolCalls: [{ id: 'call_1', type: 'function', function: { name, arguments: '{}' } }] };
      });
      await timed("→ an agent's use of a tool of an MCP server", LIMITS.mcpTool, async () => {
        await open('/admin/setup');
        await page.getByRole('link', { name: 'Add MCP server' }).click();
        await page.getByLabel('Name', { exact: true }).fill('Mill tools');
        await page.getByLabel('URL').fill(tools.url);
        await page.getByRole('button', { name: 'Add server' }).click();
        await page.getByRole('button', { name: 'Try grind' }).waitFor();
        await open('/admin/setup');
        await page.getByRole('link', { name: 'Choose it in Guide' }).click();
        await page.getByRole('main').getByLabel('MCP servers').first().click();
        await page.getByRole('option', { name: 'Mill tools' }).click();
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Saved.').waitFor();
        await ask('Grind the grain.');
        await toolUsed('grind');
        await page.getByText('The grain is ground.').waitFor();
      });
      expect(tools.calls.map(({ name }) => name)).toEqual(['grind']);
    },
    5 * MINUTE_MS,
  );
});
