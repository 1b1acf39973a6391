import { createUser } from '@millwright/accounts';
import { asRole, createDatabase, decodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { z } from 'zod';
import { applyRetention } from './apply-retention.js';
import { keepPartitions } from './keep-partitions.js';
import { retentionConfig, retentionOf } from './retention-config.js';

let database: TestDatabase;
let db: Database;
/** Connects with the database role of the service that runs the job. */
let area: Database;
let user_id: string;

const now = new Date();
const monthsFromNow = (months: number, day = 1) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day));
/** Returns a UUIDv7 with this time. */
const idAt = (time: Date) => {
  const hex = `${time.getTime().toString(16).padStart(12, '0')}7${newId().replaceAll('-', '').slice(13)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
  area = createDatabase({ url: asRole(database.url, 'admin-auth'), poolMax: 2 });
  const user = { email: 'ann@example.com', name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' } as const;
  user_id = decodeId('usr', (await db.transaction((tx) => createUser(tx, user))).id) ?? '';
});
afterEach(async () => {
  await Promise.all([db.close(), area.close()]);
  await database.drop();
});

const partitionsOf = async (table: string): Promise<string[]> => {
  const rows = await db.prisma.$queryRaw<{ name: string }[]>`
    SELECT partition::text AS name FROM partitions_of(${table}::regclass)`;
  return rows.map(({ name }) => name);
};

/** Replaces the first partition of each table by one for each of the last four months, the current month and the next two. */
async function splitPast(): Promise<void> {
  for (const table of ['run_events', 'run_steps', 'usage_events']) {
    await database.run(`DROP TABLE ${(await partitionsOf(table))[0]}`);
    for (let month = -4; month < 3; month += 1)
      await database.run('SELECT make_partition($1, $2, $3)', [table, monthsFromNow(month), monthsFromNow(month + 1)]);
  }
}

function keep() {
  const warnings: unknown[] = [];
  const kept = keepPartitions((work) => area.transaction(work), { warn: (fields: unknown) => warnings.push(fields) });
  return kept.then((counts) => ({ ...counts, warnings }));
}

async function makeRun(id: string, project = 'Core'): Promise<void> {
  const subject = { subject_kind: 'agent', subject_id: newId(), subject_name: 'helper' };
  const ended = { state: 'completed', ended_at: now };
  await db.prisma.run.create({ data: { id, project, user_id, ...subject, channel: 'messages', caller: {}, ...ended } });
  await db.prisma.runStep.create({ data: { run_id: id, seq: 1, attempt: 1, kind: 'model', outcome: 'succeeded' } });
  await db.prisma.runEvent.create({ data: { run_id: id, seq: 1, type: 'run.completed', data: {} } });
}

describe('keepPartitions', () => {
  it('makes the missing partitions of the next three months; a second run makes none', async () => {
    await splitPast();
    for (const table of ['run_events', 'run_steps', 'usage_events'])
      for (const partition of (await partitionsOf(table)).slice(5, -1)) await database.run(`DROP TABLE ${partition}`);
    const { made, ...rest } = await keep();
    expect(made).toBeGreaterThanOrEqual(3 * 3);
    expect(rest).toEqual({ delayed: 0, unplaced: 0, warnings: [] });
    expect(await keep()).toMatchObject({ made: 0 });
  });

  it('logs the name of each table that has rows outside the partitions of months', async () => {
    await makeRun(idAt(monthsFromNow(30)));
    const warning = (table: string): unknown => ({ table, bytes: expect.any(Number) as number });
    expect(await keep()).toMatchObject({ unplaced: 2, warnings: [warning('run_events'), warning('run_steps')] });
  });

  it('skips a table that is in use and makes the partitions of all other tables; the next run makes the skipped partitions', async () => {
    for (const table of ['run_steps', 'usage_events'])
      for (const partition of (await partitionsOf(table)).slice(1, -1)) await database.run(`DROP TABLE ${partition}`);
    await db.transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE partitions.run_steps_default IN ACCESS SHARE MODE`;
      expect(await keep()).toMatchObject({ delayed: 1 });
    });
    expect(await partitionsOf('run_steps')).toHaveLength(2);
    expect((await partitionsOf('usage_events')).length).toBeGreaterThan(2);
    expect(await keep()).toMatchObject({ delayed: 0 });
    expect((await partitionsOf('run_steps')).length).toBeGreaterThan(2);
  });
});

describe('applyRetention for tables with partitions', () => {
  const apply = (settings: Record<string, string>) =>
    applyRetention((work) => area.transaction(work), retentionOf(z.object(retentionConfig).parse(settings)), now);
  const nameOf = (month: Date) => month.toISOString().slice(0, 7).replace('-', '_');
  const monthsOf = async (table: string) => (await partitionsOf(table)).map((name) => name.slice(-'2000_01'.length));
  const stepsOf = async () =>
    (await db.prisma.runStep.findMany({ orderBy: { run_id: 'asc' } })).map(({ run_id }) => run_id);

  it('drops the partitions of months that are past the retention of every project, and deletes the other old rows in steps', async () => {
    await splitPast();
    const days = Math.ceil((now.getTime() - monthsFromNow(-2, 10).getTime()) / 86_400_000);
    const [gone, alsoGone, kept] = [
      idAt(monthsFromNow(-4, 5)),
      idAt(monthsFromNow(-2, 5)),
      idAt(monthsFromNow(-2, 20)),
    ];
    for (const id of [gone, alsoGone, kept]) await makeRun(id);
    expect(await apply({ RETENTION_RUNS_DAYS: String(days) })).toMatchObject({ runs: 2 });
    expect((await monthsOf('run_steps')).slice(0, 1)).toEqual([nameOf(monthsFromNow(-2))]);
    expect((await monthsOf('run_events')).slice(0, 1)).toEqual([nameOf(monthsFromNow(-2))]);
    expect(await stepsOf()).toEqual([kept]);
    expect(await db.prisma.run.count()).toBe(1);
  });

  it('keeps the partition of a month while one project keeps its runs for longer or for ever; the rows of other projects are deleted', async () => {
    await splitPast();
    const [core, commerce] = [idAt(monthsFromNow(-4, 5)), idAt(monthsFromNow(-4, 6))];
    await makeRun(core);
    await makeRun(commerce, 'Commerce');
    expect(await apply({ RETENTION_RUNS_DAYS: 'Core=30' })).toMatchObject({ runs: 1 });
    expect(await stepsOf()).toEqual([commerce]);
    expect(await monthsOf('run_steps')).toContain(nameOf(monthsFromNow(-4)));
    // The retention keeps rows, but empty partitions of past months are dropped all the same.
    expect(await monthsOf('run_steps')).not.toContain(nameOf(monthsFromNow(-3)));
    expect(await apply({ RETENTION_RUNS_DAYS: 'Core=30,Commerce=300' })).toMatchObject({ runs: 0 });
    expect(await stepsOf()).toEqual([commerce]);
    expect(await apply({ RETENTION_RUNS_DAYS: '30' })).toMatchObject({ runs: 1 });
    expect(await stepsOf()).toEqual([]);
  });

  it('drops the partition of a month of usage events only after the events are summed up by day', async () => {
    await splitPast();
    const usage = { user_id, project: 'Core', kind: 'model_run', model: 'm', prompt_tokens: 1, completion_tokens: 1 };
    const time = monthsFromNow(-4, 9);
    await db.prisma.usageEvent.create({ data: { ...usage, id: idAt(time), subject_id: newId(), at: time } });
    const days = { RETENTION_USAGE_EVENTS_DAYS: '30' };
    const isThere = async () => (await monthsOf('usage_events')).includes(nameOf(time));
    await apply(days);
    expect([await isThere(), await db.prisma.usageEvent.count()]).toEqual([true, 1]);
    await db.prisma.$executeRaw`
      INSERT INTO usage_days (project, day, user_id, kind, model, events, prompt_tokens, completion_tokens)
      VALUES ('Core', ${monthsFromNow(-3)}::date, ${user_id}::uuid, 'model_run', 'm', 1, 1, 1)`;
    expect(await apply(days)).toMatchObject({ usageEvents: 0 });
    expect([await isThere(), await db.prisma.usageEvent.count()]).toEqual([false, 0]);
  });

  it('deletes the rows in steps when the table is in use; a later run drops the partition', async () => {
    await splitPast();
    await makeRun(idAt(monthsFromNow(-4, 5)));
    await db.transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE ONLY run_steps IN ROW EXCLUSIVE MODE`;
      expect(await apply({ RETENTION_RUNS_DAYS: '30' })).toMatchObject({ runs: 1 });
    });
    expect(await stepsOf()).toEqual([]);
    const before = await partitionsOf('run_steps');
    await apply({ RETENTION_RUNS_DAYS: '30' });
    expect(before.length - (await partitionsOf('run_steps')).length).toBeGreaterThanOrEqual(3);
  });
});
