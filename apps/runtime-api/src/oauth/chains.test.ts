import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Task } from '@a2a-js/sdk';
import { disableUser, revokeOAuthClient } from '@millwright/accounts';
import { decodeId, encodeId, newId } from '@millwright/db';
import {
  createFakeMcpServer,
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeMcpServer,
  type FakeModel,
  type ListeningApp,
  type ModelRequest,
  type TestDatabase,
} from '@millwright/testing';
import {
  createRemoteJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  type CryptoKey,
  type JWTPayload,
} from 'jose';
import { answerOf, connect, says } from '../a2a/test-client.js';
import {
  agentIdOf,
  RUNTIME_URL,
  startRuntime,
  type Replica,
  type TestClient,
  type TestRuntime,
} from '../test-runtime.js';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
/** The issuer of assertions: another installation, whose users are linked to users of this installation. */
let issuer: ListeningApp;
let issuerKey: CryptoKey;
let plugin: ListeningApp;
let server: FakeMcpServer;
let received: IncomingMessage['headers'][];
/** Called with the token that a plugin received for a call, before the plugin answers. */
let onCall: (token: string) => Promise<unknown>;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  issuerKey = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'idp', alg: 'ES256' };
  issuer = await listen((request, response) => {
    const body = request.url === '/keys' ? { keys: [jwk] } : { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  plugin = await listen((request, response) => {
    received.push(request.headers);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    request.resume().on('end', () => void onCall(token).then(answer, answer));
  });
  [database, model, server] = await Promise.all([
    createTestDatabase(),
    createFakeModel(),
    createFakeMcpServer('modern', [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }]),
  ]);
  runtime = await startRuntime(database.url, model.url, { assertionIssuers: [issuer.url] });
  other = await runtime.start({ assertionIssuers: [issuer.url] });
  const { id } = await runtime.newMcpServer({ name: 'Sums', url: server.url });
  await runtime.db.prisma.mcpServer.update({ where: { id }, data: { auth: { type: 'agent_token' } } });
  // The model calls its tools one after the other, each once, and then answers.
  model.answerWith(({ body }: ModelRequest) => {
    const messages = body['messages'] as { role: string }[];
    const calls = messages.filter(({ role }) => role === 'tool').length;
    const name = ((body['tools'] as { function: { name: string } }[] | undefined) ?? [])[calls]?.function.name;
    const call = { id: `call_${calls}`, type: 'function' as const };
    const args = JSON.stringify(name?.startsWith('ask_') ? { message: 'Go.' } : {});
    return name === undefined
      ? { content: 'Done.' }
      : { content: null, toolCalls: [{ ...call, function: { name, arguments: args } }] };
  });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), issuer.close(), plugin.close(), server.close()]);
});
beforeEach(() => {
  received = [];
  onCall = () => Promise.resolve();
});

let made = 0;
/** Creates an agent with this number of plugins (`tools`), which get call tokens. The agent may call `callees`. */
async function newAgent({
  tools = 1,
  callees = [],
  auth = {},
}: { tools?: number; callees?: string[]; auth?: object } = {}) {
  const name = `Link${(made += 1)}`;
  const slug = name.toLowerCase();
  const ids = await Promise.all(callees.map((callee) => agentIdOf(runtime, callee)));
  await runtime.newAgent({ name, callees: ids });
  for (let tool = 0; tool < tools; tool += 1) {
    const config = { url: plugin.url, auth: { type: 'agent_token', ...auth } };
    await runtime.newPlugin({ name: `tool${made}_${tool}`, type: 'tool', config, agent: slug });
  }
  return slug;
}
const actorOf = async (slug: string) => ({ sub: encodeId('ag', await agentIdOf(runtime, slug)), version: 1 });

async function newUser(role: 'user' | 'admin' = 'user') {
  const user = await runtime.newUser(`${newId()}@example.com`, { role });
  const subject = newId();
  await runtime.db.prisma.ssoIdentity.create({
    data: { id: newId(), issuer: issuer.url, subject, user_id: user.id },
  });
  return { ...user, subject };
}

const secretOf = ({ client_id, client_secret }: TestClient) => ({ client_id, client_secret });
async function assertionOf(client: TestClient, subject: string, act: unknown, claims: JWTPayload = {}) {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({
    ...{ iss: issuer.url, sub: subject, aud: RUNTIME_URL, client_id: client.client_id, jti: randomUUID() },
    ...{ iat: now, exp: now + 60, scope: 'agents:message runs:read mcp:read mcp:call runs:approve', act },
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'idp', typ: 'oauth-id-jag+jwt' })
    .sign(issuerKey);
}
const present = async (client: TestClient, assertion: string) =>
  runtime.askToken({ grant_type: JWT_BEARER, assertion, ...secretOf(client) });
interface Issued {
  access_token: string;
  scope: string;
}

const OUTSIDE = { sub: 'ag_outside', version: 3, act: { sub: 'app' } };
/** The chain of {@link OUTSIDE} as tokens of this installation contain it: with the name of the issuer. */
const named = () => ({ iss: issuer.url, sub: 'ag_outside', version: 3, act: { iss: issuer.url, sub: 'app' } });

/** Gets an access token in exchange for an assertion with these actors. */
async function delegated(act: unknown = OUTSIDE, claims?: JWTPayload, role?: 'admin') {
  const user = await newUser(role);
  const client = await runtime.newClient(role && { userId: user.id });
  const { status, body } = await present(client, await assertionOf(client, user.subject, act, claims));
  expect([status, body]).toMatchObject([200, { token_type: 'Bearer' }]);
  return { user, client, token: (body as Issued).access_token };
}

async function send(agent: string, token: string, by: Replica = runtime): Promise<string> {
  await by.as(token)('POST', `/api/v1/agents/${agent}/messages`, { json: { content: 'Go.' } });
  return lastRun(agent);
}
const lastRun = async (subject_name: string) =>
  encodeId(
    'run',
    (await runtime.db.prisma.run.findFirstOrThrow({ where: { subject_name }, orderBy: { id: 'desc' } })).id,
  );

/** Verifies a token like a standard resource server, with only the URL of the keys and the issuer. */
async function verified({ authorization }: IncomingMessage['headers'], audience = plugin.url): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${runtime.url}/.well-known/jwks.json`));
  const token = authorization?.replace('Bearer ', '') ?? '';
  return (await jwtVerify(token, keys, { issuer: RUNTIME_URL, audience, typ: 'at+jwt' })).payload;
}
const claimsOf = () => Promise.all(received.map((headers) => verified(headers)));
const auditedActors = async (run: string) => {
  const rows = await runtime.db.prisma.governanceDecision.findMany({ where: { run, action: 'tool.call' } });
  return rows.map(({ detail }) => (detail as { actors?: string[] }).actors);
};

describe('a run that a credential has started', () => {
  it('names in its call tokens, in its audit rows and in its record the actors that another issuer put into the credential', async () => {
    const agent = await newAgent();
    const { user, client, token } = await delegated();
    const run = await send(agent, token);
    expect(await claimsOf()).toMatchObject([
      { sub: user.id, txn: run, client_id: client.client_id, act: { ...(await actorOf(agent)), act: named() } },
    ]);
    expect(await auditedActors(run)).toEqual([[`ag_outside@3 of ${issuer.url}`, `app of ${issuer.url}`]]);
    const { body } = await runtime.as(token)('GET', `/api/v1/runs/${run}`);
    expect(body).toMatchObject({
      actors: [
        { issuer: issuer.url, sub: 'ag_outside', version: 3 },
        { issuer: issuer.url, sub: 'app', version: null },
      ],
    });
  });

  it("names the credential's actors also when the run was started by A2A with @a2a-js/sdk", async () => {
    const agent = await newAgent();
    const { token } = await delegated();
    const client = await connect(runtime.url, agent, token, ['1.0', 'JSONRPC']);
    const task = (await client.sendMessage(says('Go.'))) as Task;
    expect(answerOf(task)).toBe('Done.');
    expect(await claimsOf()).toMatchObject([{ act: { ...(await actorOf(agent)), act: named() } }]);
    expect(await auditedActors(await lastRun(agent))).toEqual([
      [`ag_outside@3 of ${issuer.url}`, `app of ${issuer.url}`],
    ]);
  });

  it("passes the credential's chain of actors on to the runs of the agents that its agent calls", async () => {
    const callee = await newAgent();
    const agent = await newAgent({ tools: 0, callees: [callee] });
    const { token } = await delegated();
    await send(agent, token);
    const act = { ...(await actorOf(callee)), act: { ...(await actorOf(agent)), act: named() } };
    expect(await claimsOf()).toMatchObject([{ act }]);
    expect(await auditedActors(await lastRun(callee))).toHaveLength(1);
  });

  it("names the actors of third issuers that the credential's chain contains", async () => {
    const agent = await newAgent();
    const { token } = await delegated({ sub: 'a', act: { iss: 'https://third.example', sub: 'b' } });
    await send(agent, token);
    const former = { iss: issuer.url, sub: 'a', act: { iss: 'https://third.example', sub: 'b' } };
    expect(await claimsOf()).toMatchObject([{ act: { act: former } }]);
  });

  it('names only its own agent as actor when the credential has no chain of actors', async () => {
    const agent = await newAgent();
    const token = await runtime.newToken();
    const run = await send(agent, token);
    const [claims] = await claimsOf();
    expect(claims?.['act']).toEqual(await actorOf(agent));
    expect((await runtime.as(token)('GET', `/api/v1/runs/${run}`)).body).toMatchObject({ actors: [] });
    expect(await auditedActors(run)).toEqual([undefined]);
  });

  it('calls no further agent when the chain of actors would then have more than 16 actors', async () => {
    const last = await newAgent();
    const agent = await newAgent({ tools: 0, callees: [last] });
    const chainOf = (length: number): object | undefined =>
      length === 0 ? undefined : { sub: `a${length}`, act: chainOf(length - 1) };
    const { token } = await delegated(chainOf(15));
    const run = await send(agent, token);
    expect(received).toEqual([]);
    const children = await runtime.db.prisma.run.count({ where: { parent_id: decodeId('run', run) ?? '' } });
    expect(children).toBe(0);
    await send(agent, (await delegated(chainOf(14))).token);
    expect(received).toHaveLength(1);
  });

  it.each<[string, (made: Awaited<ReturnType<typeof delegated>>) => Promise<unknown>]>([
    [
      'its user was disabled',
      ({ user }) => runtime.db.transaction((tx) => disableUser(tx, user.id, user.actor, () => undefined)),
    ],
    [
      'its client was revoked',
      ({ client }) => runtime.db.transaction((tx) => revokeOAuthClient(tx, client.client_id, runtime.owner.actor)),
    ],
    [
      'its credential was revoked',
      ({ client, token }) =>
        other.as()('POST', '/oauth/revoke', {
          body: new URLSearchParams({ token, ...secretOf(client) }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
    ],
  ])('makes no further call once another process has recorded that %s', async (_how, end) => {
    const agent = await newAgent({ tools: 2 });
    const its = await delegated();
    onCall = () => end(its);
    await send(agent, its.token, runtime);
    expect(received).toHaveLength(1);
    expect((await runtime.as(its.token)('GET', '/api/v1/runs')).status).toBe(401);
  });
});

describe('a credential with a chain of actors', () => {
  it('is introspected with its actors, and is exchanged for a token with the same actors', async () => {
    const { client, token } = await delegated();
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const body = new URLSearchParams({ token, ...secretOf(client) }).toString();
    expect((await runtime.as()('POST', '/oauth/introspect', { body, ...form })).body).toMatchObject({ act: named() });
    const narrower = await runtime.askToken({
      ...{ grant_type: EXCHANGE, subject_token: token, subject_token_type: ACCESS_TOKEN, audience: RUNTIME_URL },
      ...{ scope: 'agents:message', ...secretOf(client) },
    });
    expect(decodeJwt((narrower.body as Issued).access_token)['act']).toEqual(named());
  });

  it('leads to tokens for MCP servers in which its client is the latest actor of the chain', async () => {
    const { client, token } = await delegated();
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await runtime.as(token)('POST', '/api/v1/mcp/sums/mcp', { json })).status).toBe(200);
    const claims = await verified(server.seen.at(-1) ?? {}, server.url);
    expect(claims).toMatchObject({ act: { sub: client.client_id, act: named() } });
  });

  it('has neither runs:approve nor admin scopes, even when its assertion, its client and its user allow them', async () => {
    const { token } = await delegated(OUTSIDE, { scope: 'agents:message runs:approve admin runs:read_all' }, 'admin');
    expect(decodeJwt(token)['scope']).toBe('agents:message');
    const json = { step: 1, outcome: 'happened' };
    expect((await runtime.as(token)('POST', `/api/v1/runs/${newId()}/outcome`, { json })).status).toBe(403);
  });

  const deep = (length: number): unknown => (length === 0 ? undefined : { sub: 'a', act: deep(length - 1) });
  it.each<[string, unknown]>([
    ['a text', 'agent'],
    ['null', null],
    ['a list', [{ sub: 'a' }]],
    ['an actor without a subject', { iss: 'https://third.example' }],
    ['a subject that is no text', { sub: 7 }],
    ['an empty subject', { sub: '' }],
    ['a subject with control characters', { sub: 'a\u0000b' }],
    ['a subject of 256 characters', { sub: 'a'.repeat(256) }],
    ['a malformed former actor', { sub: 'a', act: { sub: 'b', act: 'c' } }],
    ['16 actors', deep(16)],
    ['500 actors', deep(500)],
    [
      'more than 4,096 bytes',
      {
        sub: 'a'.repeat(255),
        act: (function long(n: number): unknown {
          return n === 0 ? undefined : { iss: 'i'.repeat(255), sub: 'b'.repeat(255), act: long(n - 1) };
        })(9),
      },
    ],
  ])('is not issued for an assertion whose claim act is %s', async (_title, act) => {
    const { subject } = await newUser();
    const client = await runtime.newClient();
    const { status, body } = await present(client, await assertionOf(client, subject, act));
    expect([status, body]).toMatchObject([
      400,
      { error: 'invalid_grant', error_description: expect.stringContaining('act is malformed') as string },
    ]);
    const [denial] = await runtime.db.prisma.governanceDecision.findMany({
      where: { resource: client.id, decision: 'deny' },
    });
    expect(denial?.reason).toBe('the chain of actors is not accepted');
  });
});

describe('an access token of this installation, issued in exchange for a call token', () => {
  /** Creates an agent whose plugin exchanges the token of its call, and passes the new token to `work`. */
  async function whileCalled<Result>(
    work: (exchanged: { status: number; body: unknown }, first: string) => Promise<Result>,
    {
      scope = 'agents:message',
      more = {},
      starter,
    }: { scope?: string; more?: Record<string, string>; starter?: TestClient } = {},
  ) {
    const client = await runtime.newClient({ name: 'Orders' });
    const first = await newAgent({ auth: { client_id: client.client_id, scope: `${scope} orders:read` } });
    const results: Promise<Result>[] = [];
    onCall = (token) => {
      onCall = () => Promise.resolve();
      const form = { grant_type: EXCHANGE, subject_token: token, subject_token_type: ACCESS_TOKEN };
      const result = runtime
        .askToken({ ...form, audience: RUNTIME_URL, ...secretOf(client), ...more })
        .then((exchanged) => work(exchanged, first));
      results.push(result);
      return result;
    };
    const { client_id, client_secret } = starter ?? (await runtime.newClient());
    const started = await runtime.askToken({ grant_type: 'client_credentials', client_id, client_secret });
    const { access_token } = started.body as Issued;
    const run = await send(first, access_token);
    const [result] = results;
    if (result === undefined) throw new Error('the plugin was not called');
    return { result: await result, first, client, run, token: access_token };
  }

  it('starts a run in whose chain of actors the client is between the calling agent and the agent of the new run', async () => {
    const second = await newAgent();
    const {
      first,
      client,
      run,
      token: starterToken,
    } = await whileCalled(async ({ status, body }) => {
      expect([status, body]).toMatchObject([200, { scope: 'agents:message', issued_token_type: ACCESS_TOKEN }]);
      expect((body as { expires_in: number }).expires_in).toBeLessThanOrEqual(300);
      return send(second, (body as Issued).access_token);
    });
    const [ofFirst, ofSecond] = await claimsOf();
    const former = await actorOf(first);
    expect(ofFirst).toMatchObject({ act: former, txn: run });
    expect(ofSecond).toMatchObject({
      ...{ sub: ofFirst?.sub, client_id: client.client_id, txn: await lastRun(second) },
      act: { ...(await actorOf(second)), act: { sub: client.client_id, act: former } },
    });
    const { body } = await runtime.as(starterToken)('GET', `/api/v1/runs/${await lastRun(second)}`);
    expect(body).toMatchObject({
      actors: [
        { issuer: null, sub: client.client_id, version: null },
        { issuer: null, sub: former.sub, version: 1 },
      ],
    });
    const [called] = await runtime.db.prisma.governanceDecision.findMany({
      where: { run: await lastRun(second), action: 'tool.call' },
    });
    expect(called).toMatchObject({ detail: { called_by: run } });
    const [row] = await runtime.db.prisma.governanceDecision.findMany({
      where: { action: 'oauth_token.exchange', run },
    });
    expect(row).toMatchObject({ detail: { target: RUNTIME_URL, scope: 'agents:message' } });
  });

  it.each<[string, { scope?: string; more?: Record<string, string> }, string]>([
    ['without a scope of this installation', { scope: 'orders:write' }, 'invalid_scope'],
    ['for a scope that the token does not have', { more: { scope: 'agents:read' } }, 'invalid_scope'],
    ['for the scope runs:approve', { scope: 'runs:approve' }, 'invalid_scope'],
    ['for the scope openid', { scope: 'openid' }, 'invalid_scope'],
    ['for an address that is not a resource', { more: { audience: `${RUNTIME_URL}/api/v1/agents` } }, 'invalid_target'],
  ])('is not issued %s', async (_title, options, error) => {
    const { result } = await whileCalled(({ status, body }) => Promise.resolve([status, body]), options);
    expect(result).toMatchObject([400, { error }]);
  });

  it.each<[string, (first: string) => Promise<unknown>]>([
    [
      'an agent of the chain',
      (slug) => runtime.db.prisma.agent.update({ where: { slug }, data: { stopped_at: new Date() } }),
    ],
    [
      'a client of the chain',
      (first) =>
        runtime.db.prisma.plugin
          .findFirstOrThrow({ where: { agents: { some: { agent: { slug: first } } } } })
          .then(({ config }) => {
            const { client_id } = (config as { auth: { client_id: string } }).auth;
            return runtime.db.transaction((tx) => revokeOAuthClient(tx, client_id, runtime.owner.actor));
          }),
    ],
  ])('is refused, and its runs make no more calls, after another process stopped or revoked %s', async (_what, end) => {
    const second = await newAgent({ tools: 2 });
    const starter = await runtime.newClient();
    await whileCalled(
      async ({ body }, first) => {
        const { access_token } = body as Issued;
        let calls = 0;
        onCall = async () => {
          calls += 1;
          if (calls === 1) await end(first);
        };
        await send(second, access_token, other);
        expect(calls).toBe(1);
        expect((await runtime.as(access_token)('GET', '/api/v1/agents/registry')).status).toBe(401);
      },
      { starter },
    );
  });

  it('is not issued when the chain has 15 actors', async () => {
    const chain = (length: number): object | undefined =>
      length === 0 ? undefined : { sub: 'a', act: chain(length - 1) };
    const client = await runtime.newClient();
    const agent = await newAgent({ auth: { client_id: client.client_id, scope: 'agents:message' } });
    const answers: unknown[] = [];
    onCall = async (subject_token) => {
      const form = { grant_type: EXCHANGE, subject_token, subject_token_type: ACCESS_TOKEN, audience: RUNTIME_URL };
      const { status, body } = await runtime.askToken({ ...form, ...secretOf(client) });
      answers.push([status, (body as { error?: string; error_description?: string }).error_description]);
    };
    await send(agent, (await delegated(chain(14))).token);
    await send(agent, (await delegated(chain(13))).token);
    expect(answers).toEqual([
      [400, 'the chain of actors may name 15 at most'],
      [200, undefined],
    ]);
  });
});
