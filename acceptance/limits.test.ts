import { startRedis, type RedisServer } from '@millwright/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { startPlatform, type Platform } from './harness/platform.js';

let redis: RedisServer;
let platform: Platform;
let key: string;

beforeAll(async () => {
  redis = await startRedis();
  platform = await startPlatform({ replicas: { 'platform-api': 2 }, env: { REDIS_URL: redis.url } });
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
