import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createSecretBox } from '@millwright/secrets';
import { createTestDatabase, type ClientAnswer, type TestDatabase } from '@millwright/testing';
import {
  calculateJwkThumbprint,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';
import * as oauth from 'oauth4webapi';
import {
  RUNTIME_URL,
  startRuntime,
  type Replica,
  type TestClient,
  type TestRuntime,
  type TestUser,
} from '../test-runtime.js';
import { createProofNonces } from './proofs.js';
import { authorizationsOf, REDIRECT, type Parameters } from './test-authorization.js';

interface Key {
  privateKey: CryptoKey;
  jwk: JWK;
  jkt: string;
}
interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
}

let database: TestDatabase;
let runtime: TestRuntime;
let user: TestUser;
let key: Key;
let other: Key;
let confidential: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  user = await runtime.newUser('dora@example.com');
  [key, other] = await Promise.all([newKey(), newKey('Ed25519')]);
  confidential = await runtime.newClient({ redirectUris: [REDIRECT] });
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

async function newKey(alg = 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk: { ...jwk, alg }, jkt: await calculateJwkThumbprint(jwk) };
}

const now = () => Math.floor(Date.now() / 1_000);
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

interface Changes {
  claims?: JWTPayload;
  header?: object;
  by?: Key;
}
/** Makes a proof for a request to the public address of the runtime API. The tests send the request to another address. */
const proofFor = (method: string, path: string, { claims, header, by = key }: Changes = {}) =>
  new SignJWT({ jti: randomUUID(), htm: method, htu: `${RUNTIME_URL}${path}`, iat: now(), ...claims })
    .setProtectedHeader({ alg: by.jwk.alg ?? 'ES256', typ: 'dpop+jwt', jwk: by.jwk, ...header })
    .sign(by.privateKey);

const TOKEN = '/oauth/token';
const askToken = async (form: Record<string, string>, changes?: Changes) =>
  runtime.askToken(form, changes ? { dpop: await proofFor('POST', TOKEN, changes) } : {});
const errorOf = ({ status, body }: ClientAnswer) => [status, (body as { error?: unknown }).error];

const secretOf = ({ client_id, client_secret }: TestClient) => ({ client_id, client_secret });
const issue = async (by: TestClient, changes?: Changes) =>
  (await askToken({ grant_type: 'client_credentials', ...secretOf(by) }, changes)).body as Tokens;

async function newPublicClient(): Promise<string> {
  const json = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
  return ((await runtime.as()('POST', '/oauth/register', { json })).body as { client_id: string }).client_id;
}
/** Gets a code by a user's consent to `mcp:read`. @returns the form that redeems the code */
async function codeFor(client_id: string, more: Parameters = {}): Promise<Record<string, string>> {
  const application = authorizationsOf(runtime, { client_id });
  const back = await application.decide(await application.begin({ scope: 'mcp:read', ...more }), user.id, ['mcp:read']);
  const code = back.searchParams.get('code') ?? '';
  const code_verifier = application.verifier;
  return { grant_type: 'authorization_code', client_id, code, redirect_uri: REDIRECT, code_verifier };
}

interface Place {
  method: 'GET' | 'POST';
  path: string;
  json?: object;
}
const API: Place = { method: 'GET', path: '/api/v1/agents/registry' };
const MCP: Place = {
  ...{ method: 'POST', path: '/api/v1/mcp/platform/mcp' },
  json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
};
const send = ({ method, path, json }: Place, headers: Record<string, string>) =>
  runtime.as()(method, path, { headers, ...(json && { json }) });
/** Sends a request with the token and a valid proof to which these changes are applied. */
async function present(place: Place, token: string, changes: Changes = {}): Promise<ClientAnswer> {
  const claims = { ath: hashOf(token), ...changes.claims };
  const dpop = await proofFor(place.method, place.path, { ...changes, claims });
  return send(place, { authorization: `DPoP ${token}`, dpop });
}
const wwwAuthenticateOf = ({ headers }: ClientAnswer) => headers.get('www-authenticate');

describe('POST /oauth/token with a DPoP proof', () => {
  it.each(['ES256', 'Ed25519'])('binds the access token to the key of its proof: %s', async (alg) => {
    const by = alg === 'ES256' ? key : other;
    const tokens = await issue(confidential, { by });
    expect(tokens.token_type).toBe('DPoP');
    expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ jkt: by.jkt });
    expect((await present(API, tokens.access_token, { by })).status).toBe(200);
  });

  it.each<[string, () => Changes | Promise<Changes>]>([
    ['for another method', () => ({ claims: { htm: 'GET' } })],
    ['for another path', () => ({ claims: { htu: `${RUNTIME_URL}/oauth/par` } })],
    ['for the address behind the gateway', () => ({ claims: { htu: `${runtime.url}${TOKEN}` } })],
    ['without an address', () => ({ claims: { htu: undefined } })],
    ['issued two minutes ago', () => ({ claims: { iat: now() - 120 } })],
    ['from the future', () => ({ claims: { iat: now() + 60 } })],
    ['without a time', () => ({ claims: { iat: undefined } })],
    ['without jti', () => ({ claims: { jti: undefined } })],
    ['with a jti of 201 characters', () => ({ claims: { jti: 'j'.repeat(201) } })],
    ['of another type', () => ({ header: { typ: 'JWT' } })],
    ['without its key', () => ({ header: { jwk: undefined } })],
    ['with a key that did not sign it', async () => ({ header: { jwk: (await newKey()).jwk } })],
    ['with a private key', async () => ({ header: { jwk: await exportJWK(key.privateKey) } })],
    ['longer than 4,096 characters', () => ({ claims: { more: 'x'.repeat(4_096) } })],
    ['by an algorithm that is not accepted', async () => ({ by: await newKey('RS256') })],
  ])('refuses a proof %s and issues nothing', async (_fault, changes) => {
    const form = { grant_type: 'client_credentials', ...secretOf(confidential) };
    expect(errorOf(await askToken(form, await changes()))).toEqual([400, 'invalid_dpop_proof']);
  });

  it.each(['', 'nonsense', 'a.b.c'])('refuses the text %j instead of a proof', async (dpop) => {
    const form = { grant_type: 'client_credentials', ...secretOf(confidential) };
    expect(errorOf(await runtime.askToken(form, { dpop }))).toEqual([400, 'invalid_dpop_proof']);
  });

  it('refuses a second use of a proof', async () => {
    const form = { grant_type: 'client_credentials', ...secretOf(confidential) };
    const dpop = await proofFor('POST', TOKEN);
    expect((await runtime.askToken(form, { dpop })).status).toBe(200);
    expect(errorOf(await runtime.askToken(form, { dpop }))).toEqual([400, 'invalid_dpop_proof']);
  });
});

describe('a refresh token', () => {
  it('of a public client, issued with a proof, is accepted only with a proof by the same key; refused attempts do not use it up', async () => {
    const client_id = await newPublicClient();
    const first = (await askToken(await codeFor(client_id), {})).body as Tokens;
    const form = { grant_type: 'refresh_token', client_id, refresh_token: first.refresh_token };
    expect(errorOf(await askToken(form))).toEqual([400, 'invalid_grant']);
    expect(errorOf(await askToken(form, { by: other }))).toEqual([400, 'invalid_grant']);
    const second = await askToken(form, {});
    expect([second.status, second.body]).toMatchObject([200, { token_type: 'DPoP' }]);
    const { refresh_token } = second.body as Tokens;
    expect(errorOf(await askToken({ ...form, refresh_token }))).toEqual([400, 'invalid_grant']);
    expect((await askToken({ ...form, refresh_token }, {})).status).toBe(200);
  });

  it('of a public client, issued without a proof, is accepted without a proof', async () => {
    const client_id = await newPublicClient();
    const { refresh_token, token_type } = (await askToken(await codeFor(client_id))).body as Tokens;
    expect(token_type).toBe('Bearer');
    expect((await askToken({ grant_type: 'refresh_token', client_id, refresh_token })).status).toBe(200);
  });

  it('of a confidential client is bound to the client secret; each access token is bound to the key of its request', async () => {
    const first = await issue(confidential, {});
    const form = { grant_type: 'refresh_token', ...secretOf(confidential) };
    const second = (await askToken({ ...form, refresh_token: first.refresh_token }, { by: other })).body as Tokens;
    expect(decodeJwt(second.access_token)['cnf']).toEqual({ jkt: other.jkt });
    const third = (await askToken({ ...form, refresh_token: second.refresh_token })).body as Tokens;
    expect([third.token_type, decodeJwt(third.access_token)['cnf']]).toEqual(['Bearer', undefined]);
  });
});

describe('an authorization code', () => {
  it('that is bound by dpop_jkt is accepted only with a proof by that key', async () => {
    const client_id = await newPublicClient();
    for (const changes of [undefined, { by: other }]) {
      const form = await codeFor(client_id, { dpop_jkt: key.jkt });
      expect(errorOf(await askToken(form, changes))).toEqual([400, 'invalid_grant']);
    }
    expect((await askToken(await codeFor(client_id, { dpop_jkt: key.jkt }), {})).status).toBe(200);
  });

  it('is bound to the key that signed the proof of the pushed request; a pushed request whose dpop_jkt names another key is refused', async () => {
    const push = async (more: Record<string, string> = {}) => {
      const request = { redirect_uri: REDIRECT, response_type: 'code', scope: 'mcp:read', ...more };
      return runtime.as()('POST', '/oauth/par', {
        body: new URLSearchParams({ ...secretOf(confidential), ...request }).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          dpop: await proofFor('POST', '/oauth/par'),
        },
      });
    };
    expect((await push()).status).toBe(201);
    const newest = await runtime.db.prisma.oAuthAuthorization.findFirst({ orderBy: { created_at: 'desc' } });
    expect(newest).toMatchObject({ dpop_jkt: key.jkt });
    expect(errorOf(await push({ dpop_jkt: other.jkt }))).toEqual([400, 'invalid_dpop_proof']);
    expect(errorOf(await push({ dpop_jkt: 'short' }))).toEqual([400, 'invalid_request']);
  });
});

describe.each([
  ['the runtime API', API],
  ['an MCP server', MCP],
])('an endpoint of %s', (_name, place) => {
  let token: string;
  beforeAll(async () => (token = (await issue(confidential, {})).access_token));

  it('accepts a bound access token with a proof for each request', async () => {
    expect((await present(place, token)).status).toBe(200);
    expect((await present(place, token)).status).toBe(200);
  });

  it('refuses a bound access token under the scheme Bearer, with and without a proof', async () => {
    const dpop = await proofFor(place.method, place.path, { claims: { ath: hashOf(token) } });
    const withAndWithout: Record<string, string>[] = [{}, { dpop }];
    for (const more of withAndWithout) {
      const answer = await send(place, { authorization: `Bearer ${token}`, ...more });
      expect([answer.status, wwwAuthenticateOf(answer)]).toEqual([
        401,
        'DPoP algs="ES256 Ed25519 EdDSA", error="invalid_token", error_description="the token is bound to a key"',
      ]);
    }
  });

  it.each<[string, () => Changes]>([
    ['for another method', () => ({ claims: { htm: 'PUT' } })],
    ['for another address', () => ({ claims: { htu: `${RUNTIME_URL}/api/v1/skills` } })],
    ['for the address behind the gateway', () => ({ claims: { htu: `${runtime.url}${place.path}` } })],
    ['without a token', () => ({ claims: { ath: undefined } })],
    ['for another token', () => ({ claims: { ath: hashOf('another') } })],
    ['issued two minutes ago', () => ({ claims: { iat: now() - 120 } })],
    ['from the future', () => ({ claims: { iat: now() + 60 } })],
  ])('refuses a bound access token with a proof %s', async (_fault, changes) => {
    const answer = await present(place, token, changes());
    expect([answer.status, wwwAuthenticateOf(answer)]).toEqual([
      401,
      expect.stringMatching(/^DPoP algs="[^"]+", error="invalid_dpop_proof", error_description="[^"]+"$/),
    ]);
  });

  it('refuses a bound access token with a proof by another key', async () => {
    const answer = await present(place, token, { by: other });
    expect([answer.status, wwwAuthenticateOf(answer)]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  });

  it('refuses a bound access token without a proof, and with a proof that was used before', async () => {
    const authorization = `DPoP ${token}`;
    expect((await send(place, { authorization })).status).toBe(401);
    const dpop = await proofFor(place.method, place.path, { claims: { ath: hashOf(token) } });
    expect((await send(place, { authorization, dpop })).status).toBe(200);
    expect((await send(place, { authorization, dpop })).status).toBe(401);
  });

  it('refuses under the scheme DPoP an access token that is not bound to a key', async () => {
    const { access_token } = await issue(confidential);
    expect((await send(place, { authorization: `Bearer ${access_token}` })).status).toBe(200);
    expect((await present(place, access_token)).status).toBe(401);
    expect((await present(place, 'mw_key')).status).toBe(401);
  });

  it('answers a request without a token with a Bearer and a DPoP challenge', async () => {
    expect(wwwAuthenticateOf(await send(place, {}))).toMatch(/^Bearer .+, DPoP algs="ES256 Ed25519 EdDSA"$/);
  });
});

describe('POST /oauth/introspect', () => {
  it('returns the key to which an access token is bound', async () => {
    const { access_token: bound } = await issue(confidential, {});
    const { introspect } = authorizationsOf(runtime, confidential);
    expect(await introspect(bound)).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.jkt } });
    const { access_token: unbound } = await issue(confidential);
    expect(await introspect(unbound)).toMatchObject({ active: true, token_type: 'Bearer' });
    expect(await introspect(unbound)).not.toHaveProperty('cnf');
  });
});

describe('POST /oauth/token, token-exchange with a key-bound access token as subject token', () => {
  it('requires a proof by the key of the subject token, and issues a bound token', async () => {
    const { access_token: subject_token } = await issue(confidential, {});
    const form = {
      ...{ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', ...secretOf(confidential), subject_token },
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      resource: RUNTIME_URL,
    };
    expect(errorOf(await askToken(form))).toEqual([400, 'invalid_request']);
    expect(errorOf(await askToken(form, { by: other }))).toEqual([400, 'invalid_request']);
    const { status, body } = await askToken(form, {});
    expect([status, body]).toMatchObject([200, { token_type: 'DPoP' }]);
    expect(decodeJwt((body as Tokens).access_token)['cnf']).toEqual({ jkt: key.jkt });
  });
});

describe('OAUTH_DPOP_ONLY', () => {
  let strict: Replica;
  let unbound: string;
  beforeAll(async () => {
    unbound = (await issue(confidential)).access_token;
    strict = await runtime.start({ boundOnly: true });
  });

  it.each<[string, () => Record<string, string> | Promise<Record<string, string>>]>([
    ['client credentials', () => ({ grant_type: 'client_credentials', ...secretOf(confidential) })],
    [
      'a refresh token',
      async () => {
        const { refresh_token } = await issue(confidential, {});
        return { grant_type: 'refresh_token', ...secretOf(confidential), refresh_token };
      },
    ],
    ['a code', async () => codeFor(await newPublicClient())],
  ])(
    'issues no token for %s without a proof, and issues a token for the same request with a proof',
    async (_grant, formOf) => {
      const form = await formOf();
      const ask = (headers: Record<string, string>) =>
        strict.as()('POST', TOKEN, {
          body: new URLSearchParams(form).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        });
      expect(errorOf(await ask({}))).toEqual([400, 'invalid_dpop_proof']);
      expect(await ask({ dpop: await proofFor('POST', TOKEN) })).toMatchObject({
        status: 200,
        body: { token_type: 'DPoP' },
      });
    },
  );

  it.each([
    ['the runtime API', API],
    ['an MCP server', MCP],
  ])(
    'refuses at %s tokens that were issued earlier without a proof, and sets dpop_bound_access_tokens_required in the metadata',
    async (_name, place) => {
      const sendTo = (to: Pick<Replica, 'as'>) =>
        to.as()(place.method, place.path, {
          headers: { authorization: `Bearer ${unbound}` },
          ...(place.json && { json: place.json }),
        });
      expect((await sendTo(runtime)).status).toBe(200);
      const refused = await sendTo(strict);
      expect([refused.status, wwwAuthenticateOf(refused)]).toEqual([
        401,
        expect.stringMatching(/^DPoP .*invalid_token/),
      ]);
      const path = `/.well-known/oauth-protected-resource${place === MCP ? place.path : ''}`;
      for (const [to, dpop_bound_access_tokens_required] of [[strict, true] as const, [runtime, false] as const])
        expect((await to.as()('GET', path)).body).toMatchObject({ dpop_bound_access_tokens_required });
    },
  );
});

describe('OAUTH_DPOP_NONCES', () => {
  let strict: Replica;
  let other: Replica;
  beforeAll(async () => {
    [strict, other] = (await Promise.all([1, 2].map(() => runtime.start({ proofNonces: true })))) as [Replica, Replica];
  });
  const askAt = async (to: Replica, changes?: Changes) => {
    const form = { grant_type: 'client_credentials', ...secretOf(confidential) };
    return to.as()('POST', TOKEN, {
      body: new URLSearchParams(form).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(changes && { dpop: await proofFor('POST', TOKEN, changes) }),
      },
    });
  };
  const nonceOf = ({ headers }: ClientAnswer) => headers.get('dpop-nonce') ?? '';

  it('answers a proof without a nonce with a nonce that proofs at every process may use', async () => {
    const refused = await askAt(strict, {});
    expect(errorOf(refused)).toEqual([400, 'use_dpop_nonce']);
    expect(refused.headers.get('access-control-expose-headers')).toContain('DPoP-Nonce');
    const claims = { nonce: nonceOf(refused) };
    for (const to of [strict, other, other]) expect((await askAt(to, { claims })).status).toBe(200);
  });

  it('requires no nonce of a client that sends no proof', async () => {
    expect((await askAt(strict)).status).toBe(200);
  });

  it.each<[string, () => unknown]>([
    ['of five minutes ago', () => createProofNonces(runtime.secretBox, () => Date.now() - 300_000).issue()],
    ['issued in the future', () => createProofNonces(runtime.secretBox, () => Date.now() + 90_000).issue()],
    ['encrypted for another purpose', () => runtime.secretBox.seal(String(Date.now()), 'mcp_servers/1/headers')],
    ['of another installation', () => createProofNonces(createSecretBox([{ id: 'x', key: randomBytes(32) }])).issue()],
    ['that is not encrypted', () => 'nonce'],
    ['that is a number', () => 7],
  ])('refuses a proof with a nonce %s and sends a new nonce', async (_fault, nonceFor) => {
    const refused = await askAt(strict, { claims: { nonce: nonceFor() } });
    expect(errorOf(refused)).toEqual([400, 'use_dpop_nonce']);
    expect((await askAt(strict, { claims: { nonce: nonceOf(refused) } })).status).toBe(200);
  });

  it.each([
    ['the runtime API', API],
    ['an MCP server', MCP],
  ])('requires a nonce in proofs at %s', async (_name, place) => {
    const { access_token: token } = await issue(confidential, {});
    const presentTo = async (more: JWTPayload) =>
      strict.as()(place.method, place.path, {
        headers: {
          authorization: `DPoP ${token}`,
          dpop: await proofFor(place.method, place.path, { claims: { ath: hashOf(token), ...more } }),
        },
        ...(place.json && { json: place.json }),
      });
    const refused = await presentTo({});
    expect([refused.status, wwwAuthenticateOf(refused)]).toEqual([
      401,
      expect.stringContaining('error="use_dpop_nonce"'),
    ]);
    expect((await presentTo({ nonce: nonceOf(refused) })).status).toBe(200);
  });
});

/** Repeats a request with the nonce from the first answer, as clients do. */
const withNonce = async <Result>(ask: () => Promise<Result>): Promise<Result> =>
  ask().catch((error: unknown) => {
    if (oauth.isDPoPNonceError(error)) return ask();
    throw error;
  });

describe('a stock client (oauth4webapi)', () => {
  it.each([
    ['without nonces', false],
    ['with nonces', true],
  ])(
    'reads the supported algorithms, redeems a code, calls an MCP server and refreshes its tokens, with proofs %s',
    async (_name, proofNonces) => {
      const to = proofNonces ? await runtime.start({ proofNonces }) : runtime;
      const client_id = await newPublicClient();
      const server = `${to.url}/.well-known/oauth-authorization-server`;
      const as = (await (await fetch(server)).json()) as oauth.AuthorizationServer;
      expect(as.dpop_signing_alg_values_supported).toEqual(['ES256', 'Ed25519', 'EdDSA']);
      const client: oauth.Client = { client_id };
      const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
      const options = {
        DPoP,
        // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning: the runtime under test has no TLS
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (url: string, init: object) => fetch(url.replace(RUNTIME_URL, to.url), init),
      };
      const application = authorizationsOf(runtime, { client_id });
      const begun = await application.begin({ scope: 'mcp:read', dpop_jkt: await DPoP.calculateThumbprint() });
      const back = await application.decide(begun, user.id, ['mcp:read']);
      const received = oauth.validateAuthResponse(as, client, back, 'x');
      const [none, { verifier }] = [oauth.None(), application];
      const redeem = async () =>
        oauth.processAuthorizationCodeResponse(
          as,
          client,
          await oauth.authorizationCodeGrantRequest(as, client, none, received, REDIRECT, verifier, options),
        );
      const first = await withNonce(redeem);
      expect(first.token_type).toBe('dpop');
      const url = new URL(`${RUNTIME_URL}${MCP.path}`);
      const headers = new Headers({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      });
      const call = (token: string) =>
        oauth.protectedResourceRequest(token, 'POST', url, headers, JSON.stringify(MCP.json), options);
      expect((await withNonce(() => call(first.access_token))).status).toBe(200);
      const { refresh_token = '' } = first;
      const refreshed = await oauth.refreshTokenGrantRequest(as, client, none, refresh_token, options);
      const second = await oauth.processRefreshTokenResponse(as, client, refreshed);
      expect((await call(second.access_token)).status).toBe(200);
    },
  );
});
