// @ts-check
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../workspace.mjs';
// Node strips the types; both files import no other file of ours.
import { migrate } from '../../libs/db/src/migrate.ts';
import { readMigrations } from '../../libs/db/src/migrations.ts';

const TEMPLATE = 'millwright_template';
/** Any constant: test runs on one server queue on it. */
const LOCK = 7_246_102;

/**
 * Makes sure that the server has `millwright_template`, a database with all migrations applied, which test databases are copied from.
 * One made from other migrations is replaced.
 *
 * @param {string} serverUrl superuser, maintenance database
 */
export async function ensureTemplateDatabase(serverUrl) {
  const migrations = readMigrations(join(root, 'prisma', 'migrations'));
  const checksum = createHash('sha256').update(JSON.stringify(migrations)).digest('hex');
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
