import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { addToCount, createDatabase, moveCount, readCount, type Database } from './index.js';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 10 });
});
beforeEach(() => db.prisma.recordCount.deleteMany());
afterAll(async () => {
  await db.close();
  await database.drop();
});

const skills = { project: 'Core', kind: 'skills', status: 'active' } as const;
const total = (status?: string) => readCount(db, { project: 'Core', kind: 'skills', status });

it('counts are 0 for a list without records', async () => expect(await total()).toBe(0));

it('counts include every change of parallel writers', async () => {
  const change = (by: 1 | -1) => db.transaction((tx) => addToCount(tx, skills, by));
  await Promise.all([...Array.from({ length: 24 }, () => change(1)), ...Array.from({ length: 9 }, () => change(-1))]);
  expect(await total()).toBe(15);
  expect(await db.prisma.recordCount.count()).toBeGreaterThan(1);
});

it('counts can be read for all statuses together or for one status', async () => {
  await db.transaction(async (tx) => {
    for (let n = 0; n < 3; n++) await addToCount(tx, skills, 1);
    await addToCount(tx, { ...skills, status: 'inactive' }, 1);
  });
  expect([await total(), await total('active'), await total('inactive'), await total('other')]).toEqual([4, 3, 1, 0]);
});

it('counts of the old status and the new status change when a record changes its status', async () => {
  await db.transaction((tx) => addToCount(tx, skills, 1));
  await db.transaction((tx) => moveCount(tx, skills, 'inactive'));
  expect([await total(), await total('active'), await total('inactive')]).toEqual([1, 0, 1]);
  await db.transaction((tx) => moveCount(tx, { ...skills, status: 'inactive' }, 'inactive'));
  expect(await total('inactive')).toBe(1);
});

it.each([
  ['active', 'inactive'],
  ['inactive', 'active'],
])('counts are locked in the order of the names of statuses when a record changes from %s to %s', async (from, to) => {
  await database.sql`
    INSERT INTO record_counts (project, kind, status, slot, n)
    SELECT 'Core', 'skills', status, slot, 0 FROM unnest(ARRAY['active', 'inactive']) status, generate_series(0, 31) slot
    ON CONFLICT DO NOTHING`;
  const [holder, other] = [
    new pg.Client({ connectionString: database.url }),
    new pg.Client({ connectionString: database.url }),
  ];
  await Promise.all([holder.connect(), other.connect()]);
  await holder.query('BEGIN');
  await holder.query("SELECT FROM record_counts WHERE status = 'active' FOR UPDATE");
  const moved = db.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
      await moveCount(tx, { ...skills, status: from }, to);
    },
    { timeout: 60_000 },
  );
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await other.query(waiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  // The change waits for the rows with the status `active`, and has not locked the rows with the status `inactive` yet.
  await other.query("SELECT FROM record_counts WHERE status = 'inactive' FOR UPDATE NOWAIT");
  await holder.query('ROLLBACK');
  await moved;
  await Promise.all([holder.end(), other.end()]);
});

it('counts are separate for each project and each kind of record', async () => {
  await db.transaction(async (tx) => {
    await addToCount(tx, skills, 1);
    await addToCount(tx, { ...skills, project: 'Commerce' }, 1);
    await addToCount(tx, { ...skills, kind: 'agents' }, 1);
  });
  expect(await total()).toBe(1);
  expect(await readCount(db, { project: 'Commerce', kind: 'skills' })).toBe(1);
});

it('counts ignore a change that is rolled back', async () => {
  const refused = db.transaction(async (tx) => {
    await addToCount(tx, skills, 1);
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  expect(await total()).toBe(0);
});
