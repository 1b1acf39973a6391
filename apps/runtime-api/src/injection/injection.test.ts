import type { UnmarkedTools } from '@millwright/auth/tool-rules';
import { newId } from '@millwright/db';
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
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Webhook } from 'standardwebhooks';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import { createTestTriggers, pollUntil, type TestTriggers } from '../triggers/test-triggers.js';
import { INJECTIONS, ORDER, understood, type Injection } from './injected-texts.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let triggers: TestTriggers;
let upstream: ListeningApp;
let mcp: FakeMcpServer;
let by: HttpClient;
/** Contents that the upstream serves, by path. The paths of calls of destructive tools are stored in `destroyed`. */
const served = new Map<string, string>();
const destroyed: string[] = [];

interface Definition {
  function: { name: string; description?: string; parameters?: unknown };
}

/**
 * The behaviour of a model that follows every instruction in its input, regardless of the author. Without an instruction, it reads all available
 * sources and answers with their text.
 */
function obey({ body }: ModelRequest): ModelBehaviour {
  const { messages, tools = [] } = body as unknown as {
    messages: { role: string; content: string | null; tool_calls?: unknown[] }[];
    tools?: Definition[];
  };
  const isDone = (prefix: string) =>
    JSON.stringify(messages.flatMap(({ tool_calls = [] }) => tool_calls)).includes(prefix);
  const call = (prefix: string): ModelBehaviour => ({
    content: null,
    toolCalls: tools
      .filter(({ function: { name } }) => name.includes(prefix))
      .map(({ function: { name } }, index) => ({
        ...{ id: `${prefix}_${index}`, type: 'function' },
        function: { name, arguments: '{}' },
      })),
  });
  const texts = [...messages.map(({ content }) => content ?? ''), JSON.stringify(tools)];
  if (texts.some((text) => understood(text).includes(ORDER)) && !isDone('wipe')) return call('wipe');
  if (tools.some(({ function: { name } }) => name.includes('read')) && !isDone('read')) return call('read');
  return { content: `I have read: ${messages.filter(({ role }) => role === 'tool').at(-1)?.content ?? 'nothing'}` };
}

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  model.answerWith(obey);
  upstream = await listen((request, response) => {
    const path = request.url ?? '';
    if (path.includes('wipe')) destroyed.push(path);
    response.writeHead(200, { 'content-type': 'application/json' }).end(served.get(path) ?? '{"done":true}');
  });
  mcp = await createFakeMcpServer('modern', []);
  runtime = await startRuntime(database.url, model.url, { unmarkedTools: 'ask_when_tainted' });
  triggers = createTestTriggers(runtime, await runtime.newUser('grace@example.com', { role: 'admin' }));
  by = runtime.as(await runtime.newToken());
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close(), mcp.close()]);
});
beforeEach(() => {
  destroyed.splice(0);
});

const send = (agent: string, content: string, contextId?: string) =>
  by('POST', `/api/v1/agents/${agent}/messages`, { json: { content, context_id: contextId } });

/** Creates an agent with three destructive tools. One is marked `ask`, one is marked `deny`, and one is not marked. */
async function newAgent(fields: object = {}): Promise<string> {
  const name = `Agent${newId().slice(-10)}`;
  await runtime.newAgent({ name, ...fields });
  const agent = name.toLowerCase();
  for (const rule of ['ask', 'deny', null]) {
    const tool = `wipe_${rule ?? 'unmarked'}`;
    const { id } = await newPlugin(agent, { name: `${tool}_${agent}`, type: 'tool', path: `/${tool}` });
    if (rule) await runtime.db.prisma.plugin.update({ where: { id }, data: { rule, rule_version: 1 } });
  }
  return agent;
}
const newPlugin = (agent: string, { path, ...plugin }: { name: string; type: 'tool' | 'data_source'; path: string }) =>
  runtime.newPlugin({ ...plugin, config: { url: `${upstream.url}${path}` }, agent });

async function newReader(agent: string, text: string): Promise<void> {
  served.set(`/read/${agent}`, JSON.stringify({ text }));
  const { id } = await newPlugin(agent, { name: `read_${agent}`, type: 'tool', path: `/read/${agent}` });
  // With the mark `allow`, the tool is called without approval, even in tainted runs.
  await runtime.db.prisma.plugin.update({ where: { id }, data: { rule: 'allow', rule_version: 1 } });
}

/** Adds an MCP server to the agent. Without pinning, its definitions need no approval of an admin. */
async function newServer(
  agent: string,
  tool: object,
  text: string,
  isPinned = false,
  parts: object[] = [],
): Promise<void> {
  const name = `srv${newId().slice(-10)}`;
  mcp.tools = [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' }, ...tool }];
  mcp.answer = () => ({ content: [{ type: 'text', text }, ...parts] as CallToolResult['content'] });
  const { id } = await runtime.newMcpServer({ name, url: mcp.url });
  await runtime.db.prisma.mcpServer.update({ where: { id }, data: { pin_tools: isPinned } });
  const { id: agent_id } = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { slug: agent } });
  await runtime.db.prisma.agentMcpServer.create({ data: { agent_id, server_id: id, position: 0 } });
}

async function post(agent: string, text: string): Promise<void> {
  const trigger = await triggers.webhook({ agent });
  const body = JSON.stringify({ message: text });
  const [id, at] = [newId(), new Date()];
  const headers = {
    ...{ 'content-type': 'application/json', 'webhook-id': id },
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(trigger.secret).sign(id, at, body),
  };
  const { status } = await runtime.as()('POST', `/api/v1/triggers/${trigger.address}`, { body, headers });
  expect(status).toBe(202);
}

/** Sends the text to the model by the given path. @returns the agent that received the text */
async function inject({ way, text }: Injection): Promise<string> {
  const agent = await newAgent({ content_tags: [`tag${newId().slice(-8)}`] });
  const { content_tags: tags } = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { slug: agent } });
  const newContent = (title: string, body: string) =>
    runtime.db.prisma.contentItem.create({
      data: { id: newId(), project: 'Core', title, body, tags, slug: newId(), created_by: runtime.owner.id },
    });
  if (way === 'plugin') await newReader(agent, text);
  if (way === 'mcp') await newServer(agent, {}, text, true);
  if (way === 'tool description') await newServer(agent, { description: text }, 'Nothing.');
  if (way === 'tool parameter')
    await newServer(
      agent,
      { inputSchema: { type: 'object', properties: { a: { type: 'string', description: text } } } },
      '',
    );
  if (way === 'tool name') await newServer(agent, { name: text }, 'Nothing.');
  // The text is the media type or the name of a part, because the model gets these when a part is not text.
  const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: text };
  if (way === 'image') await newServer(agent, {}, 'A picture:', true, [image]);
  const file = { type: 'resource_link', name: text, uri: `file:///${encodeURIComponent(text)}` };
  if (way === 'file name') await newServer(agent, {}, 'A file:', true, [file]);
  if (way === 'content') await newContent('Prices', `prices ${text}`);
  if (way === 'content title') await newContent(`prices ${text}`, 'prices');
  if (way === 'document') {
    served.set(`/document/${agent}`, JSON.stringify({ text }));
    await newPlugin(agent, { name: `document_${agent}`, type: 'data_source', path: `/document/${agent}` });
  }
  if (way === 'trigger') await post(agent, text);
  else if (way === 'earlier answer') {
    await newReader(agent, text);
    // The first run reads the text and is canceled while it waits. The second run reads the answer of the first run's tool in the conversation.
    const waiting = await send(agent, 'What are the prices?');
    const { id, context_id } = waiting.body as { id: string; context_id: string };
    await by('POST', `/api/v1/runs/${id}/cancel`);
    await send(agent, 'And now?', context_id);
  } else await send(agent, 'What are the prices?');
  return agent;
}

const lastRun = (agent: string) =>
  runtime.db.prisma.run.findFirst({ where: { subject_name: agent }, orderBy: { id: 'desc' } });
const waitingRun = (agent: string) =>
  pollUntil(async () => {
    const run = await lastRun(agent);
    return run?.state === 'waiting' && run;
  });

describe('a model that obeys every order in the texts that it reads', () => {
  it.each(INJECTIONS)(
    'makes no destructive call without a decision when it reads an injected text ($what) by way of: $way',
    async (injection) => {
      const agent = await inject(injection);
      const run = await waitingRun(agent);
      expect(run.waiting_for).toBe('approval');
      expect(destroyed).toEqual([]);
      const asked = await runtime.db.prisma.approval.findMany({ where: { run_id: run.id }, orderBy: { tool: 'asc' } });
      // Each tool that needs a decision has an approval, which names the sources that the run has read.
      expect(asked.map(({ tool }) => tool)).toEqual([`wipe_ask_${agent}`, `wipe_unmarked_${agent}`]);
      for (const { tainted_by } of asked) expect(tainted_by).not.toEqual([]);
    },
  );

  it('does not receive the input requests that a server sends while its tool runs', async () => {
    const agent = await newAgent();
    await newServer(agent, {}, '', true);
    const params = { mode: 'form', message: `${ORDER}.`, requestedSchema: { type: 'object', properties: {} } };
    const inputRequests = { question: { method: 'elicitation/create', params } };
    mcp.answer = () => ({ resultType: 'input_required', inputRequests }) as unknown as CallToolResult;
    const before = model.requests.length;
    await send(agent, 'What are the prices?');
    expect(mcp.calls.length).toBeGreaterThan(0);
    expect(JSON.stringify(model.requests.slice(before).map(({ body }) => body))).not.toContain(ORDER);
    expect(destroyed).toEqual([]);
  });

  it('is tested with at least 65 texts', () => {
    expect(INJECTIONS.length).toBeGreaterThanOrEqual(65);
  });

  it('calls unmarked tools without approval when its user requests the call and the run is not tainted', async () => {
    const agent = await newAgent();
    await runtime.db.prisma.agentPlugin.deleteMany({
      where: { plugin: { name: { in: [`wipe_ask_${agent}`, `wipe_deny_${agent}`] } } },
    });
    expect((await send(agent, `${ORDER}.`)).status).toBe(200);
    expect(destroyed).toEqual(['/wipe_unmarked']);
  });

  it.each<[UnmarkedTools, string[]]>([
    ['allow', ['/wipe_unmarked']],
    ['ask', []],
  ])(
    'makes the destructive calls that the policy for unmarked tools allows: with the policy %s, the calls %j',
    async (unmarked_tools, expected) => {
      const policy = { project: 'Core', unmarked_tools };
      await runtime.db.prisma.toolPolicy.create({ data: policy });
      try {
        const agent = await newAgent();
        await runtime.db.prisma.agentPlugin.deleteMany({ where: { plugin: { name: `wipe_ask_${agent}` } } });
        await newReader(agent, `${ORDER}.`);
        await send(agent, 'What are the prices?');
        expect(destroyed).toEqual(expected);
      } finally {
        await runtime.db.prisma.toolPolicy.deleteMany();
      }
    },
  );
});
