import { createTestDatabase, type TestDatabase } from '@millwright/testing';
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

it('a list nobody wrote to has nothing', async () => expect(await total()).toBe(0));

it('parallel writers lose no change', async () => {
  const change = (by: 1 | -1) => db.transaction((tx) => addToCount(tx, skills, by));
  await Promise.all([...Array.from({ length: 80 }, () => change(1)), ...Array.from({ length: 30 }, () => change(-1))]);
  expect(await total()).toBe(50);
  expect(await db.prisma.recordCount.count()).toBeGreaterThan(1);
});

it('are summed over all statuses, or for one', async () => {
  await db.transaction(async (tx) => {
    for (let n = 0; n < 3; n++) await addToCount(tx, skills, 1);
    await addToCount(tx, { ...skills, status: 'inactive' }, 1);
  });
  expect([await total(), await total('active'), await total('inactive'), await total('other')]).toEqual([4, 3, 1, 0]);
});

it('a record that changes its status changes sides', async () => {
  await db.transaction((tx) => addToCount(tx, skills, 1));
  await db.transaction((tx) => moveCount(tx, skills, 'inactive'));
  expect([await total(), await total('active'), await total('inactive')]).toEqual([1, 0, 1]);
  await db.transaction((tx) => moveCount(tx, { ...skills, status: 'inactive' }, 'inactive'));
  expect(await total('inactive')).toBe(1);
});

it('keep projects and kinds apart', async () => {
  await db.transaction(async (tx) => {
    await addToCount(tx, skills, 1);
    await addToCount(tx, { ...skills, project: 'Commerce' }, 1);
    await addToCount(tx, { ...skills, kind: 'agents' }, 1);
  });
  expect(await total()).toBe(1);
  expect(await readCount(db, { project: 'Commerce', kind: 'skills' })).toBe(1);
});

it('a change that is rolled back is not counted', async () => {
  const refused = db.transaction(async (tx) => {
    await addToCount(tx, skills, 1);
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  expect(await total()).toBe(0);
});
