import { createHash } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { RUNTIME_URL, startRuntime, type TestClient, type TestRuntime } from '../test-runtime.js';
import { authorizationsOf, REDIRECT, type Parameters, type Tokens } from './test-authorization.js';

/**
 * The modules of the OpenID Foundation's conformance suite for providers, in its plans Basic OP and Config OP. The tests have the names of
 * the modules, but do not run the suite, which is a separate program that controls a browser. The tests decide about sign-in and consent in
 * place of admin-auth. How admin-auth applies `prompt` and `max_age` is tested in apps/admin-auth/src/consent.
 */

let database: TestDatabase;
let runtime: TestRuntime;
let client: TestClient;
beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  client = await runtime.newClient({ redirectUris: [REDIRECT], scopes: ['agents:read'] });
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

type OpenIdTokens = Tokens & { id_token?: string; token_type?: string; expires_in?: number };
type Metadata = Record<string, unknown>;

let count = 0;
async function newUser() {
  const email = `op${(count += 1)}@example.com`;
  return { ...(await runtime.newUser(email, { name: 'Grace Hopper' })), email };
}
const metadata = async () => (await runtime.as()('GET', '/.well-known/openid-configuration')).body as Metadata;
const userinfo = (token: string, method: 'GET' | 'POST' = 'GET') => runtime.as(token)(method, '/oauth/userinfo');

/** A request without PKCE. Clients with a secret may leave PKCE out. */
const plain: Parameters = { code_challenge: undefined, code_challenge_method: undefined };

async function signIn(more: Parameters = {}) {
  const user = await newUser();
  const steps = authorizationsOf(runtime, client);
  const begun = await steps.begin({ scope: 'openid', ...more });
  const back = await steps.decide(begun, user.id, begun.scopes, { auth_time: new Date() });
  const code = back.searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT };
  const answer = await ('code_challenge' in more ? steps.askToken(form) : steps.redeem(back));
  return { user, steps, begun, back, answer, tokens: answer.body as OpenIdTokens };
}

const errorAt = async (more: Parameters) => {
  const response = await authorizationsOf(runtime, client).authorize({ scope: 'openid', ...more });
  const to = response.headers.get('location');
  return to === null ? response.status : Object.fromEntries(new URL(to).searchParams);
};

describe('the conformance plan Config OP', () => {
  it('passes oidcc-discovery-endpoint-verification: the metadata has the required members', async () => {
    const found = await metadata();
    expect(found['issuer']).toBe(RUNTIME_URL);
    for (const name of ['authorization', 'token', 'userinfo', 'end_session', 'registration'])
      expect(found[`${name}_endpoint`]).toMatch(new RegExp(`^${RUNTIME_URL}/oauth/`));
    expect(found).toMatchObject({
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
    expect(found['scopes_supported']).toEqual(expect.arrayContaining(['openid', 'profile', 'email']));
    expect(found['claims_supported']).toEqual(expect.arrayContaining(['sub', 'iss', 'auth_time', 'name', 'email']));
    expect(found['token_endpoint_auth_methods_supported']).toEqual(
      expect.arrayContaining(['client_secret_basic', 'client_secret_post']),
    );
    const { keys } = (await runtime.as()('GET', '/.well-known/jwks.json')).body as JSONWebKeySet;
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', kid: expect.any(String) as string });
      expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d']));
    }
  });

  /** The suite requires RS256, as OpenID Connect Discovery 1.0 §3 does of every provider. This installation has no setting for RS256. */
  it('requires RS256, but the metadata name ES256 as the only algorithm of id tokens', async () => {
    expect((await metadata())['id_token_signing_alg_values_supported']).toEqual(['ES256']);
  });
});

describe('the conformance plan Basic OP', () => {
  it('passes oidcc-server: the code is exchanged for tokens whose id token is valid', async () => {
    const { user, tokens, answer } = await signIn({ ...plain, nonce: 'n-1' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 });
    const keys = createLocalJWKSet((await runtime.as()('GET', '/.well-known/jwks.json')).body as JSONWebKeySet);
    const { payload } = await jwtVerify(tokens.id_token ?? '', keys, {
      ...{ issuer: RUNTIME_URL, audience: client.client_id, algorithms: ['ES256'] },
    });
    expect(payload).toMatchObject({ sub: user.id, nonce: 'n-1' });
    const half = createHash('sha256').update(tokens.access_token).digest().subarray(0, 16);
    expect(payload['at_hash']).toBe(half.toString('base64url'));
  });

  it('passes oidcc-response-type-missing: the client gets invalid_request, with its state', async () => {
    expect(await errorAt({ response_type: undefined })).toMatchObject({ error: 'invalid_request', state: 'x' });
  });

  it.each([
    ['oidcc-userinfo-get', 'GET'],
    ['oidcc-userinfo-post-header', 'POST'],
  ] as const)('passes %s: userinfo answers with the subject', async (_module, method) => {
    const { user, tokens } = await signIn();
    expect((await userinfo(tokens.access_token, method)).body).toEqual({ sub: user.id });
  });

  it('sends a token in a form in oidcc-userinfo-post-body: userinfo answers 401, because servers may ignore it (RFC 6750 §2.2)', async () => {
    const { tokens } = await signIn();
    const { status } = await runtime.as()('POST', '/oauth/userinfo', {
      body: new URLSearchParams({ access_token: tokens.access_token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(401);
  });

  it('passes oidcc-ensure-request-without-nonce-succeeds-for-code-flow: the id token has no nonce', async () => {
    const { tokens } = await signIn({ ...plain });
    expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('nonce');
  });

  it.each([
    ['oidcc-scope-profile', 'openid profile', ['name']],
    ['oidcc-scope-email', 'openid email', ['email']],
    ['oidcc-scope-address', 'openid address', []],
    ['oidcc-scope-phone', 'openid phone', []],
    ['oidcc-scope-all', 'openid profile email address phone', ['email', 'name']],
    ['oidcc-ensure-other-scope-order-succeeds', 'email openid', ['email']],
  ])('passes %s: userinfo has the supported claims of the scopes', async (_module, scope, claims) => {
    const { user, tokens } = await signIn({ scope });
    const { body } = await userinfo(tokens.access_token);
    expect(Object.keys(body as object).sort()).toEqual(['sub', ...claims].sort());
    expect(body).toMatchObject({ sub: user.id });
  });

  it.each<[string, Parameters]>([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-login-hint', { login_hint: 'buffy@example.com' }],
    ['oidcc-ui-locales', { ui_locales: 'sv' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-ensure-request-with-valid-pkce-succeeds', {}],
  ])('passes %s: the sign-in succeeds with an id token', async (_module, more) => {
    const { answer, tokens } = await signIn(more);
    expect([answer.status, typeof tokens.id_token]).toEqual([200, 'string']);
  });

  it.each<[string, Parameters, { prompt: string[]; max_age: number | null }]>([
    ['oidcc-prompt-login', { prompt: 'login' }, { prompt: ['login'], max_age: null }],
    ['oidcc-prompt-none-logged-in', { prompt: 'none' }, { prompt: ['none'], max_age: null }],
    ['oidcc-max-age-1', { max_age: '1' }, { prompt: [], max_age: 1 }],
    ['oidcc-max-age-10000', { max_age: '10000' }, { prompt: [], max_age: 10_000 }],
  ])('passes %s: the console applies the parameter, and the id token has auth_time', async (_module, more, kept) => {
    const { tokens, begun } = await signIn(more);
    const request_hash = new Uint8Array(createHash('sha256').update(begun.request).digest());
    expect(await runtime.db.prisma.oAuthAuthorization.findUniqueOrThrow({ where: { request_hash } })).toMatchObject(
      kept,
    );
    expect(decodeJwt(tokens.id_token ?? '')['auth_time']).toEqual(expect.any(Number));
  });

  it('passes oidcc-id-token-hint: the client gets a code for the user in the hint, and login_required for another user', async () => {
    const { user, steps, tokens } = await signIn();
    const asked = { scope: 'openid', prompt: 'none', id_token_hint: tokens.id_token };
    const begun = await steps.begin(asked);
    const back = await steps.decide(begun, user.id, begun.scopes, { auth_time: new Date() });
    const { body } = await steps.redeem(back);
    expect(decodeJwt((body as OpenIdTokens).id_token ?? '')).toMatchObject({ sub: user.id });
    const again = await steps.begin(asked);
    const other = await steps.decide(again, (await newUser()).id, again.scopes, { auth_time: new Date() });
    expect(Object.fromEntries(other.searchParams)).toEqual({ error: 'login_required', state: 'x', iss: RUNTIME_URL });
    const denied = await steps.decide(await steps.begin(asked), user.id, []);
    expect(denied.searchParams.get('error')).toBe('access_denied');
  });

  it('answers an error to an id_token_hint that is invalid or was issued to another client, in pushed and in other requests', async () => {
    const other = await runtime.newClient({ redirectUris: [REDIRECT], scopes: ['agents:read'] });
    const steps = authorizationsOf(runtime, other);
    const begun = await steps.begin({ scope: 'openid' });
    const { body } = await steps.redeem(await steps.decide(begun, (await newUser()).id, begun.scopes));
    const hints = [(body as OpenIdTokens).id_token ?? '', (body as OpenIdTokens).access_token, 'a.b.c'];
    for (const id_token_hint of hints) {
      expect(await errorAt({ id_token_hint })).toMatchObject({ error: 'invalid_request', state: 'x' });
      const { client_id, client_secret } = client;
      const form = { client_id, client_secret, redirect_uri: REDIRECT, response_type: 'code', scope: 'openid' };
      const pushed = await runtime.as()('POST', '/oauth/par', {
        body: new URLSearchParams({ ...form, id_token_hint }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect([pushed.status, pushed.body]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })]);
    }
  });

  it('passes oidcc-prompt-none-not-logged-in: the client gets login_required, with its state', async () => {
    const steps = authorizationsOf(runtime, client);
    const begun = await steps.begin({ scope: 'openid', prompt: 'none' });
    const back = await steps.decide(begun, null, [], { refusal: 'login_required' });
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'login_required', state: 'x' });
  });

  it.each([
    ['oidcc-codereuse', 0],
    ['oidcc-codereuse-30seconds', 30_000],
  ])(
    'passes %s: the second use of a code is answered with invalid_grant and revokes the tokens of its first use',
    async (_module, after) => {
      const { steps, back, tokens } = await signIn();
      if (after > 0) {
        const earlier = new Date(Date.now() - after);
        await runtime.db.prisma.oAuthCode.updateMany({ data: { used_at: earlier }, where: { used_at: { not: null } } });
      }
      const again = await steps.redeem(back);
      expect([again.status, again.body]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
      expect((await userinfo(tokens.access_token)).status).toBe(401);
    },
  );

  it('passes oidcc-ensure-registered-redirect-uri: the browser is not redirected to another address', async () => {
    expect(await errorAt({ redirect_uri: `${REDIRECT}/other` })).toBe(400);
    expect(await errorAt({ redirect_uri: 'https://other.example/cb' })).toBe(400);
  });

  it('passes oidcc-ensure-post-request-succeeds: a POSTed request leads to the consent page', async () => {
    const body = new URLSearchParams({
      ...{ client_id: client.client_id, redirect_uri: REDIRECT, response_type: 'code', scope: 'openid', state: 'x' },
    });
    const { status, headers } = await fetch(`${runtime.url}/oauth/authorize`, {
      method: 'POST',
      body,
      redirect: 'manual',
    });
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining('/admin/consent?request=')]);
  });

  it.each(['client_secret_basic', 'client_secret_post'])(
    'passes oidcc-server-client-secret: the client authenticates by %s',
    async (method) => {
      const steps = authorizationsOf(runtime, client);
      const begun = await steps.begin({ scope: 'openid', ...plain });
      const back = await steps.decide(begun, (await newUser()).id, begun.scopes);
      const code = back.searchParams.get('code') ?? '';
      const { client_id, client_secret } = client;
      const basic = Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString(
        'base64',
      );
      const isBasic = method === 'client_secret_basic';
      const headers: Record<string, string> = isBasic ? { authorization: `Basic ${basic}` } : {};
      const form: Record<string, string> = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT };
      const body = new URLSearchParams(isBasic ? form : { ...form, client_id, client_secret });
      const answer = await fetch(`${runtime.url}/oauth/token`, { method: 'POST', body, headers });
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ token_type: 'Bearer' })]);
    },
  );

  it.each([
    ['oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', 'eyJhbGciOiJub25lIn0.e30.'],
    ['oidcc-ensure-request-object-with-redirect-uri', 'eyJhbGciOiJub25lIn0.eyJyZWRpcmVjdF91cmkiOiJhIn0.'],
  ])('passes %s: the client gets request_not_supported, with its state', async (_module, request) => {
    expect(await errorAt({ request })).toMatchObject({ error: 'request_not_supported', state: 'x' });
  });

  it('passes oidcc-claims-essential: the parameter claims, which the metadata do not list, changes nothing', async () => {
    const { user, tokens } = await signIn({ claims: '{"userinfo":{"name":{"essential":true}}}' });
    expect((await userinfo(tokens.access_token)).body).toEqual({ sub: user.id });
  });

  it('passes oidcc-refresh-token: the client gets a new id token for the same user, and cannot use the token of another client', async () => {
    const { user, steps, tokens } = await signIn();
    const renewed = (await steps.refresh(tokens.refresh_token)).body as OpenIdTokens;
    expect(decodeJwt(renewed.id_token ?? '')).toMatchObject({ iss: RUNTIME_URL, aud: client.client_id, sub: user.id });
    const other = await runtime.newClient({ redirectUris: [REDIRECT], scopes: ['agents:read'] });
    const stolen = await authorizationsOf(runtime, other).refresh(renewed.refresh_token);
    expect([stolen.status, stolen.body]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
  });
});

/**
 * Sends a request like golang.org/x/oauth2, which Grafana and oauth2-proxy use. The library first authenticates the client by HTTP Basic,
 * with id and secret form-encoded.
 */
function goExchange(form: Record<string, string>) {
  const { client_id, client_secret } = client;
  const basic = Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64');
  return fetch(`${runtime.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams(form),
  });
}

async function goSignIn(more: Parameters) {
  const user = await newUser();
  const steps = authorizationsOf(runtime, client);
  const begun = await steps.begin({ ...plain, ...more });
  const back = await steps.decide(begun, user.id, begun.scopes, { auth_time: new Date() });
  const code = back.searchParams.get('code') ?? '';
  const answer = await goExchange({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT });
  expect(answer.status).toBe(200);
  return { user, back, tokens: (await answer.json()) as OpenIdTokens };
}

describe('Grafana, generic OAuth', () => {
  /** The members that `connectors/generic_oauth.go` reads. */
  interface GrafanaUser {
    sub: string;
    name: string;
    email: string;
  }

  it('reads id, name and email from the decoded id token and from api_url', async () => {
    // The application's library adds `access_type=online`.
    const { user, back, tokens } = await goSignIn({
      ...{ scope: 'openid profile email', state: 'a+b/c=', access_type: 'online' },
    });
    expect(back.searchParams.get('state')).toBe('a+b/c=');
    const [, payload = ''] = (tokens.id_token ?? '').split('.');
    const ofToken = JSON.parse(Buffer.from(payload, 'base64url').toString()) as GrafanaUser;
    const ofApi = (await userinfo(tokens.access_token)).body as GrafanaUser;
    for (const { sub, name, email } of [ofToken, ofApi])
      expect({ sub, name, email }).toEqual({ sub: user.id, name: 'Grace Hopper', email: user.email });
  });

  it('renews a session by its refresh token', async () => {
    const { tokens } = await goSignIn({ scope: 'openid profile email' });
    const answer = await goExchange({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ id_token: expect.any(String) as string, expires_in: 3_600 }),
    ]);
  });
});

describe('oauth2-proxy, provider oidc', () => {
  it('can be configured by the issuer alone: the metadata have this issuer, the endpoints and the algorithm', async () => {
    const found = await metadata();
    expect(found['issuer']).toBe(RUNTIME_URL);
    const { authorization_endpoint: login, token_endpoint: redeem, userinfo_endpoint: profile, jwks_uri: jwks } = found;
    for (const address of [login, redeem, profile, jwks]) expect(String(address).startsWith(RUNTIME_URL)).toBe(true);
    expect(found['id_token_signing_alg_values_supported']).toEqual(['ES256']);
    expect(found['code_challenge_methods_supported']).toContain('S256');
  });

  it('starts a session with an id token that has the nonce, an email address and no email_verified: false, and renews the session', async () => {
    const nonce = createHash('sha256').update('nonce').digest('base64url');
    const { user, tokens } = await goSignIn({
      ...{ scope: 'openid email profile', nonce, state: `${nonce}:/dashboard?tab=1`, approval_prompt: 'force' },
    });
    const claims = decodeJwt(tokens.id_token ?? '');
    expect(claims).toMatchObject({ sub: user.id, nonce, email: user.email, aud: client.client_id });
    expect(claims).not.toHaveProperty('email_verified');
    const answer = await goExchange({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    const renewed = (await answer.json()) as OpenIdTokens;
    expect(decodeJwt(renewed.id_token ?? '')).toMatchObject({ sub: user.id, email: user.email });
  });
});
