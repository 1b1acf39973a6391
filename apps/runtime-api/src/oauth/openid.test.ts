import { createHash } from 'node:crypto';
import { newId } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { BASE_URL, RUNTIME_URL, startRuntime, type TestClient, type TestRuntime } from '../test-runtime.js';
import { authorizationsOf, REDIRECT, type Application, type Parameters } from './test-authorization.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
  id_token?: string;
  scope: string;
}

let database: TestDatabase;
let runtime: TestRuntime;
let client: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  client = await runtime.newClient({ redirectUris: [REDIRECT], scopes: ['agents:read', 'content:read'] });
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

let count = 0;
const newUser = () => runtime.newUser(`grace${(count += 1)}@example.com`, { name: 'Grace Hopper' });
const send = (url: string, init?: object) => fetch(url.replace(RUNTIME_URL, runtime.url), init);

async function registered(): Promise<Application> {
  const json = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
  return (await runtime.as()('POST', '/oauth/register', { json })).body as Application;
}
/** Discovers the provider. The client has only the provider's URL, and verifies every signature by the keys of the JWKS. */
const discover = ({ client_id, client_secret }: Application) =>
  oidc.discovery(
    new URL(RUNTIME_URL),
    client_id,
    undefined,
    client_secret === undefined ? oidc.None() : oidc.ClientSecretBasic(client_secret),
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning
    { [oidc.customFetch]: send, execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] },
  );

interface SignInOptions {
  by?: Application;
  granted?: string[];
  auth_time?: Date;
}

/** Gets the tokens of a user who signed in at `auth_time` and granted all of the scopes. */
async function signIn(
  { scope = 'openid profile email', nonce, ...more }: Parameters = {},
  { by = client, granted, auth_time = new Date() }: SignInOptions = {},
) {
  const user = await newUser();
  const application = authorizationsOf(runtime, by);
  const begun = await application.begin({ scope, nonce, ...more });
  const back = await application.decide(begun, user.id, granted ?? begun.scopes, { auth_time });
  const { body, status } = await application.redeem(back);
  expect(status).toBe(200);
  return { user, application, tokens: body as Tokens };
}
const userinfo = (token?: string, method: 'GET' | 'POST' = 'GET') => runtime.as(token)(method, '/oauth/userinfo');
const keys = async () => createLocalJWKSet((await runtime.as()('GET', '/.well-known/jwks.json')).body as JSONWebKeySet);
const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);

describe('a stock client (openid-client)', () => {
  it.each([
    ['with a secret, made in Settings', () => Promise.resolve<Application>(client)],
    ['without a secret, which registered itself', registered],
  ])('%s signs a user in, reads userinfo and refreshes', async (_name, make) => {
    const application = await make();
    const config = await discover(application);
    expect(config.serverMetadata().supportsPKCE()).toBe(true);
    const [verifier, nonce, state] = [oidc.randomPKCECodeVerifier(), oidc.randomNonce(), oidc.randomState()];
    const url = oidc.buildAuthorizationUrl(config, {
      ...{ redirect_uri: REDIRECT, scope: 'openid profile email', nonce, state, max_age: '300' },
      ...{ code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    expect(`${url.origin}${url.pathname}`).toBe(`${RUNTIME_URL}/oauth/authorize`);
    const user = await newUser();
    const steps = authorizationsOf(runtime, application);
    const begun = await steps.begin(Object.fromEntries(url.searchParams));
    const auth_time = new Date(Date.now() - 60_000);
    const back = await steps.decide(begun, user.id, begun.scopes, { auth_time });
    const tokens = await oidc.authorizationCodeGrant(config, back, {
      ...{ pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state },
      ...{ maxAge: 300, idTokenExpected: true },
    });
    const email = `grace${count}@example.com`;
    const claims = { iss: RUNTIME_URL, aud: application.client_id, sub: user.id, name: 'Grace Hopper', email };
    const { iat = 0 } = tokens.claims() ?? {};
    expect(tokens.claims()).toEqual({
      ...{ ...claims, nonce, auth_time: seconds(auth_time), iat, exp: iat + 3_600 },
      at_hash: createHash('sha256').update(tokens.access_token).digest().subarray(0, 16).toString('base64url'),
    });
    expect(await oidc.fetchUserInfo(config, tokens.access_token, user.id)).toEqual({
      ...{ sub: user.id, name: 'Grace Hopper', email },
    });
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.claims()).toMatchObject({ ...claims, auth_time: seconds(auth_time) });
    expect(renewed.claims()).not.toHaveProperty('nonce');
    expect(await oidc.fetchUserInfo(config, renewed.access_token, user.id)).toMatchObject({ sub: user.id });
  });

  it.each([
    ['another nonce', { expectedNonce: 'other' }],
    ['another maximum age', { expectedNonce: 'n', maxAge: 10 }],
  ])('refuses an id token when it expects %s than it has requested', async (_name, checks) => {
    const config = await discover(client);
    const steps = authorizationsOf(runtime, client);
    const begun = await steps.begin({ scope: 'openid', nonce: 'n', max_age: '300' });
    const auth_time = new Date(Date.now() - 120_000);
    const back = await steps.decide(begun, (await newUser()).id, begun.scopes, { auth_time });
    await expect(
      oidc.authorizationCodeGrant(config, back, {
        ...{ expectedState: 'x', ...checks, pkceCodeVerifier: steps.verifier },
      }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^OAUTH_JWT_/) as string });
  });

  it('binds its tokens to a key, and reads userinfo only with a proof', async () => {
    const application = await registered();
    const config = await discover(application);
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
    const steps = authorizationsOf(runtime, application);
    const begun = await steps.begin({ scope: 'openid email', dpop_jkt: await DPoP.calculateThumbprint() });
    const user = await newUser();
    const back = await steps.decide(begun, user.id, begun.scopes);
    const checks = { pkceCodeVerifier: steps.verifier, expectedState: 'x', idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(config, back, checks, undefined, { DPoP });
    expect(await oidc.fetchUserInfo(config, tokens.access_token, user.id, { DPoP })).toMatchObject({ sub: user.id });
    const { status, headers } = await userinfo(tokens.access_token);
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"') as string,
    ]);
  });
});

describe('an id token', () => {
  it('can be verified by its client, and by no other client, with only the JWKS until it expires', async () => {
    const { user, tokens } = await signIn({ nonce: 'n-0S6_WzA2Mj' });
    const [token = '', found] = [tokens.id_token, await keys()];
    const expected = { issuer: RUNTIME_URL, audience: client.client_id, algorithms: ['ES256'] };
    const { payload, protectedHeader } = await jwtVerify(token, found, expected);
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: runtime.signingKey.kid });
    expect(payload).toMatchObject({ sub: user.id, nonce: 'n-0S6_WzA2Mj' });
    await expect(jwtVerify(token, found, { ...expected, audience: 'another' })).rejects.toMatchObject({ claim: 'aud' });
    await expect(jwtVerify(token, found, { ...expected, issuer: 'https://other.example' })).rejects.toMatchObject({
      claim: 'iss',
    });
    const later = new Date(Date.now() + 3_601_000);
    await expect(jwtVerify(token, found, { ...expected, currentDate: later })).rejects.toMatchObject({
      code: 'ERR_JWT_EXPIRED',
    });
    const [head = '', body = '', signature = ''] = token.split('.');
    const other = Buffer.from(JSON.stringify({ ...payload, sub: newId() })).toString('base64url');
    expect(body).not.toBe(other);
    await expect(jwtVerify(`${head}.${other}.${signature}`, found, expected)).rejects.toMatchObject({
      code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
  });

  it.each([
    ['openid', []],
    ['openid profile', ['name']],
    ['openid email', ['email']],
    ['agents:read openid email profile', ['email', 'name']],
  ])('has the claims of the scopes %s', async (scope, claims) => {
    const { user, tokens } = await signIn({ scope });
    const always = ['at_hash', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'sub'];
    expect(Object.keys(decodeJwt(tokens.id_token ?? '')).sort()).toEqual([...always, ...claims].sort());
    const { body } = await userinfo(tokens.access_token);
    expect([Object.keys(body as object).sort(), (body as { sub: string }).sub]).toEqual([
      ['sub', ...claims].sort(),
      user.id,
    ]);
  });

  it('has no auth_time when the time of the sign-in is not known', async () => {
    const application = authorizationsOf(runtime, client);
    const begun = await application.begin({ scope: 'openid' });
    const { body } = await application.redeem(await application.decide(begun, (await newUser()).id, begun.scopes));
    expect(decodeJwt((body as Tokens).id_token ?? '')).not.toHaveProperty('auth_time');
  });

  it('is issued only when the user granted openid; a refresh without that scope returns no id token', async () => {
    const { tokens } = await signIn({ scope: 'openid agents:read' }, { granted: ['agents:read'] });
    expect(tokens).not.toHaveProperty('id_token');
    const whole = await signIn({ scope: 'openid agents:read' });
    const form = { grant_type: 'refresh_token', refresh_token: whole.tokens.refresh_token, scope: 'agents:read' };
    const { body } = await whole.application.askToken(form);
    expect([(body as Tokens).scope, (body as Tokens).id_token]).toEqual(['agents:read', undefined]);
  });

  it('is refused as an access token, and as the subject token of an exchange', async () => {
    const { tokens, application } = await signIn();
    const { id_token = '' } = tokens;
    expect(decodeProtectedHeader(id_token).kid).toBe(runtime.signingKey.kid);
    for (const path of ['/oauth/userinfo', '/api/v1/agents/registry'])
      expect((await runtime.as(id_token)('GET', path)).status).toBe(401);
    expect(await application.introspect(id_token)).toEqual({ active: false });
    const { status, body } = await application.askToken({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: id_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: RUNTIME_URL,
    });
    expect([status, (body as { error: string }).error]).toEqual([400, 'invalid_request']);
  });
});

describe('/oauth/userinfo', () => {
  it('answers GET and POST, for scripts of any origin, and for a token of any audience of this server', async () => {
    const resource = `${RUNTIME_URL}/api/v1/mcp/platform/mcp`;
    const { user, tokens } = await signIn({ scope: 'openid', resource });
    for (const method of ['GET', 'POST'] as const) {
      const { status, body, headers } = await userinfo(tokens.access_token, method);
      expect([status, body]).toEqual([200, { sub: user.id }]);
      expect([headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual(['*', 'no-store']);
      expect(headers.get('x-ratelimit-limit')).not.toBeNull();
    }
    const preflight = await runtime.as()('OPTIONS', '/oauth/userinfo');
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'Authorization, DPoP',
    ]);
    const wrong = await runtime.as(tokens.access_token)('DELETE', '/oauth/userinfo');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('answers 401 without an error code when the token is missing, and 401 with invalid_token when it is invalid', async () => {
    const refusalOf = async (token?: string) => {
      const { status, headers } = await userinfo(token);
      return [status, /error="(\w+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]];
    };
    expect(await refusalOf()).toEqual([401, undefined]);
    expect(await refusalOf('mw_live_abc')).toEqual([401, 'invalid_token']);
    expect(await refusalOf('a.b.c')).toEqual([401, 'invalid_token']);
  });

  it('answers 403, with openid as the needed scope, to a token without this scope', async () => {
    for (const token of [
      (await signIn({ scope: 'openid agents:read' }, { granted: ['agents:read'] })).tokens.access_token,
      await runtime.newToken(),
    ]) {
      const { status, headers } = await userinfo(token);
      expect([status, headers.get('www-authenticate')]).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="openid"',
      ]);
    }
  });

  it.each<[string, Partial<Record<'status' | 'project', string>>]>([
    ['the account is disabled', { status: 'inactive' }],
    ['the user has moved to another project', { project: 'Commerce' }],
  ])('refuses tokens once %s', async (_name, data) => {
    const { user, tokens, application } = await signIn();
    expect((await userinfo(tokens.access_token)).status).toBe(200);
    await runtime.db.prisma.user.update({ where: { id: user.id }, data });
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    const { status, body } = await application.refresh(tokens.refresh_token);
    expect([status, (body as { error: string }).error]).toEqual([400, 'invalid_grant']);
  });

  it('refuses a token whose grant was revoked', async () => {
    const { tokens, application } = await signIn();
    expect((await application.introspect(tokens.access_token)) as object).toMatchObject({
      scope: 'openid profile email',
    });
    const body = new URLSearchParams({
      ...{ client_id: client.client_id, client_secret: client.client_secret, token: tokens.access_token },
    }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await runtime.as()('POST', '/oauth/revoke', { body, headers })).status).toBe(200);
    expect((await userinfo(tokens.access_token)).status).toBe(401);
  });
});

describe('an authentication request', () => {
  const errorOf = async (more: Parameters) => {
    const response = await authorizationsOf(runtime, client).authorize({ scope: 'openid', ...more });
    return new URL(response.headers.get('location') ?? 'about:blank').searchParams.get('error');
  };

  it.each<[string, Parameters, string]>([
    ['a prompt that is not supported', { prompt: 'create' }, 'invalid_request'],
    ['prompt none together with another prompt', { prompt: 'none login' }, 'invalid_request'],
    ['a negative max_age', { max_age: '-1' }, 'invalid_request'],
    ['a nonce that cannot be stored', { nonce: 'a\0b' }, 'invalid_request'],
    ['a nonce of more than 255 bytes', { nonce: 'é'.repeat(128) }, 'invalid_request'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['profile and email without openid', { scope: 'profile email' }, 'invalid_scope'],
  ])('is refused for %s', async (_name, more, error) => {
    expect(await errorOf(more)).toBe(error);
  });

  it('is stored with its nonce, prompt and max_age, whether or not it was pushed', async () => {
    const asked = { scope: 'openid', nonce: 'é'.repeat(127), prompt: 'login consent', max_age: '0' };
    await authorizationsOf(runtime, client).begin(asked);
    const body = new URLSearchParams({
      ...{ client_id: client.client_id, client_secret: client.client_secret, redirect_uri: REDIRECT },
      ...{ response_type: 'code', ...asked, nonce: 'pushed' },
    }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await runtime.as()('POST', '/oauth/par', { body, headers })).status).toBe(201);
    const rows = await runtime.db.prisma.oAuthAuthorization.findMany({ orderBy: { created_at: 'desc' }, take: 2 });
    const stored = { prompt: ['login', 'consent'], max_age: 0 };
    expect(rows).toMatchObject([
      { ...stored, nonce: 'pushed' },
      { ...stored, nonce: asked.nonce },
    ]);
  });

  it('with prompt none leads to no page for the user; the client gets an error that names the missing step', async () => {
    const application = authorizationsOf(runtime, client);
    const begun = await application.begin({ scope: 'openid', prompt: 'none' });
    const back = await application.decide(begun, null, [], { refusal: 'login_required' });
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'login_required', state: 'x', iss: RUNTIME_URL });
  });

  it('without the scope openid is treated as a plain authorization request: prompt, max_age and nonce are ignored', async () => {
    const { request } = await authorizationsOf(runtime, client).begin({
      ...{ scope: 'agents:read', prompt: 'create', max_age: 'x', nonce: 'n'.repeat(2_000) },
    });
    expect(request).not.toBe('');
  });
});

describe('the scopes of OpenID Connect', () => {
  it('may be requested by every client, but only with the consent of a user', async () => {
    const { tokens } = await signIn({ scope: 'openid content:read' });
    expect(tokens.scope).toBe('openid content:read');
    const own = { grant_type: 'client_credentials', client_id: client.client_id, client_secret: client.client_secret };
    expect(((await runtime.askToken(own)).body as Tokens).scope).toBe('agents:read content:read');
    expect((await runtime.askToken({ ...own, scope: 'openid' })).body).toMatchObject({ error: 'invalid_scope' });
    const { scopes } = await authorizationsOf(runtime, client).begin();
    expect(scopes).toEqual(['agents:read', 'content:read']);
  });

  it('give no access to other endpoints', async () => {
    const { tokens } = await signIn();
    for (const path of ['/api/v1/agents/registry', '/api/v1/users', '/api/v1/content'])
      expect((await runtime.as(tokens.access_token)('GET', path)).status).toBe(403);
  });
});

describe('/oauth/end_session', () => {
  const to = ({ headers }: { headers: Headers }) => new URL(headers.get('location') ?? 'about:blank');
  const END = `${BASE_URL}/admin/oauth/end-session`;

  it('sends the browser to the console with the parameters of the GET or POST', async () => {
    const config = await discover(client);
    const hint = { id_token_hint: 'a.b.c', post_logout_redirect_uri: REDIRECT, state: 's' };
    const url = oidc.buildEndSessionUrl(config, hint);
    const passed = { ...hint, client_id: client.client_id };
    for (const init of [{}, { method: 'POST', body: url.searchParams }]) {
      const address = `${runtime.url}${url.pathname}${'body' in init ? '' : url.search}`;
      const response = await fetch(address, { ...init, redirect: 'manual' });
      expect([response.status, `${to(response).origin}${to(response).pathname}`]).toEqual([303, END]);
      expect(Object.fromEntries(to(response).searchParams)).toEqual(passed);
    }
  });

  it('leaves out parameters that are repeated, too long or unknown', async () => {
    const query = `client_id=a&client_id=b&state=${'s'.repeat(5_000)}&other=1`;
    const response = await fetch(`${runtime.url}/oauth/end_session?${query}`, { redirect: 'manual' });
    expect(to(response).href).toBe(`${END}?`);
  });
});

describe('GET /.well-known/openid-configuration', () => {
  it('is the metadata of the authorization server', async () => {
    const [ofOpenId, ofOAuth] = await Promise.all(
      ['openid-configuration', 'oauth-authorization-server'].map((name) => runtime.as()('GET', `/.well-known/${name}`)),
    );
    expect(ofOpenId?.body).toEqual(ofOAuth?.body);
    expect(ofOpenId?.headers.get('access-control-allow-origin')).toBe('*');
    expect(ofOpenId?.body).toMatchObject({
      userinfo_endpoint: `${RUNTIME_URL}/oauth/userinfo`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      request_uri_parameter_supported: false,
    });
  });

  it('is read by another stock client (oauth4webapi), which validates the answer and userinfo', async () => {
    const issuer = new URL(RUNTIME_URL);
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning: the runtime under test has no TLS
    const insecure = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: send };
    const answer = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oidc' });
    const as = await oauth.processDiscoveryResponse(issuer, answer);
    const steps = authorizationsOf(runtime, client);
    const begun = await steps.begin({ scope: 'openid email', nonce: 'n' });
    const user = await newUser();
    const back = await steps.decide(begun, user.id, begun.scopes, { auth_time: new Date() });
    const known = { client_id: client.client_id };
    const received = oauth.validateAuthResponse(as, known, back, 'x');
    const proof = oauth.ClientSecretPost(client.client_secret);
    const redeemed = await oauth.authorizationCodeGrantRequest(
      as,
      known,
      proof,
      received,
      REDIRECT,
      steps.verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, known, redeemed, { expectedNonce: 'n' });
    await oauth.validateApplicationLevelSignature(as, redeemed, insecure);
    const answered = await oauth.userInfoRequest(as, known, tokens.access_token, insecure);
    expect(await oauth.processUserInfoResponse(as, known, user.id, answered)).toMatchObject({ sub: user.id });
  });
});
