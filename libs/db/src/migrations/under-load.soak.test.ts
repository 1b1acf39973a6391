import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, soakRows, type TestDatabase } from '@millwright/testing';
import { bundleProgram } from '@millwright/testing/bundle-program';
import pg from 'pg';
import { newId } from '../ids.js';

const ROWS = soakRows();
const WRITERS = 4;
/** Milliseconds between two writes of one writer. */
const PAUSE_MS = 10;
const KILLS = 5;
const LONGEST_WRITE_MS = 200;

/** A migration like those of releases. It adds a column, which old rows get by an update and new rows by the default, and builds an index. */
const COLUMN =
  'ALTER TABLE usage_events ADD COLUMN weight integer; ALTER TABLE usage_events ALTER COLUMN weight SET DEFAULT 0;';
const IN_PARTS = `-- in parts
-- The index makes each repetition find the rows that are left.
-- part
CREATE INDEX CONCURRENTLY IF NOT EXISTS usage_events_unweighed_idx ON usage_events (id) WHERE weight IS NULL;
-- repeated part
UPDATE usage_events SET weight = prompt_tokens
 WHERE id IN (SELECT id FROM usage_events WHERE weight IS NULL ORDER BY id LIMIT 2000 FOR UPDATE SKIP LOCKED);
-- part
DROP INDEX CONCURRENTLY IF EXISTS usage_events_unweighed_idx;
-- part
CREATE INDEX CONCURRENTLY IF NOT EXISTS usage_events_weight_idx ON usage_events (project, weight);
`;

let folder: string;
let program: string;
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-migrations-'));
  program = join(folder, 'migrate.mjs');
  await bundleProgram(new URL('test-migrate.ts', import.meta.url), program);
  cpSync(fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url)), folder, { recursive: true });
  for (const [name, sql] of [
    ['29990101000000_column', COLUMN],
    ['29990101000001_in_parts', IN_PARTS],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'migration.sql'), sql);
  }
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** SQL for a random UUIDv7 of the current time. */
const NEW_ID = '(left(first_id_at(now())::text, 14) || 7 || substr(gen_random_uuid()::text, 16))::uuid';
const insert = (ids: string) => `
  INSERT INTO usage_events (id, project, user_id, kind, subject_id, model, prompt_tokens, completion_tokens)
  SELECT ${ids}, 'Core', (SELECT id FROM users LIMIT 1), 'agent_message', gen_random_uuid(), 'model', (random() * 1000)::int, 1`;

interface Load {
  writes: number;
  failed: string[];
  longestMs: number;
}

/** Writes rows and changes them until `ended`. A write fails when it exceeds the time limit of the services' statements. */
async function write(ended: { value: boolean }, load: Load): Promise<void> {
  const writer = new pg.Client({ connectionString: database.url, statement_timeout: 1_900 });
  await writer.connect();
  while (!ended.value) {
    const id = newId();
    for (const [text, values] of [
      [insert('$1::uuid'), [id]],
      ['UPDATE usage_events SET completion_tokens = 2 WHERE id = $1', [id]],
    ] as const) {
      const began = performance.now();
      await writer.query(text, [...values]).catch((error: unknown) => load.failed.push(String(error)));
      load.longestMs = Math.max(load.longestMs, performance.now() - began);
      load.writes += 1;
    }
    await sleep(PAUSE_MS);
  }
  await writer.end();
}

/** Runs the migrations, and kills the runner `KILLS` times. @returns the duration in seconds */
async function migrateWithKills(): Promise<number> {
  const began = performance.now();
  for (let run = 0; ; run += 1) {
    const runner = spawn(process.execPath, [program, database.url, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    const exited = once(runner, 'exit');
    const killed = run < KILLS && sleep(1_000 + Math.random() * 4_000).then(() => runner.kill('SIGKILL'));
    const [code] = (await exited) as [number | null];
    await killed;
    if (code === 0) return (performance.now() - began) / 1000;
    if (code !== null) throw new Error(`the runner exited with ${code}`);
  }
}

describe(`migrations in parts on ${ROWS} rows under load, with ${KILLS} kills of the runner`, () => {
  it(`make no write fail or take longer than ${LONGEST_WRITE_MS} ms, set the new column in every row, and complete the index`, async () => {
    await client.query(
      "INSERT INTO users (id, email, name, project, webauthn_user_id) VALUES (gen_random_uuid(), 'a@example.com', 'A', 'Core', sha256('a'))",
    );
    for (let rows = 0; rows < ROWS; rows += 1_000_000) {
      await client.query(`${insert(NEW_ID)} FROM generate_series(1, ${Math.min(ROWS - rows, 1_000_000)})`);
    }
    await client.query('VACUUM ANALYZE usage_events');
    const ended = { value: false };
    const quiet: Load = { writes: 0, failed: [], longestMs: 0 };
    const quietWriters = Array.from({ length: WRITERS }, () => write(ended, quiet));
    await sleep(10_000);
    ended.value = true;
    await Promise.all(quietWriters);

    ended.value = false;
    const load: Load = { writes: 0, failed: [], longestMs: 0 };
    const writers = Array.from({ length: WRITERS }, () => write(ended, load));
    const seconds = await migrateWithKills();
    ended.value = true;
    await Promise.all(writers);
    console.log({ seconds: Math.round(seconds), quiet, load });

    expect(load.failed).toEqual([]);
    expect(load.longestMs).toBeLessThan(LONGEST_WRITE_MS);
    const { rows } = await client.query<{ valid: boolean }>(
      "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'usage_events_weight_idx'::regclass",
    );
    expect(rows).toEqual([{ valid: true }]);
    const left = await client.query<{ rows: number }>(
      'SELECT count(*)::int AS rows FROM usage_events WHERE weight IS NULL',
    );
    expect(left.rows).toEqual([{ rows: 0 }]);
  }, 5_400_000);
});
