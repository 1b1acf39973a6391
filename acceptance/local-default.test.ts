import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { send } from './harness/calls.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The fields of `.millwright/platform.json` that these tests read. */
interface LocalPlatform {
  base_url: string;
  runtime_url: string;
  prompt_api_url: string;
  admin: { email: string; setup_url: string };
  api_key: string;
  client: { client_id: string; client_secret: string; redirect_uris: string[] };
  services: Record<string, { url: string; admin_url: string; pid: number }>;
  database_url: string;
  redis_url: string | null;
  model: { base_url: string | null; name: string };
}

let folder: string;
let port: number;
let started: Started;

interface Started {
  process: ChildProcess;
  output: () => string;
  platform: () => LocalPlatform;
  interrupt: () => Promise<void>;
}

const stateOf = (place: string) => join(place, '.millwright');

/** Starts `npm start` with this state folder, and with ports from `base` on. */
function npmStart(state: string, base: number): { process: ChildProcess; output: () => string } {
  const settings = {
    MILLWRIGHT_STATE: state,
    MILLWRIGHT_PORT: String(base),
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
    DATABASE_URL: undefined,
    REDIS_URL: undefined,
    // The build comes from the cache, as on a user's machine. A new build would overwrite the programs that other tests are running.
    NX_SKIP_NX_CACHE: undefined,
  };
  const child = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { process: child, output: () => output };
}

async function start(): Promise<Started> {
  const run = npmStart(stateOf(folder), port);
  for (const deadline = Date.now() + 200_000; !run.output().includes('Ctrl-C stops');) {
    await delay(100);
    if (run.process.exitCode !== null || Date.now() > deadline) throw new Error(`npm start:\n${run.output()}`);
  }
  return {
    ...run,
    platform: () => JSON.parse(readFileSync(join(stateOf(folder), 'platform.json'), 'utf8')) as LocalPlatform,
    interrupt: async () => {
      const exited = once(run.process, 'exit');
      run.process.kill('SIGINT');
      await exited;
    },
  };
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

async function threeFreePorts(): Promise<number> {
  for (let base = 21_000 + (process.pid % 300) * 10; ; base += 10) {
    const free = await Promise.all([base, base + 1, base + 2].map(isFree));
    if (free.every(Boolean)) return base;
  }
}

function isFree(candidate: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(candidate, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-local-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user when root starts it
  port = await threeFreePorts();
  started = await start();
});

afterAll(async () => {
  if (started.process.exitCode === null) await started.interrupt();
  rmSync(folder, { recursive: true, force: true });
});

describe('npm start', () => {
  it('prints addresses, setup link, key, two curl commands and the name of the model', () => {
    const { base_url, runtime_url, prompt_api_url, admin, api_key } = started.platform();
    const banner = started.output();
    for (const shown of [
      base_url,
      runtime_url,
      prompt_api_url,
      admin.setup_url,
      api_key,
      'offline model',
      `${base_url}/admin/build/models/new`,
    ]) {
      expect(banner).toContain(shown);
    }
    expect(banner.match(/^\s*curl /gm)).toHaveLength(2);
  });

  it('writes the addresses, records and services to a file that only its owner can read', () => {
    const platform = started.platform();
    expect(statSync(join(stateOf(folder), 'platform.json')).mode & 0o777).toBe(0o600);
    expect(platform).toMatchObject({
      base_url: `http://localhost:${port}`,
      runtime_url: `http://localhost:${port + 1}`,
      prompt_api_url: `http://localhost:${port + 2}`,
      admin: { email: 'admin@localhost' },
      client: { redirect_uris: ['http://127.0.0.1:9999/cb', 'http://127.0.0.1:3000/callback'] },
      redis_url: null,
      model: { base_url: null, name: 'offline' },
    });
    expect(Object.keys(platform.services).sort()).toEqual([
      'admin-auth',
      'gateway',
      'platform-api',
      'prompt-api',
      'runtime-api',
    ]);
  });

  it('starts an offline model when no model is configured; agents then answer with the result of the tool that a message names', async () => {
    const { runtime_url, api_key } = started.platform();
    const post = async (path: string, body: object) => {
      const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' };
      const answer = await fetch(`${runtime_url}/api/v1/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(answer.ok).toBe(true);
      return (await answer.json()) as { content: string };
    };
    await post('content', { title: 'Windmills', content: 'A mill grinds grain.' });
    const content = 'Search the content for grain.';
    const answer = await post('agents/concierge/messages', { content });
    expect(answer.content).toMatch(/^The offline model .*The tool search_content answered: .*"title":"Windmills"/);
  });

  it('prints curl commands that work', async () => {
    const curls = started.output().match(/^\s*curl .*$/gm) ?? [];
    for (const curl of curls) {
      const { stdout } = await promisify(execFile)('bash', ['-c', `${curl} -w '\\n%{http_code}'`]);
      expect(stdout.trim().split('\n').at(-1)).toMatch(/^20[01]$/);
    }
  });
});

/** Returns the README's code blocks in order: the commands, and the answers that the README shows for them. */
function readmeBlocks(): { language: string; text: string }[] {
  const section = /## Try it\n([^]*?)\*\*A real model/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? '';
  return [...section.matchAll(/```(\w*)\n([^]*?)```/g)].map(([, language = '', text = '']) => ({ language, text }));
}

/** Removes ids and times, which differ from run to run. The rest of an answer must be as the README shows it. */
function withoutIdsAndTimes(text: string): string {
  return text
    .trim()
    .replaceAll(/\b(sk|ag|msg|ctx)_[0-9A-Za-z]{22}\b/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/(x-ratelimit-(?:remaining|reset): )\d+/gi, '$1N')
    .toLowerCase();
}

describe('the README', () => {
  it('shows for each command the answer that the command really returns', async () => {
    const blocks = readmeBlocks();
    const script = blocks
      .map(({ language, text }) => (language === 'sh' ? text : 'echo; echo "=== answer"\n'))
      .join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: folder });
    const given = stdout.split('=== answer\n').map((part) => withoutIdsAndTimes(part.replaceAll('\r', '')));
    const shown = blocks.filter(({ language }) => language !== 'sh').map(({ text }) => withoutIdsAndTimes(text));
    expect(shown).toHaveLength(4);
    expect(given.slice(0, shown.length)).toEqual(shown);
  });
});

/** Guides whose commands are run, each after the commands that set the quickstart's variables. */
const GUIDES = [
  'quickstart',
  'connect',
  'agent-with-tools',
  'models-and-providers',
  'from-openai',
  'from-langfuse',
  'approvals-and-budgets',
] as const;

/** Returns the code blocks of a guide that are in the language, without blocks marked `skip`. */
function guideBlocks(guide: string, language: 'sh' | 'ts'): string[] {
  const text = readFileSync(join(root, `docs/guides/${guide}.md`), 'utf8');
  return [...text.matchAll(/```(\w+)\n([^]*?)```/g)].flatMap(([, found, code = '']) =>
    found === language ? [code] : [],
  );
}

describe('the documentation', () => {
  it('is served, together with its search, at the base address', async () => {
    const { base_url } = started.platform();
    const page = await (await fetch(`${base_url}/docs`)).text();
    expect(page).toContain('<h1>Millwright documentation</h1>');
    for (const [, asset = ''] of page.matchAll(/"(\/docs\/assets\/[^"]+)"/g))
      expect([asset, (await fetch(`${base_url}${asset}`)).status]).toEqual([asset, 200]);
    for (const path of [
      '/llms.txt',
      '/docs/quickstart.md',
      '/docs/errors/not_found',
      '/docs/reference/platform/skills',
    ])
      expect([path, (await fetch(`${base_url}${path}`)).status]).toEqual([path, 200]);
  });

  it.each(GUIDES)('has commands and programs that run without an error: %s', async (guide) => {
    const [variables = ''] = guideBlocks('quickstart', 'sh');
    const commands = guideBlocks(guide, 'sh').filter((block) => block !== variables);
    // Replaces curl by a function that fails unless the request succeeds.
    const strict = 'set -eo pipefail\ncurl() { command curl --fail-with-body "$@"; echo; }\n';
    const programs = await Promise.all(
      guideBlocks(guide, 'ts').map((code, place) => program(code, `${guide}-${place}`)),
    );
    const script = [strict + variables, ...commands, ...programs.map((file) => `${process.execPath} ${file}`)].join(
      '\n',
    );
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder }).catch((error: unknown) => {
      throw new Error(String((error as { stdout?: string }).stdout), { cause: error });
    });
    expect(stdout).toContain(programs.length > 0 ? 'The offline model' : '{');
  });

  /** Bundles a program of a guide to one file. */
  async function program(code: string, name: string): Promise<string> {
    const outfile = join(folder, `${name}.mjs`);
    const stdin = { contents: code, resolveDir: root, loader: 'ts' as const };
    await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
    return outfile;
  }
});

describe('a service that dies', () => {
  it('is restarted, and the file of the installation contains its new process ID', async () => {
    const before = started.platform().services['platform-api'];
    process.kill(before?.pid ?? 0, 'SIGKILL');
    for (const deadline = Date.now() + 90_000; Date.now() < deadline;) {
      await delay(100);
      if (started.platform().services['platform-api']?.pid !== before?.pid) break;
    }
    const { services, base_url, api_key } = started.platform();
    expect(services['platform-api']?.pid).not.toBe(before?.pid);
    expect(services['platform-api']?.url).toBe(before?.url);
    const list = () => send(`${base_url}/api/v1/skills`, { headers: { Authorization: `Bearer ${api_key}` } });
    let answer = await list();
    for (const deadline = Date.now() + 60_000; answer.status === 503 && Date.now() < deadline; answer = await list())
      await delay(100);
    expect(answer.status).toBe(200);
  });
});

describe('a port that is taken', () => {
  it('makes npm start exit with 1 and an error that names the port, without a stack trace', async () => {
    const other = mkdtempSync(join(tmpdir(), 'millwright-second-'));
    const second = npmStart(stateOf(other), port);
    const [code] = (await once(second.process, 'exit')) as [number];
    expect(code).toBe(1);
    expect(second.output()).toMatch(new RegExp(`\\b${port}\\b`));
    expect(second.output()).not.toContain('    at ');
    rmSync(other, { recursive: true, force: true });
  });
});

describe('npm start after Ctrl-C', () => {
  it('continues with the former key and data; Ctrl-C has ended every service', async () => {
    const { services, api_key, base_url } = started.platform();
    await started.interrupt();
    const pids = Object.values(services).map(({ pid }) => pid);
    expect(pids.filter(isAlive)).toEqual([]);

    started = await start();
    expect(started.platform().api_key).toBe(api_key);
    const skills = await send<{ items: { name: string }[] }>(`${base_url}/api/v1/skills`, {
      headers: { Authorization: `Bearer ${api_key}` },
    });
    expect(skills.body.items.map(({ name }) => name)).toContain('Plain words');
  });
});
