import { SendMessageRequest, TaskState, type StreamResponse } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createFakeModel, listen, type FakeModel, type ListeningApp } from '@millwright/testing';
import { callers, newToken, send } from './harness/calls.js';
import { startPlatform, type Platform } from './harness/platform.js';
import type { Service } from './harness/service.js';
import { callFirstTool } from './harness/tool-calling.js';

interface Run {
  id: string;
  state: string;
  waiting_for: string | null;
  context_id: string;
  output?: string | null;
  attempt?: number;
}

let model: FakeModel;
let platform: Platform;
let tool: ListeningApp;
let headers: Record<string, string>;
/** Calls that the tool leaves without an answer. */
const unanswered: ServerResponse[] = [];

beforeAll(async () => {
  model = await createFakeModel();
  tool = await listen((request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') unanswered.push(response);
    else response.end();
  });
  platform = await startPlatform({
    replicas: { 'runtime-api': 3, 'prompt-api': 0 },
    env: { MODEL_BASE_URL: model.url, MODEL_NAME: 'house-model', RATE_LIMIT_MULTIPLIER: '1000' },
  });
  const call = callers(platform).platform;
  const plugin = await call<{ id: string }>('/plugins', {
    body: { name: 'Pay', description: 'Pays.', type: 'tool', config: { url: tool.url } },
  });
  await call('/agents', { body: { name: 'Scribe', description: 'Writes minutes.' } });
  await call('/agents', { body: { name: 'Payer', description: 'Pays bills.', plugin_ids: [plugin.body.id] } });
  headers = { Authorization: `Bearer ${await newToken(platform, platform.client)}` };
});
afterAll(async () => {
  for (const response of unanswered) response.destroy();
  await model.close(); // ends the requests to the model that are still open
  await Promise.all([platform.stop(), tool.close()]);
});

const processes = () => platform.of('runtime-api') as [Service, Service, Service];
const path = '/api/v1/runs';
const start = async (base: string, agent: string, content = 'Go on') => {
  const answer = await send<Run>(`${base}${path}`, { headers, body: { agent, content } });
  expect([answer.status, answer.headers.get('location')]).toEqual([202, `${path}/${answer.body.id}`]);
  return answer.body;
};
const read = async (id: string) => (await send<Run>(`${platform.runtimeUrl}${path}/${id}`, { headers })).body;

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50));
}

interface RunEvent {
  id: number;
  event: string;
  data: Record<string, unknown>;
}

/** Follows a run as `EventSource` does: connects again after the last event, at the next address. */
async function* follow(id: string, bases: string[]): AsyncGenerator<RunEvent, void, undefined> {
  let last = 0;
  for (let time = 0; ; time += 1) {
    const base = bases[time % bases.length] ?? '';
    try {
      const response = await fetch(`${base}${path}/${id}/events`, {
        headers: { ...headers, ...(last > 0 && { 'Last-Event-ID': String(last) }) },
      });
      if (response.status === 204) return;
      expect(response.status).toBe(200);
      let text = '';
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const parts = `${text}${part}`.split('\n\n');
        text = parts.pop() ?? '';
        for (const lines of parts) {
          const [, number, event, data] = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/s.exec(lines) ?? [];
          if (data === undefined) continue;
          last = Number(number);
          yield { id: last, event: event ?? '', data: JSON.parse(data) as Record<string, unknown> };
        }
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // the connection was broken
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const received: Item[] = [];
  for await (const item of items) received.push(item);
  return received;
}

/** Kills the process that executes the run, and restarts it when another process has taken over the run. */
async function killWorkerOf(run: Run, service: Service): Promise<void> {
  service.kill('SIGKILL');
  await until(async () => (await send<Run>(`${processes()[2].url}${path}/${run.id}`, { headers })).body.attempt === 2);
  await service.start();
}

/** Makes a client of the A2A SDK, which reads the agent's card through the gateway. */
async function connect(agent: string): Promise<Client> {
  const options = {
    fetchImpl: createAuthenticatingFetchWithRetry(fetch, {
      headers: () => Promise.resolve(headers),
      shouldRetryWithHeaders: () => Promise.resolve(undefined),
    }),
  };
  const card = await new DefaultAgentCardResolver().resolve(platform.runtimeUrl, `/.well-known/agent-cards/${agent}`);
  const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)];
  const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports }));
  return factory.createFromAgentCard(card);
}

const says = (text: string) =>
  SendMessageRequest.fromJSON({ message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] } });
const statesOf = (events: readonly StreamResponse[]) =>
  events.flatMap(({ payload }) =>
    payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? [payload.value.status?.state] : [],
  );

describe('runs behind the gateway', () => {
  it("are followed without a gap or repetition while their process and the follower's process are killed", async () => {
    const [one, two] = processes();
    const words = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ');
    model.answerWith({ content: words, trickleMs: 500 });
    const run = await start(one.url, 'scribe');
    const events: RunEvent[] = [];
    const following = (async () => {
      for await (const event of follow(run.id, [two.url, platform.runtimeUrl])) events.push(event);
    })();
    await until(() => events.filter(({ event }) => event === 'message.delta').length >= 3);
    two.kill('SIGKILL');
    await until(() => events.filter(({ event }) => event === 'message.delta').length >= 5);
    model.answerWith(words);
    await killWorkerOf(run, one);
    await following;
    await two.start();
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    const names = events.map(({ event }) => event).filter((event) => event !== 'message.delta');
    expect(names).toEqual(['run.running', 'run.running', 'run.completed']);
    const taken = events.findLastIndex(({ event }) => event === 'run.running');
    const text = events.slice(taken).map(({ data }) => (typeof data['delta'] === 'string' ? data['delta'] : ''));
    expect([text.join(''), (await read(run.id)).output]).toEqual([words, words]);
  });

  it('can be canceled at any process, which also aborts the model request', async () => {
    const [one, two] = processes();
    model.answerWith({ hang: true });
    const asked = model.requests.length;
    const run = await start(one.url, 'scribe');
    const events = all(follow(run.id, [platform.runtimeUrl]));
    await until(() => model.requests.length > asked);
    const canceled = await send<Run>(`${two.url}${path}/${run.id}/cancel`, { method: 'POST', headers });
    expect([canceled.status, canceled.body.state]).toEqual([200, 'canceled']);
    expect((await events).at(-1)?.event).toBe('run.canceled');
    await until(() => model.requests.at(-1)?.aborted === true);
  });

  it('wait for the decision of a person when their process dies during a tool call, and continue after the decision', async () => {
    const [one, two] = processes();
    callFirstTool(model);
    const called = unanswered.length;
    const run = await start(one.url, 'payer', 'Pay the bill');
    await until(() => unanswered.length > called);
    await killWorkerOf(run, one);
    await until(async () => (await read(run.id)).state === 'waiting');
    expect((await read(run.id)).waiting_for).toBe('outcome');
    const next = { content: 'And now?', context_id: run.context_id };
    const messages = `${platform.runtimeUrl}/api/v1/agents/payer/messages`;
    expect((await send(messages, { headers, body: next })).status).toBe(409);
    const decision = { step: 2, outcome: 'happened', note: 'Bill 7.' };
    const decided = await send(`${two.url}${path}/${run.id}/outcome`, { headers, body: decision });
    expect(decided.status).toBe(200);
    const events = await all(follow(run.id, [platform.runtimeUrl]));
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['run.waiting', 'run.completed']));
    expect((await read(run.id)).output).toContain('Bill 7.');
    expect(unanswered.length).toBe(called + 1);
  });

  it('are answered with 202 at their start with Prefer: respond-async, and with 200 at their end with Prefer: wait', async () => {
    model.answerWith('Minutes.');
    const answer = await send<Run>(`${platform.runtimeUrl}/api/v1/agents/scribe/messages`, {
      headers: { ...headers, Prefer: 'respond-async' },
      body: { content: 'Write' },
    });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    const waited = await send<Run>(`${platform.runtimeUrl}${path}`, {
      headers: { ...headers, Prefer: 'wait=30' },
      body: { agent: 'scribe', content: 'And more', context_id: answer.body.context_id },
    });
    expect([waited.status, waited.body.state, waited.body.context_id]).toEqual([
      200,
      'completed',
      answer.body.context_id,
    ]);
    expect((await read(answer.body.id)).output).toBe('Minutes.');
  });

  it('can be streamed, read and canceled by the client of the A2A SDK, for which they are tasks', async () => {
    const client = await connect('scribe');
    model.answerWith({ content: 'One two three', trickleMs: 20 });
    const streamed = await all(client.sendMessageStream(says('Write')));
    expect(statesOf(streamed).at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
    const first = streamed[0]?.payload;
    if (first?.$case !== 'task') throw new Error('a stream begins with its task');
    const run = await read(first.value.id.replace('task_', 'run_'));
    expect([run.state, run.output]).toEqual(['completed', 'One two three']);

    model.answerWith({ hang: true });
    const asked = model.requests.length;
    const hanging = client.sendMessageStream(says('Think'))[Symbol.asyncIterator]();
    const begun = (await hanging.next()).value as StreamResponse;
    if (begun.payload?.$case !== 'task') throw new Error('a stream begins with its task');
    const { id } = begun.payload.value;
    await until(() => model.requests.length > asked);
    await client.cancelTask({ id, tenant: '', metadata: undefined });
    const rest = await all({ [Symbol.asyncIterator]: () => hanging });
    expect(statesOf(rest).at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await read(id.replace('task_', 'run_'))).state).toBe('canceled');
  });

  it('are canceled when their agent is stopped; new runs are refused until the agent is released', async () => {
    const [one, two] = processes();
    model.answerWith({ hang: true });
    const runs = [await start(one.url, 'scribe'), await start(two.url, 'scribe')];
    const stopped = await send(`${platform.runtimeUrl}/api/v1/agents/scribe/stop`, { method: 'POST', headers });
    expect(stopped.status).toBe(200);
    for (const { id } of runs) expect((await read(id)).state).toBe('canceled');
    const refused = await send<{ error: { code: string } }>(`${two.url}${path}`, {
      headers,
      body: { agent: 'scribe', content: 'Go on' },
    });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'AGENT_STOPPED']);
    await until(
      async () =>
        (await send(`${platform.runtimeUrl}/api/v1/agents/scribe/release`, { method: 'POST', headers })).status === 200,
    );
    model.answerWith('Back.');
    const run = await start(one.url, 'scribe');
    await until(async () => (await read(run.id)).state === 'completed');
  });
});
