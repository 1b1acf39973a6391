import type { IncomingHttpHeaders } from 'node:http';
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

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let by: HttpClient;
let legacy: ListeningApp;
let modern: FakeMcpServer;
let seen: { method: string | undefined; headers: IncomingHttpHeaders }[] = [];

const ADD = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } };

/** Starts a lenient server of 2025-06-18, which answers every method. */
beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  by = runtime.as(await runtime.newToken());
  legacy = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { id?: number; method?: string };
      const info = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      };
      if (request.method !== 'POST' || method === 'server/discover') {
        response.writeHead(404).end();
        return;
      }
      seen.push({ method, headers: request.headers });
      const result = method === 'initialize' ? info : method === 'tools/list' ? { tools: [ADD] } : {};
      if (id === undefined) response.writeHead(202).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  modern = await createFakeMcpServer('modern', [ADD]);
  await runtime.newMcpServer({ name: 'legacy', url: `${legacy.url}/mcp` });
  await runtime.newMcpServer({ name: 'modern', url: modern.url });
  // The first request to each server probes the server.
  for (const name of ['legacy', 'modern']) await post(name, { method: 'tools/list' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), legacy.close(), modern.close()]);
});
beforeEach(() => {
  seen = [];
  modern.seen.length = 0;
});

const pathOf = (name: string) => `/api/v1/mcp/${name}/mcp`;
const post = (name: string, message: object, headers: Record<string, string> = {}, as = by) =>
  as('POST', pathOf(name), { json: { jsonrpc: '2.0', id: 1, ...message }, headers });

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modernHeaders = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });

const UNKNOWN = ['Tools/Call', 'tools/call ', 'admin/delete', 'tasks/delete', 'constructor', '__proto__', ''];

describe('a method that a version of MCP does not have', () => {
  it.each([...UNKNOWN, 'server/discover', 'tasks/update'])(
    'does not reach a server of 2025-11-25: %j',
    async (method) => {
      const { body } = await post('legacy', { method });
      expect([body, seen]).toEqual([
        { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } },
        [],
      ]);
    },
  );

  it.each([...UNKNOWN.filter((method) => method === method.trim() && method !== ''), 'ping', 'resources/subscribe'])(
    'does not reach a server of 2026-07-28: %j',
    async (method) => {
      const { status, body } = await post('modern', { method, params: { _meta } }, modernHeaders(method));
      expect([status, body, modern.seen]).toMatchObject([404, { id: 1, error: { code: -32601 } }, []]);
    },
  );

  it('is dropped when it is a notification', async () => {
    const { status } = await by('POST', pathOf('legacy'), { json: { jsonrpc: '2.0', method: 'notifications/admin' } });
    expect([status, seen]).toEqual([202, []]);
  });
});

describe('a task', () => {
  it.each(['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'])(
    'can be used by the method %s only with the scope mcp:call',
    async (method) => {
      const reader = runtime.as(await runtime.newToken({ scopes: ['mcp:read'] }));
      expect([(await post('legacy', { method }, {}, reader)).status, seen]).toEqual([403, []]);
      expect((await post('legacy', { method })).status).toBe(200);
      expect(seen.map((one) => one.method)).toEqual([method]);
    },
  );
});

describe('headers of a client', () => {
  const extra = {
    'mcp-admin': '1',
    'mcp-param-path': 'x',
    baggage: 'a=1',
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
  };

  it('reach a server of 2025-11-25 only if that version defines them', async () => {
    await post('legacy', { method: 'prompts/list' }, extra);
    expect(seen).toHaveLength(1);
    const names = seen.flatMap(({ headers }) => Object.keys(headers).filter((name) => /^(mcp-|baggage)/.test(name)));
    expect(names).toEqual([]);
  });

  it('reach a server of 2026-07-28 only if that version defines them', async () => {
    await post(
      'modern',
      { method: 'prompts/list', params: { _meta } },
      { ...modernHeaders('prompts/list'), ...extra, 'mcp-session-id': 'stolen' },
    );
    const relayed = modern.seen.find((headers) => headers['mcp-method'] === 'prompts/list') ?? {};
    const names = Object.keys(relayed).filter((name) => /^(mcp-|baggage)/.test(name));
    expect(names.sort()).toEqual(['mcp-method', 'mcp-param-path', 'mcp-protocol-version']);
  });
});

describe('a prompt or resource that a client reads', () => {
  it.each([
    ['prompts/get', { name: 'verse' }, { prompt: 'verse' }],
    ['resources/read', { uri: 'note://1' }, { resource: 'note://1' }],
  ])('is named in an audit row: %s', async (method, params, detail) => {
    await post('legacy', { method, params });
    const [row] = await runtime.db.prisma.governanceDecision.findMany({
      where: { action: 'mcp.read', actor_id: 'legacy' },
      orderBy: { at: 'desc' },
      take: 1,
    });
    expect(row).toMatchObject({ user_id: runtime.owner.id, actor_kind: 'mcp', decision: 'allow', detail });
  });
});

describe('a parameter that is not a text', () => {
  const odd = { toString: 1, valueOf: 1 };
  const params = Object.fromEntries(
    ['name', 'uri', 'level', 'taskId', 'cursor', 'ref', 'protocolVersion'].map((name) => [name, odd]),
  );

  it.each(
    ['platform', 'legacy', 'modern'].flatMap((server) =>
      ['tools/call', 'prompts/get', 'resources/read', 'logging/setLevel', 'resources/subscribe', 'initialize'].map(
        (method) => [server, method] as const,
      ),
    ),
  )('causes no internal failure at the server %s in the method %s', async (server, method) => {
    const { status } = await post(server, { method, params });
    expect(status).toBeLessThan(500);
    const { status: modernStatus } = await post(
      server,
      { method, params: { ...params, _meta: { ..._meta, 'io.modelcontextprotocol/logLevel': odd } } },
      modernHeaders(method),
    );
    expect(modernStatus).toBeLessThan(500);
  });
});
