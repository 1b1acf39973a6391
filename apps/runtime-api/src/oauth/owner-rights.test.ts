import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestClient, type TestRuntime, type TestUser } from '../test-runtime.js';
import { authorizationsOf, REDIRECT, type Tokens } from './test-authorization.js';

let database: TestDatabase;
let runtime: TestRuntime;
let admin: TestUser;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  admin = await runtime.newUser('root@example.com', { role: 'admin' });
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

let count = 0;
const newOwner = (role: 'user' | 'admin') => runtime.newUser(`owner${(count += 1)}@example.com`, { role });
const clientOf = (owner: TestUser, scopes = ['*']) =>
  runtime.newClient({ userId: owner.id, redirectUris: [REDIRECT], scopes });
const change = (user: TestUser, data: { role?: 'user'; status?: 'inactive' }) =>
  runtime.db.prisma.user.update({ where: { id: user.id }, data });

/** Signs in an admin who consents to every scope that the client requests. @returns the tokens */
async function allowedByAdmin(client: TestClient, scope?: string) {
  const application = authorizationsOf(runtime, client);
  const begun = await application.begin({ scope });
  const { body } = await application.redeem(await application.decide(begun, admin.id, begun.scopes));
  return { ...application, tokens: body as Tokens, asked: begun.scopes };
}
const statusOf = async (token: string, path: string) => (await runtime.as(token)('GET', path)).status;
const USERS = '/api/v1/users';
const AGENTS = '/api/v1/agents/registry';

describe('the client of a user who is not an admin', () => {
  it('gets only scopes that its owner may have, even when an admin consents', async () => {
    const { asked, tokens } = await allowedByAdmin(await clientOf(await newOwner('user')));
    expect(asked).toContain('agents:read');
    for (const scope of ['admin', 'users:read', 'users:write']) expect(asked).not.toContain(scope);
    expect([await statusOf(tokens.access_token, AGENTS), await statusOf(tokens.access_token, USERS)]).toEqual([
      200, 403,
    ]);
  });

  it('is refused when it requests admin scopes', async () => {
    const { authorize } = authorizationsOf(runtime, await clientOf(await newOwner('user')));
    for (const scope of ['admin', 'users:read', 'agents:read users:write']) {
      const location = new URL((await authorize({ scope })).headers.get('location') ?? 'about:blank');
      expect(location.searchParams.get('error')).toBe('invalid_scope');
    }
  });
});

describe('a client whose owner is no longer an admin', () => {
  const scope = 'agents:read users:read';

  it('loses its admin scopes from the next request on, even in a grant to which another admin consented', async () => {
    const owner = await newOwner('admin');
    const { tokens, refresh, introspect } = await allowedByAdmin(await clientOf(owner), scope);
    expect(await statusOf(tokens.access_token, USERS)).toBe(200);
    await change(owner, { role: 'user' });
    expect([await statusOf(tokens.access_token, USERS), await statusOf(tokens.access_token, AGENTS)]).toEqual([
      403, 200,
    ]);
    for (const token of [tokens.access_token, tokens.refresh_token])
      expect(await introspect(token)).toMatchObject({ active: true, scope: 'agents:read' });
    const renewed = (await refresh(tokens.refresh_token)).body as Tokens;
    expect([renewed.scope, await statusOf(renewed.access_token, USERS)]).toEqual(['agents:read', 403]);
  });

  it('receives no tools that need an admin scope in the tool list of an MCP endpoint, from the next request on', async () => {
    const owner = await newOwner('admin');
    const { tokens } = await allowedByAdmin(await clientOf(owner), 'mcp:read mcp:call content:write admin');
    const toolsOf = async () => {
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
      const { text } = await runtime.as(tokens.access_token)('POST', '/api/v1/mcp/platform/mcp', { json, headers });
      return text;
    };
    expect((await toolsOf()).includes('create_content')).toBe(true);
    await change(owner, { role: 'user' });
    expect((await toolsOf()).includes('create_content')).toBe(false);
  });

  it('redeems a code only for the scopes that its owner still has', async () => {
    const owner = await newOwner('admin');
    const { begin, decide, redeem } = authorizationsOf(runtime, await clientOf(owner));
    const begun = await begin({ scope });
    await change(owner, { role: 'user' });
    const { body } = await redeem(await decide(begun, admin.id, begun.scopes));
    expect(body).toMatchObject({ scope: 'agents:read' });
  });
});

describe("the tokens of a client whose owner's account is inactive", () => {
  it('are refused from the next request on', async () => {
    const owner = await newOwner('user');
    const { tokens } = await allowedByAdmin(await clientOf(owner), 'agents:read');
    expect(await statusOf(tokens.access_token, AGENTS)).toBe(200);
    await change(owner, { status: 'inactive' });
    expect(await statusOf(tokens.access_token, AGENTS)).toBe(401);
  });
});
