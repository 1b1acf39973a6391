import { createDatabase, createMetricCounts, encodeId, newId, type Database } from '@millwright/db';
import { rollUpUsage } from '@millwright/models/usage';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { periodOf, timesOf } from './usage-period.js';
import { createUsage } from './usage.service.js';

const NOW = new Date('2026-03-10T15:30:00Z');

let database: TestDatabase;
let db: Database;
let [ann, bea]: string[] = [];
let usage: ReturnType<typeof createUsage>;

beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
  [ann, bea] = await Promise.all(['ann', 'bea'].map(makeUser));
  usage = createUsage(db);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

async function makeUser(name: string): Promise<string> {
  const webauthn_user_id = crypto.getRandomValues(new Uint8Array(32));
  const data = { id: newId(), email: `${name}@example.com`, name, webauthn_user_id };
  return (await db.prisma.user.create({ data })).id;
}

async function used(at: string, over: object = {}): Promise<void> {
  const event = {
    user_id: ann ?? '',
    project: 'Core',
    kind: 'agent_message',
    model: 'house',
    prompt_tokens: 10,
    completion_tokens: 5,
    cost_usd: '0.5',
  };
  await db.prisma.usageEvent.create({
    data: { ...event, id: newId(), subject_id: newId(), at: new Date(at), ...over },
  });
}

/** Counts requests with these durations at that time, as a service does. */
async function asked(at: string, durations: number[], errors = 0, project = 'Core'): Promise<void> {
  const counts = createMetricCounts({ db, area: 'platform', now: () => new Date(at) });
  for (const duration of durations) counts.addRequest(project, duration);
  for (let n = 0; n < errors; n += 1) counts.add(project, 'errors');
  await counts.close();
}

describe('periodOf', () => {
  const iso = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];

  it('returns for 7d the last seven UTC days; the period for comparison is the seven days before, the last one up to the current hour', () => {
    const period = periodOf('7d', NOW);
    expect([...iso(period), ...iso(period.before)]).toEqual([
      '2026-03-04T00:00:00.000Z',
      '2026-03-11T00:00:00.000Z',
      '2026-02-25T00:00:00.000Z',
      '2026-03-03T16:00:00.000Z',
    ]);
    expect(timesOf(period)).toHaveLength(7);
  });

  it('returns for 24h the 24 hours up to the current hour; the period for comparison is the 24 hours before', () => {
    const period = periodOf('24h', NOW);
    expect([...iso(period), ...iso(period.before)]).toEqual([
      '2026-03-09T16:00:00.000Z',
      '2026-03-10T16:00:00.000Z',
      '2026-03-08T16:00:00.000Z',
      '2026-03-09T16:00:00.000Z',
    ]);
    expect(timesOf(period)).toHaveLength(24);
  });

  it('returns whole days as the period for comparison when the current hour is the last hour of the day', () => {
    const { before } = periodOf('30d', new Date('2026-03-10T23:59:59.999Z'));
    expect(iso(before)).toEqual(['2026-01-10T00:00:00.000Z', '2026-02-09T00:00:00.000Z']);
  });
});

describe('usage of a period', () => {
  it('sums model usage by day for both periods, with the same result before and after the rollup', async () => {
    await used('2026-03-04T00:00:00Z');
    await used('2026-03-09T23:59:59Z', { user_id: bea, cost_usd: null });
    await used('2026-03-10T15:00:00Z', { kind: 'prompt_run' });
    await used('2026-03-10T15:01:00Z', { kind: 'agent_step', prompt_tokens: 1, completion_tokens: 1 });
    await used('2026-03-10T15:00:00Z', { project: 'Commerce' });
    // In the previous period the last day counts only up to the present hour.
    await used('2026-02-25T00:00:00Z');
    await used('2026-03-03T15:59:59Z');
    await used('2026-03-03T16:00:00Z', { user_id: bea });
    await used('2026-02-24T23:59:59Z');
    const first = await usage('7d', 'Core', NOW);
    expect(first.figures).toMatchObject({
      agent_messages: { value: 2, before: 2, points: [1, 0, 0, 0, 0, 1, 0] },
      tokens: { value: 47, before: 30, points: [15, 0, 0, 0, 0, 15, 17] },
      cost_usd: { value: 1.5, before: 1, points: [0.5, 0, 0, 0, 0, null, 1] },
      active_users: { value: 2, before: 1, points: [1, 0, 0, 0, 0, 1, 1] },
    });
    expect(first.unpriced_tokens).toBe(15);
    expect((await usage('7d', null, NOW)).figures.agent_messages.value).toBe(3);
    for (const at of ['2026-03-02T00:10:00Z', '2026-03-10T00:10:00Z']) {
      await rollUpUsage((work) => db.transaction(work), new Date(at));
      expect(await usage('7d', 'Core', NOW)).toEqual(first);
    }
  });

  it('sums model usage by hour for a period of one day', async () => {
    await used('2026-03-10T15:00:00Z');
    await used('2026-03-09T16:00:00Z', { user_id: bea });
    await used('2026-03-09T15:59:59Z');
    const { figures, times, interval } = await usage('24h', 'Core', NOW);
    expect([interval, times[0], times.at(-1)]).toEqual([
      'hour',
      '2026-03-09T16:00:00.000Z',
      '2026-03-10T15:00:00.000Z',
    ]);
    expect(figures.agent_messages).toEqual({ value: 2, before: 1, points: [1, ...Array<number>(22).fill(0), 1] });
    expect(figures.active_users).toMatchObject({ value: 2, before: 1 });
  });

  it('reports the cost as unknown, not 0, when no model has a price', async () => {
    await used('2026-03-10T15:00:00Z', { cost_usd: null });
    for (const period of ['24h', '30d'] as const) {
      const { figures, unpriced_tokens } = await usage(period, 'Core', NOW);
      expect([figures.cost_usd.value, figures.cost_usd.points.at(-1), unpriced_tokens]).toEqual([null, null, 15]);
      expect([figures.cost_usd.before, figures.cost_usd.points[0]]).toEqual([0, 0]);
    }
  });

  it('contains requests, errors and the 95th percentile of durations, by day and by hour', async () => {
    await asked('2026-03-10T15:10:00Z', [...Array<number>(90).fill(1.5), ...Array<number>(10).fill(8)], 3);
    await asked('2026-03-09T15:10:00Z', [100], 1);
    await asked('2026-03-10T15:10:00Z', [1], 0, 'Commerce');
    const day = (await usage('24h', 'Core', NOW)).figures;
    expect(day.requests).toMatchObject({ value: 100, before: 1 });
    expect(day.errors).toMatchObject({ value: 3, before: 1 });
    expect(day.latency_p95_ms).toMatchObject({ value: 8.5, before: 108.5 });
    expect([day.requests.points.at(-1), day.latency_p95_ms.points.at(-2)]).toEqual([100, null]);
    const week = (await usage('7d', 'Core', NOW)).figures;
    expect(week.requests).toEqual({ value: 101, before: 0, points: [0, 0, 0, 0, 0, 1, 100] });
    expect(week.latency_p95_ms.before).toBeNull();
    expect((await usage('7d', null, NOW)).figures.requests.value).toBe(102);
  });

  it('includes the previous period up to the same hour; the values of the previous period are null when none of its hours were counted', async () => {
    await asked('2026-02-27T12:00:00Z', [1, 1]);
    await asked('2026-03-03T15:59:00Z', [1]);
    await asked('2026-03-03T16:00:00Z', [1, 1, 1]);
    expect((await usage('7d', 'Core', NOW)).figures.requests.before).toBe(3);
    await db.prisma.metricHour.deleteMany();
    const { requests, errors } = (await usage('7d', 'Core', NOW)).figures;
    expect([requests.before, errors.before]).toEqual([null, null]);
  });
});

describe('the list of the busiest records', () => {
  it('contains the most used agents, skills and prompts; the name of a deleted record is null', async () => {
    const common = { project: 'Core', created_by: ann ?? '' };
    const skill = { ...common, id: newId(), name: 'Plain words', description: '', instructions: 'x' };
    const idle = { ...common, id: newId(), name: 'Idle', description: '', instructions: 'x', status: 'inactive' };
    const agent = { ...common, id: newId(), name: 'Guide', slug: 'guide', description: '' };
    const prompt = { ...common, id: newId(), title: 'Rate', description: '', author: 'Ann' };
    await db.prisma.skill.createMany({ data: [skill, idle] });
    await db.prisma.agent.create({ data: agent });
    await db.prisma.prompt.create({ data: prompt });
    await db.prisma.agentSkill.createMany({
      data: [skill, idle].map(({ id }, position) => ({ agent_id: agent.id, skill_id: id, position })),
    });
    const gone = newId();
    await used('2026-03-10T10:00:00Z', { subject_id: agent.id });
    await used('2026-03-09T20:00:00Z', { subject_id: agent.id });
    await used('2026-03-09T20:00:00Z', { subject_id: agent.id, kind: 'agent_step' });
    await used('2026-03-10T10:00:00Z', { subject_id: gone, cost_usd: null });
    await used('2026-03-10T10:00:00Z', { subject_id: prompt.id, kind: 'prompt_run' });
    await used('2026-03-10T10:00:00Z', { subject_id: newId(), project: 'Commerce' });
    await used('2026-02-01T10:00:00Z', { subject_id: gone });
    const expected = {
      agents: [
        { id: encodeId('ag', agent.id), name: 'Guide', project: 'Core', uses: 2, tokens: 45, cost_usd: 1.5 },
        { id: encodeId('ag', gone), name: null, project: 'Core', uses: 1, tokens: 15, cost_usd: null },
      ],
      skills: [
        { id: encodeId('sk', skill.id), name: 'Plain words', project: 'Core', uses: 2, tokens: 45, cost_usd: 1.5 },
      ],
      prompts: [{ id: prompt.id, name: 'Rate', project: 'Core', uses: 1, tokens: 15, cost_usd: 0.5 }],
    };
    for (const period of ['24h', '7d'] as const) expect((await usage(period, 'Core', NOW)).busiest).toEqual(expected);
    await rollUpUsage((work) => db.transaction(work), new Date('2026-03-10T00:10:00Z'));
    expect((await usage('7d', 'Core', NOW)).busiest).toEqual(expected);
  });
});
