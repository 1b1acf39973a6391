import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeId } from '@millwright/db';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import pg from 'pg';
import { callers, newToken } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { createSeededDatabase } from '../harness/seeded-database.js';
import { until } from '../harness/until.js';
import { printTable } from './campaign/campaign.js';
import { percentile } from './campaign/verify.js';
import { storedSteps } from './config.js';

/** Limits that docs/runs.md states. */
const PAGE_MS = 20;
const LONGEST_WRITE_MS = 2_000;

/** Steps of the runs that a seed of scale 1 has. */
const STEPS_OF_SCALE = 71_000;
/** Days for which runs are kept. The seed's runs cover 90 days, so a tenth of them has expired. */
const KEPT_DAYS = 81;
/** Number of requests for each page; the first requests fill caches. */
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
  const scale = storedSteps / STEPS_OF_SCALE;
  platform = await startPlatform({
    database: await createSeededDatabase(scale, (line) => process.stdout.write(`${line}\n`)),
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
  // Seeded budgets would refuse the messages, because the test's model has no price.
  await database.query('DELETE FROM budgets');
}, 7_200_000);
afterAll(async () => {
  await database.end();
  await platform.stop();
  await model.close();
  rmSync(folder, { recursive: true });
});

async function count(condition: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${condition}`);
  return rows[0]?.n ?? NaN;
}

/** Returns the duration of a request in milliseconds; the answer must be 200 and meet the expectation. */
async function timeOf(path: string, isRight: (body: { items?: unknown[]; id?: string }) => boolean): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${platform.runtimeUrl}/api/v1/runs${path}`, { headers });
  const text = await response.text();
  const time = performance.now() - begun;
  if (response.status !== 200 || !isRight(JSON.parse(text) as object))
    throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 300)}`);
  return time;
}

/** Starts clients that send messages until `stop` is called. */
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
      model.requests.splice(0); // drops the recorded requests, which are many
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

describe(`an installation with ${storedSteps} stored steps of runs`, () => {
  it(`answers requests for lists of runs and for pages of a run in at most ${PAGE_MS} ms (median)`, async () => {
    const { rows } = await database.query<{ id: string; steps: number }>(
      `SELECT id, step_count AS steps FROM (
         SELECT id, step_count, row_number() OVER (ORDER BY id) AS n, count(*) OVER () AS total FROM runs WHERE project = 'Core') r
        WHERE n % greatest(1, r.total / $1) = 0 ORDER BY id LIMIT $1`,
      [REQUESTS],
    );
    const stored = rows.map(({ id, steps }) => ({ id: encodeId('run', id), steps }));
    const runAt = (n: number) => stored[n % stored.length] ?? { id: '', steps: NaN };
    const fifty = ({ items }: { items?: unknown[] }) => items?.length === 50;
    const some = ({ items }: { items?: unknown[] }) => (items?.length ?? 0) > 0;
    const pages: Record<string, (n: number) => Promise<number>> = {
      'list of runs': () => timeOf('', fifty),
      'list of runs, later page': (n) => timeOf(`?cursor=${runAt(stored.length - 1 - (n % 10)).id}`, fifty),
      'list of runs of an agent': () => timeOf('?agent=agent-0', fifty),
      'list of failed runs': () => timeOf('?state=failed', some),
      'a run': (n) => timeOf(`/${runAt(n).id}`, ({ id }) => id === runAt(n).id),
      'steps of a run': (n) => timeOf(`/${runAt(n).id}/steps`, ({ items }) => items?.length === runAt(n).steps),
    };
    const times = Object.fromEntries(Object.keys(pages).map((name) => [name, [] as number[]]));
    // Alternates the pages, so that other load of the machine affects all pages alike.
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
  });

  it(`deletes expired runs while no message takes longer than ${LONGEST_WRITE_MS} ms`, async () => {
    const before = startWriters();
    await new Promise((resolve) => setTimeout(resolve, BASELINE_MS));
    const baseline = await before.stop();
    // Ids are in order of time. Runs that expire later during this test have higher ids than the runs that have expired now, and are not counted.
    const { rows } = await database.query<{ id: string }>(
      'SELECT id FROM runs WHERE started_at < now() - make_interval(days => $1) ORDER BY id DESC LIMIT 1',
      [KEPT_DAYS],
    );
    const due = `runs WHERE id <= '${rows[0]?.id}'`;
    const found = await count(due);
    expect(found).toBeGreaterThan((await count('runs')) / 20);

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
