import { KEY_SCOPES } from '@millwright/auth/key-scopes';
import { fuzzArea, fuzzSettings } from '@millwright/http-testing/fuzz';
import {
  createFakeMcpServer,
  createHttpClient,
  createTestDatabase,
  listen,
  type FakeMcpServer,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { bearer, startPlatform, type TestPlatform } from './test-platform.js';

let database: TestDatabase;
let platform: TestPlatform;
let upstream: ListeningApp;
let mcp: FakeMcpServer;
beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  upstream = await listen((_request, response) => response.end());
  mcp = await createFakeMcpServer('modern', [tool('Adds.')]);
});
afterAll(async () => {
  await platform.close();
  await Promise.all([database.drop(), upstream.close(), mcp.close()]);
});

const settings = fuzzSettings();
const tool = (description: string) => ({ name: 'add', description, inputSchema: { type: 'object' } });

/** Creates a record for each kind of operation, and a tool that waits for approval. */
async function seed(credential: Record<string, string>) {
  const client = createHttpClient(platform.url, credential);
  const create = async (path: string, json: object) => {
    const { id } = (await client('POST', path, { json })).body as { id: string };
    return [path, [id]] as const;
  };
  const servers = await create('/api/v1/mcp/servers', { name: 'Sums', url: mcp.url });
  await platform.probed();
  mcp.tools = [tool('Adds two numbers.')];
  const server = `${servers[0]}/${servers[1][0]}`;
  await client('POST', `${server}/refresh`);
  const held = (await client('GET', `${server}/tools/quarantined`)).body as { items: { hash: string }[] };
  const made = await client('POST', '/api/v1/clients', { json: { name: 'Made', scopes: ['skills:read'] } });
  const { client_id } = made.body as { client_id: string };
  const known = Object.fromEntries([
    servers,
    await create('/api/v1/skills', { name: 'Add', description: '', instructions: 'Add.' }),
    await create('/api/v1/plugins', { name: 'Weather', type: 'tool', config: { url: upstream.url } }),
    await create('/api/v1/content', { title: 'Handbook', body: 'Be kind.' }),
    await create('/api/v1/agents', { name: 'Helper', description: '' }),
    await create('/api/v1/keys', { name: 'Made', scopes: ['skills:read'] }),
    ['/api/v1/clients', [client_id]] as const,
  ]);
  const examples = {
    url: [mcp.url],
    config: [{ url: upstream.url }],
    config_schema: [{}, { properties: { city: { type: 'string' } } }],
    replacePluginConfig: [{ url: upstream.url }],
    mcp_server_ids: [[], servers[1]],
    model: [null],
    hash: held.items.map(({ hash }) => hash),
    scopes: [['skills:read']],
    '{name}': ['add'],
  };
  return { known, examples };
}

describe('the platform API under generated requests', () => {
  it(
    'answers each request as the OpenAPI document describes, and never with a server error',
    async () => {
      const document = (await createHttpClient(platform.url)('GET', '/api/v1/openapi.json')).body as object;
      const credential = bearer(await platform.issueKey({ admin: true, scopes: ['*', ...KEY_SCOPES] }));
      const seeded = await seed(credential);
      const report = await fuzzArea({ document, baseUrl: platform.url, credential, ...seeded, ...settings });
      process.stdout.write(`platform API fuzzed: seed ${settings.seed}, ${JSON.stringify(report)}\n`);
      expect(report.sent).toBeGreaterThanOrEqual(settings.requests);
      expect(report.answers['valid 2xx']).toBeGreaterThan(0);
    },
    settings.timeoutMs,
  );
});
