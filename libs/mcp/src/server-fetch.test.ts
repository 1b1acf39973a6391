import { randomBytes } from 'node:crypto';
import { createUser, disableUser } from '@millwright/accounts';
import { createDatabase, encodeId, type Database } from '@millwright/db';
import {
  createFakeAuthorizationServer,
  createFakeMcpServer,
  createTestDatabase,
  privateHosts,
  type FakeAuthorizationServer,
  type FakeMcpServer,
  type TestDatabase,
} from '@millwright/testing';
import { createEgress } from '@millwright/egress';
import { createSecretBox } from '@millwright/secrets';
import {
  createMcpServers,
  createMcpToolCaller,
  createUpstreamFetch,
  sealClientSecret,
  upstreamHash,
  type SealedAuth,
  type UpstreamServer,
} from './index.js';
import { refreshMcpServer } from './refresh-servers.js';
import { sealForConnection } from './user-connections.store.js';
import { startMcp, TEST_KEY, type TestMcp } from './test-mcp.js';

let database: TestDatabase;
let mcp: TestMcp;
let otherDb: Database;
let upstream: FakeMcpServer;
let as: FakeAuthorizationServer;

const SECRET = 's3cret & more:%';
const tool = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } };

beforeAll(async () => {
  database = await createTestDatabase();
  mcp = await startMcp(database.url);
  otherDb = createDatabase({ url: database.url, poolMax: 6 });
});
afterAll(async () => {
  await otherDb.close();
  await mcp.close();
  await database.drop();
});
beforeEach(async () => {
  [upstream, as] = await Promise.all([createFakeMcpServer('modern', [tool]), createFakeAuthorizationServer()]);
  upstream.challenge = ({ authorization }) => (as.userOf(authorization, upstream.url) ? undefined : 'Bearer');
  as.clients.set('us', SECRET);
});
afterEach(async () => {
  await Promise.all([upstream.close(), as.close()]);
});

async function register(auth: (id: string) => SealedAuth): Promise<UpstreamServer> {
  const id = await mcp.newServer(upstream.url);
  await mcp.db.prisma.mcpServer.update({ where: { id }, data: { auth: auth(id) } });
  return { id, project: 'Core', url: upstream.url, headers: {}, auth: auth(id) };
}
const registerForUsers = (auth: Partial<SealedAuth> = {}) => register(() => ({ ...auth, type: 'user' }));

/** Makes the fetch functions of two processes of one installation. */
const processes = () => [mcp.db, otherDb].map((db) => createUpstreamFetch({ ...mcp, db }));
const POST = { method: 'POST', body: '{}', headers: { authorization: 'Bearer of-the-caller' } };

const failureOf = (calling: Promise<unknown>) =>
  calling.then(
    () => 'answered',
    (error: unknown) => (error as Error).name,
  );
const seenBy = () => upstream.seen.map(({ authorization }) => as.userOf(authorization));

describe('client credentials', () => {
  const over = { client_auth: 'client_secret_basic', scope: 'tools' } as const;
  const registerClient = (more: Partial<{ client_auth: 'client_secret_post'; token_url: string }> = {}) => {
    let sealed: string | undefined;
    return register((id) => ({
      ...over,
      type: 'client_credentials',
      token_url: `${as.url}/token`,
      client_id: 'us',
      client_secret: (sealed ??= sealClientSecret(mcp.secrets, id, SECRET)),
      ...more,
    }));
  };

  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'are sent once to get one token for all calls, with the method %s',
    async (how) => {
      const server = await registerClient(how === 'client_secret_post' ? { client_auth: how } : {});
      const [fetchFor] = processes();
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async () => (await fetchFor?.(server, undefined)(server.url, POST))?.status),
      );
      expect(new Set(statuses).has(401)).toBe(false);
      expect(as.tokenRequests.map(({ form }) => form)).toEqual([
        {
          grant_type: 'client_credentials',
          resource: server.url,
          scope: 'tools',
          ...(how === 'client_secret_post' && { client_id: 'us', client_secret: SECRET }),
        },
      ]);
      expect(JSON.stringify(upstream.seen)).not.toContain('of-the-caller');
    },
  );

  it('are sent only once to get a new token when the server refuses a token or a token expires', async () => {
    const server = await registerClient();
    const [fetchFor] = processes();
    const call = () => fetchFor?.(server, undefined)(server.url, POST);
    await call();
    as.expireAccess();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => call()));
    expect(answers.every((answer) => answer?.status !== 401)).toBe(true);
    expect(as.tokenRequests).toHaveLength(2);
    upstream.challenge = () => 'Bearer';
    expect((await call())?.status).toBe(401);
    expect(as.tokenRequests).toHaveLength(3);
    as.lifetime = 10;
    upstream.challenge = () => undefined;
    as.expireAccess();
    const [later] = processes();
    for (let n = 0; n < 2; n++) await later?.(server, undefined)(server.url, POST);
    expect(as.tokenRequests).toHaveLength(5);
  });

  it('lead to an error without any text of the authorization server when that server issues no valid token', async () => {
    const server = await registerClient();
    const [fetchFor] = processes();
    const call = () => fetchFor?.(server, undefined)(server.url, POST) ?? Promise.reject(new Error('none'));
    for (const refusal of [
      { status: 400, body: { error: 'invalid_scope', error_description: SECRET } },
      { status: 200, body: { access_token: SECRET } },
      { status: 200, body: { access_token: 'a\r\nx: y', token_type: 'bearer' } },
      { status: 200, body: { error: 'bad', access_token: 'a', token_type: 'bearer' } },
      { status: 500, body: { access_token: 'a', token_type: 'bearer' } },
    ]) {
      as.refusal = refusal;
      const error = await call().then(
        () => undefined,
        (reason: unknown) => reason as Error,
      );
      expect(error).toBeInstanceOf(Error);
      expect(`${error?.message} ${error?.stack}`).not.toContain(SECRET);
    }
    expect(upstream.seen).toEqual([]);
    as.refusal = undefined;
    expect((await call()).status).not.toBe(401);
  });

  it('are never sent to an address of this installation', async () => {
    const strict = createEgress({ allowLoopback: false, allowHttp: true, allow: [] });
    const fetchFor = createUpstreamFetch({ ...mcp, fetch: strict.fetch });
    const outcomes = new Set<string>();
    for (const host of privateHosts) {
      const server = await registerClient({ token_url: `http://${host}/token` });
      outcomes.add(await failureOf(fetchFor(server, undefined)(server.url, POST)));
    }
    await strict.close();
    expect([...outcomes].filter((name) => !['EgressRefused', 'EgressError'].includes(name))).toEqual([]);
    expect(as.tokenRequests).toEqual([]);
  });

  it('are used for probes and for tool calls of agents', async () => {
    const server = await registerClient();
    await refreshMcpServer(mcp, mcp.caller.actor, server.id);
    expect(await mcp.statusOf(server.id)).toMatchObject({ status: 'active', tools_count: 1 });
    const call = { serverId: server.id, tool: 'add', arguments: { a: 1 } };
    expect(await createMcpToolCaller(createMcpServers(mcp)).callMcpTool(mcp.caller, call)).toEqual({
      is_error: false,
      text: 'add {"a":1}',
    });
  });

  it('are encrypted with the current key by the next probe', async () => {
    const server = await registerClient();
    const fresh = { id: 'fresh', key: randomBytes(32) };
    await refreshMcpServer({ ...mcp, secrets: createSecretBox([fresh, TEST_KEY]) }, mcp.caller.actor, server.id);
    const { auth } = await mcp.db.prisma.mcpServer.findUniqueOrThrow({ where: { id: server.id } });
    const renewed = createUpstreamFetch({ ...mcp, secrets: createSecretBox([fresh]) });
    const answer = await renewed({ ...server, auth: auth as SealedAuth }, undefined)(server.url, POST);
    expect(answer.status).not.toBe(401);
  });
});

describe("users' connections to a server", () => {
  let users = 0;
  async function newUser(): Promise<string> {
    const email = `user${++users}@example.com`;
    const input = { email, name: email, role: 'user', platformAdmin: false, project: 'Core' } as const;
    await mcp.db.transaction((tx) => createUser(tx, input));
    return (await mcp.db.prisma.user.findUniqueOrThrow({ where: { email } })).id;
  }

  /** Stores a connection as the connection pages do, with tokens of the authorization server. */
  async function connect(server: UpstreamServer, userId: string, account: string, expires_at: Date | null = null) {
    as.user = account;
    const [code, location] = [new URLSearchParams(), `${as.url}/authorize`];
    const challenge = '0BMWOuxR-gz9Bpo8dZhm14d43jMTG7fV8ar839Sz_wI';
    const verifier = 'P4wpMfQWxNjDE51VWAVEkYO5iLIY2cp4PDbp1-E_hiI';
    code.set('client_id', 'us');
    code.set('code_challenge', challenge);
    code.set('resource', server.url);
    code.set('redirect_uri', 'x');
    const redirect = await fetch(`${location}?${code.toString()}`, { redirect: 'manual' });
    const given = new URL(redirect.headers.get('location') ?? '', as.url).searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code: given, code_verifier: verifier, redirect_uri: 'x' };
    const answer = await fetch(`${as.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, resource: server.url, client_id: 'us', client_secret: SECRET }),
    });
    const tokens = (await answer.json()) as { access_token: string; refresh_token: string };
    const owner = { server, userId };
    const seal = (column: 'access_token' | 'refresh_token' | 'client_secret', value: string) =>
      sealForConnection(mcp.secrets, owner, column, value);
    const data = {
      upstream_hash: new Uint8Array(upstreamHash(server)),
      issuer: as.url,
      token_endpoint: `${as.url}/token`,
      client_id: 'us',
      client_auth: 'client_secret_post',
      client_secret: seal('client_secret', SECRET),
      resource: server.url,
      access_token: seal('access_token', tokens.access_token),
      refresh_token: seal('refresh_token', tokens.refresh_token),
      expires_at,
    };
    await mcp.db.prisma.mcpConnection.create({ data: { server_id: server.id, user_id: userId, ...data } });
    as.tokenRequests.length = 0;
  }
  const callAs = (server: UpstreamServer, userId: string, [fetchFor] = processes()) =>
    fetchFor?.(server, userId)(server.url, POST) ?? Promise.reject(new Error('none'));

  it('are used for their own user only', async () => {
    const server = await registerForUsers();
    const [ann, bob, eve] = [await newUser(), await newUser(), await newUser()];
    await connect(server, ann, 'ann-there');
    await connect(server, bob, 'bob-there');
    await callAs(server, ann);
    await callAs(server, bob);
    expect(seenBy()).toEqual(['ann-there', 'bob-there']);
    expect(await failureOf(callAs(server, eve))).toBe('NotConnected');
    expect(await failureOf(processes()[0]?.(server, undefined)(server.url, POST) ?? Promise.resolve())).toBe(
      'NotConnected',
    );
    // A row that was moved to another user or server cannot be decrypted.
    await mcp.db.prisma.mcpConnection.updateMany({ where: { user_id: ann }, data: { user_id: eve } });
    expect(await failureOf(callAs(server, eve))).toBe('NotConnected');
    expect(upstream.seen).toHaveLength(2);
  });

  it.each<[string, (server: UpstreamServer) => UpstreamServer]>([
    ['address', (server) => ({ ...server, url: `${server.url}?other` })],
    ['authorization server', (server) => ({ ...server, auth: { type: 'user', issuer: 'https://other.example' } })],
  ])("are not used after the server's %s has changed", async (_what, change) => {
    const server = await registerForUsers();
    const ann = await newUser();
    await connect(server, ann, 'ann');
    expect(await failureOf(callAs(change(server), ann))).toBe('NotConnected');
    expect(upstream.seen).toEqual([]);
  });

  it('are disconnected when the server is deleted or the user is disabled', async () => {
    const server = await registerForUsers();
    const ann = await newUser();
    await connect(server, ann, 'ann');
    const count = () => mcp.db.prisma.mcpConnection.count({ where: { user_id: ann } });
    await mcp.db.transaction((tx) => disableUser(tx, ann, mcp.caller.actor, () => undefined));
    expect([await count(), await failureOf(callAs(server, ann))]).toEqual([0, 'NotConnected']);
    const bob = await newUser();
    await connect(server, bob, 'bob');
    await mcp.db.prisma.mcpServer.delete({ where: { id: server.id } });
    expect(await failureOf(callAs(server, bob))).toBe('NotConnected');
  });

  it.each(['refused', 'expired'])(
    'are refreshed only once when 20 calls in two processes find that their token is %s',
    async (how) => {
      const server = await registerForUsers();
      const ann = await newUser();
      await connect(server, ann, 'ann', how === 'expired' ? new Date() : null);
      as.expireAccess();
      const both = processes();
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => (await callAs(server, ann, [both[n % 2] as never])).status),
      );
      expect(statuses).not.toContain(401);
      expect(as.tokenRequests.map(({ form }) => form)).toEqual([
        {
          grant_type: 'refresh_token',
          refresh_token: expect.stringMatching(/^refresh-/) as string,
          resource: server.url,
          client_id: 'us',
          client_secret: SECRET,
        },
      ]);
      as.expireAccess();
      expect((await callAs(server, ann)).status).not.toBe(401);
      const [first, second] = as.tokenRequests.map(({ form }) => form['refresh_token']);
      expect(first).not.toBe(second);
    },
  );

  it('are disconnected with an audit row when the authorization server refuses to refresh their token, but not when that server fails', async () => {
    const server = await registerForUsers();
    const ann = await newUser();
    await connect(server, ann, 'ann');
    as.expireAccess();
    for (const refusal of [
      { status: 503, body: {} },
      { status: 400, body: { error: 'temporarily_unavailable' } },
    ]) {
      as.refusal = refusal;
      expect(await failureOf(callAs(server, ann))).not.toBe('NotConnected');
    }
    as.refusal = undefined;
    expect((await callAs(server, ann)).status).not.toBe(401);
    as.expireAccess();
    as.refusal = { status: 400, body: { error: 'invalid_grant' } };
    expect(await failureOf(callAs(server, ann))).toBe('NotConnected');
    expect(await mcp.db.prisma.mcpConnection.count({ where: { user_id: ann } })).toBe(0);
    const where = { user_id: ann, action: { startsWith: 'mcp_' } };
    const auditRows = await mcp.db.prisma.governanceDecision.findMany({ where });
    expect(auditRows).toMatchObject([
      { action: 'mcp_connection.end', resource: encodeId('ms', server.id), detail: { reason: 'invalid_grant' } },
    ]);
  });

  it('keep their new tokens even when the database fails temporarily after the refresh', async () => {
    const server = await registerForUsers();
    const ann = await newUser();
    await connect(server, ann, 'ann');
    as.expireAccess();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    as.held = promise;
    const calling = callAs(server, ann);
    while (as.tokenRequests.length === 0) await mcp.db.prisma.$queryRaw`SELECT 1`;
    // Makes the first two attempts fail. A sequence counts the attempts, because a rollback does not reset a sequence.
    for (const statement of [
      'CREATE SEQUENCE attempts',
      `CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN IF nextval(''attempts'') < 3 THEN RAISE ''not now''; END IF; RETURN NEW; END'`,
      'CREATE TRIGGER fail_twice BEFORE UPDATE ON mcp_connections FOR EACH ROW EXECUTE FUNCTION fail_twice()',
    ])
      await mcp.db.prisma.$executeRawUnsafe(statement);
    resolve(undefined);
    expect((await calling).status).not.toBe(401);
    for (const statement of ['DROP FUNCTION fail_twice CASCADE', 'DROP SEQUENCE attempts'])
      await mcp.db.prisma.$executeRawUnsafe(statement);
    expect((await callAs(server, ann)).status).not.toBe(401);
    expect(as.tokenRequests).toHaveLength(1);
  });

  it('stay disconnected when their user disconnects them during a refresh of the token', async () => {
    const server = await registerForUsers();
    const ann = await newUser();
    await connect(server, ann, 'ann');
    as.expireAccess();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    as.held = promise;
    const calling = failureOf(callAs(server, ann));
    while (as.tokenRequests.length === 0) await mcp.db.prisma.$queryRaw`SELECT 1`;
    await mcp.db.prisma.mcpConnection.deleteMany({ where: { user_id: ann } });
    resolve(undefined);
    expect(await calling).toBe('NotConnected');
    expect(await mcp.db.prisma.mcpConnection.count({ where: { user_id: ann } })).toBe(0);
  });

  it('make a call fail as not connected when the server refuses the refreshed token too', async () => {
    const server = await registerForUsers();
    const ann = await newUser();
    await connect(server, ann, 'ann');
    upstream.challenge = () => 'Bearer';
    expect(await failureOf(callAs(server, ann))).toBe('NotConnected');
    expect(as.tokenRequests).toHaveLength(1);
  });

  it('are needed to list tools: a probe finds no tools until the user who registered the server has connected', async () => {
    const server = await registerForUsers();
    const { userId } = mcp.caller.actor;
    await refreshMcpServer(mcp, mcp.caller.actor, server.id);
    expect(await mcp.statusOf(server.id)).toMatchObject({ status: 'active', tools_count: 0 });
    expect(upstream.seen).toEqual([]);
    const call = { serverId: server.id, tool: 'add', arguments: {} };
    const caller = createMcpToolCaller(createMcpServers(mcp));
    await connect(server, userId, 'ada-there');
    await refreshMcpServer(mcp, mcp.caller.actor, server.id);
    expect(await mcp.statusOf(server.id)).toMatchObject({ status: 'active', tools_count: 1 });
    expect(await caller.callMcpTool(mcp.caller, call)).toMatchObject({ is_error: false });
    const eve = { ...mcp.caller, actor: { ...mcp.caller.actor, userId: await newUser() } };
    await expect(caller.callMcpTool(eve, call)).rejects.toMatchObject({ kind: 'not_connected' });
    expect(new Set(seenBy())).toEqual(new Set(['ada-there']));
    // Calls of users without a connection must not open the breaker of the server.
    for (let n = 0; n < 10; n++) await caller.callMcpTool(eve, call).catch(() => undefined);
    expect(await caller.callMcpTool(mcp.caller, call)).toMatchObject({ is_error: false });
    await mcp.db.prisma.mcpConnection.deleteMany({ where: { user_id: userId } });
    await refreshMcpServer(mcp, mcp.caller.actor, server.id);
    expect(await mcp.statusOf(server.id)).toMatchObject({ status: 'active', tools_count: 1 });
  });
});
