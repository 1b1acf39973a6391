import { hashSecret } from '@millwright/auth';
import { decodeId } from '@millwright/db';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { BASE_URL, RUNTIME_URL, startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';
import { callbackUrl, issuerTag } from './upstream-clients.js';
import { locationOf, registerForUsers, startUserUpstream, TestBrowser, type UserUpstream } from './test-connections.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let upstream: UserUpstream;
let serverId: string;
let servers = 0;
let users = 0;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(async () => {
  upstream = await startUserUpstream();
  serverId = await registerForUsers(runtime, upstream, `Server${++servers}`);
});
afterEach(() => upstream.close());

const newBrowser = () => new TestBrowser(runtime);
const uuid = () => decodeId('ms', serverId) ?? '';
const newUser = () => runtime.newUser(`user${++users}@example.com`);
const clientOf = async (user: TestUser) => runtime.as(await runtime.newToken({ userId: user.id }));
const connectionOf = (user: TestUser) =>
  runtime.db.prisma.mcpConnection.findUnique({
    where: { server_id_user_id: { server_id: uuid(), user_id: user.id } },
  });
const auditRowsOf = async (user: TestUser) =>
  (
    await runtime.db.prisma.governanceDecision.findMany({
      where: { user_id: user.id, action: { startsWith: 'mcp_' } },
      orderBy: { seq: 'asc' },
    })
  ).map(({ action, decision, reason }) => [action, decision, ...(reason === null ? [] : [reason])]);
const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);
const slugOf = () => `server${servers}`;
const list = async (user: TestUser) =>
  (await clientOf(user))('POST', `/api/v1/mcp/${slugOf()}/mcp`, {
    json: { jsonrpc: '2.0', id: 'q', method: 'tools/list' },
  });

describe('connecting an account', () => {
  it('redirects to sign-in, then to the authorization server that the MCP server names, and stores the connection', async () => {
    const [ann, browser] = [await newUser(), newBrowser()];
    const first = await browser.go(`${RUNTIME_URL}/connections/${serverId}`);
    expect(locationOf(first)).toMatch(`${BASE_URL}/admin/consent?request=`);
    expect(first.headers.getSetCookie().every((line) => /HttpOnly; SameSite=Lax$/.test(line))).toBe(true);
    const there = await browser.toUpstream(serverId, ann);
    expect(there.startsWith(`${upstream.as.url}/authorize?`)).toBe(true);
    expect(queryOf(there)).toEqual({
      response_type: 'code',
      client_id: 'registered-1',
      redirect_uri: callbackUrl(RUNTIME_URL, upstream.as.url),
      state: expect.stringMatching(/^[0-9a-f]{80}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
      resource: upstream.mcp.url,
      scope: 'tools',
    });
    const last = await browser.go(locationOf(await browser.go(there)));
    expect([last.status, last.headers.get('cache-control'), last.headers.get('referrer-policy')]).toEqual([
      200,
      'no-store',
      'no-referrer',
    ]);
    expect(await last.text()).toContain('Connected');
    expect(upstream.as.registrations).toMatchObject([
      {
        redirect_uris: [callbackUrl(RUNTIME_URL, upstream.as.url)],
        grant_types: ['authorization_code', 'refresh_token'],
        application_type: 'web',
      },
    ]);
    expect(upstream.as.tokenRequests[0]?.form).toMatchObject({
      grant_type: 'authorization_code',
      code_verifier: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      resource: upstream.mcp.url,
    });
    expect(await auditRowsOf(ann)).toEqual([['mcp_connection.create', 'allow']]);
  });

  it('creates no OAuth grant at this installation, and stores no token in clear text', async () => {
    const ann = await newUser();
    await newBrowser().connect(serverId, ann);
    expect(await runtime.db.prisma.oAuthGrant.count({ where: { user_id: ann.id } })).toBe(0);
    const { prisma } = runtime.db;
    const stored = JSON.stringify(
      [
        await prisma.mcpConnection.findMany(),
        await prisma.mcpConnectionRequest.findMany(),
        await prisma.mcpUpstreamClient.findMany(),
        await prisma.governanceDecision.findMany(),
      ],
      (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
    const secret = upstream.as.clients.get('registered-1') ?? '';
    expect(secret).not.toBe('');
    expect(stored).not.toContain(secret);
    expect(stored).not.toMatch(/access-|refresh-/);
  });

  it("registers the installation once for all users, unless the server's settings name a client; a client document is published", async () => {
    await newBrowser().connect(serverId, await newUser());
    await newBrowser().connect(serverId, await newUser());
    expect(upstream.as.registrations).toHaveLength(1);
    const given = { issuer: upstream.as.url, client_id: 'given' };
    upstream.as.clients.set('given', undefined);
    await runtime.db.prisma.mcpServer.update({ where: { id: uuid() }, data: { auth: { type: 'user', ...given } } });
    expect((await newBrowser().connect(serverId, await newUser())).status).toBe(200);
    expect(upstream.as.authorizations.at(-1)).toMatchObject({ client_id: 'given' });
    const tag = issuerTag(upstream.as.url);
    const document = await runtime.as()('GET', `/connections/clients/${tag}.json`);
    expect(document.body).toMatchObject({
      client_id: `${RUNTIME_URL}/connections/clients/${tag}.json`,
      redirect_uris: [`${RUNTIME_URL}/connections/callback/${tag}`],
      token_endpoint_auth_method: 'none',
    });
    for (const wrong of ['x.json', tag, `${tag}0.json`])
      expect((await runtime.as()('GET', `/connections/clients/${wrong}`)).status).toBe(404);
  });

  it('registers the installation again when the registration has the former redirect URI, which all issuers shared', async () => {
    await newBrowser().connect(serverId, await newUser());
    await runtime.db.prisma.mcpUpstreamClient.updateMany({ data: { redirect_uri: null } });
    expect((await newBrowser().connect(serverId, await newUser())).status).toBe(200);
    expect((await newBrowser().connect(serverId, await newUser())).status).toBe(200);
    expect(upstream.as.registrations).toHaveLength(2);
  });

  it('registers the installation again after the authorization server has deleted the registration', async () => {
    await newBrowser().connect(serverId, await newUser());
    upstream.as.clients.clear();
    const ann = await newUser();
    expect((await newBrowser().connect(serverId, ann)).status).toBe(502);
    expect((await newBrowser().connect(serverId, ann)).status).toBe(200);
    expect(upstream.as.registrations).toHaveLength(2);
  });

  it("requests the scope that the MCP server's challenge names, and offline_access where the authorization server supports it", async () => {
    upstream.as.metadata = { scopes_supported: ['offline_access'] };
    const { challenge } = upstream.mcp;
    upstream.mcp.challenge = (headers) => {
      const text = challenge(headers);
      return text && `${text}, scope="a b"`;
    };
    const there = await newBrowser().toUpstream(serverId, await newUser());
    expect(queryOf(there)['scope']).toBe('a b offline_access');
  });

  it("finds the authorization server when the challenge has no metadata URL, and when only the MCP server's origin publishes metadata (2025-03-26)", async () => {
    const { challenge } = upstream.mcp;
    upstream.mcp.challenge = (headers) => challenge(headers) && 'Bearer';
    const there = await newBrowser().toUpstream(serverId, await newUser());
    expect(there.startsWith(upstream.as.url)).toBe(true);
    const { origin } = new URL(upstream.mcp.url);
    const own = (await (await fetch(`${upstream.as.url}/.well-known/oauth-authorization-server`)).json()) as object;
    upstream.mcp.documents = { '/.well-known/openid-configuration': { ...own, issuer: origin } };
    expect((await newBrowser().toUpstream(serverId, await newUser())).startsWith(upstream.as.url)).toBe(true);
  });

  it('stores no connection when the user refuses, at the installation or at the authorization server', async () => {
    const [ann, browser] = [await newUser(), newBrowser()];
    const asked = await browser.go(`${RUNTIME_URL}/connections/${serverId}`);
    const request = new URL(locationOf(asked)).searchParams.get('request') ?? '';
    const ticket = await browser.consent(request, ann, []);
    const back = await browser.go(
      `${RUNTIME_URL}/oauth/authorize/return?${new URLSearchParams({ request, ticket }).toString()}`,
    );
    expect((await browser.go(locationOf(back))).status).toBe(403);
    upstream.as.returned = { code: undefined, error: 'access_denied', error_description: '<b>no</b>' };
    const { status, text } = await newBrowser().connect(serverId, ann);
    expect([status, text.includes('no</b>'), await connectionOf(ann)]).toEqual([403, false, null]);
    expect(await auditRowsOf(ann)).toEqual([['mcp_connection.create', 'deny', 'refused at the authorization server']]);
  });

  it("is possible only with servers of the user's own project, unless the user is an admin", async () => {
    serverId = await registerForUsers(runtime, upstream, `Foreign${++servers}`, {}, 'Commerce');
    await expect(newBrowser().toUpstream(serverId, await newUser())).rejects.toThrow('no redirect but 404');
    const admin = await runtime.newUser(`admin${++users}@example.com`, { role: 'admin' });
    expect((await newBrowser().connect(serverId, admin)).status).toBe(200);
  });

  it.each(['nobody', 'ms_0000000000000000000000', 'client.json%00'])('answers 404 for the server id %s', async (id) => {
    expect((await newBrowser().go(`${RUNTIME_URL}/connections/${id}`)).status).toBe(404);
  });

  it('answers 404 for a server that is inactive or needs no account', async () => {
    for (const data of [{ status: 'inactive' }, { status: 'active', auth: { type: 'none' } }]) {
      await runtime.db.prisma.mcpServer.update({ where: { id: uuid() }, data });
      expect((await newBrowser().go(`${RUNTIME_URL}/connections/${serverId}`)).status).toBe(404);
    }
  });

  it('answers 405 to methods other than GET and HEAD', async () => {
    const { status, headers } = await runtime.as()('POST', '/connections/callback', { json: {} });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('an answer of an authorization server', () => {
  it('is accepted only once, even when two processes receive it', async () => {
    const other = await runtime.start();
    const [ann, browser] = [await newUser(), newBrowser()];
    const there = await browser.toUpstream(serverId, ann, other);
    const callback = locationOf(await browser.go(there));
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => (await browser.go(callback, n % 2 ? other : runtime)).status),
    );
    expect(answers.sort()).toEqual([200, ...Array<number>(9).fill(400)]);
    expect(upstream.as.tokenRequests).toHaveLength(1);
    expect(await auditRowsOf(ann)).toHaveLength(1);
  });

  it('is refused in another browser, with another state, or after its request has expired', async () => {
    const [ann, browser] = [await newUser(), newBrowser()];
    const callback = locationOf(await browser.go(await browser.toUpstream(serverId, ann)));
    expect((await newBrowser().go(callback)).status).toBe(400);
    const { state = '' } = queryOf(callback);
    for (const wrong of ['', `${state.slice(0, 16)}${'0'.repeat(64)}`, `${state}x`])
      expect((await browser.go(callback.replace(state, wrong))).status).toBe(400);
    await runtime.db.prisma.mcpConnectionRequest.updateMany({
      where: { state_hash: new Uint8Array(hashSecret(state)) },
      data: { expires_at: new Date() },
    });
    expect((await browser.go(callback)).status).toBe(400);
    expect([upstream.as.tokenRequests, await connectionOf(ann)]).toEqual([[], null]);
  });

  it.each<[string, string | undefined]>([
    ['names another issuer', 'https://evil.example'],
    ['lacks the issuer that the metadata of its server announces', undefined],
    ['names the right issuer with an additional slash', 'self/'],
  ])('is refused when its issuer is wrong (mix-up): it %s', async (_case, iss) => {
    upstream.as.returned = { iss: iss === 'self/' ? `${upstream.as.url}/` : iss };
    const ann = await newUser();
    expect((await newBrowser().connect(serverId, ann)).status).toBe(400);
    expect([upstream.as.tokenRequests, await connectionOf(ann)]).toEqual([[], null]);
    expect(await auditRowsOf(ann)).toEqual([
      ['mcp_connection.create', 'deny', 'the answer names another issuer, or none'],
    ]);
  });

  it('is refused when it arrives at the redirect URI of another issuer (mix-up)', async () => {
    const [ann, browser] = [await newUser(), newBrowser()];
    const callback = locationOf(await browser.go(await browser.toUpstream(serverId, ann)));
    const moved = callback.replace(issuerTag(upstream.as.url), issuerTag('https://evil.example'));
    expect((await browser.go(moved)).status).toBe(400);
    expect([upstream.as.tokenRequests, await connectionOf(ann)]).toEqual([[], null]);
    expect(await auditRowsOf(ann)).toEqual([
      ['mcp_connection.create', 'deny', 'the answer came to the address for another issuer'],
    ]);
  });

  it('is never requested when the issuer names the authorization endpoint of another server (mix-up)', async () => {
    const honest = await startUserUpstream();
    try {
      upstream.as.metadata = {
        authorization_endpoint: `${honest.as.url}/authorize`,
        authorization_response_iss_parameter_supported: undefined,
      };
      const browser = newBrowser();
      await expect(browser.toUpstream(serverId, await newUser())).rejects.toThrow('no redirect but 502');
      expect([honest.as.authorizations, upstream.as.tokenRequests]).toEqual([[], []]);
    } finally {
      await honest.close();
    }
  });

  it('is accepted without an issuer when the metadata of its server announces no issuer', async () => {
    upstream.as.metadata = { authorization_response_iss_parameter_supported: undefined };
    upstream.as.returned = { iss: undefined };
    expect((await newBrowser().connect(serverId, await newUser())).status).toBe(200);
  });

  it('is refused when the MCP server has changed, or the user is no longer active', async () => {
    const [ann, browser] = [await newUser(), newBrowser()];
    const callback = locationOf(await browser.go(await browser.toUpstream(serverId, ann)));
    await runtime.db.prisma.mcpServer.update({ where: { id: uuid() }, data: { url: `${upstream.mcp.url}?x` } });
    expect([(await browser.go(callback)).status, await connectionOf(ann)]).toEqual([400, null]);
    const [bob, second] = [await newUser(), newBrowser()];
    const later = locationOf(await second.go(await second.toUpstream(serverId, bob)));
    await runtime.db.prisma.user.update({ where: { id: bob.id }, data: { status: 'inactive' } });
    expect([(await second.go(later)).status, await connectionOf(bob)]).toEqual([404, null]);
  });

  it('creates no connection when the token endpoint refuses its code, and the page shows no text of the refusal', async () => {
    upstream.as.refusal = { status: 400, body: { error: 'invalid_grant', error_description: 's3cret' } };
    const ann = await newUser();
    const { status, text } = await newBrowser().connect(serverId, ann);
    expect([status, text.includes('s3cret'), await connectionOf(ann)]).toEqual([502, false, null]);
  });

  it("creates no connection when one user began to connect an account and another user's browser delivers the answer", async () => {
    const [mallory, attacker, victim] = [await newUser(), newBrowser(), newBrowser()];
    // First attack: the victim is sent to the upstream with the attacker's request.
    const callback = locationOf(await victim.go(await attacker.toUpstream(serverId, mallory)));
    expect((await victim.go(callback)).status).toBe(400);
    // Second attack: the victim is sent to our sign-in with the attacker's code.
    const asked = await attacker.go(`${RUNTIME_URL}/connections/${serverId}`);
    const request = new URL(locationOf(asked)).searchParams.get('request') ?? '';
    const ticket = await attacker.consent(request, mallory);
    const back = await attacker.go(
      `${RUNTIME_URL}/oauth/authorize/return?${new URLSearchParams({ request, ticket }).toString()}`,
    );
    await victim.go(`${RUNTIME_URL}/connections/${serverId}`);
    expect((await victim.go(locationOf(back))).status).toBe(400);
    expect(await connectionOf(mallory)).toBeNull();
  });
});

describe('a user without a connection', () => {
  it('receives the URL for connecting an account in the error of each POST, and no request reaches the MCP server', async () => {
    const ann = await newUser();
    const url = `${RUNTIME_URL}/connections/${serverId}`;
    const { status, body } = await list(ann);
    expect([status, body]).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 'q',
        error: {
          code: -32010,
          message: `Connect your account to the MCP server Server${servers} in a browser, then try again: ${url}`,
          data: { url },
        },
      },
    ]);
    upstream.mcp.seen.length = 0;
    const by = await clientOf(ann);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add' } };
    expect((await by('POST', `/api/v1/mcp/${slugOf()}/mcp`, { json: call })).body).toMatchObject({
      id: 1,
      error: { code: -32010 },
    });
    expect((await by('GET', `/api/v1/mcp/${slugOf()}/mcp`)).status).toBe(403);
    expect(upstream.mcp.seen).toEqual([]);
  });

  it('can use the MCP server after connecting an account; every request to the server then has a token of that account', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    upstream.as.user = 'ann-there';
    await newBrowser().connect(serverId, ann);
    upstream.as.user = 'ada-there';
    await newBrowser().connect(serverId, runtime.owner);
    await runtime.probeMcpServer(uuid());
    expect((await list(bob)).body).toMatchObject({ error: { code: -32010 } });
    upstream.mcp.seen.length = 0;
    expect((await list(ann)).body).toMatchObject({ result: { tools: [{ name: 'add' }, { name: 'sub' }] } });
    const by = await clientOf(ann);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: {} } };
    expect((await by('POST', `/api/v1/mcp/${slugOf()}/mcp`, { json: call })).body).toMatchObject({ result: {} });
    const accounts = upstream.mcp.seen.map(({ authorization }) => upstream.as.userOf(authorization));
    expect(new Set(accounts)).toEqual(new Set(['ann-there']));
    expect(upstream.mcp.seen.length).toBeGreaterThan(0);
  });

  it('can call a server of version 2025-11-25 after connecting an account; an expired access token is refreshed', async () => {
    const legacy = await startUserUpstream('legacy');
    serverId = await registerForUsers(runtime, legacy, `Server${++servers}`);
    await newBrowser().connect(serverId, runtime.owner);
    await runtime.probeMcpServer(uuid());
    legacy.as.expireAccess();
    const by = await clientOf(runtime.owner);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: {} } };
    expect((await by('POST', `/api/v1/mcp/${slugOf()}/mcp`, { json: call })).body).toMatchObject({ result: {} });
    expect(legacy.as.tokenRequests.map(({ form }) => form['grant_type'])).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
    await legacy.close();
  });

  it('can let an agent use the MCP server in a conversation after connecting an account', async () => {
    await newBrowser().connect(serverId, runtime.owner);
    await runtime.probeMcpServer(uuid());
    const { id } = await runtime.newAgent({ name: `Agent${servers}` });
    await runtime.db.prisma.agentMcpServer.create({ data: { agent_id: id, server_id: uuid(), position: 0 } });
    const answers: unknown[] = [];
    model.answerWith(({ body }) => {
      const toolTurns = (body['messages'] as { role: string; content: string }[]).filter(({ role }) => role === 'tool');
      answers.push(...toolTurns.map(({ content }) => content));
      const toolCalls = [
        { id: 'c', type: 'function' as const, function: { name: `server${servers}__add`, arguments: '{}' } },
      ];
      return toolTurns.length > 0 ? { content: 'Done.' } : { content: null, toolCalls };
    });
    const own = await clientOf(runtime.owner);
    await own('POST', `/api/v1/agents/agent${servers}/messages`, { json: { content: 'Add.' } });
    expect(answers).toEqual(['add {}']);
  });
});

describe('a server that requires more scopes than the user granted', () => {
  it('cannot be used by that user until the user has granted every required scope; other users can use the server', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    upstream.as.user = 'ann-there';
    await newBrowser().connect(serverId, ann);
    upstream.as.user = 'bob-there';
    await newBrowser().connect(serverId, bob);
    const isAnn = ({ authorization = '' }) => upstream.as.userOf(authorization) === 'ann-there';
    upstream.mcp.refusal = (headers) =>
      isAnn(headers) ? 'Bearer error="insufficient_scope", scope="tools admin"' : undefined;
    for (let n = 0; n < 10; n++) expect((await list(ann)).body).toMatchObject({ error: { code: -32010 } });
    expect((await list(bob)).body).toMatchObject({ result: {} });
    const there = await newBrowser().toUpstream(serverId, ann);
    expect(queryOf(there)['scope']).toBe('tools admin');
    upstream.mcp.refusal = (headers) => (isAnn(headers) ? 'Bearer error="invalid_request"' : undefined);
    for (let n = 0; n < 10; n++) expect((await list(ann)).status).toBe(503);
    expect((await list(bob)).body).toMatchObject({ result: {} });
    upstream.mcp.refusal = () => undefined;
    upstream.as.user = 'ann-there';
    await newBrowser().connect(serverId, ann);
    expect(await connectionOf(ann)).toMatchObject({ wanted_scope: null, scope: 'tools admin' });
    expect(queryOf(await newBrowser().toUpstream(serverId, ann))['scope']).toBe('tools');
  });
});

describe('own connections', () => {
  interface Shown {
    server_id: string;
    connected: boolean;
  }
  const shown = async (user: TestUser) => {
    const { body } = await (await clientOf(user))('GET', '/api/v1/mcp/connections');
    return (body as { connections: Shown[] }).connections.find(({ server_id }) => server_id === serverId);
  };

  it('are listed with the URL for connecting an account, without a token', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    await newBrowser().connect(serverId, ann);
    expect(await shown(ann)).toEqual({
      server_id: serverId,
      name: `Server${servers}`,
      slug: slugOf(),
      connected: true,
      connected_at: expect.any(String) as string,
      scope: 'tools',
      connect_url: `${RUNTIME_URL}/connections/${serverId}`,
    });
    expect(await shown(bob)).toMatchObject({ connected: false, connected_at: null, scope: null });
    await runtime.db.prisma.mcpServer.update({ where: { id: uuid() }, data: { url: `${upstream.mcp.url}?x` } });
    expect(await shown(ann)).toMatchObject({ connected: false });
    const stranger = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    const { body } = await stranger('GET', '/api/v1/mcp/connections');
    expect(JSON.stringify(body)).not.toContain(serverId);
  });

  it('are deleted immediately by their user and revoked at their issuer, and cannot be deleted by another user', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    await newBrowser().connect(serverId, ann);
    const end = async (user: TestUser) => (await clientOf(user))('DELETE', `/api/v1/mcp/connections/${serverId}`);
    expect((await end(bob)).status).toBe(404);
    expect((await list(ann)).body).toMatchObject({ result: {} });
    const { status, body } = await end(ann);
    expect([status, body]).toEqual([200, { server_id: serverId }]);
    expect((await list(ann)).body).toMatchObject({ error: { code: -32010 } });
    expect((await end(ann)).status).toBe(404);
    for (let n = 0; n < 100 && upstream.as.revoked.length === 0; n++) await list(bob);
    expect(upstream.as.revoked).toEqual([expect.stringMatching(/^refresh-/)]);
    expect(await auditRowsOf(ann)).toEqual([
      ['mcp_connection.create', 'allow'],
      ['mcp_connection.delete', 'allow'],
    ]);
  });

  it.each(['nobody', 'ms_0000000000000000000000'])('are not found: DELETE of the server %s answers 404', async (id) => {
    const by = await clientOf(await newUser());
    expect((await by('DELETE', `/api/v1/mcp/connections/${id}`)).status).toBe(404);
  });
});
