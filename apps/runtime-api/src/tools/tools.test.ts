import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sealHeaders } from '@millwright/mcp';
import { refreshMcpServer } from '@millwright/mcp/refresh-servers';
import { decodeId, encodeId, newId } from '@millwright/db';
import { createEgress, type Egress } from '@millwright/egress';
import {
  createFakeMcpServer,
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeMcpServer,
  type FakeModel,
  type HttpClient,
  type ListeningApp,
  type ModelBehaviour,
  type ModelRequest,
  type TestDatabase,
} from '@millwright/testing';
import { agentIdOf, startRuntime, type NewPlugin, type TestRuntime } from '../test-runtime.js';

interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let upstream: ListeningApp;
let token: string;
let call: HttpClient;
let received: Received[];

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const ANSWERS: Record<string, (response: ServerResponse) => unknown> = {
  '/weather': (response) => json(response, { sky: 'clear' }),
  '/text': (response) => response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('a\0b \u00e9'),
  '/empty': (response) => response.writeHead(204).end(),
  '/refused': (response) => json(response, { secret: 'hunter2' }, 422),
  '/broken': (response) => json(response, { secret: 'hunter2' }, 500),
  '/garbage': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"sky": hunter2'),
  '/page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hunter2'),
  '/flood': (response) => json(response, 'x'.repeat(300_000)),
  '/long': (response) => json(response, 'y'.repeat(200_000)),
  '/redirect': (response) => response.writeHead(307, { location: '/weather' }).end(),
  '/reset': (response) => response.destroy(),
  '/hang': () => undefined,
};

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  upstream = await listen((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      (ANSWERS[request.url ?? ''] ?? ((other) => other.writeHead(404).end()))(response);
    });
  });
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  call = runtime.as(token);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});
beforeEach(() => {
  received = [];
  model.requests.splice(0);
});

let agents = 0;
async function newAgent(plugins: Partial<NewPlugin>[], fields: object = {}): Promise<string> {
  const name = `Worker${(agents += 1)}`;
  await runtime.newAgent({ name, ...fields });
  for (const plugin of plugins) {
    const wanted: NewPlugin = { name: `Weather ${newId()}`, type: 'tool', config: tool('/weather'), ...plugin };
    await runtime.newPlugin({ ...wanted, agent: name.toLowerCase() });
  }
  return name.toLowerCase();
}
const tool = (path: string, more: object = {}) => ({ url: `${upstream.url}${path}`, ...more });
const weather = (more: Partial<NewPlugin> = {}): NewPlugin => ({
  name: `Weather${(agents += 1)}`,
  description: 'Tells the weather.',
  type: 'tool',
  config: tool('/weather', {
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  }),
  ...more,
});

/** Makes the model request the calls of the first step, then those of the next step, and so on, and then answer with a text. */
function modelCalls(...steps: { name?: string; args?: unknown; id?: string; content?: string }[][]) {
  model.answerWith(({ body }: ModelRequest): ModelBehaviour => {
    const step = steps[model.requests.length - 1];
    if (!step) return { content: 'Done.' };
    const [first] = (body['tools'] as { function: { name: string } }[] | undefined) ?? [];
    return {
      content: step[0]?.content ?? null,
      toolCalls: step.map(({ name = first?.function.name ?? 'none', args = { city: 'Rome' }, id }, index) => ({
        id: id ?? `call_${index}`,
        type: 'function',
        function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
      })),
    };
  });
}
const send = (agent: string, content = 'How is the weather?', by = call, context_id?: string) =>
  by('POST', `/api/v1/agents/${agent}/messages`, { json: { content, context_id } });
interface ToolMessage {
  role: string;
  content: string;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}
const asked = () => (model.requests.at(-1)?.body.messages ?? []) as unknown as ToolMessage[];
const toolAnswers = () => asked().filter(({ role }) => role === 'tool');
const lastResult = () => JSON.parse(toolAnswers().at(-1)?.content ?? '') as { error?: string; faults?: unknown[] };
const availableTools = () =>
  ((model.requests[0]?.body['tools'] ?? []) as { function: { name: string } }[]).map((item) => item.function.name);
const callsOf = (agent: string) =>
  runtime.db.prisma.governanceDecision.findMany({
    where: { action: { in: ['tool.call', 'mcp.call'] }, detail: { path: ['agent'], equals: agent } },
  });

describe('a tool of a plugin', () => {
  it('is sent to the model with its schema and is called with JSON arguments, and its answer is sent to the model', async () => {
    const plugin = weather();
    const agent = await newAgent([plugin]);
    modelCalls([{ content: 'Let me look.' }]);
    const { status, body } = await send(agent);
    expect([status, body]).toMatchObject([200, { content: 'Done.', agent }]);
    expect(model.requests[0]?.body['tools']).toEqual([
      {
        type: 'function',
        function: {
          name: plugin.name,
          description: 'Tells the weather.',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
    ]);
    expect(received).toMatchObject([
      { path: '/weather', body: '{"city":"Rome"}', headers: { 'content-type': 'application/json' } },
    ]);
    expect(asked().slice(1)).toEqual([
      { role: 'user', content: 'How is the weather?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [{ id: 'call_0', type: 'function', function: { name: plugin.name, arguments: '{"city":"Rome"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_0', content: '{"sky":"clear"}' },
    ]);
  });

  it('is called with its secret headers, which no database row contains', async () => {
    const config = tool('/weather', { headers: { Authorization: '********' } });
    const agent = await newAgent([
      { config, secrets: [{ path: ['headers', 'Authorization'], value: 'Bearer hunter2' }] },
    ]);
    modelCalls([{}]);
    expect((await send(agent)).status).toBe(200);
    expect(received[0]?.headers.authorization).toBe('Bearer hunter2');
    expect(JSON.stringify(await runtime.db.prisma.plugin.findMany())).not.toContain('hunter2');
    expect(JSON.stringify(model.requests)).not.toContain('hunter2');
  });

  it('has an audit row for each call; the row has the plugin as its actor, names the accountable user, and contains no arguments', async () => {
    const plugin = weather();
    const agent = await newAgent([plugin]);
    modelCalls([{ args: { city: 'Atlantis' } }, { args: { city: 'Rome' } }]);
    await send(agent);
    const rows = await callsOf(agent);
    expect(rows).toMatchObject(
      [1, 2].map(() => ({
        user_id: runtime.owner.id,
        actor_kind: 'mcp',
        actor_id: plugin.name,
        action: 'tool.call',
        resource: expect.stringMatching(/^pl_/) as string,
        project: 'Core',
        decision: 'allow',
        detail: { tool: plugin.name, agent, run: expect.stringMatching(/^run_/) as string },
      })),
    );
    expect(
      JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('Atlantis');
  });

  it('taints the run with its answer: the turns are marked, and the audit rows of later calls name the tool', async () => {
    const agent = await newAgent([weather(), { name: 'Tide' }]);
    modelCalls([{ name: 'Tide' }, { name: 'none' }], [{ name: 'Tide' }]);
    const { context_id } = (await send(agent)).body as { context_id: string };
    const rows = await runtime.db.prisma.contextMessage.findMany({
      where: { context_id: decodeId('ctx', context_id) ?? '' },
      orderBy: { seq: 'asc' },
    });
    expect(rows.map(({ role, failed, untrusted, source }) => [role, failed, untrusted, source])).toEqual([
      ['user', null, null, null],
      ['assistant', null, false, null],
      ['tool', false, true, 'Tide'],
      ['tool', true, false, null],
      ['assistant', null, true, null],
      ['tool', false, true, 'Tide'],
      ['assistant', null, true, null],
    ]);
    const details = async () =>
      (await callsOf(agent)).map(({ detail }) => (detail as { tainted_by?: string[] }).tainted_by);
    expect(await details()).toEqual([undefined, undefined, ['Tide']]);

    model.requests.splice(0);
    modelCalls([{ name: 'Tide' }]);
    await send(agent, 'And tomorrow?', call, context_id);
    expect((await details()).at(-1)).toEqual(['Tide']);
  });

  it('is called in a run that has a usage record for each model call and one usage record for the message', async () => {
    const name = await newAgent([weather()]);
    modelCalls([{}], [{}]);
    await send(name);
    const agent = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { slug: name } });
    const events = await runtime.db.prisma.usageEvent.findMany({
      where: { subject_id: agent.id },
      orderBy: { at: 'asc' },
    });
    expect(events.map(({ kind }) => kind)).toEqual(['agent_step', 'agent_step', 'agent_message']);
    for (const event of events) expect(event).toMatchObject({ user_id: runtime.owner.id, model: 'house' });
    expect(events.every(({ prompt_tokens }) => prompt_tokens > 0)).toBe(true);
  });

  it('has its calls and answers sent to the model again with the next message of the conversation', async () => {
    const agent = await newAgent([weather()]);
    modelCalls([{}]);
    const { context_id } = (await send(agent)).body as { context_id: string };
    model.answerWith('As I said: clear.');
    model.requests.splice(0);
    await send(agent, 'And now?', call, context_id);
    expect(asked().map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    expect(asked()[2]?.tool_calls?.[0]?.id).toBe(asked()[3]?.tool_call_id);
  });

  it('is called in parallel for all calls of one model answer, and the answers keep the order of the calls', async () => {
    const agent = await newAgent([{ name: 'Sky' }, { name: 'Text', config: tool('/text') }]);
    modelCalls([
      { name: 'Text', id: '' },
      { name: 'Sky', id: 'same' },
      { name: 'Text', id: 'same' },
    ]);
    await send(agent);
    expect(toolAnswers().map(({ content }) => content)).toEqual([
      'a\ufffdb \u00e9',
      '{"sky":"clear"}',
      'a\ufffdb \u00e9',
    ]);
    const ids = toolAnswers().map(({ tool_call_id }) => tool_call_id);
    expect(new Set(ids).size).toBe(3);
    expect(
      asked()
        .find(({ tool_calls }) => tool_calls)
        ?.tool_calls?.map(({ id }) => id),
    ).toEqual(ids);
  });

  it('is not sent to the model of an agent without tools, and a call of the tool is answered with an error', async () => {
    const agent = await newAgent([]);
    modelCalls([{ name: 'rm' }]);
    expect((await send(agent)).body).toMatchObject({ content: 'Done.' });
    expect(model.requests[0]?.body).not.toHaveProperty('tools');
    expect(lastResult()).toEqual({ error: 'There is no tool of that name.' });
  });
});

describe('the tools of an agent', () => {
  it('exclude inactive plugins, plugins of other agents, and plugins of other projects', async () => {
    const agent = await newAgent([
      { name: 'Off', status: 'inactive' },
      { name: 'Foreign', project: 'Commerce' },
      { name: 'On' },
    ]);
    await newAgent([{ name: 'Elsewhere' }]);
    modelCalls([{ name: 'Off' }, { name: 'Foreign' }, { name: 'Elsewhere' }]);
    await send(agent);
    expect(availableTools()).toEqual(['On']);
    expect(toolAnswers().map(({ content }) => content)).toEqual(
      Array.from({ length: 3 }, () => '{"error":"There is no tool of that name."}'),
    );
    expect(received).toEqual([]);
  });
});

describe("arguments that do not match the tool's schema", () => {
  it.each([
    [
      'a missing argument',
      {},
      { error: 'The arguments are not valid.', faults: [{ path: 'city', reason: 'is required' }] },
    ],
    ['an argument of another type', { city: 1 }, { error: 'The arguments are not valid.', faults: [{ path: 'city' }] }],
    ['text that is not JSON', '{"city":', { error: 'The arguments are not a JSON object.' }],
    ['a list', '["Rome"]', { error: 'The arguments are not a JSON object.' }],
    ['too many', JSON.stringify({ city: 'x'.repeat(70_000) }), { error: 'The arguments are not a JSON object.' }],
  ])(
    'are reported to the model, which corrects them, and are not sent to the tool: %s',
    async (_case, args, result) => {
      const agent = await newAgent([weather()]);
      modelCalls([{ args }]);
      expect((await send(agent)).body).toMatchObject({ content: 'Done.' });
      expect(lastResult()).toMatchObject(result);
      expect(received).toEqual([]);
      expect(await callsOf(agent)).toMatchObject([{ decision: 'deny', reason: 'the arguments are not valid' }]);
    },
  );
});

describe('a tool that fails', () => {
  it.each([
    ['/refused', 'The tool refused the call with status 422.'],
    ['/nowhere', 'The tool refused the call with status 404.'],
    ['/broken', 'The tool failed with status 500.'],
    ['/garbage', 'The answer of the tool is neither JSON nor text.'],
    ['/page', 'The answer of the tool is neither JSON nor text.'],
    ['/flood', 'The answer of the tool is too large.'],
    ['/redirect', 'The tool cannot be reached.'],
    ['/reset', 'The tool cannot be reached.'],
    ['/hang', 'The tool did not answer in time.'],
  ])('is reported to the model as an error, and the run continues: %s', async (path, error) => {
    const agent = await newAgent([{ config: tool(path) }]);
    const by = (await runtime.start({ toolTimeoutMs: 1_500 })).as(token);
    modelCalls([{}]);
    const { status, body, text } = await send(agent, 'Go', by);
    expect([status, body]).toMatchObject([200, { content: 'Done.' }]);
    expect(lastResult()).toEqual({ error });
    expect(text + JSON.stringify(asked())).not.toContain('hunter2');
  });

  it('is not called for a while after five failures in a row, while other tools are still called', async () => {
    const agent = await newAgent([
      { name: 'Bad', config: tool('/broken') },
      { name: 'Good', config: tool('/weather') },
    ]);
    const step = [{ name: 'Bad' }];
    modelCalls(step, step, step, step, step, step, [{ name: 'Good' }]);
    await send(agent);
    expect(received.map(({ path }) => path)).toEqual([...Array.from({ length: 5 }, () => '/broken'), '/weather']);
    expect(toolAnswers()[5]?.content).toContain('failed too often');
  });

  it('is not called when its address has become a private address', async () => {
    const agent = await newAgent([{}]);
    const by = (await runtime.start({ allowLoopback: false })).as(token);
    // The model's address may be private, because the operator has configured it.
    modelCalls([{}]);
    expect((await send(agent, 'Go', by)).status).toBe(200);
    expect(lastResult()).toEqual({ error: 'The tool cannot be reached.' });
    expect(received).toEqual([]);
  });

  it('is reported to the model as an error when its secrets cannot be decrypted', async () => {
    const agent = await newAgent([{ name: 'Sealed' }]);
    await runtime.db.prisma.plugin.updateMany({ where: { name: 'Sealed' }, data: { secrets: 's1.other.AAAA' } });
    modelCalls([{}]);
    await send(agent);
    expect(lastResult()).toEqual({ error: 'The tool is not set up completely.' });
  });
});

describe('the limits of a run', () => {
  it('end the run after eight steps, with a message to the user', async () => {
    const agent = await newAgent([weather()]);
    modelCalls(...Array.from({ length: 20 }, () => [{ content: 'Once more.' }]));
    const { status, body } = await send(agent);
    expect([status, (body as { content: string }).content]).toEqual([
      200,
      'Once more.\n\nI stopped here: a message may take at most 8 steps, and this one needs more.',
    ]);
    expect([model.requests.length, received.length]).toEqual([8, 7]);
  });

  it('allow at most sixteen calls in one step', async () => {
    const agent = await newAgent([weather()]);
    modelCalls([...Array.from({ length: 20 }, (_, n) => ({ id: `call_${n}` }))]);
    await send(agent);
    expect(received).toHaveLength(16);
    expect(toolAnswers()).toHaveLength(20);
    expect(toolAnswers()[19]?.content).toBe('{"error":"Too many calls at once."}');
  });

  it("cut the answers of tools to the free part of the model's context window", async () => {
    const agent = await newAgent([{ config: tool('/long') }]);
    const by = (await runtime.start({ contextWindow: 10_000 })).as(token);
    modelCalls([{}], [{}]);
    expect((await send(agent, 'Go', by)).status).toBe(200);
    const [first, second] = toolAnswers().map(({ content }) => content);
    expect(first?.length).toBeLessThan(8_000);
    expect(first).toMatch(/ … \(cut\)$/);
    expect(second).toContain('There is no room');
    expect(received).toHaveLength(1);
  });

  it('store the outcome even of a call whose answer is left out because the context window is full', async () => {
    const agent = await newAgent([{ config: tool('/long') }]);
    const by = (await runtime.start({ contextWindow: 10_000 })).as(token);
    modelCalls([{ id: 'a' }, { id: 'b' }]);
    const { body } = await send(agent, 'Go', by);
    expect(received).toHaveLength(2);
    expect(toolAnswers()[1]?.content).toContain('This call has ended. Its answer is left out');
    const { context_id } = body as { context_id: string };
    const stored = await runtime.db.prisma.contextMessage.findMany({
      where: { context_id: decodeId('ctx', context_id) ?? '', role: 'tool' },
    });
    expect(stored.map(({ failed }) => failed)).toEqual([false, false]);
  });

  it('shorten a long conversation at the start of a user message, never between a call and its answer', async () => {
    const agent = await newAgent([{ config: tool('/long') }]);
    const by = (await runtime.start({ contextWindow: 4_000 })).as(token);
    modelCalls([{}]);
    const { context_id } = (await send(agent, 'First', by)).body as { context_id: string };
    model.answerWith('x'.repeat(2_000));
    await send(agent, 'Second', by, context_id);
    await send(agent, 'Third', by, context_id);
    const roles = asked().map(({ role }) => role);
    expect(roles.slice(0, 2)).toEqual(['system', 'user']);
    expect(asked().at(-1)?.content).toBe('Third');
  });
});

describe('a run that ends early', () => {
  it('stores the results of its tool calls; a repetition of the same message continues after these calls', async () => {
    const agent = await newAgent([{ name: 'Once' }]);
    const by = (await runtime.start()).as(token);
    model.answerWith('Hello.');
    const { context_id } = (await send(agent, 'Hi', by)).body as { context_id: string };
    model.requests.splice(0);
    model.answerWith(() =>
      model.requests.length === 1
        ? {
            toolCalls: [{ id: 'a', type: 'function', function: { name: 'Once', arguments: '{"city":"Rome"}' } }],
          }
        : { status: 400 },
    );
    expect((await send(agent, 'Now', by, context_id)).status).toBe(503);
    model.answerWith('Clear.');
    expect((await send(agent, 'Now', call, context_id)).body).toMatchObject({ content: 'Clear.' });
    expect(received).toHaveLength(1);
    expect(asked().map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'tool']);
  });

  it('continues to its end when its client disconnects, and stores the tool call and the answer in the conversation', async () => {
    const agent = await newAgent([weather()]);
    let answer: () => void = () => undefined;
    let arrived: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (arrived = resolve));
    model.answerWith(async ({ body }) => {
      if (model.requests.length > 1) return 'Done.';
      arrived();
      await new Promise<void>((resolve) => (answer = resolve));
      const [first] = body['tools'] as { function: { name: string } }[];
      return {
        toolCalls: [
          { id: 'a', type: 'function', function: { name: first?.function.name ?? '', arguments: '{"city":"Rome"}' } },
        ],
      };
    });
    const leaving = new AbortController();
    const left = fetch(`${runtime.url}/api/v1/agents/${agent}/messages`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Go' }),
    });
    await isAsked;
    leaving.abort();
    await expect(left).rejects.toThrow();
    answer();
    const where = { context: { agent_id: await agentIdOf(runtime, agent) } };
    while ((await runtime.db.prisma.contextMessage.count({ where })) < 4) await sleep(5);
    const rows = await runtime.db.prisma.contextMessage.findMany({ where, orderBy: { seq: 'asc' } });
    expect(rows.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(rows.at(-1)?.content).toBe('Done.');
  });
});

describe('an MCP server as an integration of an agent', () => {
  let fake: FakeMcpServer;
  let egress: Egress;
  beforeAll(async () => {
    fake = await createFakeMcpServer('modern', [
      { name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } },
    ]);
    egress = createEgress({ allowLoopback: true, allowHttp: false, allow: [] });
  });
  afterAll(async () => {
    await Promise.all([fake.close(), egress.close()]);
  });

  it('adds its approved tools to the agent, receives their calls, and is named in the audit rows of the calls', async () => {
    const id = newId();
    const { db, secretBox } = runtime;
    await db.prisma.mcpServer.create({
      data: {
        id,
        project: 'Core',
        name: 'Sums',
        slug: 'sums',
        url: fake.url,
        created_by: runtime.owner.id,
        headers: sealHeaders(secretBox, id, {}),
      },
    });
    await refreshMcpServer({ db, fetch: egress.fetch, secrets: secretBox }, runtime.owner.actor, id);
    const config = { server_id: encodeId('ms', id) };
    const agent = await newAgent([{ name: 'Sums', type: 'integration', config }]);
    const other = await newAgent([{ name: 'Sums there', type: 'integration', config, project: 'Commerce' }]);
    modelCalls([{ name: 'sums__add', args: { a: 1 } }]);
    await send(agent);
    expect(availableTools()).toEqual(['sums__add']);
    expect(fake.calls).toMatchObject([{ name: 'add', arguments: { a: 1 } }]);
    expect(toolAnswers()[0]?.content).toBe('add {"a":1}');
    const auditRows = await db.prisma.governanceDecision.findMany({
      where: { resource: encodeId('ms', id), action: 'mcp.call' },
    });
    expect(auditRows).toMatchObject([{ actor_kind: 'mcp', actor_id: 'Sums', user_id: runtime.owner.id }]);
    for (const [mcp_tools, by] of [
      [['sums/sub'], call],
      [['*'], runtime.as(await runtime.newToken({ mcpTools: ['platform/*'] }))],
      [['*'], runtime.as(await runtime.newToken({ scopes: ['agents:message', 'mcp:read'] }))],
    ] as const) {
      await db.prisma.agent.updateMany({ where: { slug: agent }, data: { mcp_tools: [...mcp_tools] } });
      model.requests.splice(0);
      modelCalls([{ name: 'sums__add', args: { a: 1 } }]);
      await send(agent, 'Add.', by);
      expect([availableTools(), lastResult().error]).toEqual([[], 'There is no tool of that name.']);
      expect(fake.calls).toHaveLength(1);
    }
    const denied = (await callsOf(agent)).filter(({ decision }) => decision === 'deny');
    expect(denied).toMatchObject(Array(3).fill({ reason: 'the tool is not available', detail: { tool: 'sums__add' } }));
    await db.prisma.agent.updateMany({ where: { slug: agent }, data: { mcp_tools: ['*'] } });
    fake.behaviour = 'error';
    model.requests.splice(0);
    modelCalls([{ name: 'sums__add', args: { a: 1 } }]);
    expect((await send(agent)).status).toBe(200);
    expect(lastResult()).toEqual({ error: 'The tool cannot be reached.' });
    fake.behaviour = 'serve';
    fake.answer = () => ({ isError: true, content: [{ type: 'text', text: 'a is too large' }] });
    model.requests.splice(0);
    modelCalls([{ name: 'sums__add', args: { a: 1 } }], [{ name: 'sums__add', args: { a: 2 } }]);
    expect((await send(agent)).status).toBe(200);
    expect(toolAnswers().map(({ content }) => content)).toEqual(Array(2).fill('{"error":"a is too large"}'));
    const tainted = await db.prisma.governanceDecision.findMany({
      where: { resource: encodeId('ms', id), detail: { path: ['tainted_by'], equals: ['sums__add'] } },
    });
    expect(tainted).toHaveLength(1);
    model.requests.splice(0);
    modelCalls();
    await send(other);
    expect(availableTools()).toEqual([]);
  });
});

describe('the tools of this installation', () => {
  it.each([
    [['*'], []],
    [
      ['*', 'platform/*'],
      ['current_time', 'calculate'],
    ],
    [['platform/calculate'], ['calculate']],
    [[], []],
  ])("are limited to those that the agent's list %j names", async (mcp_tools, expected) => {
    await send(await newAgent([], { mcp_tools }));
    expect(availableTools()).toEqual(expected);
  });

  it('have no required argument that has a default', async () => {
    await send(await newAgent([], { mcp_tools: ['platform/*'] }));
    const tools = model.requests.at(-1)?.body['tools'] as { function: { name: string; parameters: object } }[];
    expect(tools.map(({ function: { name, parameters } }) => [name, parameters])).toMatchObject([
      ['current_time', { properties: { time_zone: { default: 'UTC' } } }],
      ['calculate', { required: ['expression'] }],
    ]);
    expect(tools[0]?.function.parameters).not.toHaveProperty('required');
  });

  it('return the time and the result of a calculation; their calls are audited and do not taint the run', async () => {
    const agent = await newAgent([], { mcp_tools: ['platform/*'] });
    modelCalls([
      { id: 'a', name: 'current_time', args: { time_zone: 'Asia/Kathmandu' } },
      { id: 'b', name: 'calculate', args: { expression: '(2 + 3) * 4' } },
    ]);
    expect((await send(agent)).status).toBe(200);
    const [clock, result] = toolAnswers().map(({ content }) => JSON.parse(content) as Record<string, unknown>);
    expect(clock).toEqual({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      time: expect.stringMatching(/^\d\d:\d\d:\d\d$/) as string,
      weekday: expect.stringMatching(/day$/) as string,
      time_zone: 'Asia/Kathmandu',
      offset: '+05:45',
    });
    const at = Date.parse(`${String(clock?.['date'])}T${String(clock?.['time'])}+05:45`);
    expect(Math.abs(at - Date.now())).toBeLessThan(600_000);
    expect(result).toEqual({ result: 20 });
    const rows = await callsOf(agent);
    expect(rows.map(({ actor_id, detail }) => `${actor_id} ${(detail as { tool: string }).tool}`).sort()).toEqual([
      'platform calculate',
      'platform current_time',
    ]);
    expect(JSON.stringify(rows.map(({ detail }) => detail))).not.toContain('tainted_by');
  });

  it.each([
    ['current_time', { time_zone: 'Mars/Base' }, 'The arguments are not valid.'],
    ['calculate', { expression: '' }, 'The arguments are not valid.'],
    ['calculate', { expression: '1 / 0' }, 'The expression divides by zero.'],
    ['calculate', { expression: 'constructor' }, '"c" at character 1 is not part of a calculation.'],
  ])('return to the model why a call of %s with the arguments %j failed', async (name, args, error) => {
    const agent = await newAgent([], { mcp_tools: ['platform/*'] });
    modelCalls([{ name, args }]);
    await send(agent);
    expect(lastResult().error).toBe(error);
  });

  it("wait for an approval when the agent's ask_tools list names them", async () => {
    const agent = await newAgent([], { mcp_tools: ['platform/*'], ask_tools: ['platform/calculate'] });
    modelCalls([{ name: 'calculate', args: { expression: '1 + 1' } }]);
    const { status, body } = await send(agent);
    expect([status, body]).toMatchObject([202, { state: 'waiting', waiting_for: 'approval' }]);
  });

  it('are not called for a client whose list does not contain them', async () => {
    const agent = await newAgent([], { mcp_tools: ['platform/*'] });
    const client = runtime.as(await runtime.newToken({ mcpTools: ['platform/calculate'] }));
    await send(agent, 'Hi', client);
    expect(availableTools()).toEqual(['calculate']);
  });
});
