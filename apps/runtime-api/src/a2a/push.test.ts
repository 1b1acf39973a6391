import type { IncomingHttpHeaders } from 'node:http';
import { TaskState, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { decodeId, newId } from '@millwright/db';
import { createRunStore, type WaitReason } from '@millwright/runs';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeModel,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import { connect, says, WAYS } from './test-client.js';

interface Received {
  headers: IncomingHttpHeaders;
  body: { statusUpdate: { taskId: string; contextId: string; status: { state: string } } };
}

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;
let client: Client;
let receiver: ListeningApp;
let received: Received[];
/** Statuses of the receiver's next answers, in order. When the list is empty, the receiver answers 200. */
let statuses: number[];

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  receiver = await listen((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      // The first request to the receiver only checks the address, and has no body.
      if (text !== '') received.push({ headers: request.headers, body: JSON.parse(text) as Received['body'] });
      response.writeHead(text === '' ? 200 : (statuses.shift() ?? 200)).end();
    });
  });
  runtime = await startRuntime(database.url, model.url, { modelTimeoutMs: 60_000 });
  token = await runtime.newToken();
  await runtime.newAgent({ name: 'Scribe' });
  client = await connect(runtime.url, 'scribe', token, ['1.0', 'JSONRPC']);
});
afterAll(async () => {
  await model.close();
  await runtime.close();
  await Promise.all([database.drop(), receiver.close()]);
});
beforeEach(() => {
  [received, statuses] = [[], []];
  model.answerWith({ hang: true });
});

const begin = async (configuration: object = {}, by = client) =>
  (await by.sendMessage(says('Think', { configuration: { returnImmediately: true, ...configuration } }))) as Task;
const configOf = (taskId: string, fields: object = {}) => ({
  ...{ tenant: '', taskId, id: '', url: receiver.url, token: '', authentication: undefined },
  ...fields,
});
const runIdOf = (taskId: string) => decodeId('task', taskId) ?? '';
const cancel = (id: string) => client.cancelTask({ id, tenant: '', metadata: undefined });
const statesOf = (taskId: string) =>
  received.flatMap(({ body: { statusUpdate } }) => (statusUpdate.taskId === taskId ? [statusUpdate.status.state] : []));

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Makes the task's run wait, as its executing process does. */
const wait = (taskId: string, reason: WaitReason) =>
  runtime.db.transaction((tx) => createRunStore(runtime.db).wait(tx, { runId: runIdOf(taskId), attempt: 1 }, reason));

describe('push notifications', () => {
  it.each(WAYS)(
    'report the end of a task whose message contained a push configuration: version %s, binding %s',
    async (...way) => {
      model.answerWith('Done.');
      const by = await connect(runtime.url, 'scribe', token, way);
      const task = await begin({ taskPushNotificationConfig: configOf('', { token: 'tok-1' }) }, by);
      await until(() => received.length === 1);
      expect(received[0]?.headers).toMatchObject({
        'content-type': 'application/a2a+json',
        'x-a2a-notification-token': 'tok-1',
      });
      expect(received[0]?.body).toMatchObject({
        statusUpdate: { taskId: task.id, contextId: task.contextId, status: { state: 'TASK_STATE_COMPLETED' } },
      });
    },
  );

  it('report first that a task waits for input, and then that it has ended, both with the credentials of the push configuration', async () => {
    const task = await begin();
    const authentication = { scheme: 'Bearer', credentials: 'secret-1' };
    await client.createTaskPushNotificationConfig(configOf(task.id, { authentication }));
    await wait(task.id, 'approval');
    await cancel(task.id);
    await until(() => received.length === 2);
    expect(statesOf(task.id)).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_CANCELED']);
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret-1', 'Bearer secret-1']);
    await until(async () => (await runtime.db.prisma.pushNotification.count()) === 0);
  });

  it('are not sent when a run waits for the outcome of a call, because the state of the task is still `working`', async () => {
    const task = await begin();
    await client.createTaskPushNotificationConfig(configOf(task.id));
    await wait(task.id, 'outcome');
    await cancel(task.id);
    await until(() => received.length === 1);
    expect(statesOf(task.id)).toEqual(['TASK_STATE_CANCELED']);
  });

  it('are repeated until the receiver accepts them, but not after the receiver has answered 410', async () => {
    const [task, other] = [await begin(), await begin()];
    for (const { id } of [task, other]) await client.createTaskPushNotificationConfig(configOf(id));
    statuses = [500];
    await cancel(task.id);
    await until(() => received.length === 2);
    expect(statesOf(task.id)).toEqual(['TASK_STATE_CANCELED', 'TASK_STATE_CANCELED']);
    statuses = [410];
    await cancel(other.id);
    await until(async () => (await runtime.db.prisma.pushConfig.count({ where: { run_id: runIdOf(other.id) } })) === 0);
    expect(statesOf(other.id)).toHaveLength(1);
  });

  it('are repeated for at most 72 hours after the change of state; then they are deleted together with their configuration', async () => {
    const task = await begin();
    await client.createTaskPushNotificationConfig(configOf(task.id));
    statuses = [500];
    await cancel(task.id);
    await until(() => received.length === 1);
    const kept = await runtime.db.prisma.pushNotification.findFirstOrThrow({ where: { run_id: runIdOf(task.id) } });
    const hours = (kept.retry_until.getTime() - kept.at.getTime()) / 3_600_000;
    expect(hours).toBeGreaterThanOrEqual(72);
    expect(hours).toBeLessThan(72.1);
    statuses = [500, 500, 500];
    const data = { retry_until: new Date(Date.now() - 1), next_at: new Date(0) };
    await runtime.db.prisma.pushNotification.updateMany({ data });
    await until(async () => (await runtime.db.prisma.pushConfig.count({ where: { run_id: runIdOf(task.id) } })) === 0);
    expect(await runtime.db.prisma.pushNotification.count({ where: { run_id: runIdOf(task.id) } })).toBe(0);
  });

  it('are sent by another process when the process that began to send has died', async () => {
    const task = await begin();
    await client.createTaskPushNotificationConfig(configOf(task.id));
    await runtime.db.transaction(async (tx) => {
      await createRunStore(runtime.db).cancel(tx, runIdOf(task.id));
      // Gives the row the content that it has when a process has claimed the notification and died.
      const later = new Date(Date.now() + 30_000);
      await tx.pushNotification.updateMany({ data: { attempts: 1, next_at: later } });
    });
    await runtime.db.prisma.pushNotification.updateMany({ data: { next_at: new Date(0) } });
    await until(() => received.length === 1);
    expect(statesOf(task.id)).toEqual(['TASK_STATE_CANCELED']);
  });
});

describe('the push configurations of a task', () => {
  it('are created, read, listed and deleted; their secrets are stored encrypted, and no answer contains them', async () => {
    const task = await begin();
    const authentication = { scheme: 'Bearer', credentials: 'secret-2' };
    const made = await client.createTaskPushNotificationConfig(
      configOf(task.id, { id: 'one', token: 'tok-2', authentication }),
    );
    const shown = configOf(task.id, { id: 'one', authentication: { scheme: 'Bearer', credentials: '' } });
    expect(made).toEqual(shown);
    const named = { tenant: '', taskId: task.id, id: 'one' };
    expect(await client.getTaskPushNotificationConfig(named)).toEqual(shown);
    const all = () =>
      client.listTaskPushNotificationConfig({ tenant: '', taskId: task.id, pageSize: 0, pageToken: '' });
    expect((await all()).configs).toEqual([shown]);
    const row = await runtime.db.prisma.pushConfig.findFirstOrThrow({ where: { run_id: runIdOf(task.id) } });
    expect(row.secrets).not.toMatch(/tok-2|secret-2/);
    await client.createTaskPushNotificationConfig(configOf(task.id, { id: 'one', url: `${receiver.url}/new` }));
    expect((await all()).configs).toEqual([configOf(task.id, { id: 'one', url: `${receiver.url}/new` })]);
    await client.deleteTaskPushNotificationConfig(named);
    await client.deleteTaskPushNotificationConfig(named);
    expect((await all()).configs).toEqual([]);
    await cancel(task.id);
    expect(await runtime.db.prisma.pushNotification.count({ where: { run_id: runIdOf(task.id) } })).toBe(0);
  });

  it('are limited to ten per task', async () => {
    const task = await begin();
    for (let n = 0; n < 10; n += 1) await client.createTaskPushNotificationConfig(configOf(task.id, { id: `c${n}` }));
    await client.createTaskPushNotificationConfig(configOf(task.id, { id: 'c9' }));
    await expect(client.createTaskPushNotificationConfig(configOf(task.id))).rejects.toThrow('10 at most');
    await cancel(task.id);
  });

  it.each([
    ['an invalid address', { url: 'nowhere' }],
    ['an address without TLS or host', { url: 'file:///etc/passwd' }],
    ['a long address', { url: `http://127.0.0.1/${'x'.repeat(2_000)}` }],
    ['a token with a line break', { token: 'a\r\nb: c' }],
    ['credentials with a line break', { authentication: { scheme: 'Bearer', credentials: 'a\nb' } }],
  ])('are refused when they have %s', async (_fault, fields) => {
    const task = await begin();
    await expect(client.createTaskPushNotificationConfig(configOf(task.id, fields))).rejects.toThrow();
    expect(await runtime.db.prisma.pushConfig.count({ where: { run_id: runIdOf(task.id) } })).toBe(0);
    await cancel(task.id);
  });

  it('are refused when their address is in our network; a message with such a configuration starts no task', async () => {
    const strict = await runtime.start({ allowLoopback: false });
    const by = await connect(strict.url, 'scribe', token, ['1.0', 'HTTP+JSON']);
    const before = await runtime.db.prisma.run.count();
    const config = configOf('', { url: 'http://169.254.169.254/latest' });
    await expect(begin({ taskPushNotificationConfig: config }, by)).rejects.toThrow();
    await expect(begin({ taskPushNotificationConfig: configOf('') }, by)).rejects.toThrow();
    expect(await runtime.db.prisma.run.count()).toBe(before);
  });

  it('cannot be created by another user, who gets the error that the task does not exist', async () => {
    const task = await begin();
    const { id: userId } = await runtime.newUser(`${newId()}@example.com`);
    const stranger = await connect(runtime.url, 'scribe', await runtime.newToken({ userId }), ['1.0', 'JSONRPC']);
    await expect(stranger.createTaskPushNotificationConfig(configOf(task.id))).rejects.toMatchObject({
      name: 'TaskNotFoundError',
    });
    expect((await client.getTask({ id: task.id, tenant: '' })).status?.state).toBe(TaskState.TASK_STATE_WORKING);
    await cancel(task.id);
  });
});
