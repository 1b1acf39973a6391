import { startRedis, type RedisServer } from '@millwright/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { newToken } from './harness/calls.js';
import { startPlatform, type Platform } from './harness/platform.js';
import type { ServiceName } from './harness/service.js';

let redis: RedisServer;
let platform: Platform;

beforeAll(async () => {
  redis = await startRedis();
  platform = await startPlatform({
    replicas: { 'platform-api': 2, 'runtime-api': 2, 'prompt-api': 0 },
    env: { REDIS_URL: redis.url },
  });
  // Sends the first requests now, because the first request of a process may block it for longer than the Redis timeout.
  for (const { url } of platform.of('platform-api'))
    for (let n = 0; n < 5; n++) await get('/api/v1/skills', platform.apiKey, url);
});

afterAll(async () => {
  redis.resume();
  await platform.stop();
  await redis.stop();
});

/** Returns the number of the current calendar minute, which is the window of the limits. */
const currentWindow = () => Math.floor(Date.now() / 60_000);

/** Waits until the current window has at least this number of seconds left, so that all counted requests belong to one window. */
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

describe('the platform API', () => {
  it('sends x-ratelimit-limit, -remaining and -reset with the statuses 200, 401, 404 and 422', async () => {
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
  });
});

/** Sends `count` requests alternately to both processes of a service. @returns the answers */
async function flood(service: ServiceName, count: number, request: (url: string) => Promise<Response>) {
  const processes = platform.of(service).map(({ url }) => url);
  const answers: { status: number; limits: ReturnType<typeof limitsOf>; retryAfter: number; body: unknown }[] = [];
  let sent = 0;
  const sender = async () => {
    while (sent < count) {
      const answer = await request(processes[sent++ % processes.length] ?? '');
      const { status, headers } = answer;
      const retryAfter = Number(headers.get('retry-after'));
      answers.push({ status, limits: limitsOf(answer), retryAfter, body: await answer.json() });
    }
  };
  // More concurrent requests would delay Redis's answers on a busy machine, and each process would then count only its own requests.
  await Promise.all(Array.from({ length: 8 }, sender));
  return answers;
}

/** Returns the number of limit decisions that the processes made without Redis, because the answer of Redis was late. */
async function decidedAlone(service: ServiceName): Promise<number> {
  const pages = await Promise.all(
    platform.of(service).map(async ({ adminUrl }) => (await fetch(`${adminUrl}/metrics`)).text()),
  );
  const counts = pages.join('\n').matchAll(/^\w+\{[^}]*backend="memory"[^}]*\} (\d+)$/gm);
  return [...counts].reduce((total, [, count]) => total + Number(count), 0);
}

describe('two processes of a service on one Redis', () => {
  let clients = 0;
  const headersOf = (token: string) => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });
  const newClient = async () => {
    const args = ['--user', 'admin@localhost', '--name', `client ${(clients += 1)}`];
    return newToken(platform, await platform.operator('clients', 'create', ...args));
  };
  const newKey = async () => {
    const args = ['--user', 'admin@localhost', '--name', `key ${(clients += 1)}`, '--plan', 'standard'];
    return (await platform.operator('keys', 'create', ...args))['key'] ?? '';
  };
  const read = (url: string, key: string) => get('/api/v1/skills', key, url);
  const discover = (url: string, ip: string) =>
    fetch(`${url}/.well-known/oauth-authorization-server`, { headers: { 'X-Forwarded-For': ip } });
  const say = (url: string, token: string) => {
    const body = JSON.stringify({ content: 'Hello' });
    return fetch(`${url}/api/v1/agents/concierge/messages`, { method: 'POST', headers: headersOf(token), body });
  };
  const list = (url: string, token: string) => fetch(`${url}/api/v1/agents/registry`, { headers: headersOf(token) });

  // Sends the first message to each process now, because the process then loads the tokenizer's tables, which takes time.
  beforeAll(async () => {
    const token = await newClient();
    for (const { url } of platform.of('runtime-api')) await say(url, token);
  });

  it.each([
    ['platform-api', '100 requests by key', 100, 160, 'rate_limited', newKey, read],
    [
      'runtime-api',
      '100 requests by IP',
      100,
      160,
      'RATE_LIMITED',
      () => Promise.resolve(`192.0.2.${(clients += 1)}`),
      discover,
    ],
    ['runtime-api', '60 messages by client', 60, 90, 'RATE_LIMITED', newClient, say],
    ['runtime-api', '1000 requests by client', 1_000, 1_100, 'RATE_LIMITED', newClient, list],
  ] as const)(
    '%s: both processes together admit exactly %s in a minute, and send the same reset time',
    async (service, title, limit, count, code, newCaller, request) => {
      for (let tries = 1; ; tries += 1) {
        const caller = await newCaller();
        await untilWindowHas(20);
        const window = currentWindow();
        const alone = await decidedAlone(service);
        const answers = await flood(service, count, (url) => request(url, caller));
        // On a busy machine the measurement is repeated: either Redis did not answer within 50 ms, so that each process counted alone, or the
        // requests did not fit into one window.
        const isBusy = currentWindow() !== window || (await decidedAlone(service)) > alone;
        if (isBusy && tries < 5) continue;
        const refused = answers.filter(({ status }) => status === 429);
        const admitted = answers.filter(({ status }) => status === 200);
        process.stdout.write(`${title}, over two processes: ${admitted.length} admitted, ${refused.length} refused\n`);
        expect([admitted.length, refused.length]).toEqual([limit, count - limit]);
        expect(new Set(answers.map(({ limits }) => limits.reset)).size).toBe(1);
        for (const { limits, retryAfter, body } of refused) {
          expect([limits.remaining, body]).toMatchObject([0, { error: { code } }]);
          expect(retryAfter).toBeGreaterThan(0);
        }
        return;
      }
    },
  );
});

describe('a Redis that stops answering', () => {
  it('causes no server errors, and no delay once the failure is detected', async () => {
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
    // The first requests detect the failure, each after at most the command timeout.
    expect(median(times)).toBeLessThan(before + 25);
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
