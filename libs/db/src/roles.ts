import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';

/** The rights of one service. */
export interface Role {
  /** Name of the role: `millwright_<area>`. The role cannot log in by itself. */
  name: string;
  /** GRANT statements of the role's rights. */
  grants: string;
}

/** Key of the advisory lock with which calls of `applyRoles` in one installation run one after the other. */
export const ROLES_LOCK = 7_246_104;

/** Reads the roles from a folder of `<area>.sql` files. */
export function readRoles(folder: string): Role[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: roleOf(basename(file, '.sql')), grants: readFileSync(join(folder, file), 'utf8') }));
}

const roleOf = (area: string) => `millwright_${area.replaceAll('-', '_')}`;

/**
 * Returns the URL of the database for a login that may assume the role of a service. From its first statement on, a
 * session has only the rights of that role.
 */
export function asRole(url: string, area: string): string {
  const limited = new URL(url);
  limited.searchParams.set('options', `-c role=${roleOf(area)}`);
  return limited.href;
}

/**
 * Grants each role its rights in this database and revokes every other right. One transaction does both, so that
 * running requests never see a partial state. Missing roles are created without login, which requires CREATEROLE. The
 * operator creates the logins.
 */
export async function applyRoles(url: string, roles: readonly Role[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // a lost connection rejects its query; without a listener, its error event would end the process
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [ROLES_LOCK]);
    await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    const { rows: schemas } = await client.query<{ name: string }>(
      "SELECT nspname AS name FROM pg_namespace WHERE nspname IN ('public', 'pgboss', 'partitions')",
    );
    for (const { name, grants } of roles) {
      const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
      if (rowCount === 0) await client.query(`CREATE ROLE ${name} NOLOGIN`);
      for (const { name: schema } of schemas) {
        await client.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${name}`);
        await client.query(`REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM ${name}`);
        await client.query(`REVOKE ALL ON SCHEMA ${schema} FROM ${name}`);
      }
      await client.query(`GRANT USAGE ON SCHEMA public TO ${name}`);
      await client.query(grants);
    }
    await client.query('COMMIT');
    return roles.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
