import { createDatabase, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { rollUpUsage, USAGE_BY_DAY } from '../index.js';

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
const rollUp = (now: string) => rollUpUsage((work) => db.transaction(work), new Date(now));
const days = () =>
  db.prisma.usageDay.findMany({ orderBy: [{ day: 'asc' }, { project: 'asc' }, { model: 'asc' }, { kind: 'asc' }] });
const read = (from: string, to: string) =>
  db.prepared<{ day: string; events: number }>(
    'usage',
    `SELECT to_char(day, 'MM-DD') AS day, sum(events)::int AS events FROM ${USAGE_BY_DAY} GROUP BY 1 ORDER BY 1`,
    [from, to],
  );

describe('rollUpUsage', () => {
  it('stores a cost as unknown when the cost of one event is unknown', async () => {
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

  it('changes nothing when repeated, also concurrently, and includes late events', async () => {
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

  it('adds up the steps of agents too, and all usage by agent and prompt', async () => {
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

  it('writes nothing without usage', async () => {
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
