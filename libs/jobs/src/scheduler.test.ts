import { deactivateUser } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { getConstructionPlans } from 'pg-boss';
import { startScheduler, type Extension, type Job, type RunReport, type Scheduler } from './index.js';
import { makeAdmin, makeEffects, NEVER, openDatabase, until } from './test-jobs.js';

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

async function start(extension: Extension, changes: Partial<Job> = {}): Promise<Scheduler> {
  scheduler = await startScheduler({
    db,
    databaseUrl: database.url,
    jobs: [{ name: 'nightly', extension: 'x', owner, schedule: NEVER, enabled: true, ...changes }],
    extensions: { x: extension },
    onRun: (report) => reports.push(report),
    onError: (error) => expect(error).toBeUndefined(),
  });
  return scheduler;
}
const ask = (of: Scheduler, name = 'nightly') =>
  db.transaction((tx) => of.request(tx, name, { userId: asker.id, kind: 'user', label: 'Bea' }));
const ended = (id: string) =>
  until(async () => {
    const run = await db.prisma.jobRun.findUniqueOrThrow({ where: { id } });
    return run.finished_at ? run : undefined;
  });
const trail = (action: string) => db.prisma.governanceDecision.findMany({ where: { action }, orderBy: { seq: 'asc' } });
const effects = async () => (await db.prisma.$queryRaw<object[]>`SELECT * FROM effects`).length;
const mark: Extension = ({ job, tick, commit }) =>
  commit(async (tx) => {
    await tx.$executeRaw`INSERT INTO effects (job, tick) VALUES (${job}, ${tick})`;
    return { marked: 1 };
  });

describe('a run', () => {
  it('that an admin asks for happens, and both are recorded for who answers for them', async () => {
    const { id, tick } = await ask(await start(mark));
    expect(await ended(id)).toMatchObject({
      origin: 'manual',
      outcome: 'succeeded',
      detail: { marked: 1 },
      attempt: 1,
    });
    expect(await trail('job.request')).toMatchObject([{ user_id: asker.id, actor_kind: 'user', resource: 'nightly' }]);
    expect(await trail('job.run')).toMatchObject([
      {
        user_id: owner.id,
        actor_kind: 'job',
        actor_id: 'nightly',
        decision: 'allow',
        detail: { tick: tick.toISOString(), attempt: 1, outcome: 'succeeded', marked: 1 },
      },
    ]);
    await until(() => Promise.resolve(reports[0]));
    expect(reports).toMatchObject([{ job: 'nightly', outcome: 'succeeded' }]);
  });

  it('that fails is tried three times, leaves no effect, and its failure is recorded without its words', async () => {
    let tries = 0;
    const running = await start(({ commit }) => {
      tries += 1;
      return commit(async (tx) => {
        await tx.$executeRaw`INSERT INTO effects (job) VALUES ('nightly')`;
        throw new Error('hunter2');
      });
    });
    const { id } = await ask(running);
    expect(await ended(id)).toMatchObject({ outcome: 'failed', attempt: 3, detail: { error: 'internal_error' } });
    expect([tries, await effects()]).toEqual([3, 0]);
    const rows = await trail('job.run');
    expect(rows).toMatchObject([{ decision: 'allow', detail: { outcome: 'failed', attempt: 3 } }]);
    expect(JSON.stringify(rows.map(({ detail }) => detail))).not.toContain('hunter2');
  }, 30_000);

  it('that fails once and then works has its effect once', async () => {
    let tries = 0;
    const running = await start((call) => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error('no')) : mark(call);
    });
    const { id } = await ask(running);
    expect(await ended(id)).toMatchObject({ outcome: 'succeeded', attempt: 2 });
    expect(await effects()).toBe(1);
  }, 30_000);

  it('of an owner who was deactivated is refused, and so is the rest of one that has begun', async () => {
    let began: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    let goOn: () => void = () => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    const running = await start(async (call) => {
      began();
      await mayGoOn;
      return mark(call);
    });
    const begun = await ask(running);
    await hasBegun;
    const actor = { userId: asker.id, kind: 'user', label: 'Bea' } as const;
    await db.transaction((tx) => deactivateUser(tx, owner.id, actor, () => undefined));
    goOn();
    const later = await ask(running);
    for (const { id } of [begun, later])
      expect(await ended(id)).toMatchObject({
        outcome: 'refused',
        detail: { reason: 'the owner is not an active admin' },
      });
    expect(await effects()).toBe(0);
    expect(await trail('job.run')).toMatchObject([
      { decision: 'deny', user_id: owner.id },
      { decision: 'deny', user_id: owner.id },
    ]);
  });

  it('changes nothing once another process has taken it over', async () => {
    const running = await start(async (call) => {
      await db.prisma.$executeRaw`UPDATE job_runs SET attempt = attempt + 1`;
      return mark(call);
    });
    const { id } = await ask(running);
    await until(async () =>
      (await db.prisma.jobRun.findUniqueOrThrow({ where: { id } })).attempt === 2 ? true : undefined,
    );
    await running.stop();
    scheduler = undefined;
    expect([await effects(), reports, await trail('job.run')]).toEqual([0, [], []]);
  });

  it.each([
    ['of a job that is not there', 'weekly', true, 'not_found'],
    ['of a disabled job', 'nightly', false, 'conflict'],
  ])('%s is not asked for', async (_case, name, enabled, code) => {
    const running = await start(mark, { enabled });
    await expect(ask(running, name)).rejects.toMatchObject({ code });
    expect([await db.prisma.jobRun.count(), await trail('job.request')]).toEqual([0, []]);
  });
});

it('a tick that came due while nothing ran is made good once', async () => {
  const tick = new Date(Date.now() - 3_600_000 * 30);
  await db.prisma.$executeRaw`
    INSERT INTO job_runs (id, job, extension, tick, origin, owner_id, finished_at, outcome)
    VALUES (gen_random_uuid(), 'nightly', 'x', ${tick}, 'schedule', ${owner.id}::uuid, now(), 'succeeded')`;
  await start(mark, { schedule: '0 * * * *' });
  const run = await until(
    async () => (await db.prisma.jobRun.findFirst({ where: { tick: { gt: tick } } })) ?? undefined,
  );
  expect(await ended(run.id)).toMatchObject({ outcome: 'succeeded', origin: 'schedule' });
  expect(run.tick.getTime()).toBeGreaterThan(Date.now() - 3_700_000);
  expect(await db.prisma.jobRun.count()).toBe(2);
});

it("the migrations hold pg-boss's own schema, of the version that is installed", async () => {
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
