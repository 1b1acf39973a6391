import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { databaseFailure } from '../index.js';
import { migrate, migrationStatus, readMigrations, type Migration } from './index.js';

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

const made = (name: string, sql: string): Migration => ({ name, sql, checksum: `checksum of ${sql}` });
const first = made('1_first', 'CREATE TABLE first (n int)');

describe('readMigrations', () => {
  it('reads the migrations of the checkout in order, and no other files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    cpSync(FOLDER, folder, { recursive: true });
    writeFileSync(join(folder, 'notes.txt'), 'not a migration');
    expect(readMigrations(folder)).toEqual(migrations);
    expect(names.toSorted()).toEqual(names);
    expect(names.length).toBeGreaterThan(0);
    rmSync(folder, { recursive: true });
  });
});

describe('migrate', () => {
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

  it('keeps the migrations before a failing one, and nothing of the failing one', async () => {
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

  it('ignores migrations that are newer than its own', async () => {
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

describe('migrationStatus', () => {
  it('names applied and pending migrations, and changes nothing', async () => {
    expect(await migrationStatus(database.url, migrations)).toEqual({ applied: [], pending: names });
    expect(await query("SELECT to_regclass('_prisma_migrations')::text AS name")).toEqual([{ name: null }]);
    await migrate(database.url, [first]);
    expect(await migrationStatus(database.url, [first, ...migrations])).toEqual({
      applied: ['1_first'],
      pending: names,
    });
  });
});
