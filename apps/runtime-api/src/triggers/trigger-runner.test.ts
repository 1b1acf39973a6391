import { encodeId, newId } from '@millwright/db';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';
import { createTestTriggers, pollUntil, type TestTriggers } from './test-triggers.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let owner: TestUser;
let triggers: TestTriggers;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  await runtime.start();
  owner = await runtime.newUser('grace@example.com', { role: 'admin' });
  triggers = createTestTriggers(runtime, owner);
  await runtime.newAgent({ name: 'Guide' });
});
beforeEach(() => model.answerWith('Done.'));
afterEach(async () => {
  // The triggers are made inactive first, so that no process adds firings while the rows are deleted.
  await runtime.db.prisma.trigger.updateMany({ data: { status: 'inactive', next_at: null } });
  await runtime.db.prisma.triggerFiring.deleteMany();
  await runtime.db.prisma.trigger.deleteMany();
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const ended = (id: string, count = 1) =>
  pollUntil(async () => {
    const firings = await triggers.firingsOf(id);
    return firings.filter(({ ended_at }) => ended_at).length >= count && firings;
  });
const runOf = (id: string | null) => runtime.db.prisma.run.findUniqueOrThrow({ where: { id: id ?? '' } });
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const dueAgain = (id: string) => runtime.db.prisma.trigger.update({ where: { id }, data: { next_at: new Date() } });
const audited = (id: string) =>
  runtime.db.prisma.governanceDecision.findMany({ where: { resource: encodeId('trg', id) } });

describe('a scheduled time', () => {
  it('starts one run for the owner, with only the scopes that the trigger stores, however many processes scan', async () => {
    const { id } = await triggers.cron();
    const [firing, ...more] = await ended(id);
    expect(more).toEqual([]);
    expect(firing).toMatchObject({ number: 1, source: 'schedule', state: 'completed', reason: null });
    expect(firing?.input).toBe(`Report for ${firing?.at.toISOString()}.`);
    const run = await runOf(firing?.run_id ?? null);
    expect(run).toMatchObject({
      ...{ channel: 'trigger', user_id: owner.id, state: 'completed', subject_name: 'guide' },
      caller: { scopes: ['admin', 'agents:message'], actor: { kind: 'job', label: `T ${id}` } },
      metadata: { trigger: encodeId('trg', id), firing: 1 },
    });
    const { next_at, firing_count, last_fired_at } = await triggers.rowOf(id);
    expect(next_at?.getTime()).toBeGreaterThan(Date.now());
    expect([next_at?.getMinutes(), firing_count]).toEqual([0, 1]);
    expect(last_fired_at).not.toBeNull();
  });

  it('starts a run with the budget of the trigger', async () => {
    const { id } = await triggers.cron({ budget_unit: 'tokens', budget_amount: 1_000_000n });
    const [firing] = await ended(id);
    const run = await runOf(firing?.run_id ?? null);
    const budgets = await runtime.db.prisma.budget.findMany({ where: { run_id: run.id } });
    expect(budgets).toMatchObject([{ id: run.budget_id, level: 'run', unit: 'tokens', amount: 1_000_000n }]);
  });

  it('is skipped when it was missed, unless the trigger catches up once', async () => {
    const skips = await triggers.cron({ next_at: hoursAgo(30), schedule: '0 */4 * * *' });
    const makesUp = await triggers.cron({ next_at: hoursAgo(30), schedule: '0 */4 * * *', missed: 'once' });
    expect(await ended(skips.id)).toMatchObject([{ state: 'skipped', reason: 'missed', run_id: null }]);
    const [firing, ...more] = await ended(makesUp.id);
    expect([firing?.state, more]).toEqual(['completed', []]);
    // There is only one firing: that of the latest missed time.
    expect(Date.now() - (firing?.at.getTime() ?? 0)).toBeLessThan(4 * 3_600_000 + 60_000);
  });

  it("is the last one when the next would be after the schedule's end", async () => {
    const { id } = await triggers.cron({ ends_at: new Date(Date.now() + 1_000) });
    await ended(id);
    expect((await triggers.rowOf(id)).next_at).toBeNull();
  });

  it('that comes during an unfinished firing is skipped by default, and waits when overlap is "queue"', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    model.answerWith(async () => {
      await held;
      return { content: 'Done.' };
    });
    const [skips, queues] = [await triggers.cron(), await triggers.cron({ overlap: 'queue' })];
    for (const { id } of [skips, queues])
      await pollUntil(async () => (await triggers.firingsOf(id))[0]?.state === 'started');
    for (const { id } of [skips, queues]) await dueAgain(id);
    await pollUntil(async () => (await triggers.firingsOf(skips.id)).length === 2);
    await pollUntil(async () => (await triggers.firingsOf(queues.id)).length === 2);
    expect((await triggers.firingsOf(skips.id))[1]).toMatchObject({ state: 'skipped', reason: 'overlap' });
    expect((await triggers.firingsOf(queues.id))[1]).toMatchObject({ state: 'pending' });
    release();
    expect(await ended(queues.id, 2)).toMatchObject([{ state: 'completed' }, { state: 'completed' }]);
  });

  it('continues the same conversation when context is "same", and begins another one when the conversation was deleted', async () => {
    const { id } = await triggers.cron({ context: 'same' });
    await ended(id, 1);
    await dueAgain(id);
    const [first, second] = await ended(id, 2);
    const contextOf = async (firing: typeof first) => (await runOf(firing?.run_id ?? null)).context_id;
    const context = await contextOf(first);
    expect([await contextOf(second), (await triggers.rowOf(id)).context_id]).toEqual([context, context]);
    await runtime.db.prisma.context.update({ where: { id: context ?? '' }, data: { agent_id: newId() } });
    await dueAgain(id);
    const [, , third] = await ended(id, 3);
    expect(third?.state).toBe('completed');
    expect(await contextOf(third)).not.toBe(context);
  });
});

describe('a trigger', () => {
  const eventsOf = (id: string) =>
    runtime.db.prisma.event.findMany({ where: { subject: encodeId('trg', id), type: 'trigger.disabled' } });
  beforeAll(async () => {
    const hook = { id: newId(), project: 'Core', name: 'h', url: 'https://hooks.example', secret: 's' };
    await runtime.db.prisma.webhook.create({ data: { ...hook, created_by: owner.id } });
  });

  it.each([
    ['was disabled', { status: 'inactive' }],
    ['is no admin any more', { role: 'user' }],
    ['is an auditor now', { role: 'user', delegated_role: 'auditor' }],
    ['has moved to another project', { role: 'user', delegated_role: 'project_admin', project: 'Commerce' }],
  ])('is disabled when its owner %s, and this is audited and reported', async (what, change) => {
    const leaver = await runtime.newUser(`${what.replaceAll(' ', '-')}@example.com`, { role: 'admin' });
    await runtime.db.prisma.user.update({ where: { id: leaver.id }, data: change });
    const { id } = await triggers.cron({ owner_id: leaver.id });
    expect(await ended(id)).toMatchObject([{ state: 'failed', reason: 'owner', run_id: null }]);
    expect(await triggers.rowOf(id)).toMatchObject({ status: 'inactive', disabled_reason: 'owner', next_at: null });
    expect(await audited(id)).toMatchObject([{ action: 'trigger.disable', user_id: leaver.id, actor_kind: 'job' }]);
    expect(await eventsOf(id)).toMatchObject([{ data: { reason: 'owner' } }]);
  });

  it('may start runs for an owner who is a project admin of its project', async () => {
    const lead = await runtime.newUser('lead@example.com');
    const data = { delegated_role: 'project_admin' };
    await runtime.db.prisma.user.update({ where: { id: lead.id }, data });
    const { id } = await triggers.cron({ owner_id: lead.id });
    expect(await ended(id)).toMatchObject([{ state: 'completed' }]);
  });

  it('is disabled at its limit of consecutive failures, and this is audited and reported', async () => {
    const { id } = await triggers.cron({ max_failures: 2 });
    await ended(id, 1);
    model.answerWith(() => ({ status: 400 }));
    await dueAgain(id);
    await ended(id, 2);
    expect(await triggers.rowOf(id)).toMatchObject({ failures: 1, status: 'active' });
    model.answerWith('Done.');
    await dueAgain(id);
    await ended(id, 3);
    expect((await triggers.rowOf(id)).failures).toBe(0);
    model.answerWith(() => ({ status: 400 }));
    for (const count of [4, 5]) {
      await dueAgain(id);
      await ended(id, count);
    }
    expect(await triggers.rowOf(id)).toMatchObject({ failures: 2, status: 'inactive', disabled_reason: 'failing' });
    expect((await triggers.firingsOf(id)).at(-1)).toMatchObject({ state: 'failed', reason: 'run' });
    expect(await audited(id)).toMatchObject([
      { action: 'trigger.disable', detail: { reason: 'failing', failures: 2 } },
    ]);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it.each([
    ['does not exist', 'nobody', {}],
    ['is inactive', 'idle', { status: 'inactive' }],
  ])('counts a firing as failed when its agent %s', async (_, agent, change) => {
    if (agent !== 'nobody') {
      await runtime.newAgent({ name: agent });
      await runtime.db.prisma.agent.update({ where: { slug: agent }, data: change });
    }
    const { id } = await triggers.cron({ agent });
    expect(await ended(id)).toMatchObject([{ state: 'failed', reason: 'agent' }]);
    expect(await triggers.rowOf(id)).toMatchObject({ failures: 1, status: 'active' });
  });

  it('skips a firing when an admin has stopped its agent, and does not count this as a failure', async () => {
    await runtime.newAgent({ name: 'Stopped' });
    await runtime.db.prisma.agent.update({ where: { slug: 'stopped' }, data: { stopped_at: new Date() } });
    const { id } = await triggers.cron({ agent: 'stopped' });
    expect(await ended(id)).toMatchObject([{ state: 'skipped', reason: 'stopped', run_id: null }]);
    expect(await triggers.rowOf(id)).toMatchObject({ failures: 0, status: 'active' });
  });

  it('starts no run once it is inactive, not even for waiting firings', async () => {
    const { id } = await triggers.cron({ next_at: null, status: 'inactive' });
    const firing = { id: newId(), trigger_id: id, project: 'Core', number: 1, source: 'test', key: 'x' };
    await runtime.db.prisma.triggerFiring.create({ data: { ...firing, at: new Date(), input: 'x' } });
    expect(await ended(id)).toMatchObject([{ state: 'skipped', reason: 'inactive' }]);
    expect((await triggers.rowOf(id)).failures).toBe(0);
  });
});
