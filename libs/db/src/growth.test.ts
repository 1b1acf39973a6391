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

/** Tables without a comment on what ends their growth. Tables of pg-boss are left out. */
const UNDECIDED = `
  SELECT relname AS name FROM pg_class
   WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'
     AND coalesce(obj_description(oid, 'pg_class'), '') !~ '^(fixed|people|parts|brief|ends|kept): \\S'
   ORDER BY 1`;

const undecided = async () => (await client.query<{ name: string }>(UNDECIDED)).rows.map(({ name }) => name);

describe('the tables of the schema', () => {
  it('state in a comment what ends their growth (fixed, people, parts, brief, ends or kept), and the reason', async () => {
    expect(await undecided()).toEqual([]);
  });

  it('are reported by name when they have no comment', async () => {
    await client.query('CREATE TABLE notes (id uuid)');
    expect(await undecided()).toEqual(['notes']);
    await client.query('DROP TABLE notes');
  });

  it('have no unlimited growth, except for a few named tables', async () => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE obj_description(oid, 'pg_class') LIKE 'kept:%' ORDER BY 1",
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'audit_checkpoints',
      'audit_checks',
      'metric_counts',
      'partition_changes',
      'sso_sessions',
      'usage_days',
      'usage_key_days',
      'usage_subject_days',
      'usage_tool_days',
      'user_sessions',
    ]);
  });
});
