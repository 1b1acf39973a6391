// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from '../workspace.mjs';
import { startPerson } from './person.mjs';

/**
 * @typedef {object} Installation
 * @property {string} base address of the platform API
 * @property {string} runtime
 * @property {string} prompts
 * @property {string} key with every scope
 * @property {string} model name of the model
 * @property {string} fetching name of a model whose server fetches images from addresses
 * @property {string} prompt id of a stored prompt with the variable `city`
 * @property {string} agent slug
 * @property {string} person address at which a user follows links in a browser
 */

const MODEL = 'test-model';

/** @param {number} port */
function isFree(port) {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Finds three consecutive free ports, and returns the first. */
async function freePorts() {
  for (let base = 23_000; ; base += 10) {
    const free = await Promise.all([base, base + 1, base + 2].map(isFree));
    if (free.every(Boolean)) return base;
  }
}

/** @param {string} url @param {string} key @param {object} body */
async function post(url, key, body) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/**
 * Starts a separate installation by `npm start`, with an agent and a stored prompt.
 *
 * @param {string} folder for its state
 * @param {string} modelUrl
 */
export async function startInstallation(folder, modelUrl) {
  const state = join(folder, 'state');
  mkdirSync(state);
  for (const open of [folder, state]) chmodSync(open, 0o755); // PostgreSQL runs as another user when root starts it
  const models = { MODEL_BASE_URL: modelUrl, MODEL_NAME: MODEL, MODEL_IMAGES: 'true' };
  const own = { MILLWRIGHT_STATE: state, MILLWRIGHT_PORT: String(await freePorts()) };
  const child = spawn(process.execPath, [join(root, 'tools/start.mjs')], {
    env: { ...process.env, DATABASE_URL: undefined, REDIS_URL: undefined, ...models, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** @type {import('./person.mjs').Person | undefined} */
  let person;
  async function stop() {
    await person?.leave();
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    await exited;
  }
  try {
    let output = '';
    for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += chunk;
      if (output.includes('Ctrl-C stops')) break;
    }
    if (!output.includes('Ctrl-C stops')) throw new Error(`The installation did not start:\n${output}`);
    child.stdout.resume();
    const platform = JSON.parse(readFileSync(join(state, 'platform.json'), 'utf8'));
    person = await startPerson(platform.admin.setup_url);
    return { state, installation: { ...(await withRecords(platform, modelUrl)), person: person.url }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {{ base_url: string, runtime_url: string, prompt_api_url: string, api_key: string }} platform
 * @param {string} modelUrl
 * @returns {Promise<Omit<Installation, 'person'>>}
 */
async function withRecords({ base_url: base, runtime_url: runtime, prompt_api_url: prompts, api_key: key }, modelUrl) {
  const fetching = 'fetching-model';
  const server = { preset: 'compatible', base_url: modelUrl, images: true, image_urls: true };
  await post(`${base}/api/v1/models`, key, { name: fetching, ...server });
  const agent = { name: 'Grinder', description: 'Knows mills', instructions: 'Answer in one sentence.' };
  const { slug } = await post(`${base}/api/v1/agents`, key, agent);
  const city = { type: 'object', properties: { city: { type: 'string' } } };
  const { id } = await post(`${prompts}/v1/prompt`, key, {
    instruction: { static: 'You are a guide to {{city}}.', dynamic: 'In {{city}}: {{message}}' },
    input: { name: 'variables', schema: city },
    output: {},
    metadata: { title: 'City guide' },
  });
  return { base, runtime, prompts, key, model: MODEL, fetching, prompt: id, agent: slug };
}
