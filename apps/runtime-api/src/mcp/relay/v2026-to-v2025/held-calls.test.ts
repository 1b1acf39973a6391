import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type Replica, type TestRuntime } from '../../../test-runtime.js';
import { startSessionServer, type SessionServer } from '../test-v2025-server.js';

const PATH = '/api/v1/mcp/sessions/mcp';
const ELICITATION = { elicitation: {} };
const ALL = { elicitation: { form: {} }, roots: {}, sampling: {} };

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
let token: string;
let server: SessionServer;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  [token, other, server] = await Promise.all([runtime.newToken(), runtime.start(), startSessionServer()]);
  await runtime.newMcpServer({ name: 'sessions', url: server.url });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([server.close(), database.drop(), model.close()]);
});
afterEach(() => runtime.db.prisma.mcpWaitingCall.deleteMany());

type Answer = () => { action: 'accept' | 'decline'; content?: Record<string, string> };

/** The stock client of 2026-07-28, which repeats a call with its user's input automatically. */
async function connect(answer: Answer = () => ({ action: 'accept', content: { name: 'Ada' } })): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: ALL, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', () => answer());
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a' }, { uri: 'file:///b' }] }));
  client.setRequestHandler('sampling/createMessage', () => ({
    ...{ role: 'assistant' as const, model: 'x', stopReason: 'endTurn' },
    content: { type: 'text' as const, text: 'Yes' },
  }));
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(runtime.url + PATH), { requestInit }));
  return client;
}
const textOf = ({ content }: Awaited<ReturnType<Client['callTool']>>) => (content as { text: string }[])[0]?.text;

interface Result {
  resultType: string;
  content?: { text: string }[];
  isError?: boolean;
  inputRequests?: Record<string, { method: string; params?: object }>;
  requestState?: string;
}
interface Called {
  status: number;
  result?: Result;
  error?: { code: number; message: string };
}

/** Sends one `tools/call` as a client of 2026-07-28 would send it. */
async function call(
  name: string,
  more: object = {},
  { capabilities = ELICITATION, at = runtime, by = token, args = {} }: Partial<CallOptions> = {},
): Promise<Called> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const response = await fetch(at.url + PATH, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${by}`, 'content-type': 'application/json', accept: 'application/json' },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: args, ...more, _meta },
    }),
  });
  return { ...((await response.json()) as Omit<Called, 'status'>), status: response.status };
}
interface CallOptions {
  capabilities: object;
  at: Pick<Replica, 'url'>;
  by: string;
  args: object;
}
const named = (name: string) => ({ input_1: { action: 'accept', content: { name } } });
const REFUSED = { code: -32602, message: expect.stringContaining('requestState') as string };

describe('an input request of a legacy server to a modern client', () => {
  it('is returned as the result of the call, and the call continues when the client sends its response', async () => {
    const client = await connect();
    expect(textOf(await client.callTool({ name: 'greet', arguments: {} }))).toBe('Hello, Ada');
    await client.close();
  });

  it('is answered with the refusal when the user refuses', async () => {
    const client = await connect(() => ({ action: 'decline' }));
    expect(textOf(await client.callTool({ name: 'greet', arguments: {} }))).toBe('Hello, undefined');
    await client.close();
  });

  it('is returned together with requests that the server sent at the same time; a later request is in the next result', async () => {
    const client = await connect();
    expect(textOf(await client.callTool({ name: 'interview', arguments: {} }))).toBe(
      'Ada has 2 roots: {"type":"text","text":"Yes"}',
    );
    await client.close();
    const { result: first } = await call('interview', {}, { capabilities: ALL });
    expect(Object.values(first?.inputRequests ?? {}).map(({ method }) => method)).toEqual([
      'elicitation/create',
      'roots/list',
    ]);
    const responses = { ...named('Eve'), input_2: { roots: [] } };
    const more = { inputResponses: responses, requestState: first?.requestState };
    const { result: second } = await call('interview', more, { capabilities: ALL });
    expect(second?.inputRequests).toMatchObject({ input_3: { method: 'sampling/createMessage' } });
    expect(second?.requestState).not.toBe(first?.requestState);
  });

  it('gets its response even when the client sends it to another process', async () => {
    const { result } = await call('greet');
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { input_1: { method: 'elicitation/create', params: { message: 'Who are you?' } } },
    });
    const more = { inputResponses: named('Grace \0 é'), requestState: result?.requestState };
    expect(await call('greet', more, { at: other })).toMatchObject({
      result: { resultType: 'complete', content: [{ text: 'Hello, Grace \0 é' }] },
    });
    expect(await runtime.db.prisma.mcpWaitingCall.count()).toBe(0);
  });

  it("is sent again when the client's next request lacks the response", async () => {
    const { result } = await call('greet');
    const again = await call('greet', { inputResponses: { wrong: {} }, requestState: result?.requestState });
    expect(again.result?.inputRequests).toEqual(result?.inputRequests);
    const more = { inputResponses: named('Ada'), requestState: again.result?.requestState };
    expect((await call('greet', more)).result?.content).toMatchObject([{ text: 'Hello, Ada' }]);
  });

  it('reaches only clients that declare its capability; clients with the same capabilities share a session', async () => {
    expect((await call('greet', {}, { capabilities: {} })).result).toMatchObject({ isError: true });
    expect((await call('greet', {}, { capabilities: { roots: {} } })).result).toMatchObject({ isError: true });
    const rows = await runtime.db.prisma.mcpUpstreamSession.findMany();
    expect(rows.map(({ capabilities }) => capabilities).sort()).toEqual(
      [...new Set(rows.map(({ capabilities }) => capabilities))].sort(),
    );
    expect(rows.map(({ capabilities }) => capabilities)).toEqual(
      expect.arrayContaining(['{}', '{"roots":{}}', '{"elicitation":{"form":{}}}']),
    );
  });

  it('accepts one response, for the same call and user only', async () => {
    const { result } = await call('greet');
    const requestState = result?.requestState ?? '';
    const more = { inputResponses: named('Eve'), requestState };
    const colleague = await runtime.newToken({ userId: (await runtime.newUser('grace@example.com')).id });
    expect((await call('greet', more, { by: colleague })).error).toMatchObject(REFUSED);
    expect((await call('interview', more)).error).toMatchObject(REFUSED);
    expect((await call('greet', more, { args: { loud: true } })).error).toMatchObject(REFUSED);
    for (const changed of [`${requestState}-TAMPERED`, requestState.replace(/\d$/, '1'), 'x', 7])
      expect((await call('greet', { ...more, requestState: changed })).error).toMatchObject(REFUSED);
    const both = await Promise.all([call('greet', { ...more, inputResponses: named('Ada') }), call('greet', more)]);
    expect(both.filter(({ error }) => error)).toMatchObject([{ error: REFUSED }]);
    expect(both.filter(({ error }) => !error)).toHaveLength(1);
    expect((await call('greet', more)).error).toMatchObject(REFUSED);
  });

  it('ends when the process that keeps its call open ends', async () => {
    const { result } = await call('greet');
    await runtime.db.prisma.mcpWaitingCall.updateMany({ data: { used_at: new Date(Date.now() - 31_000) } });
    const more = { inputResponses: named('Ada'), requestState: result?.requestState };
    expect((await call('greet', more)).error).toMatchObject(REFUSED);
  });
});

describe('a call that waits for its user', () => {
  it("counts towards its user's limit of sixteen waiting calls; the next call is refused", async () => {
    const held = await Promise.all(Array.from({ length: 16 }, () => call('greet')));
    const refused = await call('greet');
    expect([refused.status, refused.error?.message]).toEqual([503, 'Too many calls of the user wait for an answer']);
    const [state] = held.map(({ result }) => result?.requestState);
    await call('greet', { inputResponses: named('Ada'), requestState: state });
    expect((await call('greet')).result).toMatchObject({ resultType: 'input_required' });
  });
});
