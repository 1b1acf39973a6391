import type pg from 'pg';

/** The migration that this build needs, which the bundler sets; undefined when the code runs from source. */
declare const __MILLWRIGHT_SCHEMA__: string | undefined;

/** Returns the name of the newest migration at the time of this build. */
export function newestMigration(): string | undefined {
  return typeof __MILLWRIGHT_SCHEMA__ === 'undefined' ? undefined : __MILLWRIGHT_SCHEMA__;
}

/** SQLSTATE of a query on a database that was never migrated. */
const UNDEFINED_TABLE = '42P01';

/** Returns the reason why the schema of the database is too old for `wanted`, or `undefined`. */
export async function schemaState(pool: pg.Pool, wanted: string | undefined): Promise<string | undefined> {
  if (wanted === undefined) {
    await pool.query('SELECT 1');
    return undefined;
  }
  const older = `the schema is older than ${wanted}`;
  try {
    const { rows } = await pool.query<{ present: boolean }>({
      text: `SELECT EXISTS (SELECT FROM _prisma_migrations
              WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL) AS present`,
      values: [wanted],
    });
    return rows[0]?.present ? undefined : older;
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return older;
    throw error;
  }
}

const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Returns the limits that the sessions of a pooler lack, or `undefined`. Without these limits, a lost machine or a slow
 * statement keeps its locks forever.
 */
export async function missingLimits(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>({
    text: "SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = '0' ORDER BY name",
    values: [LIMITS],
  });
  if (rows.length === 0) return undefined;
  return `the pooler of DATABASE_URL opens sessions without ${rows.map(({ name }) => name).join(' and ')}: set it in its connect_query`;
}

/**
 * Returns the reason why an address leads to a pooler although PostgreSQL itself is expected, or `undefined`. A pooler gives its clients
 * other process ids than the server does. Through a pooler that assigns sessions for one transaction each, notifications do not arrive, and
 * no error reports this.
 */
export async function unexpectedPooler(pool: pg.Pool): Promise<string | undefined> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // pg's client has this property, but its types do not.
    const { processID } = client as pg.PoolClient & { processID: number };
    if (rows[0]?.pid === processID) return undefined;
    return 'DATABASE_URL leads to a pooler, through which notifications do not arrive: set DATABASE_DIRECT_URL to PostgreSQL itself';
  } finally {
    client.release();
  }
}
