// @ts-check
import { join } from 'node:path';
import { Agent, request } from 'node:http';
import { build } from 'esbuild';
import { freePorts } from '../../tools/ports.mjs';
import { root } from '../../tools/workspace.mjs';
import { askJson } from '../ask.mjs';
import { startService } from '../installation.mjs';
import { measureLoad, unlessVoid } from '../load.mjs';
import { median, quantile } from '../median.mjs';
import { asMissing, ensurePeer } from '../peers.mjs';
import { startProgram, startServer } from '../processes.mjs';
import { inRounds, ratios, roundsTable } from '../rounds.mjs';
import { measureGets, startWithSkills } from './skills.mjs';

/** @typedef {import('../run.mjs').Context} Context */
/** @typedef {import('../run.mjs').Outcome} Outcome */
/** @typedef {{ url: string, headers: Record<string, string>, body: string, expected: string }} Post */

const CLIENTS = 32;
const JSON_TYPE = { 'content-type': 'application/json' };
const ANSWER = 'Hello from the model.';
const CHAT = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'Hello' }] });

/**
 * Measures goals P8, P9 and P12: runs of prompts, the code that calls models, and renders of prompts.
 *
 * @param {Context} context @returns {Promise<Outcome>}
 */
export async function measurePrompts(context) {
  const [port = 0] = await freePorts(1);
  const model = await startProgram('peers/model', port);
  const stops = [model.stop];
  const modelUrl = `http://127.0.0.1:${port}/v1`;
  /** @type {Outcome} */
  const outcome = { rows: {}, tables: {} };
  try {
    if (context.wants('P8') || context.wants('P12')) {
      const ours = await startPrompts(context, modelUrl);
      stops.push(ours.stop);
      if (context.wants('P8')) await runs(context, ours, modelUrl, outcome);
      if (context.wants('P12')) await unlessVoid(outcome, 'P12', () => renders(context, ours, outcome));
    }
    if (context.wants('P9')) await unlessVoid(outcome, 'P9', () => layers(context, modelUrl, outcome, stops));
    return outcome;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Starts an installation with skills and a prompt, and its prompt API. @param {Context} context @param {string} modelUrl */
async function startPrompts(context, modelUrl) {
  const installation = await startWithSkills(context, 'prompts');
  const [port = 0, adminPort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort), PROMPT_API_URL: url },
    ...{ BASE_URL: installation.url, MODEL_BASE_URL: modelUrl, MODEL_NAME: 'bench' },
  };
  const service = await startService('prompt-api', context.servers, installation.databaseUrl, env);
  const headers = { ...JSON_TYPE, authorization: `Bearer ${installation.apiKey}` };
  const prompt = {
    instruction: { static: 'Answer briefly. {{structured_data}}', dynamic: '{{message}}' },
    input: { name: 'Question' },
    output: { name: 'Answer' },
    metadata: { name: 'Bench', description: 'Answers a question.' },
  };
  const { id } = await askJson('POST', `${url}/v1/prompt`, headers, prompt);
  return {
    ...{ installation, url, pid: service.pid, headers, path: `/v1/prompt/${id}` },
    async stop() {
      await service.stop();
      await installation.stop();
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof startPrompts>>} Prompts */

/**
 * Measures goal P8: the time that a run of a prompt adds to the model's answer.
 *
 * @param {Context} context @param {Prompts} ours @param {string} modelUrl @param {Outcome} outcome
 */
async function runs(context, ours, modelUrl, outcome) {
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify({ message: 'Hello' });
  const run = { url: `${ours.url}${ours.path}/openai`, headers: ours.headers, body, expected: ANSWER };
  const direct = { url: `${modelUrl}/chat/completions`, headers: JSON_TYPE, body: CHAT, expected: ANSWER };
  const times = (/** @type {Post} */ post) => async () => oneByOne(agent, post, context.seconds);
  const rounds = await inRounds({ run: times(run), model: times(direct) }, context.rounds);
  agent.destroy();
  outcome.rows['P8'] = {
    added: rounds.map(({ sides }) => (sides['run']?.p50 ?? NaN) - (sides['model']?.p50 ?? NaN)),
  };
  outcome.tables['P8: a run of a prompt, one client'] = roundsTable(rounds, ['p50', 'p99']);
}

/**
 * Measures goal P12: the CPU time of a render, compared with a GET of a skill.
 *
 * @param {Context} context
 * @param {Prompts} ours
 * @param {Outcome} outcome
 */
async function renders(context, ours, outcome) {
  const asked = [
    { method: 'POST', path: ours.path, headers: ours.headers, body: JSON.stringify({ message: 'Hello' }) },
  ];
  const rounds = await inRounds(
    {
      render: (isWarming) =>
        measureLoad([ours.pid], {
          url: ours.url,
          connections: CLIENTS,
          seconds: isWarming ? 3 : context.seconds,
          asked,
        }),
      skill: measureGets(context, ours.installation.asked, CLIENTS),
    },
    context.rounds,
  );
  outcome.rows['P12'] = { cpu: ratios(rounds, 'cpu', 'render', 'skill') };
  outcome.tables['P12: a render'] = roundsTable(rounds, ['cpu', 'perSecond', 'p99']);
}

/**
 * Measures goal P9: the CPU time of our code that calls models, compared with Portkey's gateway.
 *
 * @param {Context} context @param {string} modelUrl @param {Outcome} outcome @param {(() => Promise<void>)[]} stops
 */
async function layers(context, modelUrl, outcome, stops) {
  const portkey = await asMissing(startPortkey());
  if ('reason' in portkey) {
    outcome.rows['P9'] = portkey;
    return;
  }
  stops.push(portkey.stop);
  const [port = 0] = await freePorts(1);
  const layer = await startServer([process.execPath, await buildLayer(), String(port), modelUrl], port);
  stops.push(layer.stop);
  const theirs = {
    ...{ authorization: 'Bearer sk-bench', 'x-portkey-provider': 'openai', 'x-portkey-custom-host': modelUrl },
  };
  const chat =
    (/** @type {import('../processes.mjs').Server} */ server, /** @type {Record<string, string>} */ headers) =>
    (/** @type {boolean} */ isWarming) =>
      measureLoad([server.pid], {
        ...{ url: `http://127.0.0.1:${server.port}`, connections: CLIENTS, seconds: isWarming ? 3 : context.seconds },
        asked: [{ method: 'POST', path: '/v1/chat/completions', headers: { ...JSON_TYPE, ...headers }, body: CHAT }],
      });
  const rounds = await inRounds({ ours: chat(layer, {}), Portkey: chat(portkey, theirs) }, context.rounds);
  outcome.rows['P9'] = { cpu: ratios(rounds, 'cpu', 'ours', 'Portkey') };
  outcome.tables['P9: a call of a model'] = roundsTable(rounds, ['cpu', 'perSecond', 'p99']);
}

async function startPortkey() {
  const folder = ensurePeer('portkey');
  const [port = 0] = await freePorts(1);
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  return startServer([process.execPath, program, `--port=${port}`, '--headless'], port, {
    cwd: folder,
    env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: 'localhost,127.0.0.1' },
  });
}

/** Bundles peers/model-layer.mjs as the build of the services does, because Node cannot run TypeScript sources that import each other as `.js`. */
async function buildLayer() {
  const outfile = join(root, 'node_modules/.cache/bench/model-layer.mjs');
  await build({
    ...{ entryPoints: [join(root, 'bench/peers/model-layer.mjs')], outfile, bundle: true, format: 'esm' },
    ...{ platform: 'node', target: 'node24', external: ['pg-native'], logLevel: 'error' },
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
  return outfile;
}

/** @param {Agent} agent @param {Post} post @param {number} seconds */
async function oneByOne(agent, post, seconds) {
  const times = [];
  for (const until = performance.now() + seconds * 1_000; performance.now() < until;)
    times.push(await timeOf(agent, post));
  return { p50: median(times), p99: quantile(times, 0.99) };
}

/** @param {Agent} agent @param {Post} post @returns {Promise<number>} milliseconds */
function timeOf(agent, { url, headers, body, expected }) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const asked = request(url, { method: 'POST', agent, headers: { ...headers, ...length } }, async (response) => {
      const text = (await response.toArray()).join('');
      const time = performance.now() - started;
      if (response.statusCode === 200 && text.includes(expected)) resolve(time);
      else reject(new Error(`${url}: ${response.statusCode} ${text.slice(0, 300)}`));
    });
    asked.once('error', reject).end(body);
  });
}
