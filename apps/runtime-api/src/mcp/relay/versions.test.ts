import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { sealHeaders } from '@millwright/mcp';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type Replica, type TestRuntime } from '../../test-runtime.js';
import { startModernServer, type ModernServer } from './test-v2026-server.js';
import { startSessionServer, type SessionServer } from './test-v2025-server.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
let token: string;
let servers: { legacy: SessionServer; modern: ModernServer };

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  [token, other] = await Promise.all([runtime.newToken(), runtime.start()]);
  servers = { legacy: await startSessionServer(), modern: await startModernServer() };
  await runtime.newMcpServer({ name: 'legacy', url: servers.legacy.url });
  await runtime.newMcpServer({ name: 'modern', url: servers.modern.url });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([servers.legacy.close(), servers.modern.close(), database.drop(), model.close()]);
});

type Era = 'legacy' | 'modern';

const endpoint = (server: string, at: Replica = runtime) => new URL(`${at.url}/api/v1/mcp/${server}/mcp`);
const bearer = (as = token) => ({ requestInit: { headers: { authorization: `Bearer ${as}` } } });

async function connectModern(
  server: string,
  { as = token, at = runtime }: { as?: string; at?: Replica } = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(endpoint(server, at), bearer(as)));
  return client;
}

async function connectLegacy(server: string, at: Replica = runtime): Promise<LegacyClient> {
  const client = new LegacyClient({ name: 'test', version: '1' });
  await client.connect(new LegacyTransport(endpoint(server, at), bearer()));
  return client;
}

/** Connects a client of either SDK. These tests use only methods that the clients of both SDKs have. */
const connect = async (client: Era, server: Era) =>
  (client === 'modern' ? connectModern(server) : connectLegacy(server)) as Promise<unknown> as Promise<Client>;

/** Returns the client with its type when it is a client of the older SDK. */
const asLegacy = (client: object) => (client instanceof LegacyClient ? client : undefined);
const callTool = (client: Client, name: string, args: Record<string, unknown>, options?: object) =>
  asLegacy(client)?.callTool({ name, arguments: args }, undefined, options) ??
  client.callTool({ name, arguments: args }, options);
const textOf = (answer: object) => (answer as { content: { text: string }[] }).content[0]?.text;

describe.each<[Era, Era]>([
  ['legacy', 'legacy'],
  ['legacy', 'modern'],
  ['modern', 'legacy'],
  ['modern', 'modern'],
])('a %s client of a %s server', (clientEra, serverEra) => {
  let client: Client;
  beforeEach(async () => {
    client = await connect(clientEra, serverEra);
  });
  afterEach(() => client.close());

  it('receives the name of the server, and lists and calls its tools', async () => {
    expect(client.getServerVersion()?.name).toBe(serverEra === 'legacy' ? 'sessions' : 'modern');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'count', 'log', 'wait']));
    expect(textOf(await callTool(client, 'echo', { words: 'é' }))).toBe('é');
    await expect(callTool(client, 'nothing', {})).rejects.toMatchObject({ code: -32602 });
  });

  it('receives the progress of each of its calls separately', async () => {
    const calls = Array.from({ length: 3 }, async () => {
      const progress: number[] = [];
      const onprogress = (seen: { progress: number }) => progress.push(seen.progress);
      const answer = await callTool(client, 'count', {}, { onprogress });
      return [textOf(answer), progress];
    });
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 3 }, () => ['three', [1, 2, 3]]));
  });

  it("receives the server's prompts and resources, and an error for a resource that does not exist", async () => {
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'verse' }]);
    expect((await client.getPrompt({ name: 'verse' })).messages).toHaveLength(1);
    expect((await client.listResources()).resources).toMatchObject([{ uri: 'note://1' }]);
    expect((await client.readResource({ uri: 'note://1' })).contents).toMatchObject([{ text: 'A note.' }]);
    await expect(client.readResource({ uri: 'note://2' })).rejects.toMatchObject({ code: -32602 });
  });

  it('cancels a call, which the server then aborts', async () => {
    const waiting = servers[serverEra].waiting;
    waiting.begun = Promise.withResolvers();
    waiting.cancelled = Promise.withResolvers();
    const leaving = new AbortController();
    const calling = callTool(client, 'wait', {}, { signal: leaving.signal });
    await waiting.begun.promise;
    leaving.abort(new Error('left'));
    await expect(calling).rejects.toThrow();
    expect(await waiting.cancelled.promise).toBe('cancelled');
  });

  it('is notified of changed tools', async () => {
    servers[serverEra].seen.length = 0;
    const { promise: notified, resolve } = Promise.withResolvers<string>();
    const changed = 'notifications/tools/list_changed';
    const legacy = asLegacy(client);
    if (legacy) legacy.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => resolve(method));
    else client.setNotificationHandler(changed, ({ method }) => resolve(method));
    const subscription = clientEra === 'modern' ? await client.listen({ toolsListChanged: true }) : undefined;
    const isListening = () =>
      servers[serverEra].seen.some(
        ({ method, headers }) => method === 'GET' || headers['mcp-method'] === 'subscriptions/listen',
      );
    for (let n = 0; n < 200 && !isListening(); n++) await client.listTools();
    // The server may send a change before the client's subscription is confirmed, so the change is repeated.
    const telling = setInterval(() => servers[serverEra].notifyToolsChanged(), 20);
    expect(await notified).toBe(changed);
    clearInterval(telling);
    await subscription?.close();
  });
});

describe('log messages of a call', () => {
  it('reach a modern client of a legacy server only at or above the level that the call names', async () => {
    const client = await connectModern('legacy');
    const logged: string[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params.level));
    await callTool(client, 'log', {});
    expect(logged).toEqual([]);
    const _meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    await client.callTool({ name: 'log', arguments: {}, _meta });
    expect(logged).toEqual(['warning']);
    await client.close();
  });
});

describe('a legacy client of a modern server, in its session', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const post = (json: object, { session, at = runtime, as = token }: { session?: string; at?: Replica; as?: string }) =>
    at.as(as)('POST', '/api/v1/mcp/modern/mcp', {
      json: { jsonrpc: '2.0', ...json },
      ...(session !== undefined && { headers: { 'mcp-session-id': session } }),
    });
  const list = { id: 5, method: 'tools/list' };

  async function open(): Promise<string> {
    const { body, headers } = await post(initialize, {});
    const features = { tools: { listChanged: true }, logging: {} };
    expect(body).toMatchObject({ result: { protocolVersion: '2025-06-18', capabilities: features } });
    return headers.get('mcp-session-id') ?? '';
  }

  it('receives log messages from every process only after it set a level, and only at or above that level', async () => {
    const client = await connectLegacy('modern');
    const logged: string[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params.level));
    await client.callTool({ name: 'log', arguments: {} });
    expect(logged).toEqual([]);
    await client.setLoggingLevel('info');
    await client.callTool({ name: 'log', arguments: {} });
    expect(logged).toEqual(['warning']);
    const wrong = { id: 6, method: 'logging/setLevel', params: { level: 'loud' } };
    const session = client.transport?.sessionId ?? '';
    expect((await post(wrong, { session })).body).toMatchObject({ id: 6, error: { code: -32602 } });
    await client.close();
  });

  it('can use its session at another process until it ends the session; other users cannot use the session', async () => {
    const session = await open();
    expect((await post(list, { session, at: other })).status).toBe(200);
    const eve = await runtime.newUser('eve@example.com');
    const as = await runtime.newToken({ userId: eve.id });
    for (const foreign of [await post(list, { session, as }), await post(list, { session: 'unknown' })])
      expect(foreign).toMatchObject({ status: 404, body: { id: 5, error: { code: -32001 } } });
    const headers = { 'mcp-session-id': session };
    expect((await other.as(token)('DELETE', '/api/v1/mcp/modern/mcp', { headers })).status).toBe(200);
    expect((await post(list, { session })).status).toBe(404);
    expect((await post(list, {})).status).toBe(200);
  });

  it('cancels a call at another process, and receives no answer to the call', async () => {
    const session = await open();
    const { waiting } = servers.modern;
    waiting.begun = Promise.withResolvers();
    waiting.cancelled = Promise.withResolvers();
    const calling = post({ id: 'w', method: 'tools/call', params: { name: 'wait', arguments: {} } }, { session });
    await waiting.begun.promise;
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 'w' } };
    expect((await post(cancelled, { session, at: other })).status).toBe(202);
    expect(await waiting.cancelled.promise).toBe('cancelled');
    expect((await calling).status).toBe(202);
  });

  it('receives an error with the id of its call when the server sends a request that a session does not support', async () => {
    const session = await open();
    const { status, body } = await post(
      { id: 8, method: 'tools/call', params: { name: 'greet', arguments: {} } },
      { session },
    );
    expect([status, body]).toMatchObject([200, { id: 8, error: { code: -32021 } }]);
  });
});

describe('the session that modern clients of a legacy server share', () => {
  const open = () => runtime.db.prisma.mcpUpstreamSession.findMany({ where: { server: { slug: 'legacy' } } });

  it('is the same for one user at every process, and different for another user', async () => {
    const [first, second] = [await connectModern('legacy'), await connectModern('legacy', { at: other })];
    await Promise.all([first, second].map((client) => client.listPrompts()));
    expect(await open()).toHaveLength(1);
    const grace = await runtime.newUser('grace@example.com');
    const hers = await connectModern('legacy', { as: await runtime.newToken({ userId: grace.id }) });
    await hers.listPrompts();
    const sessions = await open();
    expect(new Set(sessions.map(({ upstream_id }) => upstream_id)).size).toBe(2);
    await Promise.all([first, second, hers].map((client) => client.close()));
  });

  it('is reopened once for all concurrent requests when the server has closed it', async () => {
    const client = await connectModern('legacy');
    await client.listPrompts();
    const before = await open();
    servers.legacy.forget();
    await Promise.all(Array.from({ length: 4 }, () => client.listPrompts()));
    const after = await open();
    expect(after).toHaveLength(before.length);
    expect(after.map(({ key }) => key)).not.toEqual(before.map(({ key }) => key));
    await client.close();
  });

  it("is replaced when the server's credential has changed", async () => {
    const client = await connectModern('legacy');
    await client.listPrompts();
    const keys = async () => (await open()).map(({ key }) => key);
    const before = await keys();
    const { id } = await runtime.db.prisma.mcpServer.findFirstOrThrow({ where: { slug: 'legacy' } });
    const headers = sealHeaders(runtime.secretBox, id, { 'x-key': 'other' });
    await runtime.db.prisma.mcpServer.update({ where: { id }, data: { headers } });
    await client.listPrompts();
    const after = await keys();
    expect(after).toHaveLength(before.length);
    expect(after).not.toEqual(before);
    expect(servers.legacy.seen.at(-1)?.headers['x-key']).toBe('other');
    await runtime.db.prisma.mcpServer.update({ where: { id }, data: { headers: {} } });
    await client.close();
  });
});

describe('a modern client that listens to a legacy server', () => {
  it('is notified of updates to those resources that it may subscribe to; the session for this ends with the subscription', async () => {
    const client = await connectModern('legacy');
    await client.listPrompts();
    const before = servers.legacy.sessions().length;
    const { promise: notified, resolve } = Promise.withResolvers<string>();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    const subscription = await client.listen({ resourceSubscriptions: ['note://1', 'note://2'] });
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: ['note://1'] });
    expect(servers.legacy.sessions()).toHaveLength(before + 1);
    servers.legacy.notifyResourceUpdated();
    expect(await notified).toBe('note://1');
    await subscription.close();
    for (let n = 0; n < 100 && servers.legacy.sessions().length > before; n++) await client.listPrompts();
    expect(servers.legacy.sessions()).toHaveLength(before);
    await client.close();
  });
});

describe('a modern request to a legacy server', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const ask = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
    runtime.as(token)('POST', '/api/v1/mcp/legacy/mcp', {
      json: { jsonrpc: '2.0', id: 7, method, params: { _meta: META, ...params } },
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...headers },
    });

  it('is answered in the format of 2026-07-28', async () => {
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'sessions', version: '1' } };
    const supportedVersions: unknown = expect.arrayContaining(['2026-07-28', '2025-11-25']);
    expect(await ask('server/discover')).toMatchObject({
      status: 200,
      body: { id: 7, result: { supportedVersions, cacheScope: 'private', _meta: serverInfo } },
    });
    const kept = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: serverInfo };
    expect(await ask('tools/list')).toMatchObject({ status: 200, body: { id: 7, result: kept } });
    const { body } = await ask('prompts/get', { name: 'verse' }, { 'mcp-name': 'verse' });
    expect(body).toMatchObject({ result: { resultType: 'complete' } });
    expect((body as { result: object }).result).not.toHaveProperty('ttlMs');
  });

  it.each(['ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list', 'initialize', 'nothing/there'])(
    'with the method %s, which 2026-07-28 does not have, is answered 404',
    async (method) => {
      expect(await ask(method)).toMatchObject({ status: 404, body: { id: 7, error: { code: -32601 } } });
    },
  );

  it('is refused when its headers contradict its body, when version or capabilities are missing, or when the version is unknown', async () => {
    expect(await ask('tools/list', {}, { 'mcp-method': 'tools/call' })).toMatchObject({
      status: 400,
      body: { id: 7, error: { code: -32020 } },
    });
    for (const missing of Object.keys(META)) {
      const _meta = Object.fromEntries(Object.entries(META).filter(([key]) => key !== missing));
      expect(await ask('tools/list', { _meta })).toMatchObject({
        status: 400,
        body: { id: 7, error: { code: -32602 } },
      });
    }
    const future = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    expect(await ask('tools/list', { _meta: future }, { 'mcp-protocol-version': '2099-01-01' })).toMatchObject({
      status: 400,
      body: {
        id: 7,
        error: { code: -32022, data: { supported: expect.arrayContaining(['2026-07-28', '2025-11-25']) as [] } },
      },
    });
  });

  it('can call only available tools, and the audit row of the call contains no arguments', async () => {
    const call = (name: string) => ask('tools/call', { name, arguments: { words: 'hunter2' } }, { 'mcp-name': name });
    expect(await call('nothing')).toMatchObject({ status: 200, body: { id: 7, error: { code: -32602 } } });
    expect(await call('echo')).toMatchObject({ status: 200, body: { id: 7, result: { resultType: 'complete' } } });
    const rows = await runtime.db.prisma.governanceDecision.findMany({
      where: { action: 'mcp.call', actor_id: 'legacy' },
      orderBy: { at: 'desc' },
      take: 2,
    });
    expect(rows).toMatchObject([
      { decision: 'allow', detail: { tool: 'echo' }, user_id: runtime.owner.id, actor_kind: 'mcp' },
      { decision: 'deny', detail: { tool: 'nothing' } },
    ]);
  });

  it('is answered even when the server sends roots/list and ping meanwhile; the relay refuses roots/list and answers ping', async () => {
    const answer = await ask('tools/call', { name: 'ask', arguments: {} }, { 'mcp-name': 'ask' });
    expect(answer).toMatchObject({ status: 200, body: { id: 7, result: { content: [{ text: '{} -32601' }] } } });
  });
});
