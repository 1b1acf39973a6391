import { TaskState, type StreamResponse, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { decodeId, encodeId } from '@millwright/db';
import { createRunStore, type WaitReason } from '@millwright/runs';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import { all, connect, says } from './test-client.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;
let client: Client;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel({ hang: true })]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  await runtime.newAgent({ name: 'Scribe' });
  client = await connect(runtime.url, 'scribe', token, ['1.0', 'JSONRPC']);
});
afterAll(async () => {
  await model.close();
  await runtime.close();
  await database.drop();
});

const begin = async () =>
  (await client.sendMessage(says('Think', { configuration: { returnImmediately: true } }))) as Task;
const read = async ({ id }: Task) => (await client.getTask({ id, tenant: '' })).status?.state;
const stateOf = (event: StreamResponse | undefined) =>
  event?.payload?.$case === 'statusUpdate' || event?.payload?.$case === 'task'
    ? event.payload.value.status?.state
    : undefined;

/** Makes the task's run wait, as its executing process does. */
async function wait({ id }: Task, reason: WaitReason): Promise<void> {
  const fence = { runId: decodeId('task', id) ?? '', attempt: 1 };
  await runtime.db.transaction((tx) => createRunStore(runtime.db).wait(tx, fence, reason));
}

describe('a task with a waiting run', () => {
  it.each([
    ['approval', TaskState.TASK_STATE_INPUT_REQUIRED],
    ['input', TaskState.TASK_STATE_INPUT_REQUIRED],
    ['connection', TaskState.TASK_STATE_AUTH_REQUIRED],
  ] as const)('has a state that requires a user when the run waits for %s; its streams end', async (reason, state) => {
    const task = await begin();
    const events = client.resubscribeTask({ id: task.id, tenant: '' })[Symbol.asyncIterator]();
    expect(stateOf((await events.next()).value as StreamResponse)).toBe(TaskState.TASK_STATE_WORKING);
    await wait(task, reason);
    expect(stateOf((await all({ [Symbol.asyncIterator]: () => events })).at(-1))).toBe(state);
    expect(await read(task)).toBe(state);
  });

  it.each(['outcome', 'budget'] as const)(
    'has the state working when the run waits for the %s; its streams continue until the task ends',
    async (reason) => {
      const task = await begin();
      await wait(task, reason);
      expect(await read(task)).toBe(TaskState.TASK_STATE_WORKING);
      const events = client.resubscribeTask({ id: task.id, tenant: '' })[Symbol.asyncIterator]();
      expect(stateOf((await events.next()).value as StreamResponse)).toBe(TaskState.TASK_STATE_WORKING);
      const rest = all({ [Symbol.asyncIterator]: () => events });
      const run = encodeId('run', decodeId('task', task.id) ?? '');
      await runtime.as(token)('POST', `/api/v1/runs/${run}/cancel`);
      expect(stateOf((await rest).at(-1))).toBe(TaskState.TASK_STATE_CANCELED);
    },
  );
});
