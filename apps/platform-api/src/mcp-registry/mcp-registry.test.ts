import type { ServerResponse } from 'node:http';
import {
  createFakeMcpServer,
  createHttpClient,
  createTestDatabase,
  listen,
  type FakeMcpServer,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { bearer, startPlatform, type TestPlatform } from '../test-platform.js';

type Answer = (url: URL, response: ServerResponse) => void;

let database: TestDatabase;
let platform: TestPlatform;
let registry: ListeningApp;
let server: FakeMcpServer;
let call: HttpClient;
let answer: Answer;
const asked: URL[] = [];

beforeAll(async () => {
  registry = await listen((request, response) => {
    const url = new URL(request.url ?? '', 'http://registry.test');
    asked.push(url);
    answer(url, response);
  });
  server = await createFakeMcpServer('modern', [
    { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } },
  ]);
  database = await createTestDatabase();
  platform = await startPlatform(database.url, undefined, { mcpRegistryUrl: `${registry.url}/base` });
  call = await platform.clientOf('Core');
});
afterAll(async () => {
  await platform.close();
  await Promise.all([database.drop(), registry.close(), server.close()]);
});
beforeEach(() => {
  asked.splice(0);
});

const META = 'io.modelcontextprotocol.registry/official';
const entry = (fields: object, status = 'active') => ({
  server: { $schema: 'https://static.example/server.schema.json', description: 'Maps.', version: '1.0.2', ...fields },
  _meta: { [META]: { status, isLatest: true, publishedAt: '2026-01-01T00:00:00Z' } },
});
const serves = (body: unknown): Answer => {
  return (_url, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};
const search = (query = '') => call('GET', `/api/v1/mcp/registry/servers${query}`);

describe('GET /mcp/registry', () => {
  it('answers with the address of the registry', async () => {
    expect((await call('GET', '/api/v1/mcp/registry')).body).toEqual({ url: `${registry.url}/base` });
  });
});

describe('GET /mcp/registry/servers', () => {
  it('requests the latest versions from the registry, and forwards search, limit and cursor', async () => {
    answer = serves({ servers: [], metadata: { count: 0, nextCursor: 'com.example/b:1' } });
    const { status, body } = await search('?search=maps%26&limit=7&cursor=a%3A1');
    expect([status, body]).toEqual([200, { items: [], skipped: 0, next_cursor: 'com.example/b:1', error: null }]);
    expect(asked.map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)])).toEqual([
      ['/base/v0.1/servers', { version: 'latest', search: 'maps&', limit: '7', cursor: 'a:1' }],
    ]);
  });

  it('returns a draft of a server for each remote address, with its headers and the values that the user must enter', async () => {
    const variables = {
      region: { description: 'Region', default: 'eu', choices: ['eu', 'us'] },
      tenant: { description: 'Your tenant', isRequired: true },
    };
    const headers = [
      { name: 'X-Key', description: 'Your key', isRequired: true, isSecret: true },
      {
        ...{ name: 'Authorization', value: 'Bearer {token}', isRequired: true },
        variables: { token: { description: 'A token', isSecret: true, isRequired: true } },
      },
      { name: 'X-Mode', value: 'read' },
    ];
    const remotes = [
      { type: 'streamable-http', url: 'https://{region}.maps.example/{tenant}/mcp', variables, headers },
      { type: 'sse', url: 'https://maps.example/sse' },
      { type: 'streamable-http', url: 'https://maps.example/mcp' },
    ];
    answer = serves({
      servers: [
        entry({ name: 'com.example/maps', title: 'Maps', remotes }),
        entry({ name: 'com.example/local', packages: [{ registryType: 'npm' }] }, 'deprecated'),
        entry({ name: 'com.example/gone' }, 'deleted'),
      ],
      metadata: { count: 3 },
    });
    const draft = { name: 'Maps', description: 'Maps.', headers: [], inputs: [] };
    expect((await search()).body).toEqual({
      items: [
        {
          ...{ name: 'com.example/maps', title: 'Maps', description: 'Maps.', version: '1.0.2', is_deprecated: false },
          drafts: [
            {
              ...draft,
              url: 'https://eu.maps.example/{tenant}/mcp',
              headers: [
                { name: 'X-Key', value: '', description: 'Your key', is_required: true, is_secret: true },
                {
                  name: 'Authorization',
                  value: 'Bearer {token}',
                  description: '',
                  is_required: true,
                  is_secret: false,
                },
                { name: 'X-Mode', value: 'read', description: '', is_required: false, is_secret: false },
              ],
              inputs: [
                { name: 'tenant', description: 'Your tenant', is_required: true, is_secret: false, choices: [] },
                { name: 'token', description: 'A token', is_required: true, is_secret: true, choices: [] },
              ],
            },
            { ...draft, url: 'https://maps.example/mcp' },
          ],
        },
        {
          ...{ name: 'com.example/local', title: null, description: 'Maps.', version: '1.0.2', is_deprecated: true },
          drafts: [],
        },
      ],
      ...{ skipped: 0, next_cursor: null, error: null },
    });
  });

  it('returns drafts that can be registered, probed and pinned like any other server', async () => {
    const remotes = [{ type: 'streamable-http', url: server.url, headers: [{ name: 'X-Key', isSecret: true }] }];
    answer = serves({ servers: [entry({ name: 'com.example/look', remotes })], metadata: {} });
    const { body } = await search('?search=look');
    const [{ drafts }] = (body as { items: [{ drafts: { name: string; url: string; description: string }[] }] }).items;
    const [{ name, url, description } = { name: '', url: '', description: '' }] = drafts;
    const json = { name, url, description, headers: { 'x-key': 'secret' } };
    const made = await call('POST', '/api/v1/mcp/servers', { json });
    expect([made.status, made.body]).toMatchObject([
      201,
      { name: 'look', pin_tools: true, headers: { 'x-key': '********' } },
    ]);
    await platform.probed();
    const { id } = made.body as { id: string };
    expect((await call('GET', `/api/v1/mcp/servers/${id}/tools`)).body).toMatchObject({ items: [{ name: 'look' }] });
    const strict = createHttpClient(platform.strictUrl, bearer(await platform.issueKey()));
    expect((await strict('POST', '/api/v1/mcp/servers', { json })).status).toBe(422);
  });

  it('leaves out entries that are malformed or too large, and returns the number of these entries', async () => {
    const good = entry({ name: 'com.example/good' });
    const bad = [
      null,
      'text',
      {},
      entry({ name: 7 }),
      entry({ name: 'x'.repeat(201) }),
      entry({ name: 'com.example/a', description: 'x'.repeat(2_001) }),
      entry({ name: 'com.example/b', remotes: Array(11).fill({ type: 'sse', url: 'https://a.example' }) }),
      entry({
        name: 'com.example/c',
        remotes: [{ type: 'streamable-http', url: `https://a.example/${'x'.repeat(2_000)}` }],
      }),
    ];
    answer = serves({ servers: [...bad, good], metadata: { nextCursor: 'x'.repeat(1_001) } });
    expect((await search()).body).toMatchObject({
      items: [{ name: 'com.example/good' }],
      skipped: bad.length,
      next_cursor: null,
    });
  });

  it('treats names such as constructor and __proto__ as unknown variables', async () => {
    const remotes = [{ type: 'streamable-http', url: 'https://{constructor}.example/{__proto__}' }];
    answer = serves({ servers: [entry({ name: 'com.example/odd', remotes })] });
    expect((await search()).body).toMatchObject({
      items: [{ drafts: [{ url: 'https://{constructor}.example/{__proto__}', inputs: [] }] }],
    });
  });

  it.each<[string, Answer, string]>([
    ['an error', (_url, response) => response.writeHead(500).end('secret'), 'The registry answered with an error.'],
    [
      'a redirect',
      (_url, response) => response.writeHead(302, { location: '/' }).end(),
      'The registry redirects, or may not be called by the rules for outgoing calls.',
    ],
    [
      'no JSON',
      (_url, response) => response.end('<html>secret'),
      'The registry did not answer in the form of an MCP registry.',
    ],
    ['another form', serves([{ secret: 1 }]), 'The registry did not answer in the form of an MCP registry.'],
    [
      'too many entries',
      serves({ servers: Array(101).fill({}) }),
      'The registry did not answer in the form of an MCP registry.',
    ],
    [
      'too much',
      serves({ servers: ['x'.repeat(2 * 1024 * 1024)] }),
      'The answer of the registry is larger than allowed.',
    ],
    ['a broken answer', (_url, response) => response.destroy(), 'The registry cannot be reached.'],
  ])(
    "returns only the reason, and neither entries nor any text of the registry's answer, for %s",
    async (_what, given, error) => {
      answer = given;
      const { status, body } = await search();
      expect([status, body]).toEqual([200, { items: [], skipped: 0, next_cursor: null, error }]);
    },
  );

  it('does not call a registry that the rules for outgoing calls refuse', async () => {
    const strict = createHttpClient(platform.strictUrl, bearer(await platform.issueKey()));
    const { body } = await strict('GET', '/api/v1/mcp/registry/servers');
    expect([body, asked]).toMatchObject([
      { items: [], error: expect.stringContaining('may not be called') as string },
      [],
    ]);
  });

  it.each(['?limit=0', '?limit=51', `?search=${'x'.repeat(101)}`, `?cursor=${'x'.repeat(1_001)}`])(
    'answers 422 to %s, and does not call the registry',
    async (query) => {
      expect((await search(query)).status).toBe(422);
      expect(asked).toEqual([]);
    },
  );
});
