import {
  createFakeMcpServer,
  createFakeModel,
  createTestDatabase,
  type FakeMcpServer,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../test-runtime.js';
import { namespaceOf } from './server-registry.routes.js';

let database: TestDatabase;
let model: FakeModel;
let upstream: FakeMcpServer;
let runtime: TestRuntime;
let call: HttpClient;

const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } });

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  upstream = await createFakeMcpServer('modern', [tool('sub'), tool('add')]);
  runtime = await startRuntime(database.url, model.url);
  call = runtime.as(await runtime.newToken());
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});

const registered = async (by = call) => {
  const { body } = await by('GET', '/api/v1/mcp/registry');
  return (body as { servers: { name: string }[] }).servers.filter(({ name }) => name !== 'platform');
};

describe('GET /api/v1/mcp/registry', () => {
  it("lists the project's active servers with their endpoints at this installation and their available tools", async () => {
    const { id } = await runtime.newMcpServer({ name: 'Sums', url: upstream.url });
    await runtime.newMcpServer({ name: 'Asleep', url: upstream.url, status: 'inactive' });
    await runtime.newMcpServer({ name: 'Lost', url: upstream.url, status: 'unreachable' });
    await runtime.newMcpServer({ name: 'Foreign', url: upstream.url, project: 'Commerce' });
    const entry = {
      name: 'sums',
      endpoint: `${RUNTIME_URL}/api/v1/mcp/sums/mcp`,
      transport: 'streamable-http',
      tools: ['add', 'sub'],
    };
    expect(await registered()).toEqual([entry]);
    upstream.tools = [{ ...tool('add'), description: 'Changed.' }, tool('sub'), tool('new')];
    await runtime.probeMcpServer(id);
    expect(await registered()).toEqual([{ ...entry, tools: ['sub'] }]);
    const other = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    expect((await registered(other)).map(({ name }) => name)).toEqual(['foreign']);
  });
});

describe('GET /v0.1/servers', () => {
  interface Entry {
    server: { name: string; version: string };
  }
  interface List {
    servers: Entry[];
    metadata: { count: number; nextCursor?: string };
  }
  const namespace = namespaceOf(RUNTIME_URL);
  const at = (name: string, version: string) => `/v0.1/servers/${encodeURIComponent(name)}/versions/${version}`;
  const list = async (query = '') => (await call('GET', `/v0.1/servers${query}`)).body as List;
  const slugs = ({ servers }: List) => servers.map(({ server }) => server.name.split('/')[1]);

  beforeAll(async () => {
    await runtime.newMcpServer({ name: 'Maps', url: upstream.url });
    await runtime.db.prisma.mcpServer.updateMany({
      where: { slug: 'maps' },
      data: { description: 'Places and ways.' },
    });
    await runtime.newMcpServer({ name: 'Zebra', url: upstream.url });
  });

  it('lists the active servers and the built-in server in the form of the official registry', async () => {
    const { servers, metadata } = await list();
    expect(slugs({ servers, metadata })).toEqual(['platform', 'maps', 'sums', 'zebra']);
    expect(metadata).toEqual({ count: 4 });
    expect(servers[1]).toMatchObject({
      server: {
        $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
        name: `${namespace}/maps`,
        title: 'Maps',
        description: 'Places and ways.',
        remotes: [{ type: 'streamable-http', url: `${RUNTIME_URL}/api/v1/mcp/maps/mcp` }],
      },
      _meta: {
        'io.modelcontextprotocol.registry/official': {
          status: 'active',
          isLatest: true,
        },
      },
    });
    expect(servers[1]?.server.version).toMatch(/^1\.0\.\d+$/);
  });

  it('returns the names of its available tools as the description of a server that has none', async () => {
    const { body } = await call('GET', at(`${namespace}/sums`, 'latest'));
    expect(body).toMatchObject({ server: { description: 'Tools: sub' } });
  });

  it('returns every page by the cursor of the page before, and all servers once', async () => {
    const pages: unknown[] = [];
    let query = '?limit=1';
    for (;;) {
      const page = await list(query);
      pages.push(slugs(page));
      if (page.metadata.nextCursor === undefined) break;
      query = `?limit=1&cursor=${encodeURIComponent(page.metadata.nextCursor)}`;
    }
    expect(pages).toEqual([['platform'], ['maps'], ['sums'], ['zebra']]);
    expect((await call('GET', '/v0.1/servers?cursor=elsewhere/maps')).status).toBe(400);
  });

  it('finds servers by a part of their name, by the time of their last change, and by their version', async () => {
    expect(slugs(await list('?search=MAP'))).toEqual(['maps']);
    expect(slugs(await list('?search=plat'))).toEqual(['platform']);
    expect(slugs(await list('?updated_since=2999-01-01T00:00:00Z'))).toEqual([]);
    expect(slugs(await list('?version=latest'))).toEqual(['platform', 'maps', 'sums', 'zebra']);
    expect(slugs(await list('?version=9.9.9'))).toEqual([]);
    expect((await call('GET', '/v0.1/servers?updated_since=yesterday')).status).toBe(400);
  });

  it('answers the current version of a server, and 404 for other versions and for servers that are unknown, inactive or foreign', async () => {
    const name = `${namespace}/maps`;
    const { body } = await call('GET', at(name, 'latest'));
    const { version } = (body as Entry).server;
    expect(await call('GET', at(name, version))).toMatchObject({ status: 200, body });
    const versions = await call('GET', `/v0.1/servers/${encodeURIComponent(name)}/versions`);
    expect(versions.body).toEqual({ servers: [body], metadata: { count: 1 } });
    const missing = [at(name, '9.9.9'), at(`${namespace}/asleep`, 'latest'), at('elsewhere/maps', 'latest')];
    for (const path of [...missing, at(`${namespace}/foreign`, 'latest')])
      expect({ path, status: (await call('GET', path)).status }).toEqual({ path, status: 404 });
  });
});

describe('namespaceOf', () => {
  it('reverses the labels of a host name, and keeps IP addresses unchanged', () => {
    const urls = ['https://mcp.example.com/x', 'http://localhost:4102', 'http://127.0.0.1:1', 'http://[::1]:2'];
    expect(urls.map(namespaceOf)).toEqual(['com.example.mcp', 'localhost', '127.0.0.1', '--1']);
  });
});
