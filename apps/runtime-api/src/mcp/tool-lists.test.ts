import {
  createFakeMcpServer,
  createFakeModel,
  createTestDatabase,
  type FakeMcpServer,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let upstreams: FakeMcpServer[];
let by: HttpClient;
let userId: string;

const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } });
const pathOf = (name: string) => `/api/v1/mcp/${name}/mcp`;
const SERVERS = ['old', 'new', 'platform'];
const MODERN = '2026-07-28';

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  upstreams = await Promise.all(
    (['legacy', 'modern'] as const).map((era) => createFakeMcpServer(era, [tool('add'), tool('sub')])),
  );
  await runtime.newMcpServer({ name: 'Old', url: upstreams[0]?.url ?? '' });
  await runtime.newMcpServer({ name: 'New', url: upstreams[1]?.url ?? '' });
  await runtime.newAgent({ name: 'Helper' });
  const user = await runtime.newUser('bob@example.com');
  userId = user.id;
  const mcpTools = ['old/add', 'new/add', 'platform/search_content'];
  by = runtime.as(await runtime.newToken({ userId, mcpTools }));
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), ...upstreams.map((upstream) => upstream.close())]);
});

type Params = Record<string, unknown> & { name?: string };

/** Sends a request in the form in which a client of this era sends it. */
function ask(server: string, era: string, method: string, params: Params = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = era === 'modern';
  return by('POST', pathOf(server), {
    json: { jsonrpc: '2.0', id: 1, method, params: modern ? { ...params, _meta } : params },
    headers: modern
      ? {
          'mcp-protocol-version': MODERN,
          'mcp-method': method,
          ...(params.name !== undefined && { 'mcp-name': params.name }),
        }
      : {},
  });
}

const both = SERVERS.flatMap((server) => ['legacy', 'modern'].map((era) => [server, era] as const));

describe('a client with a list of tools', () => {
  it.each(both)('gets from the server %s only the tools that are on its list, in the era %s', async (server, era) => {
    const { body } = await ask(server, era, 'tools/list');
    const { tools } = (body as { result: { tools: { name: string }[] } }).result;
    expect(tools.map(({ name }) => name)).toEqual([server === 'platform' ? 'search_content' : 'add']);
  });

  it.each(both)(
    'can call on the server %s only the tools that are on its list, in the era %s; a call of another tool is audited as a denial',
    async (server, era) => {
      const [mine, other, args] =
        server === 'platform' ? ['search_content', 'ask_helper', { query: 'x' }] : ['add', 'sub', {}];
      const denials = () =>
        runtime.db.prisma.governanceDecision.findMany({ where: { user_id: userId, decision: 'deny' } });
      const before = (await denials()).length;
      expect((await ask(server, era, 'tools/call', { name: mine, arguments: args })).body).toMatchObject({
        result: { content: expect.any(Array) as [] },
      });
      expect((await ask(server, era, 'tools/call', { name: other, arguments: {} })).body).toMatchObject({
        id: 1,
        error: { code: -32602, message: `Unknown tool: ${other}` },
      });
      for (const { calls } of upstreams) expect(calls.map(({ name }) => name)).not.toContain('sub');
      const after = await denials();
      expect(after).toHaveLength(before + 1);
      expect(after.at(-1)).toMatchObject({ action: 'mcp.call', resource: pathOf(server), detail: { tool: other } });
    },
  );

  it('gets from GET /api/v1/mcp/registry only the tools that are on its list', async () => {
    const { body } = await by('GET', '/api/v1/mcp/registry');
    const { servers } = body as { servers: { name: string; tools: string[] }[] };
    expect(Object.fromEntries(servers.map(({ name, tools }) => [name, tools]))).toEqual({
      platform: ['search_content'],
      old: ['add'],
      new: ['add'],
    });
  });

  it('is limited by its new list from the next request after a change', async () => {
    const where = { user_id: userId };
    const before = await runtime.db.prisma.oAuthClient.findFirstOrThrow({ where });
    await runtime.db.prisma.oAuthClient.updateMany({ where, data: { mcp_tools: [] } });
    expect((await ask('old', 'legacy', 'tools/list')).body).toMatchObject({ result: { tools: [] } });
    expect((await ask('old', 'legacy', 'tools/call', { name: 'add' })).body).toMatchObject({ error: { code: -32602 } });
    await runtime.db.prisma.oAuthClient.updateMany({ where, data: { mcp_tools: before.mcp_tools } });
  });
});
