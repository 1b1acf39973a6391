import type { IncomingMessage } from 'node:http';
import { disableUser } from '@millwright/accounts';
import { SPENDING } from '@millwright/budgets';
import { encodeId, newId } from '@millwright/db';
import { createLogger } from '@millwright/http/process';
import { createRunStore } from '@millwright/runs';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeModel,
  type HttpClient,
  type ListeningApp,
  type ModelBehaviour,
  type ModelRequest,
  type TestDatabase,
} from '@millwright/testing';
import { agentIdOf, startRuntime, type Replica, type TestRuntime, type TestUser } from '../test-runtime.js';
import { createRunEnder } from './end-runs.js';
import { createAgentEditor, type AgentEditor } from './test-agent-editor.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
let editor: AgentEditor;
let upstream: ListeningApp;
let admin: HttpClient;
/** The calls that tools received, by the slug of their agent. */
let received: { slug: string; headers: IncomingMessage['headers'] }[];
/** For each agent, a function that is called before the agent's tools answer. */
const onCall = new Map<string, () => Promise<unknown>>();
const onFirstCall = (slug: string, work: () => Promise<unknown>) =>
  onCall.set(slug, () => {
    onCall.delete(slug);
    return work();
  });

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  upstream = await listen((request, response) => {
    const slug = (request.url ?? '/').slice(1);
    received.push({ slug, headers: request.headers });
    const answer = () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"owner":"ann@example.com"}');
    request.resume().on('end', () => void (onCall.get(slug)?.() ?? Promise.resolve()).then(answer));
  });
  const options = { modelTimeoutMs: 60_000, toolTimeoutMs: 60_000 };
  runtime = await startRuntime(database.url, model.url, options);
  other = await runtime.start(options);
  editor = createAgentEditor(database.url, runtime);
  const { id: userId } = await runtime.newUser('grace@example.com', { role: 'admin' });
  admin = other.as(await runtime.newToken({ userId }));
  model.answerWith(script);
});
afterAll(async () => {
  await editor.close();
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});
beforeEach(() => {
  received = [];
});

/** Behaviour of an agent's model. The index of a step is the number of tool answers that the run has read. */
type Step = (request: ModelRequest) => ModelBehaviour | Promise<ModelBehaviour>;
const scripts = new Map<string, Step[]>();
const messagesOf = ({ body }: ModelRequest) => body['messages'] as { role: string; content: string }[];
const readBy = (request: ModelRequest) =>
  messagesOf(request).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

const script: (request: ModelRequest) => ModelBehaviour | Promise<ModelBehaviour> = (request) => {
  const [, slug = ''] = /You are (\w+)/.exec(messagesOf(request)[0]?.content ?? '') ?? [];
  return scripts.get(slug)?.[readBy(request).length]?.(request) ?? { content: 'No script.' };
};

/** A step that calls the first tool whose name begins with the given text. */
const calls =
  (prefix: string, args: object = {}): Step =>
  ({ body }) => {
    const names = ((body['tools'] ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
    const called = { name: names.find((name) => name.startsWith(prefix)) ?? prefix, arguments: JSON.stringify(args) };
    return { content: null, toolCalls: [{ id: `call_${newId()}`, type: 'function', function: called }] };
  };
const says: Step = (request) => {
  const [, version = ''] = /of version (\d)/.exec(messagesOf(request)[0]?.content ?? '') ?? [];
  return { content: `Version ${version} read: ${readBy(request).join(' | ')}` };
};

async function newAgent(
  steps: Step[],
  { callees = [], auth, ...rule }: { callees?: string[]; auth?: object; rule?: 'ask' | 'deny' } = {},
): Promise<string> {
  const name = `agent${newId().slice(-8)}`;
  const config = { url: `${upstream.url}/${name}`, ...(auth && { auth }) };
  const { id } = await runtime.newPlugin({ name: `tool_${name}`, type: 'tool', config });
  if (rule.rule) await runtime.db.prisma.plugin.update({ where: { id }, data: { ...rule, rule_version: 1 } });
  const uses = { plugins: [id], callees: await Promise.all(callees.map((slug) => agentIdOf(runtime, slug))) };
  await editor.create(name, { instructions: `You are ${name} of version 1.` }, uses);
  scripts.set(name, steps);
  return name;
}

async function newClient(by: Replica = runtime): Promise<{ call: HttpClient; user: TestUser }> {
  const user = await runtime.newUser(`${newId()}@example.com`);
  return { user, call: by.as(await runtime.newToken({ userId: user.id })) };
}
const send = (slug: string, call: HttpClient, json: object = {}) =>
  call('POST', `/api/v1/agents/${slug}/messages`, { json: { content: 'Work.', ...json } });
const contentOf = ({ body }: { body: unknown }) => (body as { content?: string }).content;
const runsOf = (slug: string) =>
  runtime.db.prisma.run.findMany({ where: { subject_name: slug }, orderBy: { id: 'asc' } });
const only = async (slug: string) => {
  const [run, ...others] = await runsOf(slug);
  if (!run || others.length > 0) throw new Error(`${slug} has ${others.length + (run ? 1 : 0)} runs`);
  return run;
};
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 30));
}
const hasState = (slug: string, state: string) =>
  until(async () => (await runsOf(slug)).some((run) => run.state === state));
const answerOf = async (slug: string) => {
  const { answer_id } = await only(slug);
  const answer = await runtime.db.prisma.contextMessage.findUniqueOrThrow({ where: { id: answer_id ?? '' } });
  return answer.content;
};
/** Lets the leases of these agents' runs lapse, as if the process of the runs had died. */
const lapse = (...slugs: string[]) =>
  runtime.db.prisma.run.updateMany({
    where: { subject_name: { in: slugs }, state: 'running' },
    data: { lease_until: new Date(0) },
  });
const hang: Step = () => new Promise<ModelBehaviour>(() => undefined);
/** A step that hangs in the first process, and that behaves like `step` in the next process. */
const hangsOnce = (step: Step): Step => {
  let isSecond = false;
  return (request) => {
    if (isSecond) return step(request);
    isSecond = true;
    return hang(request);
  };
};
/** Ends the runs that must end, as every process does every five seconds. */
async function endOnce(): Promise<void> {
  const logger = createLogger({ service: 'test', version: 'test', level: 'silent' });
  const notifier = { ended: () => undefined };
  await createRunEnder({ db: runtime.db, runs: createRunStore(runtime.db), notifier, logger }).look();
}
async function approve(slug: string): Promise<void> {
  const { id, run_id } = await runtime.db.prisma.approval.findFirstOrThrow({
    where: { agent: slug, state: 'pending' },
  });
  const path = `/api/v1/runs/${encodeId('run', run_id)}/approvals/${encodeId('apr', id)}`;
  expect((await admin('POST', path, { json: { decision: 'approve' } })).status).toBe(200);
}

describe('a run that has begun when its agent is deleted', () => {
  it('finishes in its process, with further calls of tools and of the model, and sends its answer to waiting clients', async () => {
    const agent = await newAgent([calls('tool'), calls('tool'), says]);
    onFirstCall(agent, () => editor.remove(agent));
    const { call } = await newClient();
    const answer = await send(agent, call);
    expect([answer.status, contentOf(answer)]).toEqual([200, expect.stringContaining('Version 1 read:')]);
    expect(received).toHaveLength(2);
    const { id } = await only(agent);
    const run = await call('GET', `/api/v1/runs/${encodeId('run', id)}`);
    expect(run.body).toMatchObject({ state: 'completed', output: contentOf(answer), subject: { version: 1 } });
    expect((await send(agent, call)).status).toBe(404);
    expect((await call('GET', '/api/v1/contexts')).body).toMatchObject({ items: [] });
  });

  it('finishes with the version with which it began in the process that takes it over, although the agent had a later version', async () => {
    const agent = await newAgent([hangsOnce(calls('tool')), says]);
    const answer = send(agent, (await newClient()).call);
    await hasState(agent, 'running');
    await until(() => model.requests.some((request) => messagesOf(request)[0]?.content.includes(agent)));
    await editor.change(agent, { instructions: `You are ${agent} of version 2.` });
    const unlinked = await newAgent([]);
    await editor.change(agent, {}, { callees: [await agentIdOf(runtime, unlinked)] });
    await editor.remove(agent);
    await lapse(agent);
    expect(contentOf(await answer)).toContain('Version 1 read: {"owner"');
    expect(received.map(({ slug }) => slug)).toEqual([agent]);
    const { attempt, state, subject_version } = await only(agent);
    expect([attempt, state, subject_version]).toEqual([2, 'completed', 1]);
    const read = model.requests.filter((request) => messagesOf(request)[0]?.content.includes(agent));
    // The run uses version 1, so the model gets no tool for the agent that a later version may call.
    expect(JSON.stringify(read.at(-1)?.body['tools'])).not.toContain('ask_');
  });

  it('makes a call that waits for approval exactly once when the call is approved after the deletion', async () => {
    const agent = await newAgent([calls('tool'), says], { rule: 'ask' });
    const { call } = await newClient();
    const waiting = await send(agent, call);
    expect(waiting.status).toBe(202);
    await editor.remove(agent);
    const pending = await admin('GET', '/api/v1/approvals');
    expect(JSON.stringify(pending.body)).toContain(agent);
    await approve(agent);
    await hasState(agent, 'completed');
    expect(received).toHaveLength(1);
    expect(await answerOf(agent)).toContain('Version 1 read: {"owner"');
  });

  it('fails when its pending approval is not decided within 30 days after the deletion', async () => {
    const agent = await newAgent([calls('tool'), says], { rule: 'ask' });
    expect((await send(agent, (await newClient()).call)).status).toBe(202);
    await editor.remove(agent);
    const { id } = await only(agent);
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    await runtime.db.prisma.run.update({ where: { id }, data: { started_at: days(32) } });
    const age = (count: number) =>
      runtime.db.prisma.deletedAgentVersion.updateMany({ where: { slug: agent }, data: { at: days(count) } });
    await age(29);
    await endOnce();
    expect(await only(agent)).toMatchObject({ state: 'waiting' });
    await age(31);
    await endOnce();
    expect(await only(agent)).toMatchObject({ state: 'failed', error_code: 'agent_deleted' });
    expect(received).toEqual([]);
  });

  it('continues when it waits for a budget of its agent, because the budget is deleted with the agent', async () => {
    const agent = await newAgent([says]);
    const budget = { id: newId(), project: 'Core', name: 'All', level: 'agent', period: 'month', unit: 'tokens' };
    const of = { agent_id: await agentIdOf(runtime, agent), created_by: runtime.owner.id };
    await runtime.db.prisma.budget.create({ data: { ...budget, ...of, amount: 5 } });
    await runtime.db.prisma.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;
    const { call } = await newClient();
    // The message is sent repeatedly, because the process may not have read the budget yet.
    await until(async () => (await send(agent, call)).status === 202);
    await editor.remove(agent);
    await until(async () => (await runsOf(agent)).every(({ state }) => state === 'completed'));
    expect((await runsOf(agent)).length).toBeGreaterThan(0);
  });

  it('continues when it waits for the user of an MCP client and the call is repeated with the decision', async () => {
    const agent = await newAgent([calls('tool'), says], { rule: 'ask' });
    const token = await runtime.newToken();
    const name = `ask_${agent}`;
    const post = async (more: object = {}) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
      const params = { name, arguments: { content: 'Go.' }, ...more, _meta };
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const accept = 'application/json';
      const { body } = await runtime.as(token)('POST', '/api/v1/mcp/platform/mcp', {
        json,
        headers: { ...headers, accept },
      });
      return body as {
        result?: { requestState: string; inputRequests: object; content?: { text: string }[]; isError?: boolean };
      };
    };
    const { requestState = '', inputRequests = {} } = (await post()).result ?? {};
    await editor.remove(agent);
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests).map((key) => [key, { action: 'accept', content: { approve: true } }]),
    );
    const { result } = await post({ requestState, inputResponses });
    expect(result?.content?.[0]?.text).toContain('Version 1 read: {"owner"');
    expect(received).toHaveLength(1);
    expect((await post()).result).toMatchObject({ isError: true });
  });

  it('makes no call that a later rule of the tool refuses', async () => {
    const agent = await newAgent([calls('tool'), calls('tool'), says]);
    onCall.set(agent, async () => {
      await editor.remove(agent);
      await lapse(agent);
      await runtime.db.prisma.plugin.updateMany({
        where: { name: `tool_${agent}` },
        data: { rule: 'deny', rule_version: 1 },
      });
      await new Promise(() => undefined);
    });
    void send(agent, (await newClient()).call);
    await hasState(agent, 'waiting');
    // The outcome of the first call is unknown, so a person decides it.
    const { id } = await only(agent);
    const decision = { step: 2, outcome: 'happened' };
    expect((await admin('POST', `/api/v1/runs/${encodeId('run', id)}/outcome`, { json: decision })).status).toBe(200);
    await hasState(agent, 'completed');
    expect(received).toHaveLength(1);
    expect(await answerOf(agent)).toContain('The rule of this tool refuses its calls.');
  });

  it('is still checked by the guards of its agent in the process that takes it over', async () => {
    const agent = await newAgent([hangsOnce(calls('tool')), says]);
    const policy = { id: newId(), project: 'Core', agent_id: await agentIdOf(runtime, agent) };
    await runtime.db.prisma.guardPolicy.create({ data: { ...policy, rules: { email: { tools: 'redact' } } } });
    const answer = send(agent, (await newClient()).call);
    await until(() => model.requests.some((request) => messagesOf(request)[0]?.content.includes(agent)));
    await editor.remove(agent);
    await lapse(agent);
    expect(contentOf(await answer)).toContain('read: {"owner":"[');
    expect(contentOf(await answer)).not.toContain('ann@example.com');
  });

  it('gets tokens for its calls until its user is disabled', async () => {
    const agent = await newAgent([calls('tool'), calls('tool'), calls('tool'), says], {
      auth: { type: 'agent_token' },
    });
    const id = encodeId('ag', await agentIdOf(runtime, agent));
    const { call, user } = await newClient();
    let count = 0;
    onCall.set(agent, async () => {
      count += 1;
      if (count === 1) await editor.remove(agent);
      if (count === 2)
        await runtime.db.transaction((tx) => disableUser(tx, user.id, runtime.owner.actor, () => undefined));
    });
    await send(agent, call);
    await until(async () => (await only(agent)).ended_at !== null);
    expect(received).toHaveLength(2);
    const [, token = ''] = received[1]?.headers.authorization?.split('.') ?? [];
    const claims = JSON.parse(Buffer.from(token, 'base64url').toString()) as object;
    expect(claims).toMatchObject({ sub: user.id, act: { sub: id, version: 1 } });
  });

  it.each([
    ['stopped', { stopped_at: new Date() }],
    ['inactive', { status: 'inactive' }],
  ])('ends, and makes no further call, when the agent was %s', async (_how, data) => {
    const agent = await newAgent([calls('tool'), calls('tool'), says]);
    onFirstCall(agent, async () => {
      await runtime.db.prisma.agent.update({ where: { slug: agent }, data });
      await editor.remove(agent);
    });
    expect((await send(agent, (await newClient()).call)).status).toBe(404);
    expect(received).toHaveLength(1);
    expect(await only(agent)).toMatchObject({ state: 'failed', error_code: 'agent_deleted' });
    expect(await runtime.db.prisma.deletedAgentVersion.count({ where: { slug: agent } })).toBe(0);
  });
});

describe('a run that has not begun when its agent is deleted', () => {
  it('fails with agent_deleted, while the run before it in its conversation finishes', async () => {
    let deleted: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (deleted = resolve));
    const agent = await newAgent([calls('tool'), says]);
    onCall.set(agent, () => gate);
    const { call } = await newClient();
    const first = send(agent, call);
    await until(async () => received.length > 0 && (await runsOf(agent)).length > 0);
    const context_id = encodeId('ctx', (await only(agent)).context_id ?? '');
    const second = await call('POST', '/api/v1/runs', { json: { agent, content: 'Again.', context_id } });
    expect(second.body).toMatchObject({ state: 'queued' });
    await editor.remove(agent);
    await until(async () => (await runsOf(agent))[1]?.state === 'failed');
    deleted();
    expect((await first).status).toBe(200);
    const runs = await runsOf(agent);
    expect(runs.map(({ state, error_code }) => [state, error_code])).toEqual([
      ['completed', null],
      ['failed', 'agent_deleted'],
    ]);
  });

  it('also fails when a process starts it after the deletion and then dies', async () => {
    const agent = await newAgent([hang]);
    void send(agent, (await newClient()).call);
    await hasState(agent, 'running');
    await editor.remove(agent);
    const { id, state } = await only(agent);
    // Simulates that a process took the run after the deletion and died.
    const later = new Date(Date.now() + 1_000);
    await runtime.db.prisma.run.update({ where: { id }, data: { started_at: later, lease_until: new Date(0) } });
    await hasState(agent, 'failed');
    expect([state, (await only(agent)).error_code]).toEqual(['running', 'agent_deleted']);
  });

  it('is not started by a message that arrives during the deletion', async () => {
    const agent = await newAgent([says]);
    const { call } = await newClient();
    let sent: ReturnType<typeof send> | undefined;
    await editor.remove(agent, async () => {
      sent = send(agent, call);
      await until(async () => {
        const [row] = await runtime.db.prisma.$queryRaw<{ waits: boolean }[]>`
          SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                            AND query LIKE '%FOR KEY SHARE%') AS waits`;
        return row?.waits ?? false;
      });
    });
    expect((await sent)?.status).toBe(404);
    expect(await runsOf(agent)).toEqual([]);
  });
});

describe('a run whose agent calls another agent', () => {
  it('reads the answer of a called agent that was deleted while the run of that agent waited', async () => {
    const callee = await newAgent([calls('tool'), says], { rule: 'ask' });
    const asks = calls(`ask_${callee}`, { message: 'Do it.' });
    const caller = await newAgent([asks, asks, says], { callees: [callee] });
    expect((await send(caller, (await newClient()).call)).status).toBe(202);
    expect(await only(caller)).toMatchObject({ state: 'waiting', waiting_for: 'child' });
    await editor.remove(callee);
    await approve(callee);
    await hasState(caller, 'completed');
    expect(await answerOf(caller)).toMatch(/^Version 1 read: Version 1 read: \{"owner".*\| .*error/);
    expect(received.map(({ slug }) => slug)).toEqual([callee]);
    expect(await runsOf(callee)).toHaveLength(1);
  });

  it('reads the answer of a called agent after the calling agent was deleted', async () => {
    const callee = await newAgent([calls('tool'), says], { rule: 'ask' });
    const caller = await newAgent([calls('ask_', { message: 'Do it.' }), calls('tool'), says], { callees: [callee] });
    expect((await send(caller, (await newClient()).call)).status).toBe(202);
    await editor.remove(caller);
    await approve(callee);
    await hasState(caller, 'completed');
    expect(await answerOf(caller)).toContain('Version 1 read: Version 1 read: {"owner"');
    expect(received.map(({ slug }) => slug)).toEqual([callee, caller]);
  });

  it('reads the answer of an agent that it may not call any more, and cannot call that agent again', async () => {
    const callee = await newAgent([calls('tool'), says], { rule: 'ask' });
    const asks = calls(`ask_${callee}`, { message: 'Do it.' });
    const caller = await newAgent([asks, asks, says], { callees: [callee] });
    expect((await send(caller, (await newClient()).call)).status).toBe(202);
    await editor.change(caller, {}, { callees: [] });
    await approve(callee);
    await hasState(caller, 'completed');
    expect(await answerOf(caller)).toMatch(/^Version 1 read: Version 1 read: \{"owner".*\| .*There is no tool/);
    expect(await runsOf(callee)).toHaveLength(1);
  });

  it('reads the failure of a called agent that was stopped and deleted while the run of that agent waited', async () => {
    const callee = await newAgent([calls('tool'), says], { rule: 'ask' });
    const caller = await newAgent([calls('ask_', { message: 'Do it.' }), says], { callees: [callee] });
    expect((await send(caller, (await newClient()).call)).status).toBe(202);
    await runtime.db.prisma.agent.update({ where: { slug: callee }, data: { stopped_at: new Date() } });
    await editor.remove(callee);
    await hasState(caller, 'completed');
    expect(await answerOf(caller)).toContain('error');
    expect(received).toEqual([]);
  });
});

describe('the task of an agent that was deleted', () => {
  it('finishes and can be read by its client, but is in no list, and no message starts another task', async () => {
    const agent = await newAgent([calls('tool'), says]);
    let deleted: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (deleted = resolve));
    onCall.set(agent, () => gate);
    const { call } = await newClient();
    const ask = async (method: string, params: object) => {
      const json = { jsonrpc: '2.0', id: 1, method, params };
      const { body } = await call('POST', `/api/v1/agents/${agent}/a2a`, { json, headers: { 'A2A-Version': '1.0' } });
      return body as { result?: { task?: { id: string } } & Record<string, unknown>; error?: { message: string } };
    };
    const message = { messageId: newId(), role: 'ROLE_USER', parts: [{ text: 'Work.' }] };
    const answered = ask('SendMessage', { message });
    await until(() => received.length > 0);
    const id = encodeId('task', (await only(agent)).id);
    await editor.remove(agent);
    expect((await ask('GetTask', { id })).result).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
    deleted();
    const completed = { status: { state: 'TASK_STATE_COMPLETED' } };
    expect((await answered).result?.task).toMatchObject(completed);
    expect((await ask('GetTask', { id })).result).toMatchObject(completed);
    expect((await ask('ListTasks', {})).error?.message).toContain('The agent was deleted.');
    expect((await ask('SendMessage', { message })).error?.message).toContain('The agent was deleted.');
    expect(await runsOf(agent)).toHaveLength(1);
  });
});
