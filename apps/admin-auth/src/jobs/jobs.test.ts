import { randomBytes } from 'node:crypto';
import { sealAuditLog } from '@millwright/audit';
import { newId } from '@millwright/db';
import { createSecretBox } from '@millwright/secrets';
import { createEgress } from '@millwright/egress';
import { createLogger, createMetrics, type Metrics } from '@millwright/http/process';
import type { Scheduler } from '@millwright/jobs';
import { createHttpClient, createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import type { Job } from './jobs.contract.js';
import { createJobMetrics } from './job-metrics.js';
import { createJobsStore } from './jobs.store.js';
import { startJobs } from './start-jobs.js';

let database: TestDatabase;
let setup: TestConsole;
let site: TestConsole;
let call: HttpClient;
let scheduler: Scheduler;
let metrics: Metrics;
/** Audit rows that are older than their retention. */
let oldRows: number;
const egress = createEgress({ allow: [], allowLoopback: false, allowHttp: false });

/** Runs the built-in jobs. */
beforeAll(async () => {
  database = await createTestDatabase();
  setup = await startConsole(database.url);
  const ann = await setup.addUser({ email: 'ann@example.com', name: 'Ann', role: 'admin' });
  oldRows = await writeOldAuditRows(ann.id);
  metrics = createMetrics({ service: 'test', version: 'test' });
  scheduler = await startJobs({
    db: setup.db,
    logger: createLogger({ service: 'test', level: 'silent', version: 'test' }),
    metrics,
    signingKey: setup.signingKey,
    mcp: { fetch: egress.fetch, secrets: createSecretBox([{ id: 'test', key: randomBytes(32) }]) },
    config: { DATABASE_URL: database.url, JOBS_OWNER: 'ann@example.com', AUDIT_RETENTION_DAYS: 90 },
    programUrl: new URL('../main.ts', import.meta.url).href,
  });
  site = await startConsole(database.url, { scheduler });
  const { access } = await site.signIn(ann);
  call = createHttpClient(site.url, { cookie: `access_token=${access}` });
});
afterAll(async () => {
  await scheduler.stop();
  await egress.close();
  await site.close();
  await setup.close();
  await database.drop();
});

/**
 * Makes all audit rows a hundred days old, and adds three rows under each of two seals. The removal must keep the last seal.
 * @returns the number of rows under the first seal.
 */
async function writeOldAuditRows(userId: string): Promise<number> {
  const at = new Date(Date.now() - 100 * 86_400_000);
  await setup.db.transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
    await tx.$executeRaw`UPDATE governance_decisions SET at = ${at}`;
  });
  const earlier = await setup.db.prisma.governanceDecision.count();
  for (let seal = 0; seal < 2; seal++) {
    const row = {
      user_id: userId,
      actor_kind: 'user',
      actor_id: 'Ann',
      action: 'x.y',
      resource: 'x',
      decision: 'allow',
    };
    const data = Array.from({ length: 3 }, () => ({ ...row, id: newId(), at }));
    await setup.db.prisma.governanceDecision.createMany({ data });
    await sealAuditLog(setup.db, setup.signingKey(), undefined, () => at);
  }
  return earlier + 3;
}

const jobs = async () => ((await call('GET', '/admin/api/jobs')).body as { items: Job[] }).items;
async function ended(name: string): Promise<Job['runs'][number]> {
  for (;;) {
    const run = (await jobs()).find((job) => job.name === name)?.runs.find(({ origin }) => origin === 'manual');
    if (run?.finished_at) return run;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('GET /admin/api/jobs', () => {
  it('lists the built-in jobs with their owner and next run', async () => {
    const items = await jobs();
    expect(items.map(({ name }) => name)).toEqual([
      'apply-retention',
      'expire-one-time',
      'forget-content',
      'keep-partitions',
      'refresh-mcp-tools',
      'remind-of-expiry',
      'roll-up-analytics',
      'seal-audit',
      'send-seals',
      'verify-audit',
    ]);
    for (const job of items) {
      expect(job).toMatchObject({ owner: 'ann@example.com', enabled: true });
      expect(Date.parse(job.next_run_at ?? '')).toBeGreaterThan(Date.now());
    }
  });
});

describe('POST /admin/api/jobs/{name}/run', () => {
  it.each([
    'apply-retention',
    'expire-one-time',
    'forget-content',
    'refresh-mcp-tools',
    'roll-up-analytics',
    'seal-audit',
    'send-seals',
    'verify-audit',
  ])('runs %s immediately, and shows and counts the result', async (name) => {
    const answer = await call('POST', `/admin/api/jobs/${name}/run`);
    expect(answer).toMatchObject({ status: 202, body: { name } });
    const run = await ended(name);
    expect(run).toMatchObject({
      outcome: 'succeeded',
      origin: 'manual',
      tick: (answer.body as { tick: string }).tick,
    });
    const text = await metrics.registry.metrics();
    expect(text).toMatch(new RegExp(`job_runs_total\\{job="${name}",outcome="succeeded",service="test"\\} [1-9]`));
    expect(text).toMatch(new RegExp(`job_last_success_timestamp_seconds\\{job="${name}",service="test"\\} \\d{10}`));
    const row = await site.db.prisma.governanceDecision.findFirst({ where: { action: 'job.run', actor_id: name } });
    expect(row).toMatchObject({ actor_kind: 'job', decision: 'allow', detail: { outcome: 'succeeded' } });
  });

  it("reports a job's last run in the metrics of every replica, even of a replica that ran no job", async () => {
    const fresh = createMetrics({ service: 'fresh', version: 'test' });
    const seal = { name: 'seal-audit', extension: 'seal-audit', schedule: '*/5 * * * *', enabled: true };
    const jobs = [seal, { ...seal, name: 'turned-off', enabled: false }].map((job) => ({
      ...job,
      owner: { id: '', email: '' },
    }));
    createJobMetrics(fresh, jobs, () => createJobsStore(setup.db).lastEnds(['seal-audit', 'never-ran']));
    const text = await fresh.registry.metrics();
    const { finished_at } = await ended('seal-audit');
    for (const name of ['job_last_run_timestamp_seconds', 'job_last_success_timestamp_seconds']) {
      const [, shown] = new RegExp(`^${name}\\{job="seal-audit",service="fresh"\\} ([\\d.]+)$`, 'm').exec(text) ?? [];
      expect(Number(shown) * 1_000).toBeGreaterThanOrEqual(Date.parse(String(finished_at)));
    }
    expect(text).not.toContain('never-ran');
    const due = /^job_last_due_timestamp_seconds\{job="([^"]+)",service="fresh"\} (\d+)$/gm;
    const [[, job, at] = [], ...others] = [...text.matchAll(due)];
    expect([job, others]).toEqual(['seal-audit', []]);
    expect(Number(at) % 300).toBe(0);
    expect(Date.now() / 1_000 - Number(at)).toBeLessThan(300);
  });

  it("removes audit rows that are older than AUDIT_RETENTION_DAYS, with the job's owner as actor", async () => {
    const { audit_rows: rows } = (await ended('apply-retention')).detail as { audit_rows: number };
    // The scheduled job that seals the log runs every five minutes. If it has added a third seal, the rows of the second seal are removed
    // too.
    expect([oldRows, oldRows + 3]).toContain(rows);
    expect((await call('POST', '/admin/api/audit/verify')).body).toMatchObject({ verified: 'ok', removed: { rows } });
    const removals = await site.db.prisma.governanceDecision.findMany({
      where: { action: 'audit.remove', actor_kind: 'job', actor_id: 'apply-retention' },
      orderBy: { seq: 'asc' },
    });
    const details = removals.map(({ detail }) => detail as { rows: number; seal: number });
    // If the scheduled job that seals the log ran after the first removal, there is a second removal.
    expect(details.reduce((sum, removal) => sum + removal.rows, 0)).toBe(rows);
    expect(details.at(-1)?.seal).toBe(rows === oldRows ? 1 : 2);
  });

  it('seals the audit log with the key of admin-auth', async () => {
    expect((await call('POST', '/admin/api/audit/verify')).body).toMatchObject({ verified: 'ok' });
    expect(await site.db.prisma.auditSeal.count()).toBeGreaterThan(0);
  });

  it('answers 404 for an unknown job', async () => {
    expect(await call('POST', '/admin/api/jobs/none/run')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
  });
});
