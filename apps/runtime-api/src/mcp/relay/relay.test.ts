import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { approvePresent } from '@millwright/mcp';
import {
  createFakeMcpServer,
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeMcpServer,
  type FakeModel,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';
import { startSessionServer, type SessionServer } from './test-v2025-server.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;
let by: HttpClient;
let modern: FakeMcpServer;
let stateless: FakeMcpServer;
let sessions: SessionServer;

const tool = (name: string, description = name) => ({ name, description, inputSchema: { type: 'object' } });
const pathOf = (name: string) => `/api/v1/mcp/${name}/mcp`;
const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 };

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  by = runtime.as(token);
  [modern, stateless, sessions] = await Promise.all([
    createFakeMcpServer('modern', [tool('add'), tool('sub')]),
    createFakeMcpServer('legacy', [tool('add'), tool('sub')]),
    startSessionServer(),
  ]);
  const headers = { authorization: 'Bearer s3cret' };
  await runtime.newMcpServer({ name: 'modern', url: modern.url, headers });
  await runtime.newMcpServer({ name: 'stateless', url: stateless.url, headers });
  await runtime.newMcpServer({ name: 'sessions', url: sessions.url, headers });
  await runtime.newMcpServer({ name: 'foreign', url: modern.url, project: 'Commerce' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), modern.close(), stateless.close(), sessions.close()]);
});

const textOf = (answer: object) => (answer as { content: { text: string }[] }).content[0]?.text;

async function connectModern(name: string, as = token) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const requestInit = { headers: { authorization: `Bearer ${as}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(runtime.url + pathOf(name)), { requestInit }));
  return client;
}

async function connectLegacy(name: string, { as = token, at = runtime, capabilities = {} } = {}) {
  const client = new LegacyClient({ name: 'test', version: '1' }, { capabilities });
  const requestInit = { headers: { authorization: `Bearer ${as}`, cookie: 'mw=1' } };
  const transport = new LegacyTransport(new URL(at.url + pathOf(name)), { requestInit });
  await client.connect(transport);
  return { client, transport };
}

describe('the endpoint of a registered MCP server', () => {
  it.each(['foreign', 'nobody'])('answers 404 when the project has no access to the server: %s', async (name) => {
    expect((await by('POST', pathOf(name), { json: LIST })).status).toBe(404);
  });

  it('answers 404 when the server is inactive, and 503 with the id of the request when the server is unreachable', async () => {
    await runtime.newMcpServer({ name: 'asleep', url: modern.url, status: 'inactive' });
    expect((await by('POST', pathOf('asleep'), { json: LIST })).status).toBe(404);
    await runtime.newMcpServer({ name: 'lost', url: modern.url, status: 'unreachable' });
    const { status, body, headers } = await by('POST', pathOf('lost'), { json: { ...LIST, id: 'x' } });
    expect([status, body]).toEqual([
      503,
      { jsonrpc: '2.0', id: 'x', error: { code: -32603, message: 'The MCP server cannot be reached' } },
    ]);
    expect(headers.get('retry-after')).toBe('10');
  });

  it.each(['stateless', 'sessions', 'modern'])('answers a call without a session: %s', async (name) => {
    const { status, body } = await by('POST', pathOf(name), { json: LIST });
    expect([status, body]).toMatchObject([200, { id: 1, result: { tools: expect.any(Array) as [] } }]);
  });

  it('closes the session with the server after a call of a client that has no session', async () => {
    const before = sessions.sessions().length;
    await by('POST', pathOf('sessions'), { json: LIST });
    for (let n = 0; n < 50 && sessions.sessions().length > before; n++) await by('GET', '/api/v1/mcp/registry');
    expect(sessions.sessions()).toHaveLength(before);
  });
});

describe('a request to an upstream', () => {
  it.each(['modern', 'stateless'] as const)(
    'has the credential for the upstream, and neither token nor cookie of the caller: %s',
    async (name) => {
      const upstream = name === 'modern' ? modern : stateless;
      upstream.seen.length = 0;
      const client = name === 'modern' ? await connectModern(name) : (await connectLegacy(name)).client;
      await client.listTools();
      expect(upstream.seen.length).toBeGreaterThan(0);
      for (const headers of upstream.seen) {
        expect([headers.authorization, headers.cookie]).toEqual(['Bearer s3cret', undefined]);
        expect(JSON.stringify(headers)).not.toContain(token);
      }
      await client.close();
    },
  );
});

describe('the tools of registered MCP servers', () => {
  const listed = async (name: string) =>
    ((await by('POST', pathOf(name), { json: LIST })).body as { result: { tools: { name: string }[] } }).result.tools;

  it('are listed only when their definition is the approved definition', async () => {
    const changing = await createFakeMcpServer('legacy', [tool('add'), tool('sub')]);
    await runtime.newMcpServer({ name: 'changing', url: changing.url });
    changing.tools = [tool('add', 'Now it does something else.'), tool('sub'), tool('new')];
    expect((await listed('changing')).map(({ name }) => name)).toEqual(['sub']);
    await changing.close();
  });

  it.each([
    ['legacy', 'annotations', { annotations: { readOnlyHint: true } }],
    ['modern', 'annotations', { annotations: { readOnlyHint: true } }],
    ['legacy', 'title', { title: 'Add' }],
    ['legacy', 'output schema', { outputSchema: { type: 'object' } }],
    ['modern', 'icons and _meta', { icons: [{ src: 'https://example.com/a.png' }], _meta: { ui: {} } }],
  ] as const)(
    'of a %s server are neither listed nor called after a change of their %s alone, until an admin approves the change',
    async (era, what, members) => {
      const name = `${era}-${what.split(' ')[0]}`;
      const changing = await createFakeMcpServer(era, [tool('add'), tool('sub')]);
      const { id } = await runtime.newMcpServer({ name, url: changing.url });
      const params = { name: 'add', arguments: {} };
      const call = () => by('POST', pathOf(name), { json: { ...LIST, method: 'tools/call', params } });
      changing.tools = [{ ...tool('add'), ...members }, tool('sub')];
      expect((await listed(name)).map((listed) => listed.name)).toEqual(['sub']);
      expect((await call()).body).toMatchObject({ error: { code: -32602 } });
      expect(changing.calls).toEqual([]);
      await runtime.probeMcpServer(id);
      await runtime.db.transaction((tx) => approvePresent(tx, id));
      expect(await listed(name)).toEqual(changing.tools);
      expect((await call()).body).toMatchObject({ result: { content: [{ text: 'add {}' }] } });
      await changing.close();
    },
  );

  it('are not called when they are unavailable, or have changed since the approval', async () => {
    const changing = await createFakeMcpServer('legacy', [tool('add'), tool('sub')]);
    const { id } = await runtime.newMcpServer({ name: 'changed', url: changing.url });
    changing.tools = [tool('add', 'Now it does something else.'), tool('sub'), tool('new')];
    const call = (name: unknown) =>
      by('POST', pathOf('changed'), { json: { ...LIST, method: 'tools/call', params: { name, arguments: {} } } });
    for (const [name, shown] of [['add'], ['new'], ['nothing'], [7], ['sub\0', 'sub\ufffd'], ['\ud800', '\ufffd']]) {
      const { status, body } = await call(name);
      const message = `Unknown tool: ${shown ?? name}`;
      expect([status, body]).toMatchObject([200, { id: 1, error: { code: -32602, message } }]);
    }
    expect(changing.calls).toEqual([]);
    expect(await call('sub')).toMatchObject({ status: 200, body: { result: { content: [{ text: 'sub {}' }] } } });
    const { probe_due_at } = await runtime.db.prisma.mcpServer.findUniqueOrThrow({ where: { id } });
    expect(probe_due_at.getTime()).toBeLessThanOrEqual(Date.now());
    const denied = await runtime.db.prisma.governanceDecision.count({
      where: { action: 'mcp.call', decision: 'deny', reason: 'the tool is not available', actor_id: 'changed' },
    });
    expect(denied).toBe(6);
    await changing.close();
  });

  it('lead to an audit row for each call, which names the accountable user and the server and contains no arguments', async () => {
    const params = { name: 'add', arguments: { secret: 'hunter2' } };
    await by('POST', pathOf('stateless'), { json: { ...LIST, method: 'tools/call', params } });
    const [row] = await runtime.db.prisma.governanceDecision.findMany({
      where: { action: 'mcp.call', decision: 'allow', actor_id: 'stateless' },
      orderBy: { at: 'desc' },
      take: 1,
    });
    expect(row).toMatchObject({ user_id: runtime.owner.id, actor_kind: 'mcp' });
    expect(row?.detail).toEqual({ tool: 'add' });
  });

  it('are not called when the message tools/call has no id', async () => {
    const before = stateless.calls.length;
    const json = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'add', arguments: {} } };
    expect((await by('POST', pathOf('stateless'), { json })).status).toBe(400);
    expect(stateless.calls).toHaveLength(before);
  });
});

describe('a modern client of a modern server', () => {
  it('lists and calls tools', async () => {
    const client = await connectModern('modern');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['add', 'sub']);
    expect(textOf(await client.callTool({ name: 'add', arguments: { a: 1 } }))).toBe('add {"a":1}');
    await client.close();
  });

  it('is refused before a request to the server when its headers contradict the body', async () => {
    const params = {
      name: 'add',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const good = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' };
    const call = (headers: Record<string, string>) =>
      by('POST', pathOf('modern'), { json: { ...LIST, method: 'tools/call', params }, headers });
    expect((await call(good)).status).toBe(200);
    expect((await call({ ...good, 'mcp-name': '=?base64?YWRk?=' })).status).toBe(200);
    const nameless = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
    const before = modern.calls.length;
    for (const headers of [nameless, { ...good, 'mcp-name': 'sub' }, { ...good, 'mcp-method': 'tools/list' }])
      expect(await call(headers)).toMatchObject({ status: 400, body: { id: 1, error: { code: -32020 } } });
    expect(modern.calls).toHaveLength(before);
  });
});

describe('a legacy client of a server with sessions', () => {
  it('lists and calls tools with progress, gets prompts and reads resources', async () => {
    const { client, transport } = await connectLegacy('sessions');
    expect(sessions.sessions()).not.toContain(transport.sessionId);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'echo',
      'count',
      'greet',
      'interview',
      'log',
      'wait',
      'ask',
    ]);
    const progress: number[] = [];
    const answer = await client.callTool({ name: 'count', arguments: {} }, undefined, {
      onprogress: (seen) => progress.push(seen.progress),
    });
    expect([textOf(answer), progress]).toEqual(['three', [1, 2, 3]]);
    expect((await client.getPrompt({ name: 'verse' })).messages).toHaveLength(1);
    expect((await client.readResource({ uri: 'note://1' })).contents).toMatchObject([{ text: 'A note.' }]);
    await transport.terminateSession();
    await client.close();
  });

  it('answers a request of the server during a call', async () => {
    const { client } = await connectLegacy('sessions', { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
    expect(textOf(await client.callTool({ name: 'greet', arguments: {} }))).toBe('Hello, Ada');
    await client.close();
  });

  it('receives notifications and requests that the server sends outside of calls', async () => {
    sessions.seen.length = 0;
    const { client } = await connectLegacy('sessions', { capabilities: { elicitation: {} } });
    const { promise: notified, resolve } = Promise.withResolvers<string>();
    client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => resolve(method));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
    const isListening = () => sessions.seen.some(({ method }) => method === 'GET');
    for (let n = 0; n < 200 && !isListening(); n++) await client.ping();
    sessions.notifyToolsChanged();
    expect(await notified).toBe('notifications/tools/list_changed');
    expect(await sessions.askName()).toBe('Ada');
    await client.close();
  });

  it('continues its session at another process', async () => {
    const { transport, client } = await connectLegacy('sessions');
    const other = (await runtime.start()).as(token);
    const headers = { 'mcp-session-id': transport.sessionId ?? '', accept: 'application/json' };
    const { status, body } = await other('POST', pathOf('sessions'), { json: LIST, headers });
    expect([status, body]).toMatchObject([200, { result: { tools: [{ name: 'echo' }, {}, {}, {}, {}, {}, {}] } }]);
    await client.close();
  });

  it('is answered 404 when it names a session of another user, a session that the server has lost, or an ended session', async () => {
    const { transport, client } = await connectLegacy('sessions');
    const headers = { 'mcp-session-id': transport.sessionId ?? '', accept: 'application/json' };
    const call = (as = by, name = 'sessions') => as('POST', pathOf(name), { json: { ...LIST, id: 5 }, headers });
    const other = await runtime.newUser('grace@example.com');
    const foreign = await call(runtime.as(await runtime.newToken({ userId: other.id })));
    expect(foreign).toMatchObject({ status: 404, body: { id: 5, error: { code: -32001 } } });
    expect((await call(by, 'stateless')).status).toBe(404);
    expect((await call()).status).toBe(200);
    expect((await by('DELETE', pathOf('sessions'), { headers })).status).toBe(200);
    expect((await call()).status).toBe(404);
    await client.close();

    const again = await connectLegacy('sessions');
    sessions.forget();
    headers['mcp-session-id'] = again.transport.sessionId ?? '';
    expect((await call()).status).toBe(404);
    await again.client.close();
  });
});

describe.each(['sessions', 'modern'])('the session of a legacy client with the server %s', (name) => {
  let id: string;
  let client: LegacyClient;
  beforeEach(async () => {
    const connected = await connectLegacy(name);
    client = connected.client;
    id = connected.transport.sessionId ?? '';
  });
  afterEach(() => client.close());

  const list = (as = by, at = name) =>
    as('POST', pathOf(at), { json: { ...LIST, id: 5 }, headers: { 'mcp-session-id': id, accept: 'application/json' } });
  const NOT_FOUND = { status: 404, body: { id: 5, error: { code: -32001, message: 'Session not found' } } };
  const lastUsed = (ago: string) =>
    runtime.db.prisma.$executeRaw`
      UPDATE mcp_sessions SET used_at = now() - ${ago}::interval WHERE id_hash = sha256(${id}::bytea)`;
  const usedAgo = async () => {
    const [row] = await runtime.db.prisma.$queryRaw<{ seconds: number }[]>`
      SELECT extract(epoch FROM now() - used_at)::int AS seconds FROM mcp_sessions WHERE id_hash = sha256(${id}::bytea)`;
    return row?.seconds;
  };

  it('answers 404 to another user of the project, to a request to another server, and to an unknown session id', async () => {
    expect((await list()).status).toBe(200);
    const { id: userId } = await runtime.newUser(`${name}@example.com`);
    expect(await list(runtime.as(await runtime.newToken({ userId })))).toMatchObject(NOT_FOUND);
    for (const other of ['sessions', 'modern', 'stateless'].filter((one) => one !== name))
      expect(await list(by, other)).toMatchObject(NOT_FOUND);
    for (const wrong of ['x', `${id}x`, id.toUpperCase(), ''])
      expect((await by('POST', pathOf(name), { json: LIST, headers: { 'mcp-session-id': wrong } })).status).toBe(404);
  });

  it('answers 404 after the address of the server has changed', async () => {
    const where = { slug: name };
    const { url } = await runtime.db.prisma.mcpServer.findFirstOrThrow({ where });
    await runtime.db.prisma.mcpServer.updateMany({ where, data: { url: `${url}?moved` } });
    expect(await list()).toMatchObject(NOT_FOUND);
    await runtime.db.prisma.mcpServer.updateMany({ where, data: { url } });
    expect((await list()).status).toBe(200);
  });

  it('stays valid while it is used, and ends after a day without use; the time of its last use is stored at intervals', async () => {
    await lastUsed('5 minutes');
    expect((await list()).status).toBe(200);
    expect(await usedAgo()).toBeGreaterThanOrEqual(300);
    await lastUsed('23 hours');
    expect((await list()).status).toBe(200);
    expect(await usedAgo()).toBeLessThan(60);
    await lastUsed('24 hours');
    expect(await list()).toMatchObject(NOT_FOUND);
  });
});

describe('a legacy client of a modern server', () => {
  it('connects, lists and calls tools as with a legacy server', async () => {
    const { client, transport } = await connectLegacy('modern');
    expect(transport.sessionId).toEqual(expect.any(String));
    expect(client.getServerVersion()).toMatchObject({ name: 'fake' });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    await client.ping();
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(['add', 'sub']);
    for (const name of ['resultType', 'ttlMs', 'cacheScope']) expect(listed).not.toHaveProperty(name);
    modern.seen.length = 0;
    const answer = await client.callTool({ name: 'add', arguments: { a: 1 } });
    expect(textOf(answer)).toBe('add {"a":1}');
    for (const headers of modern.seen)
      expect([headers.authorization, headers.cookie]).toEqual(['Bearer s3cret', undefined]);
    await client.close();
  });

  it('gets errors and failures of tools unchanged, and gets an error for a method that the server does not have', async () => {
    const { client } = await connectLegacy('modern');
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: 'x' })).rejects.toThrow();
    await expect(client.setLoggingLevel('info')).rejects.toThrow();
    await client.close();
  });

  it.each(['GET', 'DELETE'])('is answered 405 for %s without a session', async (method) => {
    expect((await by(method, pathOf('modern'))).status).toBe(405);
  });

  it('gets an error with the id of its request when the server is no longer reachable', async () => {
    const gone = await createFakeMcpServer('modern', [tool('add')]);
    await runtime.newMcpServer({ name: 'gone', url: gone.url });
    expect((await by('POST', pathOf('gone'), { json: LIST })).status).toBe(200);
    await gone.close();
    expect(await by('POST', pathOf('gone'), { json: LIST })).toMatchObject({
      status: 503,
      body: { id: 1, error: { code: -32603 } },
    });
  });
});

describe('a client of both eras', () => {
  it.each(['stateless', 'sessions', 'modern'])('uses the modern era with the server %s', async (name) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(runtime.url + pathOf(name)), { requestInit }));
    expect(client.getProtocolEra()).toBe('modern');
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });
});

describe('an upstream that misbehaves', () => {
  let upstream: ListeningApp;
  interface Wrong {
    status?: number;
    type?: string;
    /** Body of the answer; undefined when the server sends nothing and keeps the connection open. */
    body: string | undefined;
    /** Whether the server closes the connection without an answer. */
    drops?: boolean;
  }
  let answer: (id: unknown) => Wrong;
  let left: PromiseWithResolvers<string>;
  let called: PromiseWithResolvers<string>;
  let name: string;
  let count = 0;

  beforeEach(async () => {
    [left, called] = [Promise.withResolvers(), Promise.withResolvers()];
    upstream = await listen((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
          id?: unknown;
          method?: string;
        };
        const reply = (result: object) => ({ body: JSON.stringify({ jsonrpc: '2.0', id, result }) });
        const info = {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        };
        const chosen: Wrong =
          request.method !== 'POST' || method === 'server/discover'
            ? { status: 405, body: '' }
            : id === undefined
              ? { status: 202, body: '' }
              : method === 'initialize'
                ? reply(info)
                : method === 'tools/list'
                  ? reply({ tools: [tool('add')] })
                  : answer(id);
        const { status = 200, type = 'application/json', body, drops = false } = chosen;
        response.once('close', () => left.resolve('left'));
        if (drops) response.destroy();
        else if (body === undefined) called.resolve('called');
        else response.writeHead(status, { 'content-type': type, 'set-cookie': 'x=1', 'x-internal': 'host' }).end(body);
      });
    });
    name = `wrong${(count += 1)}`;
    await runtime.newMcpServer({ name, url: `${upstream.url}/mcp` });
  });
  afterEach(() => upstream.close());

  const call = () =>
    by('POST', pathOf(name), {
      json: { ...LIST, id: 9, method: 'tools/call', params: { name: 'add', arguments: {} } },
    });
  const result = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });

  it.each<[string, typeof answer]>([
    ['another id', () => ({ body: result(10) })],
    ['no JSON', () => ({ body: '<html>' })],
    ['500', () => ({ status: 500, body: 'no' })],
    ['401 of its own', () => ({ status: 401, body: 'no' })],
    ['a redirect', () => ({ status: 307, body: '' })],
    ['nothing', () => ({ body: 'null' })],
  ])('leads to a 503 with the id of the request when it answers %s', async (_what, wrong) => {
    answer = wrong;
    expect(await call()).toMatchObject({ status: 503, body: { jsonrpc: '2.0', id: 9, error: { code: -32603 } } });
  });

  describe('in reply to a modern client', () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const ask = () =>
      by('POST', pathOf(name), {
        json: { ...LIST, id: 9, method: 'tools/call', params: { name: 'add', arguments: {}, _meta } },
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' },
      });
    const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
    const failure = (id: unknown, code: number) => ({
      body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no' } }),
    });

    it.each<[string, typeof answer]>([
      ['another id', () => ({ body: result(10) })],
      ['no JSON', () => ({ body: '<html>' })],
      ['500', () => ({ status: 500, body: 'no' })],
      ['a stream without its answer', () => ({ type: 'text/event-stream', body: event({ id: 10, result: {} }) })],
    ])('leads to a 503 with the id of the request when it answers %s', async (_what, wrong) => {
      answer = wrong;
      expect(await ask()).toMatchObject({ status: 503, body: { jsonrpc: '2.0', id: 9, error: { code: -32603 } } });
    });

    it.each([
      [-32601, 404, -32601],
      [-32002, 200, -32602],
      [-32000, 200, -32000],
    ])('has its error %d sent to the client with status %d as error %d', async (code, status, answered) => {
      answer = (id) => failure(id, code);
      expect(await ask()).toMatchObject({ status, body: { id: 9, error: { code: answered, message: 'no' } } });
    });

    it('has only the messages of the call forwarded, without event ids', async () => {
      const progress = (progressToken: unknown) => ({
        method: 'notifications/progress',
        params: { progressToken, progress: 1 },
      });
      answer = (id) => ({
        type: 'text/event-stream',
        body: [
          event(progress('another')),
          event({ method: 'notifications/tools/list_changed' }),
          event({ method: 'notifications/message', params: { level: 'error', data: 'x' } }),
          `id: 1\n${event(progress(id))}`,
          event({ id, result: { content: [] } }),
        ].join(''),
      });
      const response = await fetch(runtime.url + pathOf(name), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'add',
        },
        body: JSON.stringify({
          ...LIST,
          method: 'tools/call',
          params: { name: 'add', arguments: {}, _meta: { ..._meta, progressToken: 'mine' } },
        }),
      });
      const events = (await response.text()).split('\n\n').filter((text) => text.includes('data:'));
      expect(events.map((text) => JSON.parse(text.replace(/^event: message\ndata: /, '')) as object)).toMatchObject([
        { method: 'notifications/progress', params: { progressToken: 'mine', progress: 1 } },
        { id: 1, result: { resultType: 'complete', content: [] } },
      ]);
    });
  });

  it("causes an error in the client's stream when it ends the stream without the answer; its answers to other ids are ignored", async () => {
    answer = () => ({ type: 'text/event-stream', body: `: hello\n\ndata: ${result(10)}\n\n` });
    expect(await call()).toMatchObject({ status: 200, body: { id: 9, error: { code: -32603 } } });
    answer = (id) => ({ type: 'text/event-stream', body: `data: ${result(10)}\n\ndata: ${result(id)}\n\n` });
    expect(await call()).toMatchObject({ status: 200, body: { id: 9, result: { content: [] } } });
  });

  it('has unavailable tools removed even from its answers to other methods', async () => {
    const tools = [tool('add'), tool('evil')];
    answer = (id) => ({ body: JSON.stringify({ jsonrpc: '2.0', id, result: { content: [], tools } }) });
    expect((await call()).body).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  });

  it('has neither its cookies nor its private headers forwarded to the client', async () => {
    answer = (id) => ({ body: result(id) });
    const { headers, status } = await call();
    expect([status, headers.get('set-cookie'), headers.get('x-internal')]).toEqual([200, null, null]);
  });

  it('is disconnected as soon as the client disconnects, even when it sends nothing', async () => {
    answer = () => ({ body: undefined });
    const leaving = new AbortController();
    const json = { ...LIST, method: 'tools/call', params: { name: 'add', arguments: {} } };
    const calling = fetch(runtime.url + pathOf(name), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
      signal: leaving.signal,
    });
    await called.promise;
    left = Promise.withResolvers();
    leaving.abort();
    await expect(calling).rejects.toThrow('aborted');
    expect(await left.promise).toBe('left');
  });

  it('gets no requests for a while after five requests in a row could not reach it', async () => {
    answer = () => ({ body: undefined, drops: true });
    for (let n = 0; n < 5; n++) expect((await call()).status).toBe(503);
    answer = (id) => ({ body: result(id) });
    expect((await call()).status).toBe(503);
  });

  it.each([500, 503, 401])('gets further requests after it has answered some requests with %d', async (status) => {
    answer = () => ({ status, body: 'no' });
    for (let n = 0; n < 6; n++) expect((await call()).status).toBe(503);
    answer = (id) => ({ body: result(id) });
    expect((await call()).status).toBe(200);
  });
});
