import { setTimeout as sleep } from 'node:timers/promises';
import { TaskState, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { decodeId } from '@millwright/db';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { JPEG_IMAGE, pngImage } from '@millwright/testing/images';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../test-runtime.js';
import { all, answerOf, connect, says, textOf, WAYS } from './test-client.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  await runtime.newAgent({ name: 'Scribe', instructions: 'Be brief.' });
  await runtime.newAgent({ name: 'Looker', model: 'seeing' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(() => {
  model.requests.splice(0);
  model.answerWith('Good morning to you.');
});

const COMPLETED = TaskState.TASK_STATE_COMPLETED;
const runIdOf = ({ id }: Task) => decodeId('task', id);
/** Reads the first event of a stream, which contains the task. @throws Error when the first event has no task */
async function firstOf(events: AsyncGenerator): Promise<Task> {
  const { value } = (await events.next()) as { value: { payload?: { $case: string; value: Task } } };
  if (value.payload?.$case !== 'task') throw new Error('a stream begins with its task');
  return value.payload.value;
}

describe.each(WAYS)('a client of @a2a-js/sdk, with version %s and binding %s', (version, binding) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(runtime.url, 'scribe', token, [version, binding]);
  });

  it('uses this version and this binding, which the card lists', () => {
    expect([client.protocolVersion, client.transport.protocolName]).toEqual([version, binding]);
  });

  it('sends a message, receives the answer, continues the context and reads the task again', async () => {
    const task = (await client.sendMessage(says('Hello'))) as Task;
    expect([task.status?.state, answerOf(task)]).toEqual([COMPLETED, 'Good morning to you.']);
    const { id, contextId } = task;
    expect([id, contextId]).toEqual([expect.stringMatching(/^task_/), expect.stringMatching(/^ctx_/)]);
    expect(task.history).toMatchObject([{ role: 1, taskId: id, contextId, parts: [{ content: { value: 'Hello' } }] }]);
    const again = await client.getTask({ id, tenant: '' });
    expect(again).toEqual(task);
    expect((await client.getTask({ id, tenant: '', historyLength: 0 })).history).toEqual([]);
    const next = (await client.sendMessage(says('And now?', { contextId }))) as Task;
    expect([next.contextId, next.id === id]).toEqual([contextId, false]);
    expect(model.requests.at(-1)?.body.messages.map(({ content }) => content)).toEqual([
      expect.stringContaining('Be brief.'),
      'Hello',
      'Good morning to you.',
      'And now?',
    ]);
  });

  it("sends images, which the agent's model receives; the message of the task then contains URLs where the user can read the images", async () => {
    const looker = await connect(runtime.url, 'looker', token, [version, binding]);
    const png = pngImage(12, 8);
    const parts = [
      { text: 'Compare.' },
      { raw: png.toString('base64'), mediaType: 'image/png', filename: 'mill.png' },
      { raw: JPEG_IMAGE.toString('base64'), mediaType: 'application/octet-stream' },
    ];
    const task = (await looker.sendMessage(says('', { parts }))) as Task;
    expect([task.status?.state, answerOf(task)]).toEqual([COMPLETED, 'Good morning to you.']);
    const url = (bytes: Buffer, type: string) => ({ url: `data:${type};base64,${bytes.toString('base64')}` });
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toEqual([
      { type: 'text', text: 'Compare.' },
      { type: 'image_url', image_url: url(png, 'image/png') },
      { type: 'image_url', image_url: url(JPEG_IMAGE, 'image/jpeg') },
    ]);
    const [message] = task.history;
    // The SDK's client for HTTP+JSON of version 0.3 loses the names of files.
    const named = (filename: string) => (version === '0.3' && binding === 'HTTP+JSON' ? '' : filename);
    expect(message?.parts).toMatchObject([
      { content: { $case: 'text', value: 'Compare.' } },
      { content: { $case: 'url' }, mediaType: 'image/png', filename: named('mill.png') },
      { content: { $case: 'url' }, mediaType: 'image/jpeg', filename: named('image.jpg') },
    ]);
    const address = String(message?.parts[1]?.content?.value);
    const response = await fetch(address.replace(RUNTIME_URL, runtime.url), {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    const rows = await runtime.db.prisma.$queryRaw<{ bytes: number }[]>`
      SELECT octet_length(input::text) AS bytes FROM runs WHERE id = ${runIdOf(task)}::uuid`;
    expect(rows[0]?.bytes).toBeLessThan(2_000);
  });

  it('sends an image of more than 1 MiB without a text', async () => {
    const looker = await connect(runtime.url, 'looker', token, [version, binding]);
    const large = pngImage(800, 800, undefined, true);
    expect(large.length).toBeGreaterThan(1_048_576);
    const parts = [{ raw: large.toString('base64'), mediaType: 'image/png' }];
    const task = (await looker.sendMessage(says('', { parts }))) as Task;
    expect(task.status?.state).toBe(COMPLETED);
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toMatchObject([{ type: 'image_url' }]);
  });

  it('receives an answer in parts while the model writes it', async () => {
    model.answerWith({ content: 'One two three four five six seven eight.', trickleMs: 60 });
    const events = await all(client.sendMessageStream(says('Count')));
    expect(events[0]?.payload).toMatchObject({
      $case: 'task',
      value: { status: { state: TaskState.TASK_STATE_WORKING } },
    });
    expect(events.at(-1)?.payload).toMatchObject({ $case: 'statusUpdate', value: { status: { state: COMPLETED } } });
    expect(events.filter(({ payload }) => payload?.$case === 'artifactUpdate').length).toBeGreaterThan(1);
    expect(textOf(events, client)).toBe('One two three four five six seven eight.');
  });

  it('cancels a task; the stream of the task and the call of the model then end', async () => {
    model.answerWith({ hang: true });
    const stream = client.sendMessageStream(says('Think'));
    const { id } = await firstOf(stream);
    while (model.requests.length === 0) await sleep(5);
    const canceled = await client.cancelTask({ id, tenant: '', metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await all(stream)).at(-1)?.payload).toMatchObject({
      $case: 'statusUpdate',
      value: { status: { state: TaskState.TASK_STATE_CANCELED } },
    });
    while (!model.requests[0]?.aborted) await sleep(5);
  });

  it('receives a task that has not ended when the message has returnImmediately, and follows the task in a separate stream', async () => {
    model.answerWith({ content: 'Slowly but surely it comes.', trickleMs: 60 });
    const begun = (await client.sendMessage(says('Go', { configuration: { returnImmediately: true } }))) as Task;
    expect(begun.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    const events = await all(client.resubscribeTask({ id: begun.id, tenant: '' }));
    expect(events[0]?.payload?.$case).toBe('task');
    expect(textOf(events, client)).toBe('Slowly but surely it comes.');
    expect(answerOf(await client.getTask({ id: begun.id, tenant: '' }))).toBe('Slowly but surely it comes.');
  });

  it('receives the errors that the protocol defines for invalid requests', async () => {
    const named = (error: unknown) => (error as Error).name;
    const done = (await client.sendMessage(says('Hello'))) as Task;
    const cancel = { id: done.id, tenant: '', metadata: undefined };
    expect(await client.getTask({ id: 'task_none', tenant: '' }).catch(named)).toBe('TaskNotFoundError');
    expect(await client.cancelTask(cancel).catch(named)).toBe('TaskNotCancelableError');
    expect(await all(client.resubscribeTask({ id: done.id, tenant: '' })).catch(named)).toBe(
      'UnsupportedOperationError',
    );
    expect(await client.sendMessage(says('x', { taskId: done.id })).catch(named)).toBe('UnsupportedOperationError');
    expect(await client.sendMessage(says('x', { contextId: 'mine' })).catch(named)).toBe('RequestMalformedError');
  });
});

describe('a client of A2A 1.0', () => {
  it.each(['JSONRPC', 'HTTP+JSON'] as const)('lists tasks by %s, page by page', async (binding) => {
    const client = await connect(runtime.url, 'scribe', token, ['1.0', binding]);
    const first = (await client.sendMessage(says('One'))) as Task;
    const second = (await client.sendMessage(says('Two', { contextId: first.contextId }))) as Task;
    const ask = (pageToken: string) =>
      client.listTasks({
        tenant: '',
        contextId: first.contextId,
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageSize: 1,
        pageToken,
        statusTimestampAfter: undefined,
        includeArtifacts: true,
      });
    const newest = await ask('');
    expect(newest).toMatchObject({ tasks: [{ id: second.id }], pageSize: 1, totalSize: 2 });
    expect(answerOf(newest.tasks[0])).toBe('Good morning to you.');
    expect(await ask(newest.nextPageToken)).toMatchObject({
      tasks: [{ id: first.id }],
      nextPageToken: '',
      totalSize: 2,
    });
  });
});
