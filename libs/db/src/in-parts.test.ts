import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createDatabase, inParts, type Database } from './index.js';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const period = { from: new Date(0), to: new Date(250), part: 100 };

describe('inParts', () => {
  it('reads a period without gaps or overlaps', async () => {
    const parts: number[][] = [];
    await inParts(period, (from, to) => {
      parts.push([from.getTime(), to.getTime()]);
      return Promise.resolve();
    });
    expect(parts).toEqual([
      [0, 100],
      [100, 200],
      [200, 250],
    ]);
  });

  it('divides a part whose statement exceeds its timeout, and skips nothing', async () => {
    let read = 0;
    await inParts(period, (from, to) =>
      db.transaction(async (tx) => {
        const length = to.getTime() - from.getTime();
        if (length > 10) {
          await tx.$executeRaw`SET LOCAL statement_timeout = 1`;
          await tx.$executeRaw`SELECT pg_sleep(30)`;
        }
        read += length;
      }),
    );
    expect(read).toBe(250);
  });

  it('rejects with any other error, and when reading a single millisecond exceeds the timeout', async () => {
    await expect(inParts(period, () => Promise.reject(new Error('other')))).rejects.toThrow('other');
    const hangs = inParts({ ...period, part: 1 }, () =>
      db.transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 1`;
        await tx.$executeRaw`SELECT pg_sleep(30)`;
      }),
    );
    await expect(hangs).rejects.toThrow();
  });
});
