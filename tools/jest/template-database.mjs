// @ts-check
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../workspace.mjs';
// Node strips the types; these files import no other file of ours.
import { migrate } from '../../libs/db/src/migrations/migrate.ts';
import { readMigrations } from '../../libs/db/src/migrations/read-migrations.ts';
import { applyRoles, readRoles } from '../../libs/db/src/roles.ts';

const TEMPLATE = 'millwright_template';
/** Advisory lock, any constant: test runs on one server wait for each other on it. */
const LOCK = 7_246_102;

/**
 * Makes sure that the server has `millwright_template`, a database with all migrations applied and each service's role, from which
 * test databases are copied. A template of other files is replaced.
 *
 * @param {string} serverUrl superuser, maintenance database
 */
export async function ensureTemplateDatabase(serverUrl) {
  const migrations = readMigrations(join(root, 'prisma', 'migrations'));
  const roles = readRoles(join(root, 'prisma', 'roles'));
  const checksum = createHash('sha256').update(JSON.stringify({ migrations, roles })).digest('hex');
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  try {
    await server.query('SELECT pg_advisory_lock($1)', [LOCK]);
    if ((await commentOn(server)) === checksum) return;
    await server.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await server.query(`CREATE DATABASE ${TEMPLATE}`);
    const template = new URL(serverUrl);
    template.pathname = `/${TEMPLATE}`;
    await migrate(template.href, migrations);
    await applyRoles(template.href, roles);
    await server.query(`COMMENT ON DATABASE ${TEMPLATE} IS '${checksum}'`);
  } finally {
    await server.end();
  }
}

/** @param {pg.Client} server */
async function commentOn(server) {
  const { rows } = await server.query(
    "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1",
    [TEMPLATE],
  );
  return rows[0]?.comment;
}
