import { setTimeout as delay } from 'node:timers/promises';
import { TaskState, type StreamResponse, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { decodeId, encodeId, newId } from '@millwright/db';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import { all, answerOf, connect, says, textOf } from './test-client.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let [here, there]: Client[] = [];
let token: string;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  const other = await runtime.start();
  await runtime.newAgent({ name: 'Scribe' });
  here = await connect(runtime.url, 'scribe', token, ['1.0', 'JSONRPC']);
  there = await connect(other.url, 'scribe', token, ['1.0', 'HTTP+JSON']);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const clients = () => {
  if (!here || !there) throw new Error('there are two clients');
  return { here, there };
};
const begin = async (client: Client, text: string) =>
  (await client.sendMessage(says(text, { configuration: { returnImmediately: true } }))) as Task;
const stateOf = ({ payload }: StreamResponse) => payload?.$case === 'statusUpdate' && payload.value.status?.state;
const untilAsked = async (count: number) => {
  while (model.requests.length < count) await delay(5);
};
beforeEach(() => model.requests.splice(0));

describe('a task that another process runs', () => {
  it('can be read and followed like a task of this process; all followers receive the same events, and its context can be continued', async () => {
    const { here, there } = clients();
    model.answerWith({ content: 'One two three four five six seven eight nine ten.', trickleMs: 80 });
    const task = await begin(here, 'Count');
    const asked = { id: task.id, tenant: '' };
    expect((await there.getTask(asked)).status?.state).toBe(TaskState.TASK_STATE_WORKING);
    const received = await Promise.all([here, there, there].map((client) => all(client.resubscribeTask(asked))));
    for (const events of received) {
      expect(textOf(events, there)).toBe('One two three four five six seven eight nine ten.');
      expect(stateOf(events.at(-1) as StreamResponse)).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(events.length).toBeGreaterThan(3);
    }
    expect(await there.getTask(asked)).toEqual(await here.getTask(asked));
    const next = (await there.sendMessage(says('Again', { contextId: task.contextId }))) as Task;
    expect(next.contextId).toBe(task.contextId);
    expect(model.requests.at(-1)?.body.messages.some(({ content }) => content === 'Count')).toBe(true);
  });

  it('sends its whole answer in order to every follower, even while several tasks stream concurrently', async () => {
    const { here, there } = clients();
    const TEXT = 'A text of a dozen words, each of which arrives by itself here.';
    model.answerWith({ content: TEXT, trickleMs: 30 });
    const tasks = await Promise.all(Array.from({ length: 12 }, (_, n) => begin(n % 2 ? here : there, `Write ${n}`)));
    const followed = tasks.flatMap(({ id }) =>
      [here, there].map(async (client) => textOf(await all(client.resubscribeTask({ id, tenant: '' })), client)),
    );
    expect(await Promise.all(followed)).toEqual(followed.map(() => TEXT));
    expect(await runtime.db.prisma.taskChunk.count()).toBe(0);
  });

  it('is followed and canceled even when one of the processes gets no notifications of the database and has to poll', async () => {
    const { here } = clients();
    const deaf = await connect((await runtime.start({ listens: false })).url, 'scribe', token, ['1.0', 'JSONRPC']);
    model.answerWith({ content: 'One two three four.', trickleMs: 20 });
    const { id } = await begin(here, 'Count');
    const events = await all(deaf.resubscribeTask({ id, tenant: '' }));
    expect([textOf(events, deaf), stateOf(events.at(-1) as StreamResponse)]).toEqual([
      'One two three four.',
      TaskState.TASK_STATE_COMPLETED,
    ]);
    model.answerWith({ hang: true });
    const hanging = await begin(deaf, 'Hang');
    await untilAsked(2);
    await here.cancelTask({ id: hanging.id, tenant: '', metadata: undefined });
    while (!model.requests[1]?.aborted) await delay(5);
  });

  it('is canceled by a request to this process; the other process ends the call of the model and answers its waiting client', async () => {
    const { here, there } = clients();
    model.answerWith({ hang: true });
    const waiting = here.sendMessage(says('Think')) as Promise<Task>;
    await untilAsked(1);
    const { tasks } = await there.listTasks({
      tenant: '',
      contextId: '',
      status: TaskState.TASK_STATE_WORKING,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    expect(tasks).toHaveLength(1);
    const cancel = { id: tasks[0]?.id ?? '', tenant: '', metadata: undefined };
    const canceled = await there.cancelTask(cancel);
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(await waiting).toEqual(canceled);
    while (!model.requests[0]?.aborted) await delay(5);
    expect(await there.cancelTask(cancel)).toEqual(canceled);
    const recorded = { action: 'agent.task.cancel', resource: canceled.id };
    expect(await runtime.db.prisma.governanceDecision.count({ where: recorded })).toBe(1);
  });

  it('records the usage of its unfinished answer when it is canceled', async () => {
    const { here, there } = clients();
    const content = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ');
    model.answerWith({ content, trickleMs: 50 });
    const where = { kind: 'agent_step' };
    const skip = await runtime.db.prisma.usageEvent.count({ where });
    const task = await begin(here, 'Go on');
    for await (const { payload } of there.resubscribeTask({ id: task.id, tenant: '' }))
      if (payload?.$case === 'artifactUpdate') break;
    await there.cancelTask({ id: task.id, tenant: '', metadata: undefined });
    let used = null;
    while (!used) {
      await delay(10);
      used = await runtime.db.prisma.usageEvent.findFirst({ where, orderBy: { at: 'asc' }, skip });
    }
    expect(used.prompt_tokens).toBeGreaterThan(0);
    expect(used.completion_tokens).toBeGreaterThan(0);
    expect(used.completion_tokens).toBeLessThan(400);
  });

  it('is continued by another process when the process that runs it dies, and its followers get the whole answer', async () => {
    const { here, there } = clients();
    let answer: (text: string) => void = () => undefined;
    model.answerWith(() => new Promise<string>((done) => (answer = done)));
    const task = await begin(here, 'Long');
    await untilAsked(1);
    const stream = there.resubscribeTask({ id: task.id, tenant: '' });
    await stream.next();
    const id = decodeId('task', task.id) ?? '';
    model.answerWith('In time.');
    await runtime.db.prisma.run.update({ where: { id }, data: { lease_until: new Date(0) } });
    const last = (await all(stream)).at(-1);
    expect(last && stateOf(last)).toBe(TaskState.TASK_STATE_COMPLETED);
    answer('Too late.');
    expect(answerOf(await there.getTask({ id: task.id, tenant: '' }))).toBe('In time.');
    const said = await runtime.db.prisma.contextMessage.findMany({
      where: { context_id: decodeId('ctx', task.contextId) ?? '' },
      orderBy: { seq: 'asc' },
    });
    expect(said.map(({ content }) => content)).toEqual(['Long', 'In time.']);
  });

  it('can be read when the former release stored it; its state is then failed if the process that ran it has died', async () => {
    const { here, there } = clients();
    model.answerWith('Now.');
    const { contextId } = (await here.sendMessage(says('Before'))) as Task;
    const run = await runtime.db.prisma.run.findFirstOrThrow({
      where: { context_id: decodeId('ctx', contextId) ?? '' },
    });
    const data = { project: 'Core', user_id: run.user_id, agent: run.subject_name, context_id: run.context_id ?? '' };
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Old' }] };
    const id = newId();
    await runtime.db.prisma.task.create({ data: { ...data, id, message, state: 'working', lease_until: new Date(0) } });
    const old = await there.getTask({ id: encodeId('task', id), tenant: '' });
    expect(old.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(old.status?.message?.parts[0]?.content?.value).toMatch(/^The process that worked on it ended/);
  });

  it('ends exactly once when 20 cancellations race with its answer', async () => {
    const { here, there } = clients();
    model.answerWith({ content: 'Done.', delayMs: 30 });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const task = await begin(here, `Race ${n}`);
        const cancel = { id: task.id, tenant: '', metadata: undefined };
        const canceled = await Promise.allSettled([here.cancelTask(cancel), there.cancelTask(cancel)]);
        const ended = await here.getTask({ id: task.id, tenant: '' });
        await all(there.resubscribeTask({ id: task.id, tenant: '' })).catch(() => undefined);
        const answers = await runtime.db.prisma.contextMessage.count({
          where: { context_id: decodeId('ctx', task.contextId) ?? '', role: 'assistant' },
        });
        const wasCanceled = canceled.every(({ status }) => status === 'fulfilled');
        return { wasCanceled, state: ended.status?.state, answers };
      }),
    );
    for (const { wasCanceled, state, answers } of outcomes)
      expect([state, answers]).toEqual(
        wasCanceled ? [TaskState.TASK_STATE_CANCELED, 0] : [TaskState.TASK_STATE_COMPLETED, 1],
      );
  });
});
