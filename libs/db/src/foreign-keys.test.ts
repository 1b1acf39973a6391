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

/**
 * Foreign keys without an index that begins with one of their columns. Without an index, finding the rows that refer to
 * a row reads the whole table. Partitions count as tables. Tables of pg-boss are left out.
 */
const UNINDEXED = `
  SELECT c.conrelid::regclass || ' ' || c.conname AS foreign_key
  FROM pg_constraint c
  WHERE c.contype = 'f' AND c.connamespace IN ('public'::regnamespace, 'partitions'::regnamespace)
    AND NOT EXISTS (
      SELECT FROM pg_index i
      WHERE i.indrelid = c.conrelid AND i.indpred IS NULL AND i.indisvalid AND i.indkey[0] = ANY (c.conkey))
  ORDER BY 1`;

const unindexed = async () =>
  (await client.query<{ foreign_key: string }>(UNINDEXED)).rows.map((row) => row.foreign_key);

/** Foreign keys that cascade, with the comment that states how many rows one deletion can remove. */
const CASCADES = `
  SELECT c.conrelid::regclass || ' ' || c.conname AS name, coalesce(obj_description(c.oid, 'pg_constraint'), '') AS decision
  FROM pg_constraint c WHERE c.confdeltype = 'c' AND c.connamespace = 'public'::regnamespace ORDER BY 1`;

const undecided = async () =>
  (await client.query<{ name: string; decision: string }>(CASCADES)).rows
    .filter(({ decision }) => !/^(bounded|growing): \S/.test(decision))
    .map(({ name }) => name);

describe('the references of the schema that cascade', () => {
  it('state in a comment whether one deletion removes a bounded number of rows', async () => {
    expect(await undecided()).toEqual([]);
  });

  it('are reported by name when they have no comment', async () => {
    await client.query('CREATE TABLE notes (agent_id uuid CONSTRAINT notes_agent REFERENCES agents ON DELETE CASCADE)');
    expect(await undecided()).toEqual(['notes notes_agent']);
    await client.query('DROP TABLE notes');
  });

  it('are refused in tests when they would delete rows whose number grows with use', async () => {
    const { rows } = await client.query<{ child: string }>(`
      SELECT c.conrelid::regclass || '.' || a.attname AS child FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
       WHERE obj_description(c.oid, 'pg_constraint') LIKE 'growing:%'`);
    const guards = await client.query<{ child: string }>(`
      SELECT tgrelid::regclass || '.' || substr(tgname, length('refuse_cascade_') + 1) AS child
        FROM pg_trigger WHERE tgname LIKE 'refuse\\_cascade\\_%'`);
    const names = (found: { child: string }[]) => found.map(({ child }) => child).sort();
    expect(names(rows).length).toBeGreaterThan(5);
    expect(names(guards.rows)).toEqual(names(rows));
    const user = '00000000-0000-7000-8000-000000000001';
    await client.query(
      "INSERT INTO users (id, email, name, webauthn_user_id) VALUES ($1, 'ann@example.com', 'Ann', sha256(''))",
      [user],
    );
    await client.query("INSERT INTO contexts (id, project, user_id) VALUES ($1, 'Core', $1)", [user]);
    await client.query(
      "INSERT INTO context_messages (id, context_id, seq, role, content) VALUES ($1, $1, 1, 'user', 'x')",
      [user],
    );
    await expect(client.query('DELETE FROM contexts')).rejects.toThrow('cascades into context_messages');
    await client.query('DELETE FROM context_messages');
    await client.query('DELETE FROM contexts');
  });
});

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
