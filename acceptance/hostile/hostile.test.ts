import { setTimeout as delay } from 'node:timers/promises';
import { startRedis, type RedisServer } from '@millwright/testing';
import { startExampleServer, type ExampleServer } from '../conformance/example-server.js';
import { newToken, send } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';
import { rowsOf, tableOf, type Phase, type Row } from './bounds.js';
import { beginAttack, startHostileUpstream, type HostileUpstream, type Target } from './children.js';
import { beginHonestCalls, type Credentials } from './honest.js';
import { beginParkedCalls } from './parked-calls.js';
import { beginReadings } from './readings.js';

const QUIET_MS = 5_000;
const ATTACK_MS = 10_000;
const DOCUMENTS = 20;
const DOCUMENT_BYTES = 490_000;
const AGENTS = 250;

let redis: RedisServer;
let platform: Platform;
let upstream: HostileUpstream;
let asking: ExampleServer;
let honest: Credentials;
let target: Target;
/** The relay's address of the server whose tools ask their user. */
let askingEndpoint: string;
const rows: Row[] = [];

beforeAll(async () => {
  [redis, upstream, asking] = await Promise.all([
    startRedis(),
    startHostileUpstream(),
    startExampleServer('2026-07-28'),
  ]);
  platform = await startPlatform({ env: { REDIS_URL: redis.url } });
  const { baseUrl, runtimeUrl, promptUrl } = platform;
  honest = { keys: await keysOf('admin@localhost', 5), tokens: await tokensOf('admin@localhost', 5) };
  const user = ['--email', 'mallory@localhost', '--name', 'Mallory', '--role', 'user', '--project', 'Commerce'];
  await platform.operator('users', 'create', ...user);
  const [keys, tokens] = [await keysOf('mallory@localhost', 5), await tokensOf('mallory@localhost', 5)];
  target = { baseUrl, runtimeUrl, promptUrl, keys, tokens, endpoints: [] };
  await seed();
  for (let n = 0; n < 5; n += 1) target.endpoints.push(await register(`hostile ${n}`, upstream.url));
  askingEndpoint = await register('asking', asking.url);
}, 300_000);
afterAll(async () => {
  process.stderr.write(`${tableOf(rows)}\n`);
  await platform.stop();
  await Promise.all([upstream.stop(), asking.close(), redis.stop()]);
});

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
/** A request of the hostile account to the platform API. */
async function asMallory(path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${target.keys[asked++ % target.keys.length] ?? ''}` };
  const answer = await send(`${target.baseUrl}/api/v1${path}`, { headers, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** Long documents, and many agents with public cards. */
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

async function observe(milliseconds: number): Promise<Phase> {
  const [endCalls, endReadings] = [beginHonestCalls(platform, honest), beginReadings(platform)];
  await delay(milliseconds);
  return { answers: await endCalls(), readings: await endReadings() };
}

const ATTACKS = [
  ['slow bodies', () => beginAttack('slowBodies', target)],
  ['1,000 streams', () => beginAttack('streams', target)],
  ['answers of 60 MiB', () => beginAttack('largeAnswers', target)],
  ['long words', () => beginAttack('longWords', target)],
  ['front matter', () => beginAttack('frontMatter', target)],
  ['searches', () => beginAttack('searches', target)],
  ['parked calls', () => beginParkedCalls(askingEndpoint, target.tokens[0] ?? '')],
  ['agent cards', () => beginAttack('agentCards', target)],
] as const satisfies readonly (readonly [string, () => () => Promise<Record<string, number>>])[];

describe('honest callers during', () => {
  it.each(ATTACKS)(
    '%s are answered as before, within the memory and time of each process',
    async (name, begin) => {
      const quiet = await observe(QUIET_MS);
      const end = begin();
      const attacked = await observe(ATTACK_MS);
      const answers = await end();
      process.stderr.write(`${name}: the attacker got ${JSON.stringify(answers)}\n`);
      const judged = rowsOf(name, quiet, attacked);
      rows.push(...judged);
      // An attack of which nothing arrived proves nothing.
      expect(Object.keys(answers)).not.toEqual([]);
      expect(
        judged.filter(({ broken }) => broken !== '').map(({ service, broken }) => `${service}: ${broken}`),
      ).toEqual([]);
    },
    120_000,
  );
});
