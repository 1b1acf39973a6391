import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { testServer } from './config.js';

const TEMPLATE = 'millwright_template';
/** PostgreSQL's code object_in_use: another connection uses or copies the template. */
const BUSY = '55006';
const ATTEMPTS = 50;

export interface TestDatabase {
  /** Connection string of a superuser. */
  url: string;
  /** Runs a statement as superuser and without a time limit, for example a statement that makes many rows. */
  run: (sql: string, values?: readonly unknown[]) => Promise<void>;
  /** Runs a statement like `run`, with the values of a tagged template as parameters. */
  sql: (text: TemplateStringsArray, ...values: readonly unknown[]) => Promise<void>;
  /** Closes every connection to the database and drops the database. May be called again. */
  drop: () => Promise<void>;
}

/** Creates a separate database with every migration applied and no rows. */
export async function createTestDatabase(): Promise<TestDatabase> {
  // `FILE_COPY` copies the files of the template. For a small database, this is several times faster than the default, which writes the
  // copy to the log.
  return createDatabase(`TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
}

/** Creates a separate, empty database. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('');
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const server = testServer('TEST_DATABASE_URL');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runWhenFree(server, `CREATE DATABASE ${name} ${options}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const connection = url.href;
  return {
    url: connection,
    run: (sql, values) => run(connection, sql, values),
    sql: (text, ...values) =>
      run(
        connection,
        text.reduce((sql, part, n) => `${sql}$${n}${part}`),
        values,
      ),
    drop: () => run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function runWhenFree(server: string, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run(server, sql);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== BUSY || attempt === ATTEMPTS) throw error;
      await sleep(100);
    }
  }
}

async function run(server: string, sql: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
}
