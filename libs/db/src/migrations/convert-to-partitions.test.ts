import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { applyRoles, asRole, newId, readRoles } from '../index.js';
import { migrate, readMigrations } from './index.js';

const root = (path: string) => fileURLToPath(new URL(`../../../../prisma/${path}`, import.meta.url));
const migrations = readMigrations(root('migrations'));
const FORMER = migrations.filter(({ name }) => name < '20261128090000');
const TABLES = ['run_events', 'run_steps', 'usage_events'];
const USER = '00000000-0000-7000-8000-000000000001';
/** The roles with the rights that they have before the conversion. */
const ROLES = readRoles(root('roles')).map((role) => ({
  ...role,
  grants: role.grants.replace(/GRANT [^;]* ON partition_changes TO \w+;/, ''),
}));

let database: TestDatabase;
let owner: pg.Client;
beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrate(database.url, FORMER);
  await applyRoles(database.url, ROLES);
  owner = await connect(database.url);
  await owner.query(
    `INSERT INTO users (id, email, name, webauthn_user_id) VALUES ('${USER}', 'ann@example.com', 'Ann', sha256(''))`,
  );
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** The statements of a run as the runtime API of the previous release sends them: as prepared statements with the names of the tables. */
const STATEMENTS = [
  `WITH added AS (
     INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, channel, caller, state, ended_at)
     VALUES ($1, 'Core', '${USER}', 'agent', '${USER}', 'x', 'messages', '{}', 'completed', now()) RETURNING id)
   INSERT INTO run_events (run_id, seq, type, data) SELECT id, 1, 'run.running', '{}' FROM added`,
  "INSERT INTO run_steps (run_id, seq, attempt, kind, outcome) VALUES ($1, 1, 1, 'model', 'started') RETURNING seq",
  "UPDATE run_steps SET outcome = 'succeeded' WHERE run_id = $1",
  `INSERT INTO usage_events (id, project, user_id, kind, subject_id, model, prompt_tokens, completion_tokens)
   VALUES ($1, 'Core', '${USER}', 'model_run', '${USER}', 'm', 1, 1) ON CONFLICT (id) DO NOTHING`,
  'SELECT * FROM run_steps WHERE run_id = $1',
  'SELECT seq, type, data, at FROM run_events WHERE run_id = $1 AND seq > 0 ORDER BY seq LIMIT 10',
];

/** Runs the statements. @returns the number of rows of each statement */
async function sendAll(client: pg.Client): Promise<(number | null)[]> {
  const id = newId();
  const counts: (number | null)[] = [];
  for (const [place, text] of STATEMENTS.entries())
    counts.push((await client.query({ name: `statement-${place}`, text, values: [id] })).rowCount);
  return counts;
}

/** Returns the definition of a table: columns, constraints, indexes, comments and rights. */
async function definitionOf(table: string): Promise<unknown[]> {
  const { rows } = await owner.query<{ what: string }>(
    `SELECT concat_ws(' ', 'column', attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attstorage, a.acl::text) AS what
       FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum,
            LATERAL (SELECT array_agg(acl ORDER BY acl::text) AS acl FROM unnest(attacl) acl) a
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
     UNION ALL SELECT concat_ws(' ', 'constraint', conname, replace(pg_get_constraintdef(oid), ' NOT VALID', ''), obj_description(oid, 'pg_constraint'))
       FROM pg_constraint WHERE conrelid = $1::regclass
     UNION ALL SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index WHERE indrelid = $1::regclass
     UNION ALL SELECT concat_ws(' ', 'table', obj_description(oid, 'pg_class'), (SELECT array_agg(acl ORDER BY acl::text) FROM unnest(relacl) acl)::text)
       FROM pg_class WHERE oid = $1::regclass
     ORDER BY 1`,
    [table],
  );
  return rows.map(({ what }) => what);
}

describe('the conversion of an installation to partitions by month', () => {
  it('keeps columns, keys, checks, indexes, comments and rights of each table', async () => {
    const before = await Promise.all(TABLES.map(definitionOf));
    await migrate(database.url, migrations);
    for (const [place, table] of TABLES.entries()) expect(await definitionOf(table)).toEqual(before[place]);
  });

  it('makes the former table the first partition, with all its rows and without copying a row', async () => {
    const writer = await connect(asRole(database.url, 'runtime-api'));
    for (let n = 0; n < 20; n += 1) await sendAll(writer);
    const filesOf = async (schema: string) =>
      (
        await owner.query<{ file: string }>(
          "SELECT relfilenode::text AS file FROM pg_class WHERE relnamespace = $1::regnamespace AND relname ~ '^(run_events|run_steps|usage_events)(_before.*)?$' ORDER BY relname",
          [schema],
        )
      ).rows.map(({ file }) => file);
    const files = await filesOf('public');
    await migrate(database.url, migrations);
    expect(await filesOf('partitions')).toEqual(files);
    for (const table of TABLES) {
      const { rows } = await owner.query(
        `SELECT tableoid::regclass::text ~ '^partitions.${table}_before_' AS first, count(*)::int FROM ${table} GROUP BY 1`,
      );
      expect(rows).toEqual([{ first: true, count: 20 }]);
    }
    await writer.end();
  });

  it('does not break prepared statements of services of the previous release, and does not change the rights of services', async () => {
    const writer = await connect(asRole(database.url, 'runtime-api'));
    const sent = await sendAll(writer);
    await migrate(database.url, migrations);
    expect(await sendAll(writer)).toEqual(sent);
    await writer.end();
    const admin = await connect(asRole(database.url, 'admin-auth'));
    expect((await admin.query('DELETE FROM runs')).rowCount).toBe(2);
    await admin.query('SELECT kind, tool FROM run_steps');
    await expect(admin.query('SELECT answer FROM run_steps')).rejects.toMatchObject({ code: '42501' });
    await expect(admin.query('UPDATE usage_events SET at = now()')).rejects.toMatchObject({ code: '42501' });
    await admin.end();
    expect((await owner.query('SELECT FROM run_steps UNION ALL SELECT FROM run_events')).rowCount).toBe(0);
  });

  it('stops at a table with ids that are not UUIDv7 of the past, and continues after the rows with such ids are deleted', async () => {
    await owner.query(
      `INSERT INTO usage_events (id, project, user_id, kind, subject_id, model, prompt_tokens, completion_tokens)
       VALUES ('ffffffff-0000-4000-8000-000000000000', 'Core', '${USER}', 'model_run', '${USER}', 'm', 1, 1)`,
    );
    await expect(migrate(database.url, migrations)).rejects.toThrow('usage_events has 1 rows whose id is no UUIDv7');
    const writer = await connect(asRole(database.url, 'runtime-api'));
    await sendAll(writer);
    await owner.query("DELETE FROM usage_events WHERE id > 'f0000000-0000-0000-0000-000000000000'");
    await migrate(database.url, migrations);
    await sendAll(writer);
    await writer.end();
  });

  it('can be interrupted between two tables for weeks while services of both releases run, and can then be completed', async () => {
    const cut = migrations.map((migration) =>
      migration.name.includes('partitions_by_month') && migration.parts
        ? { ...migration, parts: [...migration.parts.slice(0, 6), { sql: 'SELECT 1 / 0', repeated: false }] }
        : migration,
    );
    await expect(migrate(database.url, cut)).rejects.toMatchObject({ code: '22012' });
    const writer = await connect(asRole(database.url, 'runtime-api'));
    const sent = await sendAll(writer);
    // Reads from the check of the former table until when its rows may be added. The conversion must be completed before that time.
    const { rows } = await owner.query<{ until: string }>(
      "SELECT substring(pg_get_constraintdef(oid) FROM '''(.*?)''') AS until FROM pg_constraint WHERE conname = 'run_steps_before_check'",
    );
    const months =
      (Number.parseInt(String(rows[0]?.until).replaceAll('-', '').slice(0, 12), 16) - Date.now()) / 86_400_000 / 30;
    expect(months).toBeGreaterThan(1.9);
    await migrate(database.url, migrations);
    expect(await sendAll(writer)).toEqual(sent);
    await writer.end();
  });
});
