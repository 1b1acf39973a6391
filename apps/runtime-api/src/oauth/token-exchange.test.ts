import { disableUser, revokeOAuthClient } from '@millwright/accounts';
import { encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  type ClientAnswer,
  type FakeModel,
  type ListeningApp,
  type ModelRequest,
  type TestDatabase,
} from '@millwright/testing';
import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT } from 'jose';
import {
  agentIdOf,
  RUNTIME_URL,
  startRuntime,
  type Replica,
  type TestClient,
  type TestRuntime,
} from '../test-runtime.js';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const NEXT = 'https://files.example/mcp';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
/** The server that an agent calls. It exchanges the token that it receives. */
let server: ListeningApp;
let serverClient: TestClient;
let onCall: (token: string) => Promise<unknown>;
let agents = 0;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  server = await listen((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    request.resume().on('end', () => void onCall(token).then(answer, answer));
  });
  runtime = await startRuntime(database.url, model.url);
  other = await runtime.start();
  serverClient = await runtime.newClient({ name: 'Orders' });
  const row = { project: 'Core', created_by: runtime.owner.id, slug: 'files', name: 'Files', url: NEXT };
  const auth = { type: 'agent_token', scope: 'files:read files:write', client_id: 'files-client' };
  await runtime.db.prisma.mcpServer.create({ data: { ...row, id: newId(), auth } });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), server.close()]);
});

const secretOf = ({ client_id, client_secret }: TestClient) => ({ client_id, client_secret });
const ask = (subject_token: string, more: Record<string, string> = {}, by: TestClient = serverClient) => ({
  ...{ grant_type: EXCHANGE, subject_token, subject_token_type: ACCESS_TOKEN, audience: NEXT },
  ...secretOf(by),
  ...more,
});
const errorOf = ({ status, body }: ClientAnswer) => [status, (body as { error?: string }).error];
interface Exchanged {
  access_token: string;
  issued_token_type: string;
  expires_in: number;
  scope: string;
}

interface Call {
  agent: string;
  runId: string;
}
/** Makes an agent call the first server for a user. While the call waits, runs `work` with the token of the call. */
async function during<Result>(
  work: (token: string, call: Call) => Promise<Result>,
  starter?: TestClient,
): Promise<Result> {
  const name = `Clerk${(agents += 1)}`;
  const agent = name.toLowerCase();
  await runtime.newAgent({ name });
  const auth = { type: 'agent_token', client_id: serverClient.client_id, scope: 'files:read orders:read' };
  await runtime.newPlugin({ name: `orders${agents}`, type: 'tool', config: { url: server.url, auth }, agent });
  model.requests.splice(0);
  model.answerWith(({ body }: ModelRequest) => {
    const [first] = body['tools'] as { function: { name: string } }[];
    const call = {
      id: 'call_1',
      type: 'function' as const,
      function: { name: first?.function.name ?? '', arguments: '{}' },
    };
    return model.requests.length > 1 ? { content: 'Done.' } : { content: null, toolCalls: [call] };
  });
  const outcomes: Promise<Result>[] = [];
  onCall = (token) => {
    const outcome = work(token, { agent, runId: String(decodeJwt(token)['txn']) });
    outcomes.push(outcome);
    return outcome;
  };
  const own = starter ?? (await runtime.newClient());
  const { body } = await runtime.askToken({ grant_type: 'client_credentials', ...secretOf(own) });
  const { access_token } = body as { access_token: string };
  await runtime.as(access_token)('POST', `/api/v1/agents/${agent}/messages`, { json: { content: 'Go.' } });
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('the server was not called');
  return outcome;
}

describe('POST /oauth/token, token-exchange with a call token as subject token', () => {
  it('issues a token for the next server, with the extended chain of actors; the published keys verify the token', async () => {
    const starter = await runtime.newClient();
    const { answer, call, ends } = await during(async (token, call) => {
      return { answer: await runtime.askToken(ask(token)), call, ends: Number(decodeJwt(token).exp) };
    }, starter);
    expect(answer.status).toBe(200);
    const body = answer.body as Exchanged;
    expect(body).toMatchObject({ issued_token_type: ACCESS_TOKEN, token_type: 'Bearer', scope: 'files:read' });
    expect(body).not.toHaveProperty('refresh_token');
    const keys = createRemoteJWKSet(new URL(`${runtime.url}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(body.access_token, keys, { issuer: RUNTIME_URL, audience: NEXT });
    expect(payload).toMatchObject({
      ...{ sub: runtime.owner.id, txn: call.runId, client_id: serverClient.client_id, scope: 'files:read' },
      act: {
        sub: serverClient.client_id,
        act: { sub: encodeId('ag', await agentIdOf(runtime, call.agent)), version: 1 },
      },
      may_act: { sub: 'files-client' },
    });
    expect(payload.exp).toBeLessThanOrEqual(ends);
    const [row] = await runtime.db.prisma.governanceDecision.findMany({ where: { action: 'oauth_token.exchange' } });
    expect(row).toMatchObject({
      ...{ user_id: runtime.owner.id, actor_id: 'Orders', decision: 'allow', project: 'Core', run: call.runId },
      detail: { target: 'files', scope: 'files:read', run: call.runId },
    });
  });

  it('narrows the scope, and refuses a scope that the subject token or the target does not have', async () => {
    const outcomes = await during((token) =>
      Promise.all(
        ['files:read', 'files:write', 'orders:read', 'nonsense'].map((scope) =>
          runtime.askToken(ask(token, { scope })),
        ),
      ),
    );
    expect(outcomes.map(errorOf)).toEqual([
      [200, undefined],
      [400, 'invalid_scope'],
      [400, 'invalid_scope'],
      [400, 'invalid_scope'],
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['an address that is not registered', { audience: 'https://evil.example/mcp' }, 'invalid_target'],
    [
      'this installation, for a scope of another server',
      { audience: RUNTIME_URL, scope: 'orders:read' },
      'invalid_scope',
    ],
    ['another address of this installation', { audience: `${RUNTIME_URL}/api/v1/agents` }, 'invalid_target'],
    ['two targets', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another type of subject', { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }, 'invalid_request'],
    [
      'another type of token',
      { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      'invalid_request',
    ],
    ['an actor token', { actor_token: 'x' }, 'invalid_request'],
  ])('refuses %s', async (_title, more, error) => {
    expect(errorOf(await during((token) => runtime.askToken(ask(token, more))))).toEqual([400, error]);
  });

  it('refuses a client that the subject token does not allow to exchange it, and audits the attempt', async () => {
    const stranger = await runtime.newClient();
    const answer = await during((token) => runtime.askToken(ask(token, {}, stranger)));
    expect(errorOf(answer)).toEqual([400, 'invalid_request']);
    const denials = await runtime.db.prisma.governanceDecision.findMany({
      where: { decision: 'deny', resource: stranger.id },
    });
    expect(denials).toMatchObject([{ reason: 'the subject token may not be exchanged by this client' }]);
  });

  it('refuses a public client', async () => {
    const registered = await runtime.as()('POST', '/oauth/register', {
      json: { redirect_uris: ['https://app.example/cb'], token_endpoint_auth_method: 'none' },
    });
    const { client_id } = registered.body as { client_id: string };
    const form = { grant_type: EXCHANGE, subject_token: 'x', subject_token_type: ACCESS_TOKEN, audience: NEXT };
    expect(errorOf(await runtime.askToken({ ...form, client_id }))).toEqual([400, 'unauthorized_client']);
  });

  it('refuses a token that another key signed, a token without a signature, and a changed token', async () => {
    const answers = await during(async (token) => {
      const [header = '', payload = '', signature = ''] = token.split('.');
      const claims = decodeJwt(token);
      const forged = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: runtime.signingKey.kid })
        .sign(new TextEncoder().encode('x'.repeat(32)));
      const changed = Buffer.from(JSON.stringify({ ...claims, sub: newId() })).toString('base64url');
      return Promise.all(
        [forged, `${header}.${payload}.`, `${header}.${changed}.${signature}`, 'x'].map((one) =>
          runtime.askToken(ask(one)),
        ),
      );
    });
    expect(answers.map(errorOf)).toEqual(Array<unknown>(4).fill([400, 'invalid_request']));
  });

  it.each<[string, (call: Call, starter: TestClient, userId: string) => Promise<unknown>]>([
    [
      'the user',
      (_call, _starter, id) =>
        runtime.db.transaction((tx) => disableUser(tx, id, runtime.owner.actor, () => undefined)),
    ],
    [
      'the client that started the run',
      (_call, { client_id }) => runtime.db.transaction((tx) => revokeOAuthClient(tx, client_id, runtime.owner.actor)),
    ],
    [
      'the agent',
      ({ agent: slug }) => runtime.db.prisma.agent.update({ where: { slug }, data: { stopped_at: new Date() } }),
    ],
  ])('is refused by every process as soon as one process has disabled %s', async (_title, disable) => {
    const { id: userId } = await runtime.newUser(`${newId()}@example.com`);
    const starter = await runtime.newClient({ userId });
    const body = (token: string) => ({
      body: new URLSearchParams(ask(token)).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const answers = await during(async (token, call) => {
      const first = await other.as()('POST', '/oauth/token', body(token));
      await disable(call, starter, userId);
      return [first, await other.as()('POST', '/oauth/token', body(token))];
    }, starter);
    expect(answers.map(errorOf)).toEqual([
      [200, undefined],
      [400, 'invalid_request'],
    ]);
  });

  it('is refused after the run has ended', async () => {
    const token = await during((token) => Promise.resolve(token));
    expect(errorOf(await runtime.askToken(ask(token)))).toEqual([400, 'invalid_request']);
  });
});

describe('POST /oauth/token, token-exchange with an access token as subject token', () => {
  const PLATFORM = `${RUNTIME_URL}/api/v1/mcp/platform/mcp`;
  const works = async (token: string, path: string) => (await runtime.as(token)('GET', path)).status;

  async function issued(more: Record<string, string> = {}) {
    const form = { grant_type: 'client_credentials', ...secretOf(serverClient), ...more };
    return ((await runtime.askToken(form)).body as { access_token: string }).access_token;
  }

  it('issues a token of the same grant for one resource and fewer scopes, which expires no later than the original token', async () => {
    const token = await issued();
    const { status, body } = await runtime.askToken(ask(token, { audience: PLATFORM, scope: 'mcp:read' }));
    expect([status, body]).toMatchObject([200, { scope: 'mcp:read', issued_token_type: ACCESS_TOKEN }]);
    const narrow = (body as Exchanged).access_token;
    const [former, claims] = [decodeJwt(token), decodeJwt(narrow)];
    expect(claims).toMatchObject({ aud: PLATFORM, sub: former.sub, sid: former['sid'], scope: 'mcp:read' });
    expect(claims.exp).toBeLessThanOrEqual(former.exp ?? 0);
    expect(await works(narrow, '/api/v1/agents/registry')).toBe(401);
    const list = { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } };
    expect((await runtime.as(narrow)('POST', '/api/v1/mcp/platform/mcp', list)).status).toBe(200);
  });

  it('refuses further scopes, further resources and the address of a registered server', async () => {
    const token = await issued({ scope: 'mcp:read', resource: PLATFORM });
    const outcomes = [];
    const wider: Record<string, string>[] = [
      { audience: PLATFORM, scope: 'agents:read' },
      { audience: RUNTIME_URL },
      { audience: NEXT },
    ];
    for (const more of wider) outcomes.push(errorOf(await runtime.askToken(ask(token, more))));
    expect(outcomes).toEqual([
      [400, 'invalid_scope'],
      [400, 'invalid_target'],
      [400, 'invalid_target'],
    ]);
  });

  it("refuses another client's token, and a token whose grant has ended", async () => {
    const token = await issued();
    const stranger = await runtime.newClient();
    expect(errorOf(await runtime.askToken(ask(token, { audience: PLATFORM }, stranger)))).toEqual([
      400,
      'invalid_request',
    ]);
    const { sid } = decodeJwt<{ sid: string }>(token);
    await runtime.db.prisma.oAuthGrant.update({ where: { id: sid }, data: { revoked_at: new Date() } });
    expect(errorOf(await runtime.askToken(ask(token, { audience: PLATFORM })))).toEqual([400, 'invalid_request']);
  });

  it('is a grant type in the metadata of the authorization server', async () => {
    const { body } = await runtime.as()('GET', '/.well-known/oauth-authorization-server');
    expect((body as { grant_types_supported: string[] }).grant_types_supported).toContain(EXCHANGE);
  });
});
