import { randomUUID } from 'node:crypto';
import { disableUser, revokeOAuthClient } from '@millwright/accounts';
import { newId } from '@millwright/db';
import {
  createTestDatabase,
  listen,
  type ClientAnswer,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import {
  RUNTIME_URL,
  startRuntime,
  type Replica,
  type TestClient,
  type TestRuntime,
  type TestUser,
} from '../test-runtime.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const PLATFORM = `${RUNTIME_URL}/api/v1/mcp/platform/mcp`;

let database: TestDatabase;
let runtime: TestRuntime;
let provider: ListeningApp;
let key: CryptoKey;
let user: TestUser;
let client: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  const pair = await generateKeyPair('ES256', { extractable: true });
  key = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'idp', alg: 'ES256' };
  provider = await listen((request, response) => {
    const body = request.url === '/keys' ? { keys: [jwk] } : { issuer: provider.url, jwks_uri: `${provider.url}/keys` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1', { assertionIssuers: [provider.url] });
  user = await runtime.newUser('lea@example.com');
  await link('lea', user);
  client = await runtime.newClient({ scopes: ['mcp:read', 'mcp:call', 'agents:read', 'admin'] });
});
afterAll(async () => {
  await runtime.close();
  await provider.close();
  await database.drop();
});

const link = (subject: string, { id: user_id }: TestUser) =>
  runtime.db.prisma.ssoIdentity.create({ data: { id: newId(), issuer: provider.url, subject, user_id } });

interface Changes {
  claims?: JWTPayload;
  header?: object;
  by?: CryptoKey;
}
const now = () => Math.floor(Date.now() / 1_000);
const assertion = ({ claims, header, by = key }: Changes = {}) =>
  new SignJWT({
    ...{ iss: provider.url, sub: 'lea', aud: RUNTIME_URL, client_id: client.client_id, jti: randomUUID() },
    ...{ iat: now(), exp: now() + 60, scope: 'mcp:read agents:read admin' },
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'idp', typ: 'oauth-id-jag+jwt', ...header })
    .sign(by);

const secretOf = ({ client_id, client_secret }: TestClient) => ({ client_id, client_secret });
const form = (token: string, more: Record<string, string> = {}) => ({
  ...{ grant_type: JWT_BEARER, assertion: token, ...secretOf(client) },
  ...more,
});
const ask = (token: string, more?: Record<string, string>) => runtime.askToken(form(token, more));
const errorOf = ({ status, body }: ClientAnswer) => [status, (body as { error?: string }).error];
const REFUSED = [400, 'invalid_grant'];
interface Tokens {
  access_token: string;
  scope: string;
}

describe('POST /oauth/token, jwt-bearer', () => {
  it('issues an access token for the linked user with the scopes that assertion, client and user all allow, and no refresh token', async () => {
    const { status, body } = await ask(await assertion());
    expect([status, body]).toMatchObject([
      200,
      { scope: 'mcp:read agents:read', token_type: 'Bearer', expires_in: 3_600 },
    ]);
    expect(body).not.toHaveProperty('refresh_token');
    const { access_token } = body as Tokens;
    expect(decodeJwt(access_token)).toMatchObject({ sub: user.id, aud: RUNTIME_URL, client_id: client.client_id });
    expect((await runtime.as(access_token)('GET', '/api/v1/agents/registry')).status).toBe(200);
    const [row] = await runtime.db.prisma.governanceDecision.findMany({
      where: { action: 'oauth_grant.create', user_id: user.id },
    });
    expect(row).toMatchObject({ decision: 'allow', resource: client.id });
  });

  it("can issue a token for a part of the assertion's scope, and refuses scopes and resources that the assertion does not have", async () => {
    const narrow = await ask(await assertion({ claims: { resource: PLATFORM } }), { scope: 'mcp:read' });
    expect(narrow.body).toMatchObject({ scope: 'mcp:read' });
    expect(decodeJwt((narrow.body as Tokens).access_token).aud).toBe(PLATFORM);
    expect((await ask(await assertion({ claims: { scope: undefined } }))).body).toMatchObject({
      scope: 'mcp:read mcp:call',
    });
    expect(errorOf(await ask(await assertion({ claims: { scope: 'mcp:read' } }), { scope: 'agents:read' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    expect(errorOf(await ask(await assertion({ claims: { resource: PLATFORM } }), { resource: RUNTIME_URL }))).toEqual([
      400,
      'invalid_target',
    ]);
    expect(errorOf(await ask(await assertion({ claims: { resource: 'https://other.example' } })))).toEqual([
      400,
      'invalid_target',
    ]);
  });

  it.each<[string, Changes]>([
    ['for another server', { claims: { aud: 'https://other.example' } }],
    ['for this server and another one', { claims: { aud: [RUNTIME_URL, 'https://other.example'] } }],
    ['for another client', { claims: { client_id: 'other' } }],
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['about an unknown subject', { claims: { sub: 'nobody' } }],
    ['without an id', { claims: { jti: undefined } }],
    ['that has ended', { claims: { exp: now() - 60 } }],
    ['issued an hour ago, even when it has not expired', { claims: { iat: now() - 3_600, exp: now() + 3_600 } }],
    ['that is an ID token', { header: { typ: 'JWT' } }],
    ['that is an access token', { header: { typ: 'at+jwt' } }],
    ['that names another key', { header: { kid: 'other' } }],
  ])('answers invalid_grant to an assertion %s', async (_title, changes) => {
    expect(errorOf(await ask(await assertion(changes)))).toEqual(REFUSED);
  });

  it('answers invalid_grant to a forged and to an unsigned assertion, and records the refusal', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const [header = '', payload = ''] = (await assertion()).split('.');
    const forged = await assertion({ by: privateKey });
    for (const token of [forged, `${header}.${payload}.`, 'x']) expect(errorOf(await ask(token))).toEqual(REFUSED);
    const denials = await runtime.db.prisma.governanceDecision.count({
      where: { decision: 'deny', reason: 'the assertion is not valid', resource: client.id },
    });
    expect(denials).toBeGreaterThan(2);
  });

  it('accepts an assertion once when twenty concurrent requests to several processes send it', async () => {
    const other = await runtime.start({ assertionIssuers: [provider.url] });
    const body = new URLSearchParams(form(await assertion())).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = (replica: Replica) => replica.as()('POST', '/oauth/token', { body, headers });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(n % 2 ? other : runtime)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.map(errorOf).filter(([status]) => status !== 200)).toEqual(Array<unknown>(19).fill(REFUSED));
  });

  it('refuses assertions and tokens once the account is disabled or the client is revoked', async () => {
    const [person, own] = [await runtime.newUser('mo@example.com'), await runtime.newClient()];
    await link('mo', person);
    const about = (of: TestClient, sub: string) => assertion({ claims: { sub, client_id: of.client_id } });
    const first = (await ask(await about(own, 'mo'), secretOf(own))).body as Tokens;
    const second = (await ask(await about(own, 'lea'), secretOf(own))).body as Tokens;
    const works = async ({ access_token }: Tokens) =>
      (
        await runtime.as(access_token)('POST', '/api/v1/mcp/platform/mcp', {
          json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        })
      ).status;
    expect([await works(first), await works(second)]).toEqual([200, 200]);
    await runtime.db.transaction((tx) => disableUser(tx, person.id, runtime.owner.actor, () => undefined));
    expect([await works(first), await works(second)]).toEqual([401, 200]);
    expect(errorOf(await ask(await about(own, 'mo'), secretOf(own)))).toEqual(REFUSED);
    await runtime.db.transaction((tx) => revokeOAuthClient(tx, own.client_id, runtime.owner.actor));
    expect(await works(second)).toBe(401);
  });

  it('refuses an account of another project', async () => {
    await link('carl', await runtime.newUser('carlotta@example.com', { project: 'Commerce' }));
    expect(errorOf(await ask(await assertion({ claims: { sub: 'carl' } })))).toEqual(REFUSED);
  });

  it('is not supported when no issuer is accepted; when an issuer is accepted, the metadata lists the grant', async () => {
    const off = await runtime.start();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form(await assertion())).toString();
    expect(errorOf(await off.as()('POST', '/oauth/token', { body, headers }))).toEqual([400, 'unsupported_grant_type']);
    const metadataOf = async (replica: Replica) =>
      (await replica.as()('GET', '/.well-known/oauth-authorization-server')).body as {
        grant_types_supported: string[];
      };
    expect((await metadataOf(off)).grant_types_supported).not.toContain(JWT_BEARER);
    expect(await metadataOf(runtime)).toMatchObject({
      grant_types_supported: expect.arrayContaining([JWT_BEARER]) as string[],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    });
  });
});
