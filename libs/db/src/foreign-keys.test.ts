import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Foreign keys without an index that begins with one of their columns: what refers to a person has to be found too. pg-boss owns its tables. */
const UNINDEXED = `
  SELECT c.conrelid::regclass || ' ' || c.conname AS foreign_key
  FROM pg_constraint c
  WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
    AND NOT EXISTS (
      SELECT FROM pg_index i
      WHERE i.indrelid = c.conrelid AND i.indpred IS NULL AND i.indisvalid AND i.indkey[0] = ANY (c.conkey))
  ORDER BY 1`;

const unindexed = async () =>
  (await client.query<{ foreign_key: string }>(UNINDEXED)).rows.map((row) => row.foreign_key);

describe('the foreign keys of the schema', () => {
  it('have an index each, so that a deletion never scans the tables that refer to the row', async () => {
    expect(await unindexed()).toEqual([]);
  });

  it('are reported by name when they have no index', async () => {
    await client.query('CREATE TABLE notes (agent_id uuid CONSTRAINT notes_agent REFERENCES agents ON DELETE CASCADE)');
    expect(await unindexed()).toEqual(['notes notes_agent']);
    await client.query('DROP TABLE notes');
  });
});
