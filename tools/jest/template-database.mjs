// @ts-check
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../workspace.mjs';
// Node can import these TypeScript files: it strips their types, and they import no other file of the workspace.
import { migrate } from '../../libs/db/src/migrations/migrate.ts';
import { readMigrations } from '../../libs/db/src/migrations/read-migrations.ts';
import { applyRoles, readRoles } from '../../libs/db/src/roles.ts';

const TEMPLATE = 'millwright_template';
/** Number of the advisory lock on which test runs on one server wait for each other. It is an arbitrary constant. */
const LOCK = 7_246_102;

/**
 * SQL that makes test databases refuse a deletion that cascades into a table that grows with use. Comments on the constraints name these tables. A
 * single statement could exceed its time limit, so the code that deletes the parent must first delete such rows in steps.
 */
const REFUSE_GROWING_CASCADES = `
  CREATE FUNCTION refuse_cascade() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE has_parent boolean;
  BEGIN
    EXECUTE format('SELECT ($1).%2$I IS NULL OR EXISTS (SELECT FROM %1$I WHERE id = ($1).%2$I)', TG_ARGV[0], TG_ARGV[1]) USING OLD INTO has_parent;
    IF NOT has_parent THEN
      RAISE 'a deletion of % cascades into %, which grows with use: delete those rows before, in steps', TG_ARGV[0], TG_TABLE_NAME;
    END IF;
    RETURN OLD;
  END $body$;
  DO $do$
  DECLARE c record;
  BEGIN
    FOR c IN
      SELECT k.conrelid::regclass AS child, k.confrelid::regclass AS parent, k.conname AS name, a.attname AS reference
        FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
       WHERE obj_description(k.oid, 'pg_constraint') LIKE 'growing:%'
    LOOP
      EXECUTE format('CREATE TRIGGER %I BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION refuse_cascade(%L, %L)',
        'refuse_cascade_' || c.reference, c.child, c.parent, c.reference);
    END LOOP;
  END $do$`;

/**
 * Makes sure that the server has `millwright_template`, a database with all migrations applied and each service's role, from which test
 * databases are copied. A template made of other migrations is replaced.
 *
 * @param {string} serverUrl superuser, maintenance database
 */
export async function ensureTemplateDatabase(serverUrl) {
  const migrations = readMigrations(join(root, 'prisma', 'migrations'));
  const roles = readRoles(join(root, 'prisma', 'roles'));
  const checksum = createHash('sha256')
    .update(JSON.stringify({ migrations, roles, REFUSE_GROWING_CASCADES }))
    .digest('hex');
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
    await refuseGrowingCascades(template.href);
    await server.query(`COMMENT ON DATABASE ${TEMPLATE} IS '${checksum}'`);
  } finally {
    await server.end();
  }
}

/** @param {string} url */
async function refuseGrowingCascades(url) {
  const template = new pg.Client({ connectionString: url });
  await template.connect();
  try {
    await template.query(REFUSE_GROWING_CASCADES);
  } finally {
    await template.end();
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
