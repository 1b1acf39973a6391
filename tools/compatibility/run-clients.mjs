// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NPM_PACKAGES, PYTHON_PACKAGES } from './packages.mjs';

/**
 * @typedef {{ what: string, fault: string | null }} Check a fault is why a check failed
 * @typedef {{ title: string, versions: string[], checks: Check[] }} ClientResult
 * @typedef {{ title: string, versions: string[], command: [string, string[]] }} InstalledClient
 */

/** @type {{ title: string, file: string, packages: (keyof typeof NPM_PACKAGES)[] }[]} */
const CLIENTS = [
  { title: 'OpenAI, JavaScript', file: 'openai.mjs', packages: ['openai'] },
  { title: 'Anthropic, JavaScript', file: 'anthropic.mjs', packages: ['@anthropic-ai/sdk'] },
  {
    title: 'Vercel AI SDK',
    file: 'ai-sdk.mjs',
    packages: ['ai', '@ai-sdk/openai', '@ai-sdk/anthropic', '@ai-sdk/mcp'],
  },
  {
    title: 'LangChain.js',
    file: 'langchain.mjs',
    packages: ['@langchain/core', '@langchain/openai', '@langchain/mcp-adapters'],
  },
  { title: 'OpenAI Agents SDK', file: 'agents.mjs', packages: ['@openai/agents'] },
  {
    title: 'LlamaIndex.TS',
    file: 'llamaindex.mjs',
    packages: ['@llamaindex/openai', '@llamaindex/workflow', '@llamaindex/tools'],
  },
  { title: 'Genkit', file: 'genkit.mjs', packages: ['genkit', '@genkit-ai/compat-oai'] },
  { title: 'Mastra', file: 'mastra.mjs', packages: ['@mastra/core', '@mastra/mcp'] },
  {
    title: 'MCP SDK, mcp-remote and Inspector',
    file: 'mcp.mjs',
    packages: ['@modelcontextprotocol/sdk', 'mcp-remote', '@modelcontextprotocol/inspector'],
  },
  { title: 'A2A, JavaScript', file: 'a2a.mjs', packages: ['@a2a-js/sdk'] },
  {
    title: 'Sign in with Millwright',
    file: 'sign-in.mjs',
    packages: ['@auth/core', 'better-auth', 'passport-oauth2', 'passport-openidconnect', 'openid-client'],
  },
  {
    title: 'OpenAPI generators',
    file: 'openapi.mjs',
    packages: ['openapi-typescript', 'openapi-fetch', '@hey-api/openapi-ts', 'orval', 'typescript'],
  },
];

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}`);
}

/**
 * Installs the clients in a separate folder.
 *
 * @param {string} folder
 * @returns {InstalledClient[]}
 */
export function installClients(folder) {
  const place = join(folder, 'clients');
  mkdirSync(place, { recursive: true });
  cpSync(join(import.meta.dirname, 'clients'), place, { recursive: true });
  copyFileSync(join(import.meta.dirname, 'run-checks.mjs'), join(place, 'run-checks.mjs'));
  const manifest = { private: true, type: 'module', dependencies: NPM_PACKAGES };
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], place);
  const python = join(place, 'python');
  if (!existsSync(python)) run('python3', ['-m', 'venv', python], place);
  const pinned = Object.entries(PYTHON_PACKAGES).map(([name, version]) => `${name}==${version}`);
  run(
    join(python, 'bin/python'),
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', ...pinned],
    place,
  );
  return [
    ...CLIENTS.map(({ title, file, packages }) => ({
      title,
      versions: packages.map((name) => `${name} ${NPM_PACKAGES[name]}`),
      command: /** @type {[string, string[]]} */ ([process.execPath, [join(place, 'run-checks.mjs'), file]]),
    })),
    {
      title: 'OpenAI, Python',
      versions: Object.entries(PYTHON_PACKAGES).map(([name, version]) => `${name} ${version}`),
      command: [join(python, 'bin/python'), [join(place, 'python_openai.py')]],
    },
  ];
}

/**
 * Runs the checks of the clients, one client after the other.
 *
 * @param {InstalledClient[]} clients
 * @param {import('./installation.mjs').Installation} installation
 * @returns {Promise<ClientResult[]>}
 */
export async function runClients(clients, installation) {
  const env = { ...process.env, INSTALLATION: JSON.stringify(installation) };
  /** @type {ClientResult[]} */
  const results = [];
  for (const { title, versions, command } of clients) {
    const child = spawn(...command, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    /** @type {Check[]} */
    const checks = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const check = /** @type {Check} */ (JSON.parse(line));
      console.log(`${title}: ${check.what}: ${check.fault ?? 'works'}`);
      checks.push(check);
    }
    const [code] = await exited;
    if (code !== 0) checks.push({ what: 'the whole program', fault: `exit ${code}` });
    results.push({ title, versions, checks });
  }
  return results;
}
