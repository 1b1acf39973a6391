import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { databaseFailure } from '../index.js';
import { migrate, migrationStatus, readMigrations, TableInUse, type Migration } from './index.js';
import { partsOf } from './read-migrations.js';

const FOLDER = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const migrations = readMigrations(FOLDER);
const names = migrations.map(({ name }) => name);

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const made = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
});
const first = made('1_first', 'CREATE TABLE first (n int)');
const inParts = (name: string, ...parts: string[]): Migration => {
  const sql = ['-- in parts', '-- Why it is in parts.', ...parts].join('\n');
  const read = partsOf(name, sql);
  return { ...made(name, sql), ...(read && { parts: read }) };
};
const buildIndex = '-- part\nCREATE INDEX CONCURRENTLY IF NOT EXISTS first_n_idx ON first (n);';
const backfill =
  '-- repeated part\nUPDATE first SET n = 0 WHERE ctid IN (SELECT ctid FROM first WHERE n IS NULL LIMIT 10);';
const recordOf = (name: string) =>
  query<{ done: number; finished: boolean }>(
    `SELECT applied_steps_count AS done, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE migration_name = '${name}'`,
  );

describe('migrate', () => {
  it('fails while another transaction has the table locked; when called again, it replaces the check in each part of the migration', async () => {
    const check = (limit: number) =>
      `-- part\nALTER TABLE first DROP CONSTRAINT IF EXISTS first_n_check, ADD CONSTRAINT first_n_check CHECK (n < ${limit}) NOT VALID;`;
    await migrate(database.url, [first]);
    const replaced = inParts('2_check', check(5), check(9));
    const busy = new pg.Client({ connectionString: database.url });
    await busy.connect();
    try {
      await busy.query('BEGIN; LOCK TABLE first IN ROW EXCLUSIVE MODE');
      await expect(migrate(database.url, [first, replaced])).rejects.toMatchObject({ code: '55P03' });
      await busy.query('COMMIT');
    } finally {
      await busy.end();
    }
    expect(await recordOf('2_check')).toEqual([{ done: 0, finished: false }]);
    await migrate(database.url, [first, replaced]);
    expect(
      await query("SELECT pg_get_constraintdef(oid) AS is FROM pg_constraint WHERE conname = 'first_n_check'"),
    ).toEqual([{ is: 'CHECK ((n < 9)) NOT VALID' }]);
  });

  it('migrates an empty database to the newest schema, and does nothing the second time', async () => {
    expect(await migrate(database.url, migrations)).toEqual({ applied: names, alreadyApplied: [] });
    expect(await query("SELECT to_regclass('skills')::text AS skills")).toEqual([{ skills: 'skills' }]);
    expect(await migrate(database.url, migrations)).toEqual({ applied: [], alreadyApplied: names });
  });

  it('applies each migration once when five runners start together', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, migrations)));
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual(names);
    const recorded = await query<{ migration_name: string }>(
      'SELECT migration_name FROM _prisma_migrations ORDER BY 1',
    );
    expect(recorded.map((row) => row.migration_name)).toEqual(names);
  });

  it('refuses a migration that was changed after it had been applied, and applies nothing', async () => {
    await migrate(database.url, [first]);
    const changed = made('1_first', 'CREATE TABLE first (n bigint)');
    const second = made('2_second', 'CREATE TABLE second (n int)');
    await expect(migrate(database.url, [changed, second])).rejects.toMatchObject({ name: 'MigrationMismatch' });
    expect(await query("SELECT to_regclass('second')::text AS second")).toEqual([{ second: null }]);
  });

  it('keeps the migrations before a failing migration, and rolls the failing migration back', async () => {
    const broken = made('2_broken', 'CREATE TABLE half (n int); INSERT INTO half VALUES (1); SELECT 1 / 0');
    await expect(migrate(database.url, [first, broken])).rejects.toMatchObject({ code: '22012' });
    expect(await query("SELECT to_regclass('first')::text AS first, to_regclass('half')::text AS half")).toEqual([
      { first: 'first', half: null },
    ]);
    const mended = made('2_broken', 'CREATE TABLE half (n int)');
    expect(await migrate(database.url, [first, mended])).toEqual({
      applied: ['2_broken'],
      alreadyApplied: ['1_first'],
    });
  });

  it('ignores applied migrations that are newer than the given ones', async () => {
    await migrate(database.url, [first, made('2_newer', 'CREATE TABLE newer (n int)')]);
    expect(await migrate(database.url, [first])).toEqual({ applied: [], alreadyApplied: ['1_first'] });
  });

  it('rejects when the server ends its connection, and leaves no partial migration', async () => {
    const cut = made('2_cut', 'CREATE TABLE half (n int); SELECT pg_terminate_backend(pg_backend_pid())');
    const failure: unknown = await migrate(database.url, [first, cut]).catch((error: unknown) => error);
    expect(databaseFailure(failure)).toMatchObject({ code: 'unavailable' });
    expect(await migrationStatus(database.url, [first, cut])).toEqual({ applied: ['1_first'], pending: ['2_cut'] });
    expect(await query("SELECT to_regclass('half')::text AS half")).toEqual([{ half: null }]);
  });

  it('rejects when the lock on a busy table takes too long', async () => {
    await migrate(database.url, [first]);
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE first');
    const alter = made('2_alter', 'ALTER TABLE first ADD COLUMN m int');
    await expect(migrate(database.url, [first, alter])).rejects.toMatchObject({ code: '55P03' });
    await holder.end();
  });
});

describe('migrate, with a migration in parts', () => {
  const both = inParts('2_parts', buildIndex, backfill);

  it('builds an index while a transaction that wrote to the table is open', async () => {
    await migrate(database.url, [first]);
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    await writer.query('BEGIN; INSERT INTO first VALUES (1)');
    const migrated = migrate(database.url, [first, both]);
    // The build waits for the open transaction; another connection writes meanwhile.
    while ((await query("SELECT FROM pg_index WHERE indexrelid = to_regclass('first_n_idx')")).length === 0)
      await sleep(20);
    await query('INSERT INTO first VALUES (2)');
    await writer.query('COMMIT');
    await writer.end();
    expect((await migrated).applied).toEqual(['2_parts']);
    expect(await query("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'first_n_idx'::regclass")).toEqual([
      { valid: true },
    ]);
    expect(await recordOf('2_parts')).toEqual([{ done: 2, finished: true }]);
  });

  it('runs a part marked as `repeated` until no row is left to change', async () => {
    await migrate(database.url, [first]);
    await query('INSERT INTO first SELECT NULL FROM generate_series(1, 35)');
    await migrate(database.url, [first, both]);
    expect(await query('SELECT count(*)::int AS rows, count(n)::int AS filled FROM first')).toEqual([
      { rows: 35, filled: 35 },
    ]);
  });

  it('continues at the part that failed, and rebuilds an index that was not completed', async () => {
    await migrate(database.url, [first]);
    await query('INSERT INTO first VALUES (1), (1)');
    const unique = inParts(
      '2_parts',
      backfill,
      '-- part\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS first_n_key ON first (n);',
    );
    await expect(migrate(database.url, [first, unique])).rejects.toMatchObject({ code: '23505' });
    expect(await recordOf('2_parts')).toEqual([{ done: 1, finished: false }]);
    expect(await migrationStatus(database.url, [first, unique])).toEqual({
      applied: ['1_first'],
      pending: ['2_parts'],
    });
    await query('DELETE FROM first WHERE ctid = (SELECT min(ctid) FROM first)');
    expect((await migrate(database.url, [first, unique])).applied).toEqual(['2_parts']);
    expect(await query("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'first_n_key'::regclass")).toEqual([
      { valid: true },
    ]);
    await expect(query('INSERT INTO first VALUES (1)')).rejects.toMatchObject({ code: '23505' });
  });

  it('refuses a migration that was changed after a part of it had been applied', async () => {
    await migrate(database.url, [first]);
    await query('INSERT INTO first VALUES (1), (1)');
    const unique = '-- part\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS first_n_key ON first (n);';
    await expect(migrate(database.url, [first, inParts('2_parts', backfill, unique)])).rejects.toThrow();
    await expect(migrate(database.url, [first, inParts('2_parts', unique)])).rejects.toMatchObject({
      name: 'MigrationMismatch',
    });
  });

  it('applies the migration once when five runners start together', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, [first, both])));
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual(['1_first', '2_parts']);
  });
});

describe('migrate, with a brief part', () => {
  /** Limit for a write, in milliseconds. Even on a busy machine, a write exceeds it only when it waits behind a lock for which the runner waits. */
  const HELD_UP_MS = 1_000;
  const change = inParts('2_brief', '-- brief part: first\nALTER TABLE first ADD COLUMN m int;', buildIndex);
  let busy: pg.Client;
  beforeEach(async () => {
    await migrate(database.url, [first]);
    busy = new pg.Client({ connectionString: database.url });
    await busy.connect();
  });
  afterEach(() => busy.end());

  it('waits for the end of a transaction that uses the table, without blocking writes meanwhile', async () => {
    await busy.query('BEGIN; INSERT INTO first VALUES (1)');
    let isDone = false;
    const migrated = migrate(database.url, [first, change]).finally(() => {
      isDone = true;
    });
    const times: number[] = [];
    const end = Date.now() + 2_500;
    while (Date.now() < end) {
      const began = performance.now();
      await query('INSERT INTO first VALUES (2)');
      times.push(performance.now() - began);
      await sleep(5);
    }
    expect(isDone).toBe(false);
    expect(Math.max(...times)).toBeLessThan(HELD_UP_MS);
    await busy.query('COMMIT');
    expect((await migrated).applied).toEqual(['2_brief']);
    expect(await recordOf('2_brief')).toEqual([{ done: 2, finished: true }]);
  });

  it('gives up after all attempts with an error that names the part and its tables; the next call continues at this part', async () => {
    await busy.query('BEGIN; INSERT INTO first VALUES (1)');
    const failure: unknown = await migrate(database.url, [first, change], 3).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TableInUse);
    expect(String(failure)).toMatch(
      /part 1 of 2_brief did not get its locks of first in 3 attempts: .* Run the migration again/,
    );
    expect(await recordOf('2_brief')).toEqual([{ done: 0, finished: false }]);
    await busy.query('COMMIT');
    expect((await migrate(database.url, [first, change])).applied).toEqual(['2_brief']);
  });

  it('applies the part as a whole or not at all, and only once', async () => {
    const half = inParts(
      '2_half',
      "-- brief part: first\nDO $$ BEGIN EXECUTE 'ALTER TABLE first ADD COLUMN m int', PERFORM 1 / 0, END $$",
    );
    await expect(migrate(database.url, [first, half])).rejects.toThrow();
    expect(await query("SELECT FROM pg_attribute WHERE attrelid = 'first'::regclass AND attname = 'm'")).toEqual([]);
    const unique = inParts(
      '3_then',
      '-- brief part: first\nALTER TABLE first ADD COLUMN m int;',
      '-- part\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS first_n_key ON first (n);',
    );
    await query('INSERT INTO first VALUES (1), (1)');
    await expect(migrate(database.url, [first, unique])).rejects.toMatchObject({ code: '23505' });
    await query('DELETE FROM first');
    expect((await migrate(database.url, [first, unique])).applied).toEqual(['3_then']);
  });

  it('waits for a vacuum of the table without blocking writes', async () => {
    await busy.query('BEGIN; LOCK TABLE first IN SHARE UPDATE EXCLUSIVE MODE');
    const migrated = migrate(database.url, [first, change]);
    await sleep(500);
    const began = performance.now();
    await query('INSERT INTO first VALUES (2)');
    expect(performance.now() - began).toBeLessThan(HELD_UP_MS);
    await busy.query('COMMIT');
    expect((await migrated).applied).toEqual(['2_brief']);
  });
});

describe('migrate, with indexes of a table with partitions', () => {
  const parted = made(
    '1_parted',
    `CREATE TABLE parted (n int) PARTITION BY RANGE (n);
     CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (10);
     CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (10) TO (20)`,
  );
  const indexed = inParts('2_index', '-- part\nCREATE INDEX CONCURRENTLY IF NOT EXISTS parted_n_idx ON parted (n);');
  const indexes = () =>
    query<{ name: string; valid: boolean }>(
      "SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid::regclass::text LIKE 'parted%' ORDER BY 1",
    );

  it('builds the index of each partition while a transaction with writes is open, and drops all these indexes together', async () => {
    await migrate(database.url, [parted]);
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    await writer.query('BEGIN; INSERT INTO parted VALUES (1)');
    const migrated = migrate(database.url, [parted, indexed]);
    await sleep(300);
    await query('INSERT INTO parted VALUES (2), (12)');
    await writer.query('COMMIT');
    await writer.end();
    await migrated;
    expect(await indexes()).toEqual([
      { name: 'parted_high_n_idx', valid: true },
      { name: 'parted_low_n_idx', valid: true },
      { name: 'parted_n_idx', valid: true },
    ]);
    await query('CREATE TABLE parted_higher PARTITION OF parted FOR VALUES FROM (20) TO (30)');
    expect(await indexes()).toHaveLength(4);
    await migrate(database.url, [
      parted,
      indexed,
      inParts('3_drop', '-- part\nDROP INDEX CONCURRENTLY IF EXISTS parted_n_idx;'),
    ]);
    expect(await indexes()).toEqual([]);
  });

  it('continues, after a failure, with the partitions whose index is not complete', async () => {
    await migrate(database.url, [parted]);
    await query('INSERT INTO parted VALUES (1), (11), (11)');
    const unique = inParts(
      '2_unique',
      '-- part\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS parted_n_key ON parted (n);',
    );
    await expect(migrate(database.url, [parted, unique])).rejects.toMatchObject({ code: '23505' });
    expect(await recordOf('2_unique')).toEqual([{ done: 0, finished: false }]);
    await query('DELETE FROM parted WHERE n = 11');
    await migrate(database.url, [parted, unique]);
    expect(await indexes()).toEqual([
      { name: 'parted_high_n_key', valid: true },
      { name: 'parted_low_n_key', valid: true },
      { name: 'parted_n_key', valid: true },
    ]);
  });
});

describe('migrationStatus', () => {
  it('returns the names of applied and pending migrations, and changes nothing', async () => {
    expect(await migrationStatus(database.url, migrations)).toEqual({ applied: [], pending: names });
    expect(await query("SELECT to_regclass('_prisma_migrations')::text AS name")).toEqual([{ name: null }]);
    await migrate(database.url, [first]);
    expect(await migrationStatus(database.url, [first, ...migrations])).toEqual({
      applied: ['1_first'],
      pending: names,
    });
  });
});
