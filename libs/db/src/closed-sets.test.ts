import { readdirSync, readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createDatabase, type Database } from './index.js';

const SCHEMA = new URL('../../../prisma/schema/', import.meta.url);

/** Returns the columns (`table.column`) whose comment in the schema begins with their values, such as `one | other`, and these values. */
function closedSets(): [column: string, values: string[]][] {
  return readdirSync(SCHEMA).flatMap((file) => {
    const models = readFileSync(new URL(file, SCHEMA), 'utf8').split(/^model /m);
    return models.flatMap((model) => {
      const table = /@@map\("(\w+)"\)/.exec(model)?.[1] ?? '';
      const columns = model.matchAll(
        /^ {2}\/\/\/ ([\w-]+(?: \| [\w-]+)+)[^\n]*\n(?: {2}\/\/\/[^\n]*\n)* {2}(\w+) +String/gm,
      );
      return [...columns].map(([, values = '', column]): [string, string[]] => [
        `${table}.${String(column)}`,
        values.split(' | ').sort(),
      ]);
    });
  });
}

let database: TestDatabase;
let db: Database;
let checks: Map<string, string[]>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 2 });
  const rows = await db.prisma.$queryRaw<{ column: string; definition: string }[]>`
    SELECT c.conrelid::regclass || '.' || a.attname AS column, pg_get_constraintdef(c.oid) AS definition
      FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'c' AND cardinality(c.conkey) = 1 AND pg_get_constraintdef(c.oid) ~ 'ANY \\(|<@ ARRAY'`;
  checks = new Map(
    rows.map(({ column, definition }) => [
      column,
      [...definition.matchAll(/'([^']*)'/g)].map(([, value = '']) => value).sort(),
    ]),
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('the closed sets of the schema', () => {
  it.each(closedSets())('%s has a check constraint with the values of the schema', (column, values) => {
    expect(checks.get(column)).toEqual(values);
  });
});
