import { randomUUID } from 'node:crypto';
import { createRateLimiter } from '@millwright/rate-limit';
import { createTestDatabase, type ClientAnswer, type TestDatabase } from '@millwright/testing';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import * as oauth from 'oauth4webapi';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../test-runtime.js';
import { createClientKeyFinder } from './client-keys.js';
import { authorizationsOf, REDIRECT, type Tokens } from './test-authorization.js';

let database: TestDatabase;
let runtime: TestRuntime;
let key: { kid: string; privateKey: CryptoKey; jwk: JWK };

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  key = await newKey();
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

async function newKey(alg = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const register = (metadata: object): Promise<ClientAnswer> =>
  runtime.as()('POST', '/oauth/register', {
    json: { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt', ...metadata },
  });
const newClient = async (keys: JWK[] = [key.jwk]) =>
  ((await register({ jwks: { keys } })).body as { client_id: string }).client_id;

interface Changes {
  claims?: JWTPayload;
  header?: object;
  by?: CryptoKey;
}
const now = () => Math.floor(Date.now() / 1_000);
const assertion = (client_id: string, { claims, header, by }: Changes = {}) =>
  new SignJWT({
    ...{ iss: client_id, sub: client_id, aud: RUNTIME_URL, jti: randomUUID(), iat: now(), exp: now() + 60 },
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid, ...header })
    .sign(by ?? key.privateKey);
const proof = (client_assertion: string) => ({ client_assertion, client_assertion_type: ASSERTION_TYPE });

/** The error of a request with an invalid refresh token. It is `invalid_grant` when the client's proof is accepted. */
async function outcome(form: Record<string, string>, headers: Record<string, string> = {}): Promise<unknown> {
  const request = { grant_type: 'refresh_token', refresh_token: 'x', ...form };
  return ((await runtime.askToken(request, headers)).body as { error?: unknown }).error;
}
const PROVED = 'invalid_grant';

describe('POST /oauth/register, private_key_jwt', () => {
  it('stores the public keys of the client and returns them, without a client secret', async () => {
    const { status, body } = await register({ jwks: { keys: [key.jwk] } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } });
    expect(body).not.toHaveProperty('client_secret');
  });

  it("stores the URL of the client's keys", async () => {
    const jwks_uri = 'https://app.example/keys.json';
    expect((await register({ jwks_uri })).body).toMatchObject({ jwks_uri });
  });

  it.each<[string, () => object]>([
    ['no keys', () => ({})],
    ['both forms of keys', () => ({ jwks: { keys: [key.jwk] }, jwks_uri: 'https://app.example/keys' })],
    ['an empty set', () => ({ jwks: { keys: [] } })],
    ['six keys', () => ({ jwks: { keys: Array<JWK>(6).fill(key.jwk) } })],
    ['a private key', () => ({ jwks: { keys: [{ ...key.jwk, d: 'x' }] } })],
    ['a symmetric key', () => ({ jwks: { keys: [{ kty: 'oct', k: 'x' }] } })],
    [
      'keys of more than 4,096 characters',
      () => ({ jwks: { keys: [{ kty: 'RSA', n: 'x'.repeat(4_000), e: 'AQAB' }] } }),
    ],
    ['an address without TLS', () => ({ jwks_uri: 'http://app.example/keys' })],
    ['an address with a password', () => ({ jwks_uri: 'https://a:b@app.example/keys' })],
  ])('answers invalid_client_metadata to %s', async (_title, metadata) => {
    expect((await register(metadata())).body).toMatchObject({ error: 'invalid_client_metadata' });
  });
});

describe('POST /oauth/token, private_key_jwt', () => {
  it.each(['ES256', 'EdDSA', 'PS256', 'RS256'])('accepts an assertion signed with %s', async (alg) => {
    const own = await newKey(alg);
    const client = await newClient([own.jwk]);
    const token = await assertion(client, { header: { alg, kid: own.kid }, by: own.privateKey });
    expect(await outcome(proof(token))).toBe(PROVED);
  });

  it.each<[string, JWTPayload]>([
    ['the token endpoint', { aud: `${RUNTIME_URL}/oauth/token` }],
    ['a list that contains only this server', { aud: [RUNTIME_URL] }],
  ])('accepts an assertion whose audience is %s', async (_title, claims) => {
    expect(await outcome(proof(await assertion(await newClient(), { claims })))).toBe(PROVED);
  });

  it.each<[string, Changes]>([
    ['for another server', { claims: { aud: 'https://other.example' } }],
    ['for this server and another one', { claims: { aud: [RUNTIME_URL, 'https://other.example'] } }],
    ['of another issuer', { claims: { iss: 'other' } }],
    ['without the claim exp', { claims: { exp: undefined } }],
    ['that has ended', { claims: { exp: now() - 60 } }],
    ['that lives for more than five minutes', { claims: { exp: now() + 400 } }],
    ['with a claim iat in the future', { claims: { iat: now() + 120, exp: now() + 130 } }],
    ['that is not valid yet', { claims: { nbf: now() + 120 } }],
    ['without an id', { claims: { jti: undefined } }],
    ['with a long id', { claims: { jti: 'x'.repeat(501) } }],
    ['that names another key', { header: { kid: 'other' } }],
  ])('answers invalid_client to an assertion %s', async (_title, changes) => {
    expect(await outcome(proof(await assertion(await newClient(), changes)))).toBe('invalid_client');
  });

  it('answers invalid_client to an assertion that another key signed', async () => {
    const { privateKey } = await newKey();
    expect(await outcome(proof(await assertion(await newClient(), { by: privateKey })))).toBe('invalid_client');
  });

  it('answers invalid_client to an unsigned assertion, to an assertion that is not a JWT, and to a client id without an assertion', async () => {
    const client = await newClient();
    const [, claims = ''] = (await assertion(client)).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const token of [`${header}.${claims}.`, 'x', '']) expect(await outcome(proof(token))).toBe('invalid_client');
    expect(await outcome({ client_id: client })).toBe('invalid_client');
    expect(await outcome({ client_id: client, client_secret: '' })).toBe('invalid_client');
  });

  it("answers invalid_client to an assertion for a client with a secret, signed with that client's secret", async () => {
    const { client_id, client_secret } = await runtime.newClient();
    const token = await new SignJWT({ iss: client_id, sub: client_id, aud: RUNTIME_URL, jti: 'x', exp: now() + 60 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(client_secret));
    expect(await outcome(proof(token))).toBe('invalid_client');
  });

  it('accepts an assertion only once, even when it is sent 20 times concurrently to several processes', async () => {
    const token = await assertion(await newClient());
    const other = await runtime.start();
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', ...proof(token) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? other : runtime).as()('POST', '/oauth/token', { body, headers })),
    );
    const errors = answers.map((answer) => (answer.body as { error: string }).error);
    expect(errors.filter((error) => error === PROVED)).toHaveLength(1);
    expect(errors.filter((error) => error === 'invalid_client')).toHaveLength(19);
  });

  it.each<[string, (client: string) => Promise<Record<string, string>>, Record<string, string>]>([
    [
      'a client secret in addition to the assertion',
      async (client) => ({ ...proof(await assertion(client)), client_secret: 'x' }),
      {},
    ],
    [
      'HTTP Basic in addition to the assertion',
      async (client) => proof(await assertion(client)),
      { authorization: 'Basic eDp5' },
    ],
    [
      'another client_id than in the assertion',
      async (client) => ({ ...proof(await assertion(client)), client_id: 'other' }),
      {},
    ],
    [
      'another client_assertion_type',
      async (client) => ({ client_assertion: await assertion(client), client_assertion_type: 'x' }),
      {},
    ],
    ['no client_assertion_type', async (client) => ({ client_assertion: await assertion(client) }), {}],
    ['no assertion', () => Promise.resolve({ client_assertion_type: ASSERTION_TYPE }), {}],
  ])('answers invalid_request to %s', async (_title, form, headers) => {
    expect(await outcome(await form(await newClient()), headers)).toBe('invalid_request');
  });

  it("issues and refreshes a user's tokens, also for a stock client", async () => {
    const client_id = await newClient();
    const user = await runtime.newUser('kim@example.com');
    const application = authorizationsOf(runtime, { client_id });
    const back = await application.decide(await application.begin(), user.id, ['mcp:read']);
    const server = `${runtime.url}/.well-known/oauth-authorization-server`;
    const as = (await (await fetch(server)).json()) as oauth.AuthorizationServer;
    expect(as.token_endpoint_auth_methods_supported).toContain('private_key_jwt');
    const options = {
      // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning: the runtime under test has no TLS
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, URLSearchParams>) =>
        fetch(url.replace(RUNTIME_URL, runtime.url), init),
    };
    const client = { client_id };
    const byKey = oauth.PrivateKeyJwt({ key: key.privateKey, kid: key.kid });
    const code = back.searchParams.get('code') ?? '';
    const first = await runtime.askToken({
      ...proof(await assertion(client_id)),
      ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT },
      code_verifier: application.verifier,
    });
    expect(first.status).toBe(200);
    const { refresh_token } = first.body as Tokens;
    const answer = await oauth.refreshTokenGrantRequest(as, client, byKey, refresh_token, options);
    const tokens = await oauth.processRefreshTokenResponse(as, client, answer);
    expect(tokens.scope).toBe('mcp:read');
    const seen = await oauth.introspectionRequest(as, client, byKey, tokens.access_token, options);
    expect(await oauth.processIntrospectionResponse(as, client, seen)).toMatchObject({ active: true, sub: user.id });
    const revoked = await oauth.revocationRequest(as, client, byKey, tokens.access_token, options);
    await oauth.processRevocationResponse(revoked);
  });
});

describe('the keys that a client publishes at a URL', () => {
  it('are fetched once for many signatures; further URLs of a host are refused after 30 fetches from the host in a minute', async () => {
    let reads = 0;
    const fetched = () => {
      reads += 1;
      return Promise.resolve(Response.json({ keys: [key.jwk] }));
    };
    const find = createClientKeyFinder({ egress: { fetch: fetched }, limiter: createRateLimiter({ now: () => 0 }) });
    const header = { alg: 'ES256', kid: key.kid };
    const read = (path: string) =>
      find({ jwks_uri: `https://app.example/${path}` })(header, { payload: '', signature: '' });
    for (let n = 0; n < 5; n += 1) await read('keys');
    expect(reads).toBe(1);
    for (let n = 0; n < 29; n += 1) await read(String(n));
    await expect(read('one more')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(reads).toBe(30);
  });
});
