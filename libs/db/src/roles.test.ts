import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { applyRoles, asRole, migrate, readMigrations, readRoles } from './index.js';

const AREAS = ['admin-auth', 'platform-api', 'prompt-api', 'runtime-api'] as const;
const INSUFFICIENT_PRIVILEGE = '42501';
const roles = readRoles(fileURLToPath(new URL('../../../prisma/roles', import.meta.url)));

let database: TestDatabase;
let owner: pg.Client;
const clients = new Map<string, pg.Client>();

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await connect(database.url);
  for (const area of AREAS) clients.set(area, await connect(asRole(database.url, area)));
});
afterAll(async () => {
  await Promise.all([owner, ...clients.values()].map((client) => client.end()));
  await database.drop();
});

/** Whether the area may run the statement; what it does is undone. */
async function may(area: string, sql: string): Promise<boolean> {
  const client = clients.get(area);
  await client?.query('BEGIN');
  try {
    await client?.query(sql);
    return true;
  } catch (error) {
    return (error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE;
  } finally {
    await client?.query('ROLLBACK');
  }
}

/** Every table of ours, with its columns. */
async function tables(): Promise<Map<string, string[]>> {
  const { rows } = await owner.query<{ table_name: string; columns: string[] }>(
    `SELECT table_name, array_agg(column_name::text) AS columns FROM information_schema.columns
      WHERE table_schema = 'public' AND is_generated = 'NEVER' AND table_name IN (SELECT tablename FROM pg_tables)
      GROUP BY table_name ORDER BY table_name`,
  );
  return new Map(rows.map((row) => [row.table_name, row.columns]));
}

/** One statement for each right, which does nothing to any row but what a refused one would say. */
const statements = (table: string, column: string) => ({
  SELECT: `SELECT ${column} FROM ${table} LIMIT 0`,
  INSERT: `INSERT INTO ${table} SELECT * FROM (SELECT) nothing WHERE false`,
  UPDATE: `UPDATE ${table} SET ${column} = NULL WHERE false`,
  DELETE: `DELETE FROM ${table} WHERE false`,
});

/** What the files of `prisma/roles` say: `area table RIGHT`, and `area table UPDATE column` where only columns are granted. */
function granted(): Set<string> {
  const found = new Set<string>();
  for (const [index, { grants }] of roles.entries()) {
    for (const [, rights, names] of grants.matchAll(
      /GRANT ([A-Z, ()a-z_]+) ON\s+(?!ALL|SCHEMA|SEQUENCE)([\w,\s]+?)\s+TO/g,
    )) {
      for (const table of names?.split(/[,\s]+/) ?? []) {
        for (const right of rights?.match(/[A-Z]+(?: \([\w, ]+\))?/g) ?? []) {
          const columns = /\(([^)]*)\)/.exec(right)?.[1]?.split(', ');
          for (const column of columns ?? ['']) {
            found.add([AREAS[index], table, right.split(' ')[0], column].filter(Boolean).join(' '));
          }
        }
      }
    }
  }
  return found;
}

describe('the roles of the areas', () => {
  it('may do to each table what their file says, and are refused everything else', async () => {
    const wanted = granted();
    const wrong: string[] = [];
    let allowed = 0;
    let refused = 0;
    for (const [table, columns] of await tables()) {
      for (const area of AREAS) {
        for (const column of columns) {
          for (const [right, sql] of Object.entries(statements(table, `"${column}"`))) {
            const expected = [`${area} ${table} ${right}`, `${area} ${table} ${right} ${column}`].some((key) =>
              wanted.has(key),
            );
            const actual = await may(area, sql);
            if (actual !== expected) wrong.push(`${area} ${table}.${column} ${right}: ${actual}`);
            if (actual) allowed += 1;
            else refused += 1;
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(allowed);
  });

  it('never change or delete an audit row or a seal, empty a table, or change the schema', async () => {
    for (const area of AREAS) {
      for (const [table, column] of [
        ['governance_decisions', 'at'],
        ['audit_seals', 'hash'],
      ]) {
        expect([area, await may(area, `UPDATE ${table} SET ${column} = ${column} WHERE false`)]).toEqual([area, false]);
        expect([area, await may(area, `DELETE FROM ${table} WHERE false`)]).toEqual([area, false]);
      }
      for (const sql of [
        'TRUNCATE users',
        'CREATE TABLE mine (id int)',
        'CREATE TABLE pgboss.mine (id int)',
        'ALTER TABLE users ADD COLUMN mine int',
        'DROP TABLE users',
        'CREATE ROLE mine',
        "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '')",
        'ALTER TABLE governance_decisions DISABLE TRIGGER ALL',
      ]) {
        expect([area, sql, await may(area, sql)]).toEqual([area, sql, false]);
      }
    }
  });

  it("see no other area's secrets", async () => {
    const secret: Record<string, readonly string[]> = {
      passkeys: ['admin-auth'],
      webauthn_ceremonies: ['admin-auth'],
      session_refresh_tokens: ['admin-auth'],
      installation_secrets: ['admin-auth'],
      oauth_codes: ['runtime-api'],
      files: ['runtime-api'],
      conversation_messages: ['prompt-api'],
      context_messages: ['runtime-api'],
    };
    for (const [table, owners] of Object.entries(secret)) {
      const readers = [];
      for (const area of AREAS) if (await may(area, `SELECT 1 FROM ${table} LIMIT 0`)) readers.push(area);
      expect([table, readers]).toEqual([table, owners]);
    }
  });
});

describe('applyRoles', () => {
  it('takes away what was given besides, and a repetition or several at once change nothing', async () => {
    await owner.query('GRANT DELETE ON users TO millwright_prompt_api');
    expect(await may('prompt-api', 'DELETE FROM users WHERE false')).toBe(true);
    await Promise.all([1, 2, 3].map(() => applyRoles(database.url, roles)));
    expect(await may('prompt-api', 'DELETE FROM users WHERE false')).toBe(false);
    expect(await may('prompt-api', 'SELECT 1 FROM users LIMIT 0')).toBe(true);
  });

  it('is for an owner of the schema who is no superuser', async () => {
    const empty = await createEmptyDatabase();
    const name = new URL(empty.url).pathname.slice(1);
    const owned = new URL(empty.url);
    Object.assign(owned, { username: `owner_of_${name}`, password: 'of this test' });
    await owner.query(`CREATE ROLE owner_of_${name} LOGIN CREATEROLE PASSWORD 'of this test'`);
    await owner.query(`ALTER DATABASE ${name} OWNER TO owner_of_${name}`);
    await migrate(owned.href, readMigrations(fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))));
    await applyRoles(owned.href, [
      ...roles,
      { name: `area_of_${name}`, grants: `GRANT SELECT ON users TO area_of_${name}` },
    ]);
    const { rows } = await owner.query<{ rolcanlogin: boolean }>(
      'SELECT rolcanlogin FROM pg_roles WHERE rolname = $1',
      [`area_of_${name}`],
    );
    expect(rows).toEqual([{ rolcanlogin: false }]);
    await empty.drop();
    await owner.query(`DROP ROLE area_of_${name}`);
    await owner.query(`DROP ROLE owner_of_${name}`);
  });

  it('changes nothing when one grant is wrong', async () => {
    const broken = roles.map((role, index) =>
      index === 3 ? { ...role, grants: 'GRANT SELECT ON nothing TO nobody' } : role,
    );
    await expect(applyRoles(database.url, broken)).rejects.toThrow('does not exist');
    expect(await may('admin-auth', 'SELECT 1 FROM users LIMIT 0')).toBe(true);
  });
});
