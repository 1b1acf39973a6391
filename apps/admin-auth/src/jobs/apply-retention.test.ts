import { createUser } from '@millwright/accounts';
import { asRole, createDatabase, decodeId, newId, readCount, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { z } from 'zod';
import { applyRetention } from './apply-retention.js';
import { retentionConfig, retentionOf } from './retention-config.js';

let database: TestDatabase;
let db: Database;
/** Connects with the database role of the service that runs the job. */
let area: Database;
let user_id: string;
const NOW = new Date('2026-06-30T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

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

const apply = (settings: Record<string, string>) => {
  const retention = retentionOf(z.object(retentionConfig).parse(settings));
  return applyRetention((work) => area.transaction(work), retention, NOW);
};

async function makeConversation(project: string, age: number, parent_id?: string): Promise<string> {
  const id = newId();
  const fork = parent_id === undefined ? {} : { parent_id, parent_until: 1, tree_id: parent_id };
  const texts = { title: 't', description: '', tags: [], log_message: '', author: 'Ann' };
  await db.prisma.conversation.create({ data: { id, project, user_id, ...texts, ...fork, updated_at: daysAgo(age) } });
  await db.prisma.$executeRaw`
    INSERT INTO record_counts (project, kind, status, slot, n) VALUES (${project}, 'conversations', 'published', 5, 1)
    ON CONFLICT (project, kind, status, slot) DO UPDATE SET n = record_counts.n + 1`;
  return id;
}

describe('applyRetention', () => {
  it('deletes conversations that are older than the retention of their project, and returns their number', async () => {
    const kept = [await makeConversation('Core', 89), await makeConversation('Commerce', 200)];
    for (const age of [91, 400]) await makeConversation('Core', age);
    expect(await apply({ RETENTION_CONVERSATIONS_DAYS: 'Core=90' })).toMatchObject({ conversations: 2 });
    expect((await db.prisma.conversation.findMany()).map(({ id }) => id).sort()).toEqual(kept.sort());
    expect(await readCount(db, { project: 'Core', kind: 'conversations' })).toBe(1);
    expect(await apply({ RETENTION_CONVERSATIONS_DAYS: '100' })).toMatchObject({ conversations: 1 });
  });

  it('deletes old conversations of a project that a platform admin made; the retention of this project or of all projects applies', async () => {
    await db.prisma.project.create({ data: { id: 'research', name: 'Research' } });
    for (const age of [20, 50, 100]) await makeConversation('research', age);
    expect(await apply({ RETENTION_CONVERSATIONS_DAYS: 'Core=1' })).toMatchObject({ conversations: 0 });
    expect(await apply({ RETENTION_CONVERSATIONS_DAYS: 'Core=1,research=90' })).toMatchObject({ conversations: 1 });
    expect(await apply({ RETENTION_CONVERSATIONS_DAYS: '30' })).toMatchObject({ conversations: 1 });
  });

  it('deletes the forks of a conversation before the conversation', async () => {
    const parent = await makeConversation('Core', 100);
    await makeConversation('Core', 100, parent);
    const shared = await makeConversation('Core', 100);
    const fork = await makeConversation('Core', 1, shared);
    for (let n = 0; n < 2; n++) await apply({ RETENTION_CONVERSATIONS_DAYS: '90' });
    expect((await db.prisma.conversation.findMany()).map(({ id }) => id).sort()).toEqual([shared, fork].sort());
  });

  it('deletes conversations with agents, and the messages of these conversations, in steps', async () => {
    await database.sql`
      WITH made AS (
        INSERT INTO contexts (id, project, user_id, updated_at)
        SELECT gen_random_uuid(), 'Core', ${user_id}::uuid, ${daysAgo(31)} FROM generate_series(1, 4500) RETURNING id)
      INSERT INTO context_messages (id, context_id, seq, role, content) SELECT gen_random_uuid(), id, 1, 'user', 'x' FROM made`;
    await db.prisma.context.create({ data: { id: newId(), project: 'Core', user_id, updated_at: daysAgo(29) } });
    expect(await apply({ RETENTION_CONTEXTS_DAYS: '30' })).toMatchObject({ contexts: 4_500 });
    expect([await db.prisma.context.count(), await db.prisma.contextMessage.count()]).toEqual([1, 0]);
  });

  it('deletes a conversation with an agent even if the deletion takes longer than the time limit of one statement', async () => {
    const id = newId();
    await db.prisma.context.create({ data: { id, project: 'Core', user_id, updated_at: daysAgo(31) } });
    await database.sql`
      INSERT INTO context_messages (id, context_id, seq, role, content)
      SELECT gen_random_uuid(), ${id}::uuid, n, 'user', 'x' FROM generate_series(1, 5000) n`;
    // A trigger makes the deletion of a row take a millisecond, so that a cascade over all rows would exceed the statement timeout.
    await db.prisma.$executeRawUnsafe(`
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.001); RETURN OLD; END'`);
    await db.prisma.$executeRawUnsafe(
      'CREATE TRIGGER slow BEFORE DELETE ON context_messages FOR EACH ROW EXECUTE FUNCTION slow()',
    );
    expect(await apply({ RETENTION_CONTEXTS_DAYS: '30' })).toMatchObject({ contexts: 1 });
    expect([await db.prisma.context.count(), await db.prisma.contextMessage.count()]).toEqual([0, 0]);
  });

  it('deletes the usage events of a day only after this day is summed up', async () => {
    const usage = {
      user_id,
      project: 'Core',
      kind: 'agent_message',
      model: 'm',
      prompt_tokens: 1,
      completion_tokens: 1,
    };
    for (const age of [40, 20, 5])
      await db.prisma.usageEvent.create({ data: { ...usage, id: newId(), subject_id: newId(), at: daysAgo(age) } });
    expect(await apply({ RETENTION_USAGE_EVENTS_DAYS: '10' })).toMatchObject({ usageEvents: 0 });
    await db.prisma.usageDay.create({ data: { ...usage, day: daysAgo(30), events: 1 } });
    expect(await apply({ RETENTION_USAGE_EVENTS_DAYS: '10' })).toMatchObject({ usageEvents: 1 });
    await db.prisma.usageDay.create({ data: { ...usage, day: daysAgo(1), events: 1 } });
    expect(await apply({ RETENTION_USAGE_EVENTS_DAYS: '10' })).toMatchObject({ usageEvents: 1 });
    expect(await db.prisma.usageEvent.count()).toBe(1);
  });

  it('deletes runs with their steps after 90 days by default, and the streamed parts of their answers after a day', async () => {
    const run = { project: 'Core', user_id, subject_kind: 'agent', subject_id: newId(), subject_name: 'a' };
    const ended = { channel: 'messages', caller: {}, state: 'completed', ended_at: NOW };
    for (const age of [91, 89]) {
      const time = daysAgo(age).getTime().toString(16).padStart(12, '0');
      const id = `${time.slice(0, 8)}-${time.slice(8)}-7${newId().slice(15)}`;
      await db.prisma.run.create({ data: { ...run, ...ended, id } });
      await db.prisma.runStep.create({ data: { run_id: id, seq: 1, attempt: 1, kind: 'model', outcome: 'succeeded' } });
      for (const [seq, type] of ['run.running', 'message.delta', 'message.delta'].entries())
        await db.prisma.runEvent.create({ data: { run_id: id, seq, type, data: {}, at: daysAgo(seq) } });
    }
    expect(await apply({})).toMatchObject({ runs: 1, runTexts: 1 });
    expect([await db.prisma.run.count(), await db.prisma.runStep.count(), await db.prisma.runEvent.count()]).toEqual([
      1, 1, 2,
    ]);
    expect(await apply({ RETENTION_RUNS_DAYS: 'Core=80' })).toMatchObject({ runs: 1 });
  });

  it("removes the texts of runs when their retention, counted from the end of the run, is over, and keeps the runs' figures", async () => {
    const run = { project: 'Core', user_id, subject_kind: 'agent', subject_id: newId(), subject_name: 'a' };
    const texts = { input: { text: 'secret' }, output: 'secret', error_text: 'secret' };
    const ended = (age: number) => ({ state: 'failed', error_code: 'timeout', ended_at: daysAgo(age) });
    const ids: string[] = [];
    for (const end of [
      ended(8),
      { ...ended(8), state: 'completed' },
      ...Array.from({ length: 118 }, () => ended(8)),
      ended(6),
      { state: 'queued' },
    ]) {
      const id = newId();
      ids.push(id);
      await db.prisma.run.create({ data: { ...run, ...texts, ...end, id, channel: 'messages', caller: {} } });
    }
    const [first = '', young = '', queued = ''] = [ids[0], ids.at(-2), ids.at(-1)];
    for (const run_id of [first, young, queued]) {
      const step = { run_id, attempt: 1, outcome: 'succeeded', tool: 't', prompt_tokens: 7, error_text: 'secret' };
      const said = { added: ['secret'], answer: 'secret', calls: ['secret'], arguments: 'secret', result: 'secret' };
      await db.prisma.runStep.create({ data: { ...step, ...said, seq: 1, kind: 'model' } });
      for (const [seq, type] of ['run.running', 'message.delta', 'tool.call'].entries())
        await db.prisma.runEvent.create({
          data: { run_id, seq, type, data: seq === 0 ? {} : { text: 'secret' }, at: NOW },
        });
      const call = { asked_by: 1, call_id: 'c', agent: 'a', owner: 'o', owner_name: 'O', tool: 't', parameters: {} };
      const hashes = { tool_hash: new Uint8Array(32), hash: new Uint8Array(32), expires_at: NOW };
      const decided = { arguments: 'secret', edited_arguments: 'secret', reason: 'secret' };
      await db.prisma.approval.create({
        data: { id: newId(), project: 'Core', run_id, user_id, ...call, ...hashes, ...decided },
      });
    }
    expect(await apply({ RETENTION_RUN_CONTENT_DAYS: 'Core=7' })).toMatchObject({ runContent: 120, runs: 0 });
    const read = (id: string) =>
      db.prisma.run.findUniqueOrThrow({ where: { id }, include: { steps: true, events: true, approvals: true } });
    const textOf = async (id: string) =>
      JSON.stringify(await read(id), (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
    const { events, ...found } = await read(first);
    expect(events.map(({ type }) => type)).toEqual(['run.running']);
    expect(found).toMatchObject({
      error_code: 'timeout',
      content_removed_at: expect.any(Date) as Date,
      steps: [{ tool: 't', prompt_tokens: 7, answer: null, arguments: null, result: null }],
    });
    expect(await textOf(first)).not.toContain('secret');
    for (const id of [young, queued])
      expect(await read(id)).toMatchObject({ content_removed_at: null, output: 'secret' });
    expect(await apply({ RETENTION_RUN_CONTENT_DAYS: '0' })).toMatchObject({ runContent: 1 });
    expect(await textOf(young)).not.toContain('secret');
    expect(await textOf(queued)).toContain('secret');
  });

  it('deletes events with their deliveries after 30 days or the configured number of days', async () => {
    const webhook = {
      id: newId(),
      project: 'Core',
      name: 'w',
      url: 'https://hooks.example',
      secret: 's',
      created_by: user_id,
    };
    await db.prisma.webhook.create({ data: webhook });
    for (const age of [31, 29, 8]) {
      const event = { project: 'Core', type: 'run.failed', subject: 'run_1', data: {}, created_at: daysAgo(age) };
      const { id, seq } = await db.prisma.event.create({ data: { id: newId(), ...event } });
      const delivery = { id: newId(), webhook_id: webhook.id, event_id: id, subject: 'run_1', seq };
      await db.prisma.eventDelivery.create({ data: { ...delivery, retry_until: daysAgo(age) } });
    }
    expect(await apply({})).toMatchObject({ events: 1 });
    expect(await apply({ RETENTION_EVENTS_DAYS: 'Commerce=7' })).toMatchObject({ events: 0 });
    expect(await apply({ RETENTION_EVENTS_DAYS: '7' })).toMatchObject({ events: 2 });
    expect(await db.prisma.eventDelivery.count()).toBe(0);
  });

  it('deletes a firing of a trigger after its end, after the same number of days as an event', async () => {
    const trigger = { id: newId(), project: 'Core', name: 't', kind: 'cron', schedule: '* * * * *', timezone: 'UTC' };
    const rest = { agent: 'a', input: 'x', overlap: 'skip', rights: {}, owner_id: user_id, created_by: user_id };
    await db.prisma.trigger.create({ data: { ...trigger, ...rest } });
    for (const [number, age, state] of [
      [1, 31, 'completed'],
      [2, 31, 'pending'],
      [3, 29, 'skipped'],
    ] as const) {
      const firing = { id: newId(), trigger_id: trigger.id, project: 'Core', number, source: 'schedule', input: 'x' };
      const ended_at = state === 'pending' ? null : NOW;
      await db.prisma.triggerFiring.create({
        data: { ...firing, key: String(number), at: NOW, state, created_at: daysAgo(age), ended_at },
      });
    }
    expect(await apply({})).toMatchObject({ firings: 1 });
    expect(await db.prisma.triggerFiring.findMany({ select: { number: true }, orderBy: { number: 'asc' } })).toEqual([
      { number: 2 },
      { number: 3 },
    ]);
  });

  it('deletes nothing when no retention is set', async () => {
    await makeConversation('Core', 10_000);
    const none = {
      conversations: 0,
      contexts: 0,
      runs: 0,
      runContent: 0,
      runTexts: 0,
      usageEvents: 0,
      events: 0,
      firings: 0,
      partitions: 0,
    };
    expect(await apply({})).toEqual(none);
  });
});

describe('the settings of the retention', () => {
  const { RETENTION_CONTEXTS_DAYS: setting } = retentionConfig;

  it.each([
    ['90', { '*': 90 }],
    ['research-2=30,Commerce=1', { 'research-2': 30, Commerce: 1 }],
    ['Core=30', { Core: 30 }],
    ['Core=30, Commerce=365', { Core: 30, Commerce: 365 }],
  ])('%s sets the retention of the projects that it names, or of all projects', (text, days) => {
    expect(setting.parse(text)).toEqual(days);
  });

  it.each([
    '',
    '0',
    '-1',
    '1.5',
    '36501',
    'core=3',
    'Core=',
    'Core=1,Core=2',
    '90,Core=1',
    'Core=1,90',
    '90,90',
    'Research=3',
    'a--b=3',
    '1y',
  ])('%j is refused', (text) => {
    expect(setting.safeParse(text).success).toBe(false);
  });
});
