import { TaskState, type Task } from '@a2a-js/sdk';
import { decodeId, encodeId, newId } from '@millwright/db';
import { createFakeModel, createTestDatabase, listen, type FakeModel, type TestDatabase } from '@millwright/testing';
import { connect as connectA2a, says } from '../a2a/test-client.js';
import {
  registerForUsers,
  startUserUpstream,
  TestBrowser,
  type UserUpstream,
} from '../connections/test-connections.js';
import { RUNTIME_URL, startRuntime, type Replica, type TestRuntime, type TestUser } from '../test-runtime.js';
import type { Run, RunDetail, RunStep } from './runs.contract.js';

interface Pushed {
  statusUpdate: { status: { state: string } };
}

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
/** Another process that also executes runs. */
let other: Replica;
let upstream: UserUpstream;
let serverId: string;
let agent: string;
let servers = 0;
let user: TestUser;
let token: string;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  other = await runtime.start();
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(async () => {
  upstream = await startUserUpstream();
  serverId = await registerForUsers(runtime, upstream, `Server${++servers}`);
  await connect(runtime.owner);
  await runtime.probeMcpServer(uuid());
  agent = `clerk${servers}`;
  const { id } = await runtime.newAgent({ name: agent });
  await runtime.db.prisma.agentMcpServer.create({ data: { agent_id: id, server_id: uuid(), position: 0 } });
  model.answerWith(({ body }) => {
    const read = body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
    if (read.length > 0) return { content: `Read: ${read.join(' | ')}` };
    const call = { name: `server${servers}__add`, arguments: '{"a":1}' };
    return { content: null, toolCalls: [{ id: 'call_1', type: 'function', function: call }] };
  });
  user = await runtime.newUser(`user${servers}@example.com`);
  token = await runtime.newToken({ userId: user.id });
});
afterEach(() => upstream.close());

const uuid = (id = serverId) => decodeId('ms', id) ?? '';
const rowOf = ({ id }: { id: string }) => decodeId('run', id) ?? '';
const by = (...args: Parameters<ReturnType<TestRuntime['as']>>) => runtime.as(token)(...args);
const connect = (who: TestUser, server = serverId) => new TestBrowser(runtime).connect(server, who);
const calls = () => upstream.mcp.calls.length;
const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
const read = async ({ id }: { id: string }) => (await by('GET', `/api/v1/runs/${id}`)).body as RunDetail;
const stepsOf = async ({ id }: { id: string }) =>
  ((await by('GET', `/api/v1/runs/${id}/steps`)).body as { items: RunStep[] }).items;
const waitOf = (run: { id: string }) => runtime.db.prisma.connectionWait.findUnique({ where: { run_id: rowOf(run) } });

async function until(run: { id: string }, isReached: (run: RunDetail) => boolean): Promise<RunDetail> {
  for (;;) {
    const found = await read(run);
    if (isReached(found)) return found;
    await pause();
  }
}
const ended = (run: { id: string }) => until(run, ({ ended_at }) => ended_at !== null);

/** Sends a message, and waits until its run waits for the user's account. */
async function waiting(state: Partial<Run> = { state: 'waiting', waiting_for: 'connection' }): Promise<Run> {
  const { status, body } = await by('POST', `/api/v1/agents/${agent}/messages`, { json: { content: 'Add.' } });
  expect({ status, body }).toMatchObject({ status: 202, body: state });
  return body as Run;
}

/** Creates a run of another user at another process. The run waits for an account at the same server. */
async function strangersRun() {
  const stranger = await runtime.newUser(`stranger${servers}@example.com`);
  const asStranger = other.as(await runtime.newToken({ userId: stranger.id }));
  const { body } = await asStranger('POST', `/api/v1/agents/${agent}/messages`, { json: { content: 'Add.' } });
  const path = `/api/v1/runs/${(body as Run).id}`;
  return {
    /** Connects the user's account, and waits until the run has ended. */
    async goesOn(): Promise<void> {
      await connect(stranger);
      while (((await asStranger('GET', path)).body as Run).state !== 'completed') await pause();
    },
  };
}

describe('a call of a tool whose server needs an account of the user', () => {
  it('lets its run wait and shows the address for connecting an account; it is made once after the account is connected', async () => {
    const run = await waiting();
    const connection = {
      server_id: serverId,
      name: `Server${servers}`,
      connect_url: `${RUNTIME_URL}/connections/${serverId}`,
    };
    expect(await read(run)).toMatchObject({ waiting_for: 'connection', connection });
    const inbox = await by('GET', '/api/v1/runs?waiting_for=connection');
    expect(inbox.body).toMatchObject({ items: [{ id: run.id }] });
    const call = { tool: `server${servers}__add`, arguments: '{"a":1}' };
    expect((await stepsOf(run))[1]).toMatchObject({ ...call, outcome: 'failed', error: { code: 'not_connected' } });
    expect(calls()).toBe(0);
    await connect(user);
    expect(await ended(run)).toMatchObject({
      ...{ state: 'completed', connection: null, output: 'Read: add {"a":1}', steps: 3, tool_calls: 1 },
    });
    expect((await stepsOf(run))[1]).toMatchObject({ ...call, outcome: 'succeeded', error: null });
    expect(calls()).toBe(1);
    expect(await waitOf(run)).toBeNull();
  });

  it('waits for a new connection when the server refuses the token of the existing connection', async () => {
    await connect(user);
    const { challenge } = upstream.mcp;
    upstream.mcp.challenge = () => 'Bearer';
    const run = await waiting();
    // The run of another user continues after a scan for all waiting runs. After that, the scan has also read the run of this user.
    const stranger = await strangersRun();
    upstream.mcp.challenge = challenge;
    await stranger.goesOn();
    expect((await read(run)).state).toBe('waiting');
    await connect(user);
    expect(await ended(run)).toMatchObject({ state: 'completed', output: 'Read: add {"a":1}', attempt: 2 });
  });

  it('continues without a wait when the account was connected after the run had begun', async () => {
    const { challenge } = upstream.mcp;
    const answer = model.answerWith.bind(model);
    answer(async ({ body }) => {
      const tools = body.messages.filter(({ role }) => role === 'tool');
      if (tools.length > 0) return 'Done.';
      await connect(user);
      upstream.mcp.challenge = () => 'Bearer';
      const call = { name: `server${servers}__add`, arguments: '{}' };
      return { content: null, toolCalls: [{ id: 'call_1', type: 'function', function: call }] };
    });
    // The state of the run is not checked, because the run may continue before its state is read.
    const run = await waiting({});
    upstream.mcp.challenge = challenge;
    expect(await ended(run)).toMatchObject({ state: 'completed', output: 'Done.' });
    expect(calls()).toBe(1);
  });

  it('shares one wait with other calls of the same model answer; afterwards, each call is made once', async () => {
    model.answerWith(({ body }) => {
      const read = body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
      if (read.length > 0) return { content: `Read: ${read.join(' | ')}` };
      const toolCalls = ['add', 'sub', 'add'].map((tool, index) => {
        const call = { name: `server${servers}__${tool}`, arguments: `{"n":${index}}` };
        return { id: `call_${index}`, type: 'function' as const, function: call };
      });
      return { content: null, toolCalls };
    });
    const run = await waiting();
    await connect(user);
    const output = 'Read: add {"n":0} | sub {"n":1} | add {"n":2}';
    expect(await ended(run)).toMatchObject({ state: 'completed', output, attempt: 2, tool_calls: 3 });
    expect((await stepsOf(run)).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => 'succeeded'));
    expect(calls()).toBe(3);
  });

  it('does not continue when another user connects an account, or when the user connects to another server', async () => {
    const run = await waiting();
    const stranger = await strangersRun();
    await connect(user, await registerForUsers(runtime, upstream, `Elsewhere${servers}`));
    await stranger.goesOn();
    expect(await read(run)).toMatchObject({ state: 'waiting', waiting_for: 'connection' });
  });

  it('fails after APPROVAL_HOURS, and the model reads the address for connecting an account', async () => {
    const run = await waiting();
    const past = new Date(Date.now() - 24 * 3_600_000);
    await runtime.db.prisma.runStep.updateMany({ where: { run_id: rowOf(run), seq: 2 }, data: { started_at: past } });
    await runtime.db.prisma.connectionWait.update({ where: { run_id: rowOf(run) }, data: { expires_at: new Date() } });
    const { state, output } = await ended(run);
    expect({ state, output }).toEqual({
      state: 'completed',
      output: expect.stringContaining(`${RUNTIME_URL}/connections/${serverId}`) as string,
    });
    expect((await stepsOf(run))[1]).toMatchObject({ outcome: 'failed', error: { code: 'not_connected' } });
    expect(calls()).toBe(0);
  });

  it.each([
    ['is deleted', () => runtime.db.prisma.mcpServer.delete({ where: { id: uuid() } })],
    [
      'requires no account any more',
      () => runtime.db.prisma.mcpServer.update({ where: { id: uuid() }, data: { auth: { type: 'none' } } }),
    ],
  ])('is never made when its server %s, and the run continues without it', async (_how, change) => {
    const run = await waiting();
    await change();
    expect(await ended(run)).toMatchObject({ state: 'completed', output: expect.stringContaining('Read: ') as string });
    expect(calls()).toBe(0);
  });

  it('is refused by a rule that was set while it waited', async () => {
    const run = await waiting();
    await runtime.db.prisma.mcpTool.updateMany({ where: { server_id: uuid() }, data: { rule: 'deny' } });
    await connect(user);
    expect(await ended(run)).toMatchObject({ state: 'completed' });
    expect((await stepsOf(run))[1]).toMatchObject({ outcome: 'failed', error: { code: 'forbidden' } });
    expect(calls()).toBe(0);
  });

  it('fails immediately while 1,000 runs of the user wait for accounts', async () => {
    await database.sql`
      INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, subject_version, channel, caller, state, waiting_for)
      SELECT gen_random_uuid(), 'Core', ${user.id}::uuid, 'prompt', ${newId()}::uuid, 'many', 1, 'prompt', '{}', 'waiting', 'connection'
        FROM generate_series(1, 1000)`;
    const { status, body } = await by('POST', `/api/v1/agents/${agent}/messages`, { json: { content: 'Add.' } });
    await runtime.db.prisma.run.deleteMany({ where: { subject_name: 'many' } });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { content: expect.stringContaining(`${RUNTIME_URL}/connections/${serverId}`) as string },
    });
  });

  it('no longer waits when its run is canceled: the row of the wait is deleted', async () => {
    const run = await waiting();
    await by('POST', `/api/v1/runs/${run.id}/cancel`);
    while ((await waitOf(run)) !== null) await pause();
    expect(await read(run)).toMatchObject({ state: 'canceled', connection: null });
  });

  it('puts the task of an A2A client into the state auth-required, with the address in its message', async () => {
    const client = await connectA2a(runtime.url, agent, token, ['1.0', 'JSONRPC']);
    const task = (await client.sendMessage(says('Add.'))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
    const text = JSON.stringify(task.status?.message);
    expect(text).toContain(`Server${servers}`);
    expect(text).toContain(`${RUNTIME_URL}/connections/${serverId}`);
    await connect(user);
    const run = { id: encodeId('run', decodeId('task', task.id) ?? '') };
    expect(await ended(run)).toMatchObject({ state: 'completed' });
    const { status } = await client.getTask({ id: task.id, tenant: '' });
    expect(status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });
});

describe('a run whose agent called an agent that waits for an account of the user', () => {
  /** Creates an agent that calls the agent which uses the server. */
  async function newCaller(): Promise<string> {
    const name = `caller${servers}`;
    const instructions = `You are ${name}.`;
    const callee = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { slug: agent } });
    await runtime.newAgent({ name, instructions, callees: [callee.id] });
    model.answerWith(({ body }) => {
      const isCaller = body.messages.some(({ content }) => String(content).includes(instructions));
      const read = body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
      if (read.length > 0) return { content: `Read: ${read.join(' | ')}` };
      const call = isCaller
        ? { name: `ask_${agent}`, arguments: '{"message":"Add."}' }
        : { name: `server${servers}__add`, arguments: '{"a":1}' };
      return { content: null, toolCalls: [{ id: 'call_1', type: 'function', function: call }] };
    });
    return name;
  }
  const address = () => `${RUNTIME_URL}/connections/${serverId}`;

  it('answers its message with the address, and continues once the user has connected the account', async () => {
    const caller = await newCaller();
    const { status, body } = await by('POST', `/api/v1/agents/${caller}/messages`, { json: { content: 'Go.' } });
    const child = await runtime.db.prisma.run.findFirstOrThrow({ where: { subject_name: agent } });
    expect({ status, body }).toMatchObject({
      status: 202,
      body: {
        ...{ state: 'waiting', waiting_for: 'child', approvals: [] },
        connections: [
          {
            ...{ run_id: encodeId('run', child.id), server_id: serverId, name: `Server${servers}` },
            connect_url: address(),
          },
        ],
      },
    });
    await connect(user);
    expect(await ended(body as Run)).toMatchObject({ state: 'completed', output: 'Read: Read: add {"a":1}' });
  });

  it('puts the task of an A2A client into the state auth-required, with the address in its message and a push notification', async () => {
    const states: string[] = [];
    const receiver = await listen((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        // The first request has no body, because it only checks the address of the receiver.
        if (text !== '') states.push((JSON.parse(text) as Pushed).statusUpdate.status.state);
        response.writeHead(200).end();
      });
    });
    const client = await connectA2a(runtime.url, await newCaller(), token, ['1.0', 'JSONRPC']);
    const taskPushNotificationConfig = { taskId: '', id: '', url: receiver.url, token: '' };
    const task = (await client.sendMessage(says('Go.', { configuration: { taskPushNotificationConfig } }))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
    expect(JSON.stringify(task.status?.message)).toContain(address());
    await connect(user);
    await ended({ id: encodeId('run', decodeId('task', task.id) ?? '') });
    for (const end = Date.now() + 10_000; states.length < 2 && Date.now() < end;) await pause();
    expect(states).toEqual(['TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED']);
    await receiver.close();
  });
});

describe('ask_<agent> for an agent that needs an account of the user', () => {
  it.each([[false], [true]])(
    'answers with the address at which the user connects the account (for a called agent: %s)',
    async (isBelow) => {
      const asked = isBelow ? `front${servers}` : agent;
      if (isBelow) {
        const callee = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { slug: agent } });
        await runtime.newAgent({ name: asked, instructions: 'You are front.', callees: [callee.id] });
        model.answerWith(({ body }) => {
          const isFront = body.messages.some(({ content }) => String(content).includes('You are front.'));
          const call = isFront
            ? { name: `ask_${agent}`, arguments: '{"message":"Add."}' }
            : { name: `server${servers}__add`, arguments: '{"a":1}' };
          return { content: null, toolCalls: [{ id: 'call_1', type: 'function', function: call }] };
        });
      }
      const params = { name: `ask_${asked}`, arguments: { content: 'Add.' } };
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { body } = await by('POST', '/api/v1/mcp/platform/mcp', { json });
      const text = JSON.stringify(body);
      expect(text).toContain(`Connect an account to Server${servers}: ${RUNTIME_URL}/connections/${serverId}`);
      expect(text).not.toContain('inbox');
    },
  );
});
