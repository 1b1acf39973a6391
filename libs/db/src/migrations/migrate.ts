import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { IndexBuild, Migration, MigrationPart } from './read-migrations.js';

/** The table in which Prisma records migrations. This runner uses the same table, so that `prisma migrate status` agrees with it. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
    logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0)`;
/** Key of the advisory lock that a runner has while it migrates, so that the runners of one installation wait for each other. */
export const MIGRATIONS_LOCK = 7_246_101;

/** Number of attempts of a brief part, and the first and the longest pause between two attempts. All attempts together take about eight minutes. */
const BRIEF_ATTEMPTS = 100;
const FIRST_PAUSE_MS = 100;
const LONGEST_BRIEF_PAUSE_MS = 5_000;

/** Error for a brief part whose tables were in use during all attempts. The next runner continues at that part. */
export class TableInUse extends Error {
  override readonly name = 'TableInUse';
}

/** Error for a migration that was changed after it had been applied, or that is recorded but no longer exists. */
export class MigrationMismatch extends Error {
  override readonly name = 'MigrationMismatch';
}

export interface MigrationOutcome {
  applied: string[];
  alreadyApplied: string[];
}

/**
 * Migrates a database to the newest schema. Concurrent runners wait for each other and apply each migration once. A migration is one
 * transaction with its record: a runner that is killed leaves the completed migrations and nothing of the current one. A migration in parts
 * blocks no writes, and the next runner continues it at the first part that had not ended. Migrations in the database that are newer than
 * `migrations` are ignored.
 *
 * @param briefAttempts number of attempts to get the locks of a brief part
 * @throws MigrationMismatch, TableInUse
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  briefAttempts = BRIEF_ATTEMPTS,
): Promise<MigrationOutcome> {
  const client = await connect(url);
  try {
    await waitForOtherRunners(client);
    await client.query(TABLE);
    const recorded = await appliedMigrations(client);
    const outcome: MigrationOutcome = { applied: [], alreadyApplied: [] };
    for (const migration of migrations) {
      const checksum = recorded.get(migration.name);
      if (checksum === undefined) {
        await (migration.parts
          ? applyInParts(client, migration, migration.parts, briefAttempts)
          : apply(client, migration));
        outcome.applied.push(migration.name);
      } else if (checksum === migration.checksum) outcome.alreadyApplied.push(migration.name);
      else throw new MigrationMismatch(`${migration.name} was changed after it had been applied`);
    }
    return outcome;
  } finally {
    await client.end();
  }
}

/**
 * Polls the lock until it is free. A single statement that waits for the lock would hold a snapshot, and `CREATE INDEX CONCURRENTLY` of the
 * runner that has the lock waits for every older snapshot, so the two runners would wait for each other.
 */
async function waitForOtherRunners(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      MIGRATIONS_LOCK,
    ]);
    if (rows[0]?.locked) return;
    await sleep(LOCK_POLL_MS);
  }
}

const LOCK_POLL_MS = 200;

/** Opens a separate connection, without the limits of the services' pools, for migrations, backup and restore. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // a lost connection rejects its query; unhandled, its event would end the process
  await client.connect();
  return client;
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

/**
 * Limits the wait for a lock. While a migration waits for the lock of a busy table, every later statement on the table waits too. The
 * migration fails instead, and the operator runs it again.
 */
const BRIEF_LOCKS = "SET LOCAL lock_timeout = '5s'";

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(BRIEF_LOCKS);
    await client.query(sql);
    await client.query(
      'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)',
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // a lost connection makes the server roll back
    throw error;
  }
}

/**
 * Applies each part outside a transaction, and records the part when it has ended. A part that is not recorded runs again; an incomplete
 * index that it left is dropped before that.
 */
async function applyInParts(
  client: pg.Client,
  migration: Migration,
  parts: readonly MigrationPart[],
  briefAttempts: number,
): Promise<void> {
  const { id, done } = await beginParts(client, migration);
  for (const [position, part] of [...parts.entries()].slice(done)) {
    const record = () => client.query(PART_ENDED, [id, position + 1]);
    const briefly: ApplyBriefly = (tables, work) =>
      applyBriefly(
        client,
        { name: `part ${position + 1} of ${migration.name}`, tables, attempts: briefAttempts },
        work,
      );
    if (part.brief) {
      await briefly(part.brief, async () => {
        await client.query(part.sql);
        await record();
      });
      continue;
    }
    if (part.repeated) await repeat(client, part.sql);
    // Several statements in one text are one transaction, which a failing statement rolls back.
    else if (part.locks) await client.query(`${BRIEF_LOCKS}; ${part.sql}`);
    else if (part.index) await buildIndex(client, part.index, briefly);
    else if (part.drops !== undefined) await dropIndex(client, part.drops, briefly);
    else await client.query(part.sql);
    await record();
  }
  await client.query('UPDATE _prisma_migrations SET finished_at = now() WHERE id = $1', [id]);
}

const PART_ENDED = 'UPDATE _prisma_migrations SET applied_steps_count = $2 WHERE id = $1';

/** SQLSTATE lock_not_available. */
const LOCK_NOT_AVAILABLE = '55P03';
/**
 * The two locks of a brief part, in this order. The exclusive lock is requested for 50 ms only, because statements of other clients wait
 * behind the request. An autovacuum of the table could block it, and PostgreSQL ends an autovacuum only after a second. The first lock
 * makes PostgreSQL end it: no statement that reads or writes rows waits behind that request, so it may take longer.
 */
const KEEP_OUT_VACUUM = "SET LOCAL lock_timeout = '5s'; LOCK TABLE";
const LOCK_BRIEFLY = "SET LOCAL lock_timeout = '50ms'; LOCK TABLE";

interface BriefPart {
  /** Name of the part, for the error. */
  name: string;
  tables: readonly string[];
  attempts: number;
}

type ApplyBriefly = (tables: readonly string[], work: () => Promise<void>) => Promise<void>;

/**
 * Does work that takes some milliseconds, in one transaction that locks the tables exclusively. An attempt that does not get the locks soon
 * ends, so that no statement of another client waits for long. It is repeated after a pause.
 *
 * @throws TableInUse when no attempt gets the locks
 */
async function applyBriefly(client: pg.Client, part: BriefPart, work: () => Promise<void>): Promise<void> {
  const tables = part.tables.join(', ');
  let pause = FIRST_PAUSE_MS;
  for (let attempt = 1; ; attempt += 1) {
    await client.query('BEGIN');
    try {
      await client.query(`${KEEP_OUT_VACUUM} ${tables} IN SHARE UPDATE EXCLUSIVE MODE`);
      await client.query(`${LOCK_BRIEFLY} ${tables} IN ACCESS EXCLUSIVE MODE`);
      await work();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // a lost connection makes the server roll back
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (attempt >= part.attempts) {
        const reason = 'a long transaction, such as a backup or a report, uses one of them';
        throw new TableInUse(
          `${part.name} did not get its locks of ${tables} in ${attempt} attempts: ${reason}. Run the migration again when it has ended.`,
          { cause: error },
        );
      }
    }
    await sleep(pause);
    pause = Math.min(pause * 2, LONGEST_BRIEF_PAUSE_MS);
  }
}

/** Returns the record of a migration in parts, and the number of its parts that have ended. Creates the record when the migration has not begun. */
async function beginParts(client: pg.Client, { name, checksum }: Migration): Promise<{ id: string; done: number }> {
  const { rows } = await client.query<{ id: string; checksum: string; done: number }>(
    `SELECT id, checksum, applied_steps_count AS done FROM _prisma_migrations
      WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
  const [begun] = rows;
  if (begun && begun.checksum !== checksum) {
    throw new MigrationMismatch(`${name} was changed after a part of it had been applied`);
  }
  if (begun) return begun;
  const id = randomUUID();
  await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [
    id,
    checksum,
    name,
  ]);
  return { id, done: 0 };
}

/**
 * Repeats a statement until it changes no row. After each time, pauses for as long as the statement took, so that at least half of the disk
 * and of a processor core stays free for others.
 */
async function repeat(client: pg.Client, sql: string): Promise<void> {
  for (;;) {
    const began = Date.now();
    const { rowCount } = await client.query(sql);
    if (!rowCount) return;
    await sleep(Math.min(Date.now() - began, LONGEST_PAUSE_MS));
  }
}

const LONGEST_PAUSE_MS = 5_000;

/**
 * Builds an index concurrently. On a table with partitions, PostgreSQL can build only the indexes of partitions concurrently: the index of
 * the table becomes valid when each partition's index is attached to it. Partitions that are made meanwhile get the index when they are
 * made.
 */
async function buildIndex(client: pg.Client, index: IndexBuild, briefly: ApplyBriefly): Promise<void> {
  const { create, name, table, definition } = index;
  const { rows } = await client.query("SELECT FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'p'", [table]);
  if (rows.length === 0) {
    await dropInvalidIndex(client, name);
    await client.query(`${create} CONCURRENTLY IF NOT EXISTS ${name} ON ${table}${definition}`);
    return;
  }
  await briefly([`ONLY ${table}`], async () => {
    await client.query(`${create} IF NOT EXISTS ${name} ON ONLY ${table}${definition}`);
  });
  const partitions = await client.query<{ schema: string; name: string }>(PARTITIONS_WITHOUT_INDEX, [table, name]);
  const built: string[] = [];
  for (const partition of partitions.rows) {
    const own = `${partition.name}_${name.replace(`${table}_`, '')}`;
    await dropInvalidIndex(client, `${partition.schema}.${own}`);
    await client.query(
      `${create} CONCURRENTLY IF NOT EXISTS ${own} ON ${partition.schema}.${partition.name}${definition}`,
    );
    built.push(`${partition.schema}.${own}`);
  }
  await briefly([table], async () => {
    for (const own of built) await client.query(`ALTER INDEX ${name} ATTACH PARTITION ${own}`);
  });
}

const PARTITIONS_WITHOUT_INDEX = `
  SELECT quote_ident(n.nspname) AS schema, quote_ident(c.relname) AS name
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE i.inhparent = to_regclass($1) AND NOT EXISTS (
     SELECT FROM pg_inherits x JOIN pg_index d ON d.indexrelid = x.inhrelid
      WHERE x.inhparent = to_regclass($2) AND d.indrelid = c.oid)
   ORDER BY 2`;

/** Drops an index. PostgreSQL cannot drop the index of a table with partitions concurrently, so such an index is dropped under brief locks. */
async function dropIndex(client: pg.Client, name: string, briefly: ApplyBriefly): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT i.indrelid::regclass::text AS table FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
      WHERE c.oid = to_regclass($1) AND c.relkind = 'I'`,
    [name],
  );
  const [partitioned] = rows;
  if (!partitioned) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  else
    await briefly([partitioned.table], async () => {
      await client.query(`DROP INDEX ${name}`);
    });
}

/** Drops the incomplete index of an interrupted `CREATE INDEX CONCURRENTLY`, which `IF NOT EXISTS` would accept as complete. */
async function dropInvalidIndex(client: pg.Client, index: string): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid', [
    index,
  ]);
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
}

/** Returns the applied and the pending migrations of a database. Changes nothing. */
export async function migrationStatus(
  url: string,
  migrations: readonly Migration[],
): Promise<{ applied: string[]; pending: string[] }> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ name: string | null }>(
      "SELECT to_regclass('_prisma_migrations')::text AS name",
    );
    const recorded = rows[0]?.name ? await appliedMigrations(client) : new Map<string, string>();
    const names = migrations.map(({ name }) => name);
    return {
      applied: names.filter((name) => recorded.has(name)),
      pending: names.filter((name) => !recorded.has(name)),
    };
  } finally {
    await client.end();
  }
}
