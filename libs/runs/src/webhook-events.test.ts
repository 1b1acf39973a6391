import { encodeId, newId } from '@millwright/db';
import { openRuns, WORKER, type TestRuns } from './test-runs.js';

let test: TestRuns;
beforeAll(async () => {
  test = await openRuns();
  const webhook = { id: newId(), project: 'Core', name: 'w', url: 'https://hooks.example', secret: 's' };
  await test.db.prisma.webhook.create({ data: { ...webhook, created_by: test.caller.actor.userId } });
});
beforeEach(() => test.db.prisma.event.deleteMany());
afterAll(() => test.close());

const events = () => test.db.prisma.event.findMany({ orderBy: { seq: 'asc' } });

describe('the states of a run', () => {
  it('are reported to webhooks in their order, with only ids and codes', async () => {
    const { db, runs } = test;
    const fence = await test.start();
    await db.transaction((tx) => runs.wait(tx, fence, 'outcome', { data: { secret: 'words' } }));
    await db.transaction((tx) => runs.resume(tx, fence.runId, 'outcome'));
    const [taken] = await db.transaction((tx) => runs.takeQueued(tx, WORKER, [fence.runId]));
    if (!taken) throw new Error('not taken');
    const error = { code: 'unavailable', status: 503, text: 'words of the upstream' };
    await db.transaction((tx) => runs.end(tx, taken, 'failed', { error }));
    const subject = encodeId('run', fence.runId);
    const data = { run: subject, agent: 'guide', version: 3, channel: 'messages' };
    expect(await events()).toMatchObject([
      { type: 'run.waiting', subject, project: 'Core', data: { ...data, waiting_for: 'outcome' } },
      { type: 'run.failed', subject, data: { ...data, error: { code: 'unavailable', status: 503 } } },
    ]);
    expect(JSON.stringify((await events()).map((event) => event.data))).not.toContain('words');
    expect(await db.prisma.eventDelivery.count({ where: { subject } })).toBe(2);
  });

  it('are reported once for each run that was canceled', async () => {
    const { db, runs } = test;
    const subject = { kind: 'agent', id: newId(), name: 'guide', version: 1 } as const;
    const { user_id: created_by } = await db.prisma.run.findUniqueOrThrow({
      where: { id: (await test.start({ worker: WORKER })).runId },
      select: { user_id: true },
    });
    const named = { project: 'Core', name: 'Guide', slug: 'guide', description: 'Knows mills.' };
    await db.prisma.agent.create({ data: { id: subject.id, ...named, created_by, stopped_at: new Date() } });
    const fences = [await test.start({ subject, worker: WORKER }), await test.start({ subject, worker: undefined })];
    const place = { project: 'Core', agentId: subject.id };
    const everything = { all: true, after: '00000000-0000-0000-0000-000000000000', limit: 10 };
    await db.transaction((tx) => runs.cancelNext(tx, place, everything));
    await db.transaction((tx) => runs.cancelNext(tx, place, everything));
    const subjects = fences.map(({ runId }) => encodeId('run', runId)).sort();
    const reported = (await events()).map((event) => [event.type, event.subject]);
    expect(reported).toEqual(subjects.map((id) => ['run.canceled', id]));
  });

  it('are not reported when the transaction of their change fails', async () => {
    const { db, runs } = test;
    const fence = await test.start();
    await expect(db.transaction((tx) => runs.end(tx, { ...fence, attempt: 7 }, 'completed'))).rejects.toThrow();
    expect(await events()).toEqual([]);
  });
});
