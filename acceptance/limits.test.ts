import { startRedis, type RedisServer } from '@millwright/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { newToken } from './harness/calls.js';
import { startPlatform, type Platform } from './harness/platform.js';

let redis: RedisServer;
let platform: Platform;
let key: string;

beforeAll(async () => {
  redis = await startRedis();
  platform = await startPlatform({
    replicas: { 'platform-api': 2, 'runtime-api': 2 },
    env: { REDIS_URL: redis.url },
  });
  const issued = await platform.operator(
    'keys',
    'create',
    '--user',
    'admin@localhost',
    '--name',
    'standard',
    '--plan',
    'standard',
  );
  key = issued['key'] ?? '';
}, 60_000);

afterAll(async () => {
  redis.resume();
  await platform.stop();
  await redis.stop();
});

/** The window is the calendar minute: what is counted must fall into one. */
async function untilWindowHas(seconds: number) {
  const left = 60 - ((Date.now() / 1_000) % 60);
  if (left < seconds) await delay(left * 1_000 + 50);
}

const get = (path: string, credential: string, base = platform.baseUrl) =>
  fetch(`${base}${path}`, { headers: { Authorization: `Bearer ${credential}` } });

const limitsOf = ({ headers }: Response) => ({
  limit: headers.get('x-ratelimit-limit'),
  remaining: Number(headers.get('x-ratelimit-remaining')),
  reset: Number(headers.get('x-ratelimit-reset')),
});

describe('over two processes on one Redis', () => {
  it('admits exactly the limit of 160 requests, and both name the same reset', async () => {
    await untilWindowHas(8);
    const processes = platform.of('platform-api').map(({ url }) => url);
    const answers = await Promise.all(
      Array.from({ length: 160 }, (_, i) => get('/api/v1/skills', key, processes[i % 2])),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60);
    const resets = new Set(answers.map((answer) => limitsOf(answer).reset));
    expect(resets.size).toBe(1);
    expect(Math.min(...answers.map((answer) => limitsOf(answer).remaining))).toBe(0);
    const refused = answers.find(({ status }) => status === 429);
    expect(await refused?.json()).toMatchObject({ error: { code: 'rate_limited', status: 429 } });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  }, 60_000);

  it('shows limit, remaining and reset on 200, 401, 404, 405 and 422', async () => {
    await untilWindowHas(5);
    const answers = [
      [200, '500', await get('/api/v1/skills', platform.apiKey)],
      [401, '100', await get('/api/v1/skills', 'wrong')],
      [404, '500', await get('/api/v1/skills/sk_unknown', platform.apiKey)],
      [404, '500', await get('/api/v1/nowhere', platform.apiKey)],
      [422, '500', await get('/api/v1/skills?per_page=0', platform.apiKey)],
    ] as const;
    for (const [status, limit, answer] of answers) {
      expect(answer.status).toBe(status);
      const shown = limitsOf(answer);
      expect(shown.limit).toBe(limit);
      expect(shown.remaining).toBeGreaterThanOrEqual(0);
      expect(shown.reset % 60).toBe(0);
    }
  }, 30_000);
});

/** How many of these requests, by turns to both processes of area C, are answered how. */
async function flood(count: number, request: (url: string) => Promise<Response>) {
  const processes = platform.of('runtime-api').map(({ url }) => url);
  const answers: Response[] = [];
  const statuses: Record<number, number> = {};
  let sent = 0;
  const sender = async () => {
    while (sent < count) {
      const answer = await request(processes[sent++ % processes.length] ?? '');
      await answer.arrayBuffer();
      answers.push(answer);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 40 }, sender));
  return { statuses, resets: new Set(answers.map((answer) => limitsOf(answer).reset)).size };
}

describe('area C over two processes on one Redis', () => {
  it('admits exactly 100 a minute by IP, 60 messages and 1000 requests by client, and both name the same reset', async () => {
    const newClient = async (name: string) =>
      newToken(platform, await platform.operator('clients', 'create', '--user', 'admin@localhost', '--name', name));
    const [talker, reader] = [await newClient('talker'), await newClient('reader')];
    const headersOf = (token: string) => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });
    const body = JSON.stringify({ content: 'Hello' });
    const say = (url: string, token: string) =>
      fetch(`${url}/api/v1/agents/concierge/messages`, { method: 'POST', headers: headersOf(token), body });
    // The first message of a process reads the tokenizer's tables.
    const idle = await newClient('idle');
    for (const { url } of platform.of('runtime-api')) await say(url, idle);
    await untilWindowHas(25);
    const began = performance.now();
    const byIp = await flood(160, (url) =>
      fetch(`${url}/.well-known/oauth-authorization-server`, { headers: { 'X-Forwarded-For': '192.0.2.7' } }),
    );
    const messages = await flood(90, (url) => say(url, talker));
    const byClient = await flood(1_100, (url) =>
      fetch(`${url}/api/v1/agents/registry`, { headers: headersOf(reader) }),
    );
    const took = ((performance.now() - began) / 1_000).toFixed(1);
    const told = { byIp: byIp.statuses, messages: messages.statuses, byClient: byClient.statuses };
    process.stdout.write(`limits of area C over two processes, in ${took} s: ${JSON.stringify(told)}\n`);
    expect(byIp).toEqual({ statuses: { 200: 100, 429: 60 }, resets: 1 });
    expect(messages).toEqual({ statuses: { 200: 60, 429: 30 }, resets: 1 });
    expect(byClient).toEqual({ statuses: { 200: 1_000, 429: 100 }, resets: 1 });
  }, 90_000);
});

describe('when Redis falls silent', () => {
  it('answers every request without a server error and without waiting, once it has noticed', async () => {
    const times: number[] = [];
    const timed = async () => {
      const started = performance.now();
      const answer = await get('/api/v1/skills', platform.apiKey);
      times.push(performance.now() - started);
      return answer;
    };
    for (let i = 0; i < 10; i++) await timed();
    const before = median(times.splice(0));

    redis.pause();
    const during: Response[] = [];
    for (let i = 0; i < 60; i++) during.push(await timed());
    redis.resume();
    expect(during.filter(({ status }) => status >= 500)).toHaveLength(0);
    for (const answer of during) expect(answer.headers.get('x-ratelimit-limit')).toBe('500');
    const figures = `median ${before.toFixed(1)} ms before, ${median(times).toFixed(1)} ms while silent, slowest ${Math.max(...times).toFixed(1)} ms`;
    process.stdout.write(`silent Redis: ${figures}, 0 server errors of ${during.length}\n`);
    // The first few find out; they wait at most the command timeout each.
    expect(median(times)).toBeLessThan(before + 25);
  }, 30_000);
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
