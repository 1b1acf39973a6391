import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { partsOf, readMigrations } from './read-migrations.js';

const FOLDER = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const migrations = readMigrations(FOLDER);
const names = migrations.map(({ name }) => name);

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

describe('partsOf', () => {
  it.each([
    ['a statement that cannot run twice', '-- part\nCREATE INDEX CONCURRENTLY a ON first (n)'],
    ['an index whose creation blocks writes', '-- part\nCREATE INDEX IF NOT EXISTS a ON first (n)'],
    ['two statements', '-- part\nDROP INDEX CONCURRENTLY IF EXISTS a; DROP INDEX CONCURRENTLY IF EXISTS b'],
    [
      'a check that reads all rows',
      '-- part\nALTER TABLE a DROP CONSTRAINT IF EXISTS c, ADD CONSTRAINT c CHECK (n > 0)',
    ],
    [
      'a check that is added but not replaced',
      '-- part\nALTER TABLE a DROP CONSTRAINT IF EXISTS b, ADD CONSTRAINT c CHECK (n > 0) NOT VALID',
    ],
    ['two statements in a brief part', '-- brief part: a\nALTER TABLE a ADD n int; ALTER TABLE b ADD n int'],
    ['a brief part that names no table', '-- brief part\nALTER TABLE a ADD n int'],
    ['a repeated part without a limit', '-- repeated part\nUPDATE first SET n = 0'],
    ['a statement in front of the parts', 'DROP TABLE first'],
    ['a migration without parts', '-- nothing'],
  ])('refuses %s', (_, sql) => {
    expect(() => partsOf('1_refused', `-- in parts\n${sql}`)).toThrow('1_refused');
  });
});

describe('the migrations of the checkout', () => {
  /** Beginning of the names of the migrations that are checked. Older migrations block writes to the tables that they index. */
  const SINCE = '20261126';
  const BUILT = /CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)"?\w+"? ON "?(\w+)"?/g;

  /** Finds tables that may have rows and on which one transaction builds an index, which blocks writes. */
  const holdingUpWrites = (sql: string) =>
    [...sql.matchAll(BUILT)]
      .map(([, table]) => String(table))
      .filter((table) => !new RegExp(`CREATE TABLE "?${table}"?[ (]`).test(sql));

  it('build indexes on existing tables with CREATE INDEX CONCURRENTLY, so that no write waits', () => {
    const faults = migrations
      .filter(({ name }) => name >= SINCE)
      .flatMap(({ name, sql }) => holdingUpWrites(sql).map((table) => `${name}: ${table}`));
    expect(faults).toEqual([]);
  });

  it('are reported when they build an index without CONCURRENTLY on a table that they did not create', () => {
    const sql = 'CREATE TABLE a (n int); CREATE INDEX a_idx ON a (n); CREATE UNIQUE INDEX "b_idx" ON "b" (n);';
    expect(holdingUpWrites(sql)).toEqual(['b']);
    expect(holdingUpWrites('CREATE INDEX CONCURRENTLY IF NOT EXISTS b_idx ON b (n)')).toEqual([]);
  });
});
