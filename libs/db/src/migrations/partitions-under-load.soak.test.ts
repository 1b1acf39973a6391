import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, soakRows, type TestDatabase } from '@millwright/testing';
import { bundleProgram } from '@millwright/testing/bundle-program';
import pg from 'pg';
import { migrate, readMigrations } from './index.js';

/** Rows of each of the three tables. */
const ROWS = soakRows();
const ROWS_OF_RUN = 10;
const PART = 500_000;
const WRITERS = 4;
/** Milliseconds between two rounds of one writer. */
const PAUSE_MS = 10;
const KILLS = 5;
const LONGEST_WRITE_MS = 200;
const FOLDER = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const CONVERSION = '20261128090000';
const USER = '00000000-0000-7000-8000-000000000001';

let folder: string;
let program: string;
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-partitions-'));
  program = join(folder, 'migrate.mjs');
  await bundleProgram(new URL('test-migrate.ts', import.meta.url), program);
  database = await createEmptyDatabase();
  await migrate(
    database.url,
    readMigrations(FOLDER).filter(({ name }) => name < CONVERSION),
  );
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('CREATE SEQUENCE soak_control');
});
afterAll(async () => {
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** SQL for a UUIDv7 of a time within the last 90 days, in the order of `n`. */
const ID = (
  kind: string,
) => `(lpad(to_hex((extract(epoch FROM now() - interval '90 days' + interval '90 days' * n / $2) * 1000)::bigint), 12, '0')
  || '7' || substr(md5('${kind}' || n), 1, 3) || '8' || substr(md5('${kind}' || n), 4, 15))::uuid`;

/** Inserts the rows that an installation has after 90 days of use. */
async function fill(): Promise<void> {
  await client.query(
    `INSERT INTO users (id, email, name, project, webauthn_user_id) VALUES ('${USER}', 'a@example.com', 'A', 'Core', sha256('a'))`,
  );
  await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '256MB'");
  const runs = ROWS / ROWS_OF_RUN;
  for (let from = 0; from < runs; from += PART / ROWS_OF_RUN) {
    const to = Math.min(runs, from + PART / ROWS_OF_RUN);
    await client.query(
      `WITH added AS (
         INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, channel, caller, state, ended_at, event_count, step_count)
         SELECT ${ID('run')}, 'Core', '${USER}', 'agent', '${USER}', 'helper', 'messages', '{}', 'completed', now(), ${ROWS_OF_RUN}, ${ROWS_OF_RUN}
           FROM generate_series($1::bigint + 1, $3) n RETURNING id),
       steps AS (
         INSERT INTO run_steps (run_id, seq, attempt, kind, outcome, model, answer)
         SELECT id, seq, 1, 'model', 'succeeded', 'm', repeat('word ', 20) FROM added, generate_series(1, ${ROWS_OF_RUN}) seq)
       INSERT INTO run_events (run_id, seq, type, data)
       SELECT id, seq, 'message.delta', '{"delta":"word"}' FROM added, generate_series(1, ${ROWS_OF_RUN}) seq`,
      [from, runs, to],
    );
  }
  for (let from = 0; from < ROWS; from += PART)
    await client.query(
      `INSERT INTO usage_events (id, at, project, user_id, kind, subject_id, model, prompt_tokens, completion_tokens)
       SELECT ${ID('usage')}, now() - interval '90 days' + interval '90 days' * n / $2, 'Core', '${USER}', 'agent_message', '${USER}', 'm', 10, 1
         FROM generate_series($1::bigint + 1, $3) n`,
      [from, ROWS, Math.min(ROWS, from + PART)],
    );
  await client.query('VACUUM ANALYZE runs, run_steps, run_events, usage_events');
}

interface Load {
  statements: number;
  failed: string[];
  longestMs: number;
  /** Ids of the acknowledged runs. Each run has a step, two events, and a usage event with the same id. */
  runs: string[];
}
const noLoad = (): Load => ({ statements: 0, failed: [], longestMs: 0, runs: [] });

/** Makes a UUIDv7 of the current time. */
const newRunId = () => {
  const hex = `${Date.now().toString(16).padStart(12, '0')}7${randomBytes(2).toString('hex').slice(1)}8${randomBytes(8).toString('hex').slice(1)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** The statements of one run as services of the previous release send them: as prepared statements with the names of the tables. */
const ROUND: readonly { name: string; text: string }[] = [
  {
    name: 'start-run',
    text: `WITH changed AS (
        INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, channel, caller, state, ended_at, event_count)
        VALUES ($1, 'Core', '${USER}', 'agent', '${USER}', 'helper', 'messages', '{}', 'completed', now(), 1) RETURNING id, event_count)
      INSERT INTO run_events (run_id, seq, type, data) SELECT id, event_count, 'run.running', '{}' FROM changed RETURNING seq`,
  },
  {
    name: 'add-step',
    text: `WITH changed AS (
        UPDATE runs SET step_count = step_count + 1, event_count = event_count + 1 WHERE id = $1 RETURNING id, step_count, event_count),
      step AS (
        INSERT INTO run_steps (run_id, seq, attempt, kind, outcome) SELECT id, step_count, 1, 'model', 'succeeded' FROM changed),
      added AS (INSERT INTO run_events (run_id, seq, type, data) SELECT id, event_count, 'run.completed', '{}' FROM changed)
      SELECT step_count FROM changed`,
  },
  {
    name: 'record-usage',
    text: `INSERT INTO usage_events (id, project, user_id, kind, subject_id, model, prompt_tokens, completion_tokens)
      VALUES ($1, 'Core', '${USER}', 'prompt_run', '${USER}', 'm', 1, 1) ON CONFLICT (id) DO NOTHING`,
  },
  { name: 'end-step', text: "UPDATE run_steps SET result = 'x' WHERE run_id = $1 AND seq = 1 RETURNING seq" },
  { name: 'list-steps', text: 'SELECT * FROM run_steps WHERE run_id = $1 ORDER BY seq' },
  {
    name: 'list-events',
    text: 'SELECT seq, type, data FROM run_events WHERE run_id = $1 AND seq > 0 ORDER BY seq LIMIT 500',
  },
  {
    name: 'read-usage',
    text: "SELECT count(*) FROM usage_events WHERE project = 'Core' AND at >= now() - interval '1 minute' AND id <> $1",
  },
];

/**
 * Sends the statements of runs until `ended`, and deletes every tenth run. A statement fails when it exceeds the time limit of the
 * services' statements.
 */
async function work(ended: { value: boolean }, load: Load): Promise<void> {
  const worker = new pg.Client({ connectionString: database.url, statement_timeout: 1_900 });
  await worker.connect();
  const send = async (name: string, text: string, id: string) => {
    const began = performance.now();
    const isSent = await worker.query({ name, text, values: [id] }).then(
      () => true,
      (error: unknown) => {
        load.failed.push(`${name}: ${String(error)}`);
        return false;
      },
    );
    load.longestMs = Math.max(load.longestMs, performance.now() - began);
    load.statements += 1;
    return isSent;
  };
  for (let round = 1; !ended.value; round += 1) {
    const id = newRunId();
    for (const { name, text } of ROUND) await send(name, text, id);
    if (round % 10 === 0) await send('delete-run', 'DELETE FROM runs WHERE id = $1', id);
    else load.runs.push(id);
    await sleep(PAUSE_MS);
  }
  await worker.end();
}

/** Runs the migrations, and kills the runner `KILLS` times. @returns the duration in seconds */
async function migrateWithKills(): Promise<number> {
  const began = performance.now();
  for (let run = 0; ; run += 1) {
    const runner = spawn(process.execPath, [program, database.url, FOLDER], { stdio: ['ignore', 'ignore', 'inherit'] });
    const exited = once(runner, 'exit');
    const killed = run < KILLS && sleep(300 + Math.random() * 1_500).then(() => runner.kill('SIGKILL'));
    const [code] = (await exited) as [number | null];
    await killed;
    if (code === 0) return (performance.now() - began) / 1_000;
    if (code !== null) throw new Error(`the runner exited with ${code}`);
  }
}

/** Returns the longest time of a statement that reads no table. Only the machine itself can delay such a statement. */
async function control(ended: { value: boolean }): Promise<number> {
  const idle = new pg.Client({ connectionString: database.url });
  await idle.connect();
  let longest = 0;
  while (!ended.value) {
    const began = performance.now();
    await idle.query("SELECT nextval('soak_control')");
    longest = Math.max(longest, performance.now() - began);
    await sleep(PAUSE_MS);
  }
  await idle.end();
  return longest;
}

interface UnderLoad<Result> {
  load: Load;
  controlMs: number;
  result: Result;
}

/** Sends statements while `during` runs. Returns the duration of the longest statement and the failed statements. */
async function underLoad<Result>(during: () => Promise<Result>): Promise<UnderLoad<Result>> {
  const [ended, load] = [{ value: false }, noLoad()];
  const controlled = control(ended);
  const workers = Array.from({ length: WRITERS }, () => work(ended, load));
  const result = await during().finally(() => (ended.value = true));
  await Promise.all(workers);
  return { load, controlMs: await controlled, result };
}

const figuresOf = ({ load: { statements, failed, longestMs }, controlMs }: UnderLoad<unknown>) => ({
  statements,
  failed,
  longestMs: Math.round(longestMs),
  controlMs: Math.round(controlMs),
});

const countOf = async (text: string, values: readonly unknown[] = []) =>
  Number((await client.query<{ count: string }>(text, [...values])).rows[0]?.count);

describe(`the conversion of tables of ${ROWS} rows to partitions by month under load, with ${KILLS} kills of the runner`, () => {
  it(`makes no statement fail or take longer than ${LONGEST_WRITE_MS} ms, and loses no row`, async () => {
    await fill();
    const quiet = await underLoad(() => sleep(10_000));
    const converted = await underLoad(migrateWithKills);
    const after = await underLoad(() => sleep(10_000));
    console.log({
      rows: ROWS,
      seconds: converted.result,
      quiet: figuresOf(quiet),
      converted: figuresOf(converted),
      after: figuresOf(after),
    });
    expect(converted.load.failed).toEqual([]);
    expect(converted.load.longestMs).toBeLessThan(LONGEST_WRITE_MS);
    const kept = [quiet, converted, after].flatMap(({ load }) => load.runs);
    for (const table of ['run_steps', 'run_events', 'usage_events']) {
      const key = table === 'usage_events' ? 'id' : 'run_id';
      expect(await countOf(`SELECT count(DISTINCT ${key}) FROM ${table} WHERE ${key} = ANY($1)`, [kept])).toBe(
        kept.length,
      );
      expect(await countOf(`SELECT count(*) FROM ${table}`)).toBeGreaterThanOrEqual(ROWS + kept.length);
      expect(await countOf(`SELECT count(*) FROM partitions_of('${table}')`)).toBeGreaterThanOrEqual(3);
    }
  }, 5_400_000);

  it('leaves tables whose partitions can be made and dropped under the same load; no statement fails or takes longer than the limit', async () => {
    const changed = await underLoad(async () => {
      for (let time = 0; time < 20; time += 1) {
        const { rows } = await client.query<{ name: string }>(
          "SELECT partition::text AS name FROM partitions_of('run_steps') WHERE ends_at IS NOT NULL ORDER BY ends_at DESC LIMIT 1",
        );
        await client.query(`SET lock_timeout = '100ms'`);
        for (;;) {
          try {
            await client.query(`DROP TABLE ${rows[0]?.name}`);
            break;
          } catch (error) {
            if ((error as pg.DatabaseError).code !== '55P03') throw error;
            await sleep(100);
          }
        }
        await client.query(
          "INSERT INTO partition_changes (id, table_name, change) VALUES (gen_random_uuid(), 'run_steps', 'made')",
        );
        await sleep(200);
      }
    });
    console.log({ changes: 40, changed: figuresOf(changed) });
    expect(changed.load.failed).toEqual([]);
    expect(changed.load.longestMs).toBeLessThan(LONGEST_WRITE_MS);
  });
});
