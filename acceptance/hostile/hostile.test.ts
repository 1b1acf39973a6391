import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis, type RedisServer } from '@millwright/testing';
import { newToken, send } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';
import { rowsOf, tableOf, type Phase, type Row } from './bounds.js';
import { beginAttack, startHostileUpstream, type HostileUpstream, type Target } from './children.js';
import { callHonestly, type Credentials } from './honest.js';
import { beginReadings, probeEnv, untilIdle } from './readings.js';

/**
 * Number of answers of each area that are measured during an attack, and in all quiet phases before it. The p99 of fewer answers depends on chance.
 */
const ANSWERS = 1_200;
const QUIET_PHASES = 3;
const QUIET_ANSWERS = Math.ceil(ANSWERS / QUIET_PHASES);
const WARM_UP_ANSWERS = 150;
const DOCUMENTS = 20;
const DOCUMENT_BYTES = 490_000;
const AGENTS = 250;
/** Accounts of the project that the hostile account does not belong to. */
const HONEST = ['ann', 'ben', 'cleo'];

let redis: RedisServer;
let platform: Platform;
let upstream: HostileUpstream;
const honest: Credentials = { keys: [], tokens: [] };
let target: Target;
const rows: Row[] = [];
/** Measurements of the last phases without attacks. */
let quiet: Phase[] = [];
const folder = mkdtempSync(join(tmpdir(), 'millwright-hostile-'));

beforeAll(async () => {
  [redis, upstream] = await Promise.all([startRedis(), startHostileUpstream()]);
  platform = await startPlatform({
    env: { REDIS_URL: redis.url, ...probeEnv(folder, process.env['HOSTILE_NODE_OPTIONS']) },
  });
  const { baseUrl, runtimeUrl, promptUrl } = platform;
  for (const name of HONEST) {
    await newUser(name, 'Core');
    honest.keys.push(...(await keysOf(`${name}@localhost`, 2)));
    honest.tokens.push(...(await tokensOf(`${name}@localhost`, 2)));
  }
  await newUser('mallory', 'Commerce');
  const [keys, tokens] = [await keysOf('mallory@localhost', 5), await tokensOf('mallory@localhost', 5)];
  target = { baseUrl, runtimeUrl, promptUrl, keys, tokens, endpoints: [], askingEndpoint: '' };
  await seed();
  for (let n = 0; n < 5; n += 1) target.endpoints.push(await register(`hostile ${n}`, upstream.url));
  target.askingEndpoint = await register('asking', upstream.askingUrl);
  await observe(WARM_UP_ANSWERS);
  for (let n = 1; n < QUIET_PHASES; n += 1) quiet.push(await observe(QUIET_ANSWERS));
});
afterAll(async () => {
  process.stderr.write(`${tableOf(rows)}\n`);
  await platform.stop();
  await Promise.all([upstream.stop(), redis.stop()]);
  rmSync(folder, { recursive: true });
});

const newUser = (name: string, project: string) =>
  platform.operator(
    'users',
    'create',
    '--email',
    `${name}@localhost`,
    '--name',
    name,
    '--role',
    'user',
    '--project',
    project,
  );

async function keysOf(user: string, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const options = ['--user', user, '--name', `key ${n}`, '--plan', 'professional'];
    keys.push((await platform.operator('keys', 'create', ...options))['key'] ?? '');
  }
  return keys;
}

async function tokensOf(user: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const options = ['--user', user, '--name', `client ${n}`];
    tokens.push(await newToken(platform, await platform.operator('clients', 'create', ...options)));
  }
  return tokens;
}

let asked = 0;
/** Sends a request of the hostile account to the platform API, and repeats the request when a busy machine answers too late. */
async function asMallory(path: string, body?: object): Promise<Record<string, unknown>> {
  return until(async () => {
    const headers = { Authorization: `Bearer ${target.keys[asked++ % target.keys.length] ?? ''}` };
    const answer = await send(`${target.baseUrl}/api/v1${path}`, { headers, ...(body && { body }) });
    if (answer.status === 503) return undefined;
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  });
}

/** Creates long documents, and many agents with public cards. */
async function seed(): Promise<void> {
  const sentence = 'The mill of the miller grinds grain by grain, and no grain is like another. ';
  const body = sentence.repeat(Math.floor(DOCUMENT_BYTES / sentence.length));
  for (let n = 0; n < DOCUMENTS; n += 1) await asMallory('/content', { title: `Document ${n}`, body });
  for (let n = 0; n < AGENTS; n += 1) await asMallory('/agents', { name: `Agent ${n}`, description: 'Grinds grain.' });
}

async function register(name: string, url: string): Promise<string> {
  const { id, slug } = await asMallory('/mcp/servers', { name, url });
  await until(async () => ((await asMallory(`/mcp/servers/${String(id)}`))['status'] === 'active' ? true : undefined));
  return `${target.runtimeUrl}/api/v1/mcp/${String(slug)}/mcp`;
}

async function observe(count: number): Promise<Phase> {
  const endReadings = beginReadings(platform, folder);
  const answers = await callHonestly(platform, honest, count);
  return { answers, readings: await endReadings() };
}

/**
 * Returns the warnings and failures that services have logged since the given time: a line for each different text, with its number of occurrences.
 */
function warningsSince(since: Date, output: string): string {
  const messages = output.split('\n').flatMap((line) => {
    if (!/"level":"(warn|error|fatal)"/.test(line)) return [];
    const { time, msg = '', err } = JSON.parse(line) as { time: string; msg?: string; err?: { message?: string } };
    if (new Date(time) < since) return [];
    return `${msg}: ${err?.message ?? ''}`;
  });
  const counted = Map.groupBy(messages, (message) => message);
  return [...counted].map(([message, all]) => `  ${all.length} × ${message}\n`).join('');
}

const ATTACKS = [
  ['slow bodies', 'slowBodies'],
  ['1,000 streams', 'streams'],
  ['answers of 60 MiB', 'largeAnswers'],
  ['long words', 'longWords'],
  ['front matter', 'frontMatter'],
  ['searches', 'searches'],
  ['parked calls', 'parkedCalls'],
  ['agent cards', 'agentCards'],
] as const;

/** Returns the attacks that HOSTILE_ATTACK names, separated by commas. Default: all attacks. */
function chosenAttacks() {
  const chosen = process.env['HOSTILE_ATTACK']?.split(',');
  if (chosen === undefined) return ATTACKS;
  const names: readonly string[] = ATTACKS.map(([, attack]) => attack);
  const unknown = chosen.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`HOSTILE_ATTACK has no ${unknown.join(', ')}; there are ${names.join(', ')}`);
  return ATTACKS.filter(([, attack]) => chosen.includes(attack));
}

describe('an installation under attack', () => {
  it.each(chosenAttacks())(
    'answers honest callers as before during %s, and each process stays within its limits of memory and time',
    async (name, attack) => {
      quiet = [...quiet, await observe(QUIET_ANSWERS)].slice(-QUIET_PHASES);
      const since = new Date();
      const end = beginAttack(attack, target);
      const attacked = await observe(ANSWERS);
      const answers = await end();
      await untilIdle(platform);
      const slowest = Object.values(attacked.answers).map((area) => area.slowest);
      process.stderr.write(`${name}: the attacker got ${JSON.stringify(answers)}; slowest ${slowest.join(', ')}\n`);
      process.stderr.write(warningsSince(since, platform.output()));
      const judged = rowsOf(name, quiet, attacked);
      rows.push(...judged);
      // An attack without a single answer proves nothing.
      expect(Object.keys(answers).filter((answer) => answer !== 'ABORT_ERR')).not.toEqual([]);
      expect(
        judged.filter(({ broken }) => broken !== '').map(({ service, broken }) => `${service}: ${broken}`),
      ).toEqual([]);
    },
  );
});
