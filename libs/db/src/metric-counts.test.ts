import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createDatabase, type Database } from './database.js';
import { createMetricCounts, forgetOldHours } from './metric-counts.js';
import { asRole } from './roles.js';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const now = () => new Date('2026-03-01T23:59:59.999Z');
const rows = async () => {
  const found = await db.prisma.metricCount.findMany({ orderBy: [{ metric: 'asc' }, { bucket_ms: 'asc' }] });
  return found.map(({ day, project, area, metric, bucket_ms, n }) => [
    day.toISOString().slice(0, 10),
    project,
    area,
    metric,
    bucket_ms,
    Number(n),
  ]);
};

describe('createMetricCounts', () => {
  it('adds the counts of several processes by UTC day, project, service, metric and duration', async () => {
    const [one, two] = [
      createMetricCounts({ db, area: 'runtime', now }),
      createMetricCounts({ db, area: 'runtime', now }),
    ];
    for (const counts of [one, two]) {
      counts.addRequest('Core', 0.4);
      counts.addRequest('Core', 6);
      counts.add('Core', 'errors');
    }
    one.addRequest('Core', 1e12);
    await Promise.all([one.close(), two.close()]);
    expect(await rows()).toEqual([
      ['2026-03-01', 'Core', 'runtime', 'errors', 0, 2],
      ['2026-03-01', 'Core', 'runtime', 'requests', 1, 2],
      ['2026-03-01', 'Core', 'runtime', 'requests', 7, 2],
      ['2026-03-01', 'Core', 'runtime', 'requests', 2_147_483_647, 1],
    ]);
  });

  it('writes each count once', async () => {
    const counts = createMetricCounts({ db, area: 'prompt', now });
    counts.add('Core', 'content_searches');
    await counts.flush();
    await counts.flush();
    await counts.close();
    expect(await rows()).toEqual([['2026-03-01', 'Core', 'prompt', 'content_searches', 0, 1]]);
  });

  it('keeps counts that the database refused, and writes them the next time', async () => {
    let broken = true;
    const prepared: Database['prepared'] = (...statement) =>
      broken ? Promise.reject(new Error('gone')) : db.prepared(...statement);
    const counts = createMetricCounts({ db: { prepared }, area: 'runtime', now });
    counts.add('Core', 'errors');
    await expect(counts.flush()).rejects.toThrow('gone');
    counts.add('Core', 'errors');
    broken = false;
    await counts.close();
    expect(await rows()).toEqual([['2026-03-01', 'Core', 'runtime', 'errors', 0, 2]]);
  });

  it('also adds the counts by UTC hour', async () => {
    const at = async (time: string, n: number) => {
      const counts = createMetricCounts({ db, area: 'runtime', now: () => new Date(time) });
      for (let i = 0; i < n; i += 1) counts.add('Core', 'errors');
      await counts.close();
    };
    await at('2026-03-01T22:59:59.999Z', 2);
    await at('2026-03-01T23:00:00.000Z', 1);
    await at('2026-03-01T23:30:00.000Z', 1);
    const hours = await db.prisma.metricHour.findMany({ orderBy: { hour: 'asc' } });
    expect(hours.map(({ hour, metric, n }) => [hour.toISOString(), metric, Number(n)])).toEqual([
      ['2026-03-01T22:00:00.000Z', 'errors', 2],
      ['2026-03-01T23:00:00.000Z', 'errors', 2],
    ]);
    expect(await rows()).toEqual([['2026-03-01', 'Core', 'runtime', 'errors', 0, 4]]);
    expect(await db.transaction((tx) => forgetOldHours(tx, new Date('2026-06-09T23:00:00Z')))).toBe(1);
  });

  it.each(['platform-api', 'runtime-api', 'prompt-api'])('works with the database rights of %s', async (area) => {
    const own = createDatabase({ url: asRole(database.url, area), poolMax: 1 });
    const counts = createMetricCounts({ db: own, area: 'platform', now });
    for (let n = 0; n < 2; n += 1) {
      counts.addRequest('Core', 1);
      await counts.flush();
    }
    await counts.close();
    await own.close();
    expect(await rows()).toEqual([['2026-03-01', 'Core', 'platform', 'requests', 1, 2]]);
  });
});
