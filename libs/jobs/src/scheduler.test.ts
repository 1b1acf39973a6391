import { changeAccount, deactivateUser } from '@millwright/accounts';
import type { Actor } from '@millwright/audit';
import type { Database, Tx } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { getConstructionPlans } from 'pg-boss';
import { startScheduler, type JobHandler, type Job, type RunReport, type Scheduler } from './index.js';
import { LAST_TIMES, readScheduledTimes } from './runs.store.js';
import { makeAdmin, makeEffects, NEVER, openDatabase, pollUntil } from './test-jobs.js';

let database: TestDatabase;
let db: Database;
let owner: Job['owner'];
let asker: Job['owner'];
let scheduler: Scheduler | undefined;
let reports: RunReport[];

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  owner = await makeAdmin(db, 'ann@example.com');
  asker = await makeAdmin(db, 'bea@example.com');
  await makeEffects(db);
  reports = [];
});
afterEach(async () => {
  await scheduler?.stop();
  scheduler = undefined;
  await db.close();
  await database.drop();
});

async function start(handler: JobHandler, changes: Partial<Job> = {}): Promise<Scheduler> {
  scheduler = await startScheduler({
    db,
    databaseUrl: database.url,
    jobs: [{ name: 'nightly', extension: 'x', owner, schedule: NEVER, enabled: true, ...changes }],
    handlers: { x: handler },
    onRun: (report) => reports.push(report),
    onError: (error) => expect(error).toBeUndefined(),
  });
  return scheduler;
}
const request = (of: Scheduler, name = 'nightly') =>
  db.transaction((tx) => of.request(tx, name, { userId: asker.id, kind: 'user', label: 'Bea' }));
const ended = (id: string) =>
  pollUntil(async () => {
    const run = await db.prisma.jobRun.findUniqueOrThrow({ where: { id } });
    return run.finished_at ? run : undefined;
  });
const auditRows = (action: string) =>
  db.prisma.governanceDecision.findMany({ where: { action }, orderBy: { seq: 'asc' } });
const effects = async () => (await db.prisma.$queryRaw<object[]>`SELECT * FROM effects`).length;
const mark: JobHandler = ({ job, scheduledAt, commit }) =>
  commit(async (tx) => {
    await tx.$executeRaw`INSERT INTO effects (job, tick) VALUES (${job}, ${scheduledAt})`;
    return { marked: 1 };
  });

describe('a run of a job', () => {
  it('starts when an admin requests it, with one audit row for the request and one for the run', async () => {
    const { id, scheduledAt } = await request(await start(mark));
    expect(await ended(id)).toMatchObject({
      origin: 'manual',
      outcome: 'succeeded',
      detail: { marked: 1 },
      attempt: 1,
    });
    expect(await auditRows('job.request')).toMatchObject([
      { user_id: asker.id, actor_kind: 'user', resource: 'nightly' },
    ]);
    expect(await auditRows('job.run')).toMatchObject([
      {
        user_id: owner.id,
        actor_kind: 'job',
        actor_id: 'nightly',
        decision: 'allow',
        detail: { tick: scheduledAt.toISOString(), attempt: 1, outcome: 'succeeded', marked: 1 },
      },
    ]);
    await pollUntil(() => Promise.resolve(reports[0]));
    expect(reports).toMatchObject([{ job: 'nightly', outcome: 'succeeded' }]);
  });

  it('that fails is tried three times, changes nothing, and is recorded without the text of the error', async () => {
    let tries = 0;
    const running = await start(({ commit }) => {
      tries += 1;
      return commit(async (tx) => {
        await tx.$executeRaw`INSERT INTO effects (job) VALUES ('nightly')`;
        throw new Error('hunter2');
      });
    });
    const { id } = await request(running);
    expect(await ended(id)).toMatchObject({ outcome: 'failed', attempt: 3, detail: { error: 'internal_error' } });
    expect([tries, await effects()]).toEqual([3, 0]);
    const rows = await auditRows('job.run');
    expect(rows).toMatchObject([{ decision: 'allow', detail: { outcome: 'failed', attempt: 3 } }]);
    expect(JSON.stringify(rows.map(({ detail }) => detail))).not.toContain('hunter2');
  });

  it('changes its rows once when its first attempt fails and a retry succeeds', async () => {
    let tries = 0;
    const running = await start((call) => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error('no')) : mark(call);
    });
    const { id } = await request(running);
    expect(await ended(id)).toMatchObject({ outcome: 'succeeded', attempt: 2 });
    expect(await effects()).toBe(1);
  });

  const ANYONE = () => undefined;
  it.each([
    ['deactivated', (tx: Tx, id: string, actor: Actor) => deactivateUser(tx, id, actor, ANYONE)],
    ['demoted', (tx: Tx, id: string, actor: Actor) => changeAccount(tx, id, { role: 'user' }, actor, ANYONE)],
  ])('is refused when the owner of the job was %s, even during the run', async (_what, change) => {
    let began: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    let goOn: () => void = () => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    const running = await start(async (call) => {
      began();
      await mayGoOn;
      return mark(call);
    });
    const begun = await request(running);
    await hasBegun;
    const actor = { userId: asker.id, kind: 'user', label: 'Bea' } as const;
    await db.transaction(async (tx) => {
      await change(tx, owner.id, actor);
    });
    goOn();
    const later = await request(running);
    for (const { id } of [begun, later])
      expect(await ended(id)).toMatchObject({
        outcome: 'refused',
        detail: { reason: 'the owner is not an active admin' },
      });
    expect(await effects()).toBe(0);
    expect(await auditRows('job.run')).toMatchObject([
      { decision: 'deny', user_id: owner.id },
      { decision: 'deny', user_id: owner.id },
    ]);
  });

  it('changes nothing after another process has taken over the run', async () => {
    const running = await start(async (call) => {
      await db.prisma.$executeRaw`UPDATE job_runs SET attempt = attempt + 1`;
      return mark(call);
    });
    const { id } = await request(running);
    await pollUntil(async () =>
      (await db.prisma.jobRun.findUniqueOrThrow({ where: { id } })).attempt === 2 ? true : undefined,
    );
    await running.stop();
    scheduler = undefined;
    expect([await effects(), reports, await auditRows('job.run')]).toEqual([0, [], []]);
  });

  it('waits for the previous run of the same job, and delays no run of another job', async () => {
    const begun: string[] = [];
    const gate = Promise.withResolvers<undefined>();
    const job = { extension: 'x', owner, schedule: NEVER, enabled: true };
    scheduler = await startScheduler({
      db,
      databaseUrl: database.url,
      jobs: [
        { ...job, name: 'slow' },
        { ...job, name: 'quick' },
      ],
      handlers: {
        x: async (call) => {
          begun.push(call.job);
          if (call.job === 'slow') await gate.promise;
          return mark(call);
        },
      },
      onRun: (report) => reports.push(report),
      onError: (error) => expect(error).toBeUndefined(),
    });
    const slow = [await request(scheduler, 'slow'), await request(scheduler, 'slow')];
    await pollUntil(() => Promise.resolve(begun[0]));
    const quick = [await request(scheduler, 'quick'), await request(scheduler, 'quick')];
    for (const { id } of quick) await ended(id);
    expect(begun).toEqual(['slow', 'quick', 'quick']);
    gate.resolve(undefined);
    for (const { id } of slow) await ended(id);
  });

  it('ends as failed when the processes of all its attempts died, and then the next run of the job can start', async () => {
    const gate = Promise.withResolvers<undefined>();
    const running = await start(async (call) => {
      await gate.promise;
      return mark(call);
    });
    const dead = await request(running);
    await pollUntil(async () =>
      (await db.prisma.jobRun.findUniqueOrThrow({ where: { id: dead.id } })).attempt === 1 ? true : undefined,
    );
    await db.prisma.$executeRaw`
      UPDATE pgboss.job SET retry_count = retry_limit, heartbeat_on = now() - interval '1 hour' WHERE id = ${dead.id}::uuid`;
    expect(await ended(dead.id)).toMatchObject({ outcome: 'failed' });
    const next = await request(running);
    gate.resolve(undefined);
    expect(await ended(next.id)).toMatchObject({ outcome: 'succeeded' });
    expect(await effects()).toBe(1);
  });

  it.each([
    ['an unknown job', 'weekly', true, 'not_found'],
    ['a disabled job', 'nightly', false, 'conflict'],
  ])('is refused when %s is requested', async (_case, name, enabled, code) => {
    const running = await start(mark, { enabled });
    await expect(request(running, name)).rejects.toMatchObject({ code });
    expect([await db.prisma.jobRun.count(), await auditRows('job.request')]).toEqual([0, []]);
  });
});

it('startScheduler runs a job only for the latest of the scheduled times that passed while no process ran', async () => {
  const earlier = new Date(Date.now() - 3_600_000 * 30);
  await db.prisma.$executeRaw`
    INSERT INTO job_runs (id, job, extension, tick, origin, owner_id, finished_at, outcome)
    VALUES (gen_random_uuid(), 'nightly', 'x', ${earlier}, 'schedule', ${owner.id}::uuid, now(), 'succeeded')`;
  await start(mark, { schedule: '0 * * * *' });
  const run = await pollUntil(
    async () => (await db.prisma.jobRun.findFirst({ where: { tick: { gt: earlier } } })) ?? undefined,
  );
  expect(await ended(run.id)).toMatchObject({ outcome: 'succeeded', origin: 'schedule' });
  expect(run.tick.getTime()).toBeGreaterThan(Date.now() - 3_700_000);
  expect(await db.prisma.jobRun.count()).toBe(2);
});

it('the last scheduled times are read from an index, however many earlier runs there are', async () => {
  await database.sql`
    INSERT INTO job_runs (id, job, extension, tick, origin, owner_id, finished_at, outcome)
    SELECT gen_random_uuid(), 'nightly', 'x', now() - n * interval '1 minute', 'schedule', ${owner.id}::uuid, now(), 'succeeded'
      FROM generate_series(1, 20000) n`;
  await database.run('ANALYZE job_runs');
  const plan = await db.prepared<object>('plan', `EXPLAIN (FORMAT JSON) ${LAST_TIMES}`, [['nightly', 'weekly']]);
  expect(JSON.stringify(plan)).toContain('job_runs_job_tick_key');
  expect(JSON.stringify(plan)).not.toContain('Seq Scan');
  const { last } = await readScheduledTimes(db, ['nightly', 'weekly']);
  expect([...last.keys()]).toEqual(['nightly']);
  expect((await readScheduledTimes(db, [])).last.size).toBe(0);
});

it('the migrations create the same schema as the installed version of pg-boss', async () => {
  const fresh = await createTestDatabase();
  const client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
  const columns = async () =>
    (
      await client.query<{ line: string }>(
        `SELECT concat_ws(' ', table_name, column_name, data_type, column_default, is_nullable) AS line
           FROM information_schema.columns WHERE table_schema = 'pgboss'
         UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE pronamespace = 'pgboss'::regnamespace
         UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'pgboss'
         UNION ALL SELECT 'version ' || version FROM pgboss.version ORDER BY 1`,
      )
    ).rows.map(({ line }) => line.replaceAll(/\s+/g, ' '));
  const ours = await columns();
  await client.query('DROP SCHEMA pgboss CASCADE');
  await client.query(getConstructionPlans('pgboss'));
  const installed = await columns();
  await client.end();
  await fresh.drop();
  expect(ours).toEqual(installed);
});
