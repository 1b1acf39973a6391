import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type ElicitRequest, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import {
  createFakeMcpServer,
  createFakeModel,
  createTestDatabase,
  type FakeMcpServer,
  type FakeModel,
  type McpEra,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;
let upstream: FakeMcpServer;
let names = 0;
let server: string;
/** The input requests that the client's user received. */
const asked: ElicitRequest['params'][] = [];

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(() => asked.splice(0));
afterEach(async () => {
  await upstream.close();
  await runtime.db.prisma.mcpWaitingCall.deleteMany();
});

/** Registers a server of this era whose tool `pay` has this rule. */
async function open(era: McpEra, rule = 'ask', otherDecider = false): Promise<void> {
  upstream = await createFakeMcpServer(era, [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }]);
  server = `bank${(names += 1)}`;
  const { id } = await runtime.newMcpServer({ name: server, url: upstream.url });
  await setRule(id, rule, otherDecider);
}
const setRule = (server_id: string, rule: string, other_decider = false) =>
  runtime.db.prisma.$executeRaw`
    UPDATE mcp_tools SET rule = ${rule}, rule_hash = approved_hash, other_decider = ${other_decider}
     WHERE server_id = ${server_id}::uuid`;

type Answer = () => ElicitResult | Promise<ElicitResult>;

/** Connects the stock client of 2025-11-25. Without `answer`, the client declares that it cannot show forms. */
async function connect(answer?: Answer, credential = token): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return answer();
    });
  const url = new URL(`${runtime.url}/api/v1/mcp/${server}/mcp`);
  const requestInit = { headers: { authorization: `Bearer ${credential}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}
/** Connects the stock client of 2026-07-28. */
async function connectModern(answer?: Answer): Promise<ModernClient> {
  const client = new ModernClient(
    { name: 'test', version: '1' },
    { capabilities: answer ? { elicitation: {} } : {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  if (answer)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return answer();
    });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new ModernTransport(new URL(`${runtime.url}/api/v1/mcp/${server}/mcp`), { requestInit }));
  return client;
}
const CLIENTS = { '2025-11-25': connect, '2026-07-28': connectModern };

/** Sends the `tools/call` that a client of 2026-07-28 would send. */
async function post(more: object = {}, args: object = { euros: 5 }) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const response = await fetch(`${runtime.url}/api/v1/mcp/${server}/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'pay' },
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'pay', arguments: args, ...more, _meta },
    }),
  });
  return (await response.json()) as { result?: { resultType?: string; requestState?: string } };
}

const pay = async (client: Pick<Client, 'callTool'> | Pick<ModernClient, 'callTool'>, euros = 5) => {
  const { content } = await client.callTool({ name: 'pay', arguments: { euros } });
  return (content as { text: string }[])[0]?.text;
};
const approve: Answer = () => ({ action: 'accept', content: { approve: true } });
const decisions = () =>
  runtime.db.prisma.governanceDecision.findMany({
    where: { action: { in: ['approval.decide', 'mcp.call'] } },
    orderBy: { seq: 'desc' },
    take: 2,
  });

describe.each<[keyof typeof CLIENTS, McpEra]>([
  ['2025-11-25', 'sessions'],
  ['2025-11-25', 'modern'],
  ['2026-07-28', 'sessions'],
  ['2026-07-28', 'modern'],
])('tools/call by a client of %s, for a tool with the rule ask at a server of the era %s', (version, era) => {
  it('is forwarded once, with the arguments that the client has shown to its user for approval', async () => {
    await open(era);
    const client = await CLIENTS[version](approve);
    expect(await pay(client)).toBe('pay {"euros":5}');
    expect(asked).toMatchObject([
      { message: `Make this call? Tool pay of the MCP server ${server}, with {"euros":5}` },
    ]);
    expect(upstream.calls.map(({ arguments: args }) => args)).toEqual([{ euros: 5 }]);
    expect(await decisions()).toMatchObject([
      { action: 'mcp.call', decision: 'allow' },
      { action: 'approval.decide', decision: 'allow', detail: { tool: 'pay', decision: 'approved' } },
    ]);
    expect(await pay(client, 6)).toBe('pay {"euros":6}');
    expect(asked).toHaveLength(2);
    await client.close();
  });

  it.each<[string, Answer]>([
    ['declines', () => ({ action: 'decline' })],
    ['cancels', () => ({ action: 'cancel' })],
    ['accepts without an approval', () => ({ action: 'accept', content: { approve: false } })],
    ['accepts an empty form', () => ({ action: 'accept', content: {} })],
  ])('is refused when the user %s, and the refusal is audited', async (_what, answer) => {
    await open(era);
    const client = await CLIENTS[version](answer);
    await expect(pay(client)).rejects.toThrow('A person refused this call');
    expect(upstream.calls).toEqual([]);
    expect(await decisions()).toMatchObject([
      { action: 'mcp.call', decision: 'deny', reason: 'a person refused the call' },
      { action: 'approval.decide', detail: { decision: 'refused' } },
    ]);
    await client.close();
  });

  it('is refused when its rule was changed to deny while the user decided', async () => {
    await open(era);
    const client = await CLIENTS[version](async () => {
      const { id } = await runtime.db.prisma.mcpServer.findFirstOrThrow({ where: { slug: server } });
      await setRule(id, 'deny');
      return approve();
    });
    await expect(pay(client)).rejects.toThrow('The rule of this tool refuses its calls');
    expect(upstream.calls).toEqual([]);
    await client.close();
  });
});

describe('an approval by a client of 2026-07-28', () => {
  const inputResponses = { approval: { action: 'accept', content: { approve: true } } };
  const isAsked = async (more: object, args?: object) =>
    (await post(more, args)).result?.resultType === 'input_required';

  it('makes only one call when it is sent repeatedly', async () => {
    await open('sessions');
    const requestState = (await post()).result?.requestState;
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ inputResponses, requestState })));
    expect(answers.filter(({ result }) => result?.resultType === 'complete')).toHaveLength(1);
    expect(upstream.calls).toHaveLength(1);
  });

  it('is accepted only for the arguments that were shown, and only with a requestState that this installation issued', async () => {
    await open('modern');
    const requestState = (await post()).result?.requestState ?? '';
    expect(await isAsked({ inputResponses, requestState }, { euros: 500 })).toBe(true);
    expect(await isAsked({ inputResponses, requestState: 'x' })).toBe(true);
    expect(await isAsked({ inputResponses })).toBe(true);
    await runtime.db.prisma.mcpWaitingCall.updateMany({ data: { used_at: new Date(Date.now() - 301_000) } });
    expect(await isAsked({ inputResponses, requestState })).toBe(true);
    expect(upstream.calls).toEqual([]);
  });
});

describe('tools/call of a tool that needs a decision', () => {
  it('is refused immediately when the client cannot show a request for a decision, the user may not decide, or another user has to decide', async () => {
    await open('sessions');
    const plain = await connect();
    const modern = await connectModern();
    const narrow = await connect(approve, await runtime.newToken({ scopes: ['mcp:read', 'mcp:call'] }));
    for (const client of [plain, modern, narrow]) await expect(pay(client)).rejects.toThrow('requires an approval');
    await upstream.close();
    await open('sessions', 'ask', true);
    const guarded = await connect(approve);
    await expect(pay(guarded)).rejects.toThrow('requires an approval');
    expect([asked, upstream.calls]).toEqual([[], []]);
    await Promise.all([plain, modern, narrow, guarded].map((client) => client.close()));
  });

  it('is made without an approval when its rule is allow', async () => {
    await open('sessions', 'allow');
    const client = await connect(approve);
    expect(await pay(client)).toBe('pay {"euros":5}');
    expect(asked).toEqual([]);
    await client.close();
  });
});
