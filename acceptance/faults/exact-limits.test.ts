import { startRedis, type RedisServer } from '@millwright/testing';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';
import { limitProcesses } from './config.js';

/** Number of concurrent callers, regardless of the number of processes. */
const SENDERS = 9;

describe.each(limitProcesses)('%i processes at once', (processes) => {
  let redis: RedisServer;
  let platform: Platform;
  beforeAll(async () => {
    redis = await startRedis();
    platform = await startPlatform({
      replicas: { 'platform-api': processes },
      env: { REDIS_URL: redis.url, DATABASE_POOL_MAX: '3' },
    });
  });
  afterAll(async () => {
    await platform.stop();
    await redis.stop();
  });

  const urls = () => platform.of('platform-api').map(({ url }) => url);
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

  async function count(sql: string): Promise<number> {
    const client = new pg.Client({ connectionString: platform.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${sql}`);
    await client.end();
    return Number(rows[0]?.n);
  }

  /** Sends requests to the processes round-robin, several concurrently, and counts the answers by status. */
  async function statusesOf(total: number, request: (url: string, n: number) => Promise<Response>) {
    const statuses = new Map<number, number>();
    let sent = 0;
    const sender = async () => {
      for (let n = sent++; n < total; n = sent++) {
        const answer = await request(urls()[n % processes] ?? '', n);
        await answer.text();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    return statuses;
  }

  /** Returns the number of limit decisions that the processes made without Redis, because the answer of Redis was late. */
  async function decidedAlone(): Promise<number> {
    const pages = await Promise.all(
      platform.of('platform-api').map(async ({ adminUrl }) => (await fetch(`${adminUrl}/metrics`)).text()),
    );
    const counts = pages.join('\n').matchAll(/^\w+\{[^}]*backend="memory"[^}]*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, n]) => sum + Number(n), 0);
  }

  it('create exactly 20 API keys for one account, which is the limit', async () => {
    const owner = 'keys@localhost';
    await platform.operator('users', 'create', '--email', owner, '--name', 'Keys', '--role', 'user');
    // On a busy machine the database may answer a newly started process too late; the operator then retries.
    const create = (name: string): Promise<string> =>
      until(() =>
        platform.operator('keys', 'create', '--user', owner, '--name', name).then(
          () => 'made',
          (error: unknown) => {
            if (String(error).includes('The database does not answer')) return undefined;
            return String(error).includes('has 20 API keys') ? 'refused' : String(error);
          },
        ),
      );
    const attempts = Array.from({ length: SENDERS }, async (_, process) => {
      const outcomes: string[] = [];
      for (let n = 0; n < 3; n += 1) outcomes.push(await create(`key ${process} ${n}`));
      return outcomes;
    });
    const outcomes = (await Promise.all(attempts)).flat();
    process.stderr.write(`keys: ${outcomes.filter((outcome) => outcome === 'made').length} of ${outcomes.length}\n`);
    expect(outcomes.sort()).toEqual([
      ...Array.from({ length: 20 }, () => 'made'),
      ...Array.from({ length: 7 }, () => 'refused'),
    ]);
    expect(await count(`user_api_keys k JOIN users u ON u.id = k.user_id WHERE u.email = '${owner}'`)).toBe(20);
  }, 600_000);

  it('admit exactly 100 requests a minute for one API key with the plan `standard`', async () => {
    for (let tries = 1; ; tries += 1) {
      const args = ['--user', 'admin@localhost', '--name', `limit ${tries}`, '--plan', 'standard'];
      const key = (await platform.operator('keys', 'create', ...args))['key'] ?? '';
      const left = 60 - ((Date.now() / 1_000) % 60);
      if (left < 30) await delay(left * 1_000 + 50);
      const [alone, minute] = [await decidedAlone(), Math.floor(Date.now() / 60_000)];
      const statuses = await statusesOf(300, (url) => fetch(`${url}/api/v1/skills`, { headers: headersOf(key) }));
      // On a busy machine Redis may answer too late, or the requests may exceed the minute; then the next minute is measured.
      const isCounted = (await decidedAlone()) === alone && Math.floor(Date.now() / 60_000) === minute;
      process.stderr.write(`rate limit: ${JSON.stringify([...statuses])}, counted: ${isCounted}\n`);
      if (!isCounted && tries < 10) continue;
      expect([...statuses].sort(([a], [b]) => a - b)).toEqual([
        [200, 100],
        [429, 200],
      ]);
      return;
    }
  }, 900_000);

  it('store exactly the number of records that the quota admits', async () => {
    await platform.operator(
      'quotas',
      'set',
      '--kind',
      'content',
      '--project',
      'Core',
      '--rows',
      '200',
      '--bytes',
      '100000000',
    );
    const statuses = await statusesOf(400, async (url, n) => {
      for (;;) {
        const body = JSON.stringify({ title: `Document ${n}`, body: 'b' });
        const answer = await fetch(`${url}/api/v1/content`, {
          method: 'POST',
          headers: headersOf(platform.apiKey),
          body,
        });
        // The limit of the plan `professional`, 500 requests a minute, causes a 429. A busy machine causes a 503. Both requests are sent again.
        if (answer.status !== 429 && answer.status !== 503) return answer;
        await answer.text();
        await delay(500);
      }
    });
    process.stderr.write(`quota: ${JSON.stringify([...statuses])}\n`);
    expect([...statuses].sort(([a], [b]) => a - b)).toEqual([
      [201, 200],
      [403, 200],
    ]);
    expect(await count(`content_items WHERE project = 'Core'`)).toBe(200);
  }, 600_000);
});
