// @ts-check
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCheckout, commitBefore } from '../../tools/former-checkout.mjs';
import { freePorts } from '../../tools/ports.mjs';
import { root } from '../../tools/workspace.mjs';
import { newToken, startInstallation, startService } from '../installation.mjs';
import { quantile } from '../median.mjs';
import { startProgram } from '../processes.mjs';

/** @typedef {{ url: string, headers: Record<string, string>, times: number[], stop: () => Promise<void> }} Side one of the two builds */

const PROJECTS = ['cli', 'platform-api', 'runtime-api'];
/** A file of the first commit that stores runs in the database. The parent of this commit is the default of BENCH_BASE. */
const FIRST_OF_RUNS = 'libs/runs/package.json';
const MESSAGES = Number(process.env['BENCH_MESSAGES'] ?? 1_000);
/** Number of messages that are not measured, because they compile code and fill caches. */
const FIRST_MESSAGES = 200;
const ANSWER = 'Hello from the model.';

/**
 * Compares the response times of messages to an agent in two builds: this build, and the build of the commit BENCH_BASE. The model answers at
 * once. Messages go to both builds in turn, so that other load of the machine affects both alike.
 *
 * @param {import('../run.mjs').Context} context @returns {Promise<import('../run.mjs').Outcome>}
 */
export async function measureMessages({ servers }) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  /** @type {(() => unknown)[]} */
  const ends = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const checkout = join(folder, 'base');
    const wanted = process.env['BENCH_BASE'] ?? (await commitBefore(FIRST_OF_RUNS));
    const base = await buildCheckout(wanted, checkout, PROJECTS);
    ends.push(base.remove);
    const [port = 0] = await freePorts(1);
    const model = await startProgram('peers/model', port);
    ends.push(model.stop);
    const modelUrl = `http://127.0.0.1:${port}/v1`;
    const sides = {
      former: await startSide(servers, 'messages_former', checkout, folder, modelUrl),
      today: await startSide(servers, 'messages_today', root, folder, modelUrl),
    };
    ends.push(...Object.values(sides).map(({ stop }) => stop));
    for (let n = 0; n < FIRST_MESSAGES + MESSAGES; n += 1) {
      // Every second pair of messages has the reverse order, so that neither side benefits from the order.
      const turn = n % 2 === 0 ? [sides.former, sides.today] : [sides.today, sides.former];
      for (const side of turn) {
        const time = await timeOf(side);
        if (n >= FIRST_MESSAGES) side.times.push(time);
      }
    }
    const [former, today] = [summary(base.commit, sides.former), summary('today', sides.today)];
    const added = { build: 'added', messages: MESSAGES, p50: rounded(today.p50 - former.p50) };
    const table = [former, today, { ...added, p99: rounded(today.p99 - former.p99) }];
    return { rows: {}, tables: { 'messages, this build and a former one': table } };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const rounded = (/** @type {number} */ time) => Number(time.toFixed(2));

/** @param {string} build @param {Side} side */
function summary(build, { times }) {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  return { build, messages: times.length, p50: rounded(p50), p99: rounded(p99) };
}

/**
 * @param {{ TEST_DATABASE_URL: string, TEST_REDIS_URL: string }} servers @param {string} database @param {string} checkout
 * @param {string} folder @param {string} modelUrl
 * @returns {Promise<Side>}
 */
async function startSide(servers, database, checkout, folder, modelUrl) {
  const model = { MODEL_BASE_URL: modelUrl, MODEL_NAME: 'bench' };
  const installation = await startInstallation(servers, database, checkout);
  const [port = 0, adminPort = 0] = await freePorts(2);
  const runtimeUrl = `http://127.0.0.1:${port}`;
  const keyFile = join(folder, `${database}.pem`);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const env = {
    ...{ HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort), ...model },
    ...{ RUNTIME_URL: runtimeUrl, BASE_URL: installation.url, SIGNING_KEY_FILE: keyFile, FILES_DIR: folder },
  };
  const runtime = await startService('runtime-api', servers, installation.databaseUrl, env, checkout).catch(
    async (failure) => {
      await installation.stop();
      throw failure;
    },
  );
  const stop = async () => {
    await runtime.stop();
    await installation.stop();
  };
  const json = { 'content-type': 'application/json' };
  const agent = await fetch(`${installation.url}/api/v1/agents`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${installation.apiKey}` },
    body: JSON.stringify({ name: 'Bench', description: 'Answers.' }),
  });
  if (agent.status !== 201) throw new Error(`The agent was answered ${agent.status}: ${await agent.text()}`);
  const token = await newToken(installation.databaseUrl, runtimeUrl, checkout);
  const headers = { ...json, authorization: `Bearer ${token}` };
  return { url: `${runtimeUrl}/api/v1/agents/bench/messages`, headers, times: [], stop };
}

/** @param {Side} side @returns {Promise<number>} milliseconds */
async function timeOf({ url, headers }) {
  const started = performance.now();
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ content: 'Hello' }) });
  const text = await response.text();
  const time = performance.now() - started;
  if (response.status === 200 && JSON.parse(text).content === ANSWER) return time;
  throw new Error(`A message was answered ${response.status}: ${text.slice(0, 300)}`);
}
