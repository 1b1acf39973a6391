import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeId } from '@millwright/db';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import pg from 'pg';
import { callers, newToken } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';
import { printTable } from './campaign/campaign.js';
import { percentile } from './campaign/verify.js';
import { storedSteps } from './config.js';

/** Requirements of docs/runs.md. */
const PAGE_MS = 20;
const LONGEST_WRITE_MS = 2_000;

const STEPS_OF_RUN = 10;
const RUNS = Math.ceil(storedSteps / STEPS_OF_RUN);
/** Number of runs that one statement inserts. */
const PART = 10_000;
/** The runs were started evenly over so many days; those of the first tenth are due. */
const DAYS = 100;
const KEPT_DAYS = 90;
/** Requests for each page, of which the first ones fill caches. */
const REQUESTS = 220;
const FIRST_REQUESTS = 20;
const WRITERS = 4;
const BASELINE_MS = 10_000;

let folder: string;
let model: FakeModel;
let platform: Platform;
let database: pg.Client;
let headers: Record<string, string>;

const jobsFile = () => join(folder, 'jobs.yaml');
const setJobs = (jobs: object[]) => writeFileSync(jobsFile(), JSON.stringify({ jobs }));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-run-pages-'));
  setJobs([]);
  model = await createFakeModel('Done.');
  platform = await startPlatform({
    replicas: { 'prompt-api': 0 },
    env: {
      MODEL_BASE_URL: model.url,
      MODEL_NAME: 'house-model',
      RATE_LIMIT_MULTIPLIER: '1000',
      RETENTION_RUNS_DAYS: String(KEPT_DAYS),
      JOBS_FILE: jobsFile(),
    },
  });
  await callers(platform).platform('/agents', { body: { name: 'Scribe', description: 'Writes minutes.' } });
  headers = {
    authorization: `Bearer ${await newToken(platform, platform.client)}`,
    'content-type': 'application/json',
  };
  database = new pg.Client({ connectionString: platform.databaseUrl });
  await database.connect();
}, 120_000);
afterAll(async () => {
  await database.end();
  await platform.stop();
  await model.close();
  rmSync(folder, { recursive: true });
});

/** Inserts finished runs with steps, in order of time. Checks of foreign keys and triggers are off: the rows are valid by themselves. */
async function storeRuns(): Promise<void> {
  await database.query('SET session_replication_role = replica');
  for (let first = 0; first < RUNS; first += PART)
    await database.query(
      `WITH added AS (
         INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, subject_version, channel, caller, state, model,
                           error_code, step_count, tool_call_count, prompt_tokens, completion_tokens, queued_at, started_at, ended_at)
         SELECT (lpad(to_hex((extract(epoch FROM t) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
                   || '8' || substr(md5(n::text), 4, 15))::uuid,
                'Core', u.id, 'agent', a.id, a.slug, 1, 'messages', '{}', s, 'house-model',
                CASE WHEN s = 'failed' THEN 'unavailable' END, $4, $4 / 2, 4500, 200, t, t, t + interval '9 seconds'
           FROM generate_series($1::int, $2::int - 1) n, users u, agents a,
                LATERAL (SELECT now() - make_interval(secs => $5::float8 * 86400 * ($3::int - n) / $3::int) AS t,
                                CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'completed' END AS s) x
          WHERE u.email = 'admin@localhost' AND a.slug = 'scribe'
         RETURNING id, started_at)
       INSERT INTO run_steps (run_id, seq, attempt, kind, outcome, asked_by, model, answer, tool, arguments, result,
                              prompt_tokens, completion_tokens, started_at, ended_at)
       SELECT id, seq, 1, kind, 'succeeded', CASE kind WHEN 'tool' THEN seq - 1 END, CASE kind WHEN 'model' THEN 'house-model' END,
              CASE kind WHEN 'model' THEN 'One moment, I look at the weather.' END, CASE kind WHEN 'tool' THEN 'weather' END,
              CASE kind WHEN 'tool' THEN '{"city":"Ghent"}' END, CASE kind WHEN 'tool' THEN '{"sky":"grey"}' END,
              CASE kind WHEN 'model' THEN 900 END, CASE kind WHEN 'model' THEN 40 END, started_at + make_interval(secs => seq - 1),
              started_at + make_interval(secs => seq)
         FROM added, generate_series(1, $4::int) seq,
              LATERAL (SELECT CASE seq % 2 WHEN 1 THEN 'model' ELSE 'tool' END AS kind) x`,
      [first, Math.min(first + PART, RUNS), RUNS, STEPS_OF_RUN, DAYS],
    );
  await database.query('RESET session_replication_role');
  await database.query('VACUUM ANALYZE runs, run_steps');
}

async function count(condition: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${condition}`);
  return rows[0]?.n ?? NaN;
}

/** Milliseconds of an answer, which must be 200 and meet the expectation. */
async function timeOf(path: string, isRight: (body: { items?: unknown[]; id?: string }) => boolean): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${platform.runtimeUrl}/api/v1/runs${path}`, { headers });
  const text = await response.text();
  const time = performance.now() - begun;
  if (response.status !== 200 || !isRight(JSON.parse(text) as object))
    throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 300)}`);
  return time;
}

/** Clients that send messages until `stop`. */
function startWriters() {
  const times: number[] = [];
  const refused: string[] = [];
  let isStopped = false;
  async function write(): Promise<void> {
    while (!isStopped) {
      const begun = performance.now();
      const response = await fetch(`${platform.runtimeUrl}/api/v1/agents/scribe/messages`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ content: 'Note this' }),
      });
      const text = await response.text();
      times.push(performance.now() - begun);
      if (response.status !== 200) refused.push(text);
      model.requests.splice(0); // which are many
    }
  }
  const working = Promise.all(Array.from({ length: WRITERS }, write));
  return {
    async stop(): Promise<number[]> {
      isStopped = true;
      await working;
      expect(refused).toEqual([]);
      return times;
    },
  };
}

const inMs = (times: readonly number[], ...shares: number[]) =>
  shares.map((share) => `${percentile(times, share).toFixed(1)} ms`).join(', ');

describe(`${storedSteps} stored steps of runs`, () => {
  beforeAll(async () => {
    const begun = Date.now();
    await storeRuns();
    process.stdout.write(`${RUNS} runs with ${STEPS_OF_RUN} steps each stored in ${(Date.now() - begun) / 1_000} s\n`);
  }, 3_600_000);

  it(`leave the lists of runs and the page of a run at a p50 of at most ${PAGE_MS} ms`, async () => {
    const { rows } = await database.query<{ id: string }>(
      `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM runs) r WHERE n % $1 = 0 LIMIT $2`,
      [Math.max(1, Math.floor(RUNS / REQUESTS)), REQUESTS],
    );
    const ids = rows.map(({ id }) => encodeId('run', id));
    const idOf = (n: number) => ids[n % ids.length] ?? '';
    const fifty = ({ items }: { items?: unknown[] }) => items?.length === 50;
    const some = ({ items }: { items?: unknown[] }) => (items?.length ?? 0) > 0;
    const pages: Record<string, (n: number) => Promise<number>> = {
      'list of runs': () => timeOf('', fifty),
      'list of runs, later page': (n) => timeOf(`?cursor=${idOf(ids.length - 1 - (n % 10))}`, fifty),
      'list of runs of an agent': () => timeOf('?agent=scribe', fifty),
      'list of failed runs': () => timeOf('?state=failed', some),
      'a run': (n) => timeOf(`/${idOf(n)}`, ({ id }) => id === idOf(n)),
      'steps of a run': (n) => timeOf(`/${idOf(n)}/steps`, ({ items }) => items?.length === STEPS_OF_RUN),
    };
    const times = Object.fromEntries(Object.keys(pages).map((name) => [name, [] as number[]]));
    // Alternates the pages, so that other load of the machine affects all alike.
    for (let n = 0; n < REQUESTS; n += 1)
      for (const [name, read] of Object.entries(pages)) {
        const time = await read(n);
        if (n >= FIRST_REQUESTS) times[name]?.push(time);
      }
    printTable(
      Object.fromEntries(Object.entries(times).map(([name, all]) => [`${name}, p50, p99`, inMs(all, 0.5, 0.99)])),
    );
    for (const [name, all] of Object.entries(times)) {
      expect({ name, count: all.length }).toEqual({ name, count: REQUESTS - FIRST_REQUESTS });
      expect({ name, isFast: percentile(all, 0.5) <= PAGE_MS }).toEqual({ name, isFast: true });
    }
  }, 300_000);

  it(`are deleted when they are due while no message takes longer than ${LONGEST_WRITE_MS} ms`, async () => {
    const before = startWriters();
    await new Promise((resolve) => setTimeout(resolve, BASELINE_MS));
    const baseline = await before.stop();
    // Ids are in order of time. The runs that become due meanwhile are left to later runs of the job.
    const { rows } = await database.query<{ id: string }>(
      'SELECT id FROM runs WHERE started_at < now() - make_interval(days => $1) ORDER BY id DESC LIMIT 1',
      [KEPT_DAYS],
    );
    const due = `runs WHERE id <= '${rows[0]?.id}'`;
    const found = await count(due);
    expect(found).toBeGreaterThan(RUNS / 20);

    const [scheduler] = platform.of('admin-auth');
    await scheduler?.terminate();
    setJobs([{ name: 'apply-retention', extension: 'apply-retention', schedule: '* * * * *' }]);
    await scheduler?.start();
    const writers = startWriters();
    const begun = Date.now();
    await until(async () => ((await count(`(SELECT FROM ${due} LIMIT 1) d`)) === 0 ? true : undefined), 3_600_000);
    const seconds = (Date.now() - begun) / 1_000;
    const during = await writers.stop();

    printTable({
      'runs that were due, and deleted after': `${found}, ${seconds.toFixed(1)} s, with the start of the job`,
      'messages before, p50, p99, longest': `${baseline.length}: ${inMs(baseline, 0.5, 0.99, 1)}`,
      'messages meanwhile, p50, p99, longest': `${during.length}: ${inMs(during, 0.5, 0.99, 1)}`,
    });
    expect(await count('run_steps s WHERE NOT EXISTS (SELECT FROM runs r WHERE r.id = s.run_id)')).toBe(0);
    expect(percentile(during, 1)).toBeLessThan(LONGEST_WRITE_MS);
  }, 3_700_000);
});
