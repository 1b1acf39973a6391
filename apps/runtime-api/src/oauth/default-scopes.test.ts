import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../test-runtime.js';
import { authorizationsOf, REDIRECT, type Application, type Parameters } from './test-authorization.js';

let database: TestDatabase;
let runtime: TestRuntime;
let root: string;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  root = (await runtime.newUser('root@example.com', { role: 'admin' })).id;
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const ADMIN_SCOPES = ['admin', 'runs:read_all', 'users:read', 'users:write'];
const asked = async (application: Application, more?: Parameters) =>
  (await authorizationsOf(runtime, application).begin(more)).scopes;

describe('an authorization request without scope', () => {
  const register = async () => {
    const json = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
    return (await runtime.as()('POST', '/oauth/register', { json })).body as { client_id: string };
  };

  it('requests the scopes that an MCP endpoint needs, when the client registered itself', async () => {
    const resource = `${RUNTIME_URL}/api/v1/mcp/platform/mcp`;
    for (const more of [{}, { resource }, { scope: '' }, { scope: 'offline_access' }])
      expect(await asked(await register(), more)).toEqual(['mcp:read', 'mcp:call']);
  });

  it('requests the scopes of a client that was made in Settings, except the admin scopes', async () => {
    const client = await runtime.newClient({ userId: root, redirectUris: [REDIRECT] });
    const scopes = await asked(client);
    expect(scopes).toContain('content:write');
    expect(scopes.filter((scope) => ADMIN_SCOPES.includes(scope))).toEqual([]);
  });

  it('is refused when the client has only scopes of admins', async () => {
    const client = await runtime.newClient({ userId: root, redirectUris: [REDIRECT], scopes: ['admin'] });
    const location = (await authorizationsOf(runtime, client).authorize()).headers.get('location') ?? '';
    expect(new URL(location).searchParams.get('error')).toBe('invalid_scope');
  });
});

describe('an authorization request that names scopes of admins', () => {
  it('is accepted, and requests exactly these scopes', async () => {
    const client = await runtime.newClient({ userId: root, redirectUris: [REDIRECT] });
    expect(await asked(client, { scope: 'agents:read admin' })).toEqual(['agents:read', 'admin']);
  });
});
