import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Migration } from './read-migrations.js';

/** Prisma's own table, so that `prisma migrate status` agrees with this runner. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
    logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0)`;
/** Advisory lock: runners of one installation wait for each other on it. */
export const MIGRATIONS_LOCK = 7_246_101;

/** A migration was changed after it had been applied, or is recorded and no longer exists. */
export class MigrationMismatch extends Error {
  override readonly name = 'MigrationMismatch';
}

export interface MigrationOutcome {
  applied: string[];
  alreadyApplied: string[];
}

/**
 * Migrates a database to the newest schema. Concurrent runners wait for each other and apply each migration once. Every migration is
 * one transaction with its record: a runner that is killed leaves the completed migrations and nothing of the current one.
 * Migrations in the database that are newer than `migrations` are ignored.
 */
export async function migrate(url: string, migrations: readonly Migration[]): Promise<MigrationOutcome> {
  const client = await connect(url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATIONS_LOCK]);
    await client.query(TABLE);
    const recorded = await appliedMigrations(client);
    const outcome: MigrationOutcome = { applied: [], alreadyApplied: [] };
    for (const migration of migrations) {
      const checksum = recorded.get(migration.name);
      if (checksum === undefined) {
        await apply(client, migration);
        outcome.applied.push(migration.name);
      } else if (checksum === migration.checksum) outcome.alreadyApplied.push(migration.name);
      else throw new MigrationMismatch(`${migration.name} was changed after it had been applied`);
    }
    return outcome;
  } finally {
    await client.end();
  }
}

/** A connection of its own, without the limits of the services' pools: for migrations, backup and restore. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // a lost connection rejects the query under way; the event would end the process
  await client.connect();
  return client;
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    // While a migration waits for the lock of a busy table, every later request waits too: fail, and let the operator run it again.
    await client.query("SET LOCAL lock_timeout = '5s'");
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
