import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { createDatabase, newId, type Database, type Tx } from '../index.js';
import { quotaRefusal, readQuotaDrift, setQuota } from './index.js';

/**
 * Size in bytes of each file that is added: the most that one transaction may add while other transactions add to the
 * same quota.
 */
const SHARE = 1_000;
const WRITERS_OF_A_PROCESS = 3;

let database: TestDatabase;
let db: Database;
let user: string;
/** The limit of bytes at which `SHARE` is the most that one transaction may add. */
let limit: number;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 3 });
  user = newId();
  await db.transaction((tx) =>
    tx.user.create({ data: { id: user, email: 'ann@example.com', name: 'Ann', webauthn_user_id: new Uint8Array(32) } }),
  );
  const [connections] = await db.prepared<{ n: number }>(
    'n',
    `SELECT current_setting('max_connections')::int AS n`,
    [],
  );
  limit = SHARE * 10 * (connections?.n ?? 0);
  await db.transaction((tx) => setQuota(tx, 'files', { rows: 1_000_000, bytes: limit }));
});
beforeEach(async () => {
  await db.transaction((tx) => tx.file.deleteMany());
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const addFile = (tx: Tx, size: number) =>
  tx.file.create({
    data: {
      id: newId(),
      project: 'Core',
      path: 'x',
      size,
      content_type: 'x',
      sha256: new Uint8Array(32),
      created_by: user,
    },
  });

async function stored(): Promise<number> {
  const { _sum } = await db.prisma.file.aggregate({ _sum: { size: true } });
  return Number(_sum.size ?? 0);
}

/** Adds files until a file is refused. */
async function fill(process: Database, size: number): Promise<void> {
  for (;;) {
    try {
      await process.transaction((tx) => addFile(tx, size));
    } catch (error) {
      if (quotaRefusal(error)) return;
      throw error;
    }
  }
}

it.each([1, 3, 9])('%i processes can use a quota up to the last byte, and never exceed it', async (count) => {
  // Between 85 % and 90 % of the limit, writers run concurrently; above 90 %, they run one after the other.
  await db.transaction((tx) => addFile(tx, (limit / 100) * 88));
  const processes = Array.from({ length: count }, () =>
    createDatabase({ url: database.url, poolMax: WRITERS_OF_A_PROCESS, acquireTimeoutMs: 10_000 }),
  );
  try {
    const writers = processes.flatMap((process) => Array.from({ length: WRITERS_OF_A_PROCESS }, () => process));
    await Promise.all(writers.map((process) => fill(process, SHARE)));
    expect(await stored()).toBe(limit);
    expect(await readQuotaDrift(database.url)).toEqual([]);
  } finally {
    await Promise.all(processes.map((process) => process.close()));
  }
});

it('a change that could exceed the limit waits until transactions with smaller changes have ended', async () => {
  const [small, large] = [
    new pg.Client({ connectionString: database.url }),
    new pg.Client({ connectionString: database.url }),
  ];
  await Promise.all([small.connect(), large.connect()]);
  const insert = `INSERT INTO files (id, project, path, size, content_type, sha256, created_by)
                  VALUES (gen_random_uuid(), 'Core', 'x', $1, 'x', sha256(''), $2)`;
  try {
    await small.query('BEGIN');
    await small.query(insert, [SHARE, user]);
    const tooLarge = expect(large.query(insert, [limit, user])).rejects.toMatchObject({ code: 'MWQ01' });
    const waits = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    while ((await small.query(waits)).rowCount === 0) await sleep(10);
    await small.query('COMMIT');
    await tooLarge;
    expect(await stored()).toBe(SHARE);
  } finally {
    await Promise.all([small.end(), large.end()]);
  }
});

it('small changes below nine tenths of the limit do not wait for each other', async () => {
  await db.transaction(async (first) => {
    await addFile(first, SHARE);
    await db.transaction((second) => addFile(second, SHARE));
  });
  expect(await stored()).toBe(2 * SHARE);
});
