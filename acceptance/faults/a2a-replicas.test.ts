import { setTimeout as sleep } from 'node:timers/promises';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { callers, send } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import type { Service } from '../harness/service.js';

const AGENT = '/api/v1/agents/scribe/a2a';

interface Task {
  id: string;
  contextId: string;
  status: { state: string };
  artifacts?: { parts: { text: string }[] }[];
}
interface Event {
  task?: Task;
  statusUpdate?: Pick<Task, 'status'>;
  artifactUpdate?: { append?: boolean; artifact: { parts: { text: string }[] } };
}

let model: FakeModel;
let platform: Platform;
let authorization: string;

beforeAll(async () => {
  model = await createFakeModel();
  platform = await startPlatform({
    replicas: { 'runtime-api': 3 },
    env: { MODEL_BASE_URL: model.url, MODEL_NAME: 'house-model', RATE_LIMIT_MULTIPLIER: '1000' },
  });
  await callers(platform).platform('/agents', { body: { name: 'Scribe', description: 'Writes minutes.' } });
  authorization = await tokenOf(platform.client);
});

afterAll(async () => {
  await model.close(); // a killed process ends pending requests
  await platform.stop();
});

async function tokenOf(client: { client_id: string; client_secret: string }): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...client });
  const answer = await fetch(`${platform.runtimeUrl}/oauth/token`, { method: 'POST', body: form });
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`;
}

const headers = () => ({ Authorization: authorization, 'A2A-Version': '1.0' });
const messageOf = (text: string, contextId?: string) => ({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...(contextId && { contextId }) },
});
const processes = () => platform.of('runtime-api') as [Service, Service, Service];

async function ask(base: string, body: object): Promise<Task> {
  const answer = await send<{ task: Task }>(`${base}${AGENT}/message:send`, { headers: headers(), body });
  expect(answer.status).toBe(200);
  return answer.body.task;
}
const taskAt = async (base: string, id: string) =>
  (await send<Task>(`${base}${AGENT}/tasks/${id}`, { headers: headers() })).body;

/** Yields the events of a stream. Rejects when the connection breaks. */
async function* open(
  base: string,
  path: string,
  body?: object,
  by = authorization,
): AsyncGenerator<Event, void, undefined> {
  const response = await fetch(`${base}${AGENT}${path}`, {
    method: 'POST',
    headers: { ...headers(), Authorization: by, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([response.status, response.headers.get('x-accel-buffering')]).toEqual([200, 'no']);
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = `${text}${part}`.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6)) as Event;
  }
}

/** Reads a stream to its end. @returns the complete answer and the task's final state */
async function follow(events: AsyncIterable<Event>) {
  let [text, state]: (string | undefined)[] = [''];
  for await (const { task, artifactUpdate, statusUpdate } of events) {
    if (task) text = task.artifacts?.[0]?.parts[0]?.text ?? '';
    const added = artifactUpdate?.artifact.parts[0]?.text ?? '';
    if (artifactUpdate) text = artifactUpdate.append ? `${text}${added}` : added;
    state = (statusUpdate ?? task)?.status.state ?? state;
  }
  return { text, state };
}

async function firstTask(events: AsyncGenerator<Event, void, undefined>): Promise<Task> {
  const { value } = await events.next();
  if (!value?.task) throw new Error('a stream begins with its task');
  return value.task;
}

const LONG = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ');

describe('three processes behind the gateway', () => {
  it('continue A2A contexts and read A2A tasks that another process created', async () => {
    model.answerWith(({ body }) => `${body.messages.filter(({ role }) => role === 'user').length} messages`);
    const [one, two, three] = processes();
    for (const base of [platform.runtimeUrl, one.url, two.url, three.url]) {
      const first = await ask(base, messageOf('One'));
      let last = first;
      for (const at of [one.url, two.url, three.url, platform.runtimeUrl])
        last = await ask(at, messageOf('More', first.contextId));
      expect([last.contextId, last.artifacts?.[0]?.parts[0]?.text]).toEqual([first.contextId, '5 messages']);
      for (const at of [one.url, two.url, three.url, platform.runtimeUrl])
        expect(await taskAt(at, last.id)).toEqual(last);
    }
  });

  it('continue a stream after the process that sent it was killed', async () => {
    const [one, two] = processes();
    model.answerWith({ content: LONG, trickleMs: 60 });
    const stream = open(one.url, '/message:stream', messageOf('Long'));
    const { id } = await firstTask(stream);
    const elsewhere = open(two.url, `/tasks/${id}:subscribe`);
    await firstTask(elsewhere);
    two.kill('SIGKILL');
    await expect(follow(elsewhere)).rejects.toThrow();
    const again = follow(open(platform.runtimeUrl, `/tasks/${id}:subscribe`));
    const expected = { text: LONG, state: 'TASK_STATE_COMPLETED' };
    expect(await Promise.all([again, follow(stream)])).toEqual([expected, expected]);
    await two.start();
  });

  it('complete a task of a killed process, and send the complete answer to the subscribers of the task', async () => {
    const [one, two, three] = processes();
    model.answerWith({ content: LONG, trickleMs: 1_000 });
    const stream = open(one.url, '/message:stream', messageOf('Lost'));
    const { id, contextId } = await firstTask(stream);
    const following = follow(open(two.url, `/tasks/${id}:subscribe`));
    one.kill('SIGKILL');
    model.answerWith('Here it is.');
    await expect(follow(stream)).rejects.toThrow();
    const attached = follow(open(platform.runtimeUrl, `/tasks/${id}:subscribe`));
    const expected = { text: 'Here it is.', state: 'TASK_STATE_COMPLETED' };
    expect(await Promise.all([following, attached])).toEqual([expected, expected]);
    expect((await taskAt(three.url, id)).contextId).toBe(contextId);
    await one.start();
    expect(await taskAt(one.url, id)).toEqual(await taskAt(two.url, id));
  });

  it('cancel a task that another process executes, and abort its model request', async () => {
    const [one, two] = processes();
    model.answerWith({ hang: true });
    const asked = model.requests.length;
    const stream = open(one.url, '/message:stream', messageOf('Think'));
    const { id } = await firstTask(stream);
    while (model.requests.length === asked) await sleep(5);
    await send(`${two.url}${AGENT}/tasks/${id}:cancel`, { headers: headers(), body: {} });
    expect((await follow(stream)).state).toBe('TASK_STATE_CANCELED');
    while (!model.requests.at(-1)?.aborted) await sleep(5);
  });

  it('close the streams of an account within a second after the account is disabled', async () => {
    await platform.operator('users', 'create', '--email', 'bob@localhost', '--name', 'Bob');
    const by = await tokenOf(await platform.operator('clients', 'create', '--user', 'bob@localhost', '--name', 'bob'));
    model.answerWith({ hang: true });
    const stream = open(platform.runtimeUrl, '/message:stream', messageOf('Think'), by);
    await firstTask(stream);
    const closed = expect(follow(stream)).rejects.toThrow();
    await platform.operator('users', 'disable', 'bob@localhost');
    const disabledAt = Date.now();
    await closed;
    expect(Date.now() - disabledAt).toBeLessThan(1_000);
  });
});
