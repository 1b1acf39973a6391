import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createDatabase, type Database } from './database.js';
import { createMetricCounts } from './metric-counts.js';

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
  it('adds what several processes counted, by day in UTC, project, area, metric and duration', async () => {
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

  it('writes once what it counted once', async () => {
    const counts = createMetricCounts({ db, area: 'prompt', now });
    counts.add('Core', 'content_searches');
    await counts.flush();
    await counts.flush();
    await counts.close();
    expect(await rows()).toEqual([['2026-03-01', 'Core', 'prompt', 'content_searches', 0, 1]]);
  });

  it('keeps what the database did not take, and writes it the next time', async () => {
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
});
