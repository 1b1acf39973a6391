import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPlatform, type Platform } from '../harness/platform.js';
import type { Service } from '../harness/service.js';

const CREATES = 1_000;
const CLIENTS = 40;
/** The service is killed each time the number of its answers reaches one of these numbers. */
const KILLS_AT = [150, 400, 700];

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ env: { RATE_LIMIT_MULTIPLIER: '1000' } });
});
afterAll(() => platform.stop());

/** Repeats a request until it is answered 201, as an `Idempotency-Key` allows. */
async function createSkill(n: number): Promise<{ id: string; replayed: boolean; attempts: number }> {
  for (let attempts = 1; ; attempts++) {
    const answer = await fetch(`${platform.baseUrl}/api/v1/skills`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${platform.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': `kill-${n}`,
      },
      body: JSON.stringify({ name: `Skill ${n}`, description: '', instructions: 'Survive.' }),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.status === 201 && text !== undefined) {
      const { id } = JSON.parse(text) as { id: string };
      return { id, replayed: answer.headers.get('idempotent-replayed') === 'true', attempts };
    }
    await delay(50);
  }
}

async function count(sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(`SELECT ${sql} AS n`);
  await client.end();
  return Number(rows[0]?.n);
}

describe('a service that is killed while clients create records with Idempotency-Keys', () => {
  it('creates each record exactly once when the clients retry every request', async () => {
    const [service] = platform.of('platform-api') as [Service];
    const made: Awaited<ReturnType<typeof createSkill>>[] = [];
    const kills = [...KILLS_AT];
    let restarting = Promise.resolve();
    const restart = async () => {
      service.kill('SIGKILL');
      await service.terminate();
      await service.start();
    };
    let next = 0;
    const client = async () => {
      while (next < CREATES) {
        made.push(await createSkill(next++));
        if (made.length < (kills[0] ?? Infinity)) continue;
        kills.shift();
        restarting = restarting.then(restart);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await restarting;

    expect(kills).toEqual([]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(CREATES);
    expect(await count('(SELECT count(*) FROM skills)')).toBe(CREATES);
    expect(await count("(SELECT count(*) FROM governance_decisions WHERE action = 'skill.create')")).toBe(CREATES);
    expect(await count("(SELECT sum(n) FROM record_counts WHERE kind = 'skills')")).toBe(CREATES);
    expect(await count('(SELECT count(*) FROM skill_versions)')).toBe(CREATES);
    const retried = made.filter(({ attempts }) => attempts > 1);
    // Proves that requests were in flight at the kill.
    expect(retried.length).toBeGreaterThan(0);
    const replayed = made.filter((one) => one.replayed).length;
    process.stdout.write(
      `${KILLS_AT.length} kills: ${CREATES} creates, ${retried.length} tried again, ${replayed} of them had been made before, ${CREATES} rows\n`,
    );
  });
});
