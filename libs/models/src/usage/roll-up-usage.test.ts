import { createDatabase, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { rollUpUsage, USAGE_BY_DAY } from './index.js';

let database: TestDatabase;
let db: Database;
let [ann, bea]: string[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
  [ann, bea] = await Promise.all(['ann', 'bea'].map(makeUser));
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

async function makeUser(name: string): Promise<string> {
  const webauthn_user_id = crypto.getRandomValues(new Uint8Array(32));
  const { id } = await db.prisma.user.create({
    data: { id: newId(), email: `${name}@example.com`, name, webauthn_user_id },
  });
  return id;
}
async function used(at: string, over: object = {}): Promise<void> {
  const event = {
    user_id: ann ?? '',
    project: 'Core',
    kind: 'agent_message',
    model: 'house',
    prompt_tokens: 10,
    completion_tokens: 5,
  };
  await db.prisma.usageEvent.create({
    data: { ...event, id: newId(), subject_id: newId(), at: new Date(at), ...over },
  });
}
/** Creates a run with calls of tools, each with its start, the owner of the tool and the outcome. @returns its id */
async function runWithCalls(
  calls: readonly (readonly [at: string, server: string | null, tool: string, outcome: string])[],
): Promise<string> {
  const id = newId();
  const subject = { subject_kind: 'agent', subject_id: newId(), subject_name: 'guide' };
  const run = { ...subject, channel: 'messages', caller: {}, state: 'completed', ended_at: new Date() };
  await db.prisma.run.create({ data: { id, project: 'Core', user_id: ann ?? '', ...run } });
  await db.prisma.runStep.createMany({
    data: calls.map(([at, server, tool, outcome], index) => ({
      ...{ run_id: id, seq: index + 1, attempt: 1, kind: 'tool', outcome, server, tool, started_at: new Date(at) },
    })),
  });
  return id;
}
const rollUp = (now: string, from?: string) =>
  rollUpUsage((work) => db.transaction(work), new Date(now), from === undefined ? undefined : new Date(from));
const days = () =>
  db.prisma.usageDay.findMany({ orderBy: [{ day: 'asc' }, { project: 'asc' }, { model: 'asc' }, { kind: 'asc' }] });
const read = (from: string, to: string) =>
  db.prepared<{ day: string; events: number }>(
    'usage',
    `SELECT to_char(day, 'MM-DD') AS day, sum(events)::int AS events FROM ${USAGE_BY_DAY} GROUP BY 1 ORDER BY 1`,
    [from, to],
  );

describe('rollUpUsage', () => {
  it('stores the cost of a day as unknown when the cost of one of its events is unknown', async () => {
    const subject_id = newId();
    await used('2025-03-01T10:00:00.000Z', { subject_id, cost_usd: '0.1' });
    await used('2025-03-01T11:00:00.000Z', { subject_id, cost_usd: null });
    await used('2025-03-01T11:00:00.000Z', { subject_id, model: 'priced', cost_usd: '0.2' });
    await rollUp('2025-03-02T00:10:00.000Z');
    expect((await days()).map(({ model, cost_usd }) => [model, cost_usd?.toString() ?? null])).toEqual([
      ['house', null],
      ['priced', '0.2'],
    ]);
    expect(await db.prisma.usageSubjectDay.findMany()).toMatchObject([{ events: 3, cost_usd: null }]);
    await db.prisma.$executeRaw`TRUNCATE usage_events, usage_days, usage_subject_days`;
  });

  it('adds up each whole day in UTC by project, user, kind and model', async () => {
    await used('2026-03-01T00:00:00.000Z', { cost_usd: '0.100000001' });
    await used('2026-03-01T23:59:59.999Z', { cost_usd: '0.2' });
    await used('2026-03-01T12:00:00.000Z', { user_id: bea, model: 'other', cost_usd: null });
    await used('2026-03-01T12:00:00.000Z', { project: 'Commerce', kind: 'prompt_run', prompt_tokens: 2_000_000_000 });
    await used('2026-03-01T12:00:00.000Z', { project: 'Commerce', kind: 'prompt_run', prompt_tokens: 2_000_000_000 });
    await used('2026-03-03T12:00:00.000Z');
    await used('2026-03-04T00:00:00.000Z');
    expect(await rollUp('2026-03-04T00:10:00.000Z')).toEqual({ days: 3, rows: 4 });
    const rows = (await days()).map(({ day, cost_usd, prompt_tokens, ...row }) => ({
      ...row,
      day: day.toISOString().slice(0, 10),
      prompt_tokens: Number(prompt_tokens),
      cost_usd: cost_usd?.toString() ?? null,
    }));
    expect(rows).toMatchObject([
      {
        day: '2026-03-01',
        project: 'Commerce',
        kind: 'prompt_run',
        events: 2,
        prompt_tokens: 4_000_000_000,
        cost_usd: null,
      },
      {
        day: '2026-03-01',
        project: 'Core',
        user_id: ann,
        model: 'house',
        events: 2,
        prompt_tokens: 20,
        cost_usd: '0.300000001',
      },
      { day: '2026-03-01', project: 'Core', user_id: bea, model: 'other', events: 1, cost_usd: null },
      { day: '2026-03-03', project: 'Core', user_id: ann, events: 1 },
    ]);
  });

  it('changes nothing when it is repeated, even concurrently, and adds events that were stored later', async () => {
    await used('2026-03-01T10:00:00.000Z');
    await used('2026-03-02T10:00:00.000Z');
    await rollUp('2026-03-03T00:10:00.000Z');
    const before = await days();
    await Promise.all([rollUp('2026-03-03T00:20:00.000Z'), rollUp('2026-03-03T00:20:00.000Z')]);
    expect(await days()).toEqual(before);
    await used('2026-03-02T23:59:59.000Z');
    await rollUp('2026-03-04T00:10:00.000Z');
    expect((await days()).map(({ events }) => events)).toEqual([1, 2]);
  });

  it('sums all days from a given time again after events were added to days that had been summed', async () => {
    await used('2026-03-01T10:00:00.000Z');
    await used('2026-03-03T10:00:00.000Z');
    await rollUp('2026-03-04T00:10:00.000Z');
    await used('2026-03-02T10:00:00.000Z');
    await rollUp('2026-03-04T00:20:00.000Z');
    expect((await days()).map(({ events }) => events)).toEqual([1, 1]);
    await rollUp('2026-03-04T00:30:00.000Z', '2026-03-01T15:00:00.000Z');
    expect((await days()).map(({ events }) => events)).toEqual([1, 1, 1]);
  });

  it('adds up the usage of agent steps too, and adds up all usage by agent or prompt', async () => {
    const subject_id = newId();
    await used('2026-03-01T10:00:00.000Z', { subject_id });
    await used('2026-03-01T11:00:00.000Z', { subject_id, user_id: bea, model: 'other', cost_usd: '0.5' });
    await used('2026-03-01T10:00:00.000Z', { subject_id, kind: 'agent_step' });
    for (const now of ['2026-03-02T00:10:00.000Z', '2026-03-03T00:10:00.000Z']) await rollUp(now);
    expect((await days()).map(({ kind, events }) => [kind, events])).toEqual(
      expect.arrayContaining([['agent_step', 1]]),
    );
    const rows = await db.prisma.usageSubjectDay.findMany({ orderBy: { kind: 'asc' } });
    expect(
      rows.map((row) => [row.subject_id, row.kind, row.events, Number(row.prompt_tokens), row.cost_usd?.toString()]),
    ).toEqual([
      [subject_id, 'agent_message', 2, 20, undefined],
      [subject_id, 'agent_step', 1, 10, undefined],
    ]);
  });

  it('adds up the usage of each API key, and the part of its cost that is known', async () => {
    const key_id = newId();
    await used('2026-03-01T10:00:00.000Z', { key_id, cost_usd: '0.1' });
    await used('2026-03-01T11:00:00.000Z', { key_id, model: 'other', user_id: bea });
    await used('2026-03-01T11:00:00.000Z', { cost_usd: '5' });
    for (const now of ['2026-03-02T00:10:00.000Z', '2026-03-03T00:10:00.000Z']) await rollUp(now);
    const rows = await db.prisma.usageKeyDay.findMany();
    expect(rows.map((row) => ({ ...row, prompt_tokens: Number(row.prompt_tokens) }))).toMatchObject([
      { project: 'Core', key_id, events: 2, prompt_tokens: 20, cost_usd: null },
    ]);
    expect(rows.map(({ known_cost_usd }) => Number(known_cost_usd))).toEqual([0.1]);
  });

  it('adds up calls of tools by server and tool, and keeps the sums when their runs are deleted', async () => {
    await used('2026-03-01T10:00:00.000Z');
    const run = await runWithCalls([
      ['2026-03-01T23:59:59.000Z', 'ms_a', 'find', 'succeeded'],
      ['2026-03-01T00:00:00.000Z', 'ms_a', 'find', 'failed'],
      ['2026-03-01T12:00:00.000Z', 'platform', 'calculate', 'unknown'],
      ['2026-03-01T12:00:00.000Z', null, 'invented', 'failed'],
      ['2026-03-02T00:00:00.000Z', 'ms_a', 'find', 'succeeded'],
    ]);
    const sums = async () =>
      (await db.prisma.usageToolDay.findMany({ orderBy: { server: 'asc' } })).map(({ server, tool, calls, failed }) => [
        ...[server, tool, calls, failed],
      ]);
    const expected = [
      ['ms_a', 'find', 2, 1],
      ['platform', 'calculate', 1, 0],
    ];
    await rollUp('2026-03-02T00:10:00.000Z');
    expect(await sums()).toEqual(expected);
    await db.prisma.run.delete({ where: { id: run } });
    await rollUp('2026-03-02T00:20:00.000Z');
    expect(await sums()).toEqual(expected);
  });

  it('writes nothing when there is no usage', async () => {
    expect(await rollUp('2026-03-03T00:10:00.000Z')).toEqual({ days: 0, rows: 0 });
  });
});

describe('USAGE_BY_DAY', () => {
  it('counts each event once, before and after its day was added up', async () => {
    for (const at of [
      '2026-02-28T23:59:59.999Z',
      '2026-03-01T10:00:00.000Z',
      '2026-03-02T10:00:00.000Z',
      '2026-03-04T00:00:00.000Z',
    ])
      await used(at);
    const expected = [
      { day: '03-01', events: 1 },
      { day: '03-02', events: 1 },
    ];
    expect(await read('2026-03-01', '2026-03-04')).toEqual(expected);
    await rollUp('2026-03-02T00:10:00.000Z');
    expect(await read('2026-03-01', '2026-03-04')).toEqual(expected);
    await rollUp('2026-03-05T00:10:00.000Z');
    expect(await read('2026-03-01', '2026-03-04')).toEqual(expected);
  });
});
