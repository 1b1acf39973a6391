import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeCredentials, revokeOAuthClient } from '@millwright/accounts';
import { hashSecret, newOneTimeToken } from '@millwright/auth';
import { newId } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import {
  BASE_URL,
  RUNTIME_URL,
  startRuntime,
  type TestClient,
  type TestRuntime,
  type TestUser,
} from '../test-runtime.js';

const REDIRECT = 'https://app.example/cb?from=millwright';
const LOOPBACK = 'http://127.0.0.1:4000/cb';

let database: TestDatabase;
let runtime: TestRuntime;
let client: TestClient;
let lin: TestUser;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  client = await runtime.newClient({ redirectUris: [REDIRECT, LOOPBACK], scopes: ['agents:read', 'content:read'] });
  lin = await runtime.newUser('lin@example.com');
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const verifier = randomBytes(32).toString('base64url');
const challengeFor = (text: string) => createHash('sha256').update(text).digest('base64url');
const pkce = { code_challenge: challengeFor(verifier), code_challenge_method: 'S256' };
const asked = (more: Record<string, string | undefined> = {}) => ({
  client_id: client.client_id,
  redirect_uri: REDIRECT,
  response_type: 'code',
  state: 'st&te',
  ...pkce,
  ...more,
});
const queryOf = (parameters: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined));

const authorize = (parameters: Record<string, string | undefined> | string, url = runtime.url) =>
  fetch(`${url}/oauth/authorize?${typeof parameters === 'string' ? parameters : queryOf(parameters).toString()}`, {
    redirect: 'manual',
  });
const locationOf = (response: Response) => new URL(response.headers.get('location') ?? '');
const errorOf = (response: Response) => {
  const { searchParams } = locationOf(response);
  return {
    status: response.status,
    error: searchParams.get('error'),
    state: searchParams.get('state'),
    iss: searchParams.get('iss'),
  };
};

interface Begun {
  request: string;
  cookie: string;
}

async function begin(more: Record<string, string | undefined> = {}, url = runtime.url): Promise<Begun> {
  const response = await authorize(asked(more), url);
  const location = locationOf(response);
  expect([response.status, `${location.origin}${location.pathname}`]).toEqual([303, `${BASE_URL}/admin/consent`]);
  const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  return { request: location.searchParams.get('request') ?? '', cookie };
}

/** Decides as admin-auth's consent page does. @returns the ticket */
async function decide({ request }: Begun, granted: string[], user = lin): Promise<string> {
  const ticket = newOneTimeToken();
  await runtime.db.prisma.oAuthAuthorization.update({
    where: { request_hash: new Uint8Array(hashSecret(request)) },
    data: { user_id: user.id, granted, ticket_hash: new Uint8Array(hashSecret(ticket)), decided_at: new Date() },
  });
  return ticket;
}
const finish = (request: string, ticket: string, cookie: string, url = runtime.url) =>
  fetch(`${url}/oauth/authorize/return?${queryOf({ request, ticket }).toString()}`, {
    redirect: 'manual',
    headers: { cookie },
  });

async function newCode(more: Record<string, string | undefined> = {}, granted = ['agents:read']): Promise<string> {
  const begun = await begin(more);
  const response = await finish(begun.request, await decide(begun, granted), begun.cookie);
  return locationOf(response).searchParams.get('code') ?? '';
}
const redeem = (code: string, more: Record<string, string | undefined> = {}, headers?: Record<string, string>) =>
  runtime.askToken(
    queryOf({
      grant_type: 'authorization_code',
      code,
      client_id: client.client_id,
      client_secret: client.client_secret,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      ...more,
    }),
    headers,
  );
const works = async (token: string) => (await runtime.as(token)('GET', '/api/v1/agents/registry')).status;

describe('GET /oauth/authorize', () => {
  it('redirects the browser to the consent page, binds the request to the browser by a cookie, and redirects back with code, state and issuer', async () => {
    const response = await authorize(asked());
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(headers['set-cookie']).toMatch(
      /^mw_authorize_\w{16}=[0-9a-f]{64}; Max-Age=600; Path=\/oauth\/authorize\/return;.* HttpOnly; SameSite=Lax$/,
    );
    const begun = await begin();
    const back = await finish(begun.request, await decide(begun, ['agents:read']), begun.cookie);
    const location = locationOf(back);
    expect([back.status, location.origin + location.pathname]).toEqual([303, 'https://app.example/cb']);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      from: 'millwright',
      code: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      state: 'st&te',
      iss: RUNTIME_URL,
    });
  });

  it('accepts the parameters in the form of a POST request', async () => {
    const response = await fetch(`${runtime.url}/oauth/authorize`, {
      method: 'POST',
      body: queryOf(asked()),
      redirect: 'manual',
    });
    expect(locationOf(response).pathname).toBe('/admin/consent');
  });

  it('redirects to the client with access_denied when the user denies', async () => {
    const begun = await begin();
    expect(errorOf(await finish(begun.request, await decide(begun, []), begun.cookie))).toEqual({
      status: 303,
      error: 'access_denied',
      state: 'st&te',
      iss: RUNTIME_URL,
    });
  });

  it.each<[string, Record<string, string | undefined> | (() => string)]>([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'nobody' }],
    ['an empty client', { client_id: '' }],
    ['a client id with NUL', { client_id: 'nobody\0' }],
    ['two clients', () => `${queryOf(asked()).toString()}&client_id=other`],
    ['a redirect URI that is not registered', { redirect_uri: 'https://app.example/other' }],
    ['no redirect URI where several are registered', { redirect_uri: undefined }],
    ['two redirect URIs', () => `${queryOf(asked()).toString()}&redirect_uri=https%3A%2F%2Fevil.example`],
    ['a longer redirect URI', { redirect_uri: `${REDIRECT}/` }],
    ['a prefix of the redirect URI', { redirect_uri: 'https://app.example/cb' }],
    ['another host', { redirect_uri: 'https://app.example.evil.example/cb?from=millwright' }],
    ['another port off loopback', { redirect_uri: 'https://app.example:8443/cb?from=millwright' }],
    ['another case', { redirect_uri: 'https://APP.example/cb?from=millwright' }],
    ['userinfo', { redirect_uri: 'https://app.example@evil.example/cb' }],
    ['a fragment', { redirect_uri: `${REDIRECT}#x` }],
    ['another path on loopback', { redirect_uri: 'http://127.0.0.1:4000/other' }],
    ['another spelling of loopback', { redirect_uri: 'http://127.1:4000/cb' }],
    ['a host that begins like loopback', { redirect_uri: 'http://127.0.0.1.evil.example:4000/cb' }],
    ['userinfo on loopback', { redirect_uri: 'http://127.0.0.1:4000@evil.example/cb' }],
    ['https on loopback where http is registered', { redirect_uri: 'https://127.0.0.1:4000/cb' }],
    ['javascript', { redirect_uri: 'javascript:alert(1)' }],
  ])('shows an error page, without a redirect, for %s', async (_title, change) => {
    const response = await authorize(typeof change === 'function' ? change() : asked(change));
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await response.text()).not.toContain('evil');
  });

  it('shows an error page for a client that was revoked or whose owner is inactive', async () => {
    const boss = await runtime.newUser('boss@example.com');
    const [revoked, orphan] = [
      await runtime.newClient({ redirectUris: [REDIRECT] }),
      await runtime.newClient({ userId: boss.id, redirectUris: [REDIRECT] }),
    ];
    await runtime.db.transaction((tx) => revokeOAuthClient(tx, revoked.id, runtime.owner.actor));
    await runtime.db.prisma.user.update({ where: { id: boss.id }, data: { status: 'inactive' } });
    for (const { client_id } of [revoked, orphan]) expect((await authorize(asked({ client_id }))).status).toBe(400);
  });

  it('accepts any port of a registered loopback address', async () => {
    for (const redirect_uri of [LOOPBACK, 'http://127.0.0.1:59999/cb', 'http://127.0.0.1/cb'])
      await begin({ redirect_uri });
  });

  it.each<[string, Record<string, string | undefined> | (() => string)]>([
    ['invalid_request', { response_type: undefined }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_scope', { scope: 'agents:read nonsense' }],
    ['invalid_scope', { scope: 'agents:write' }],
    ['invalid_target', { resource: 'https://elsewhere.example' }],
    ['invalid_target', { resource: `${RUNTIME_URL}/api/v1/agents` }],
    ['invalid_target', { resource: `${RUNTIME_URL}#fragment` }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', () => `${queryOf(asked()).toString()}&scope=agents%3Aread&scope=agents%3Aread`],
  ])('redirects to the client with the error %s for the parameters %p', async (error, change) => {
    const response = await authorize(typeof change === 'function' ? change() : asked(change));
    expect(errorOf(response)).toEqual({ status: 303, error, state: 'st&te', iss: RUNTIME_URL });
    expect(locationOf(response).origin).toBe('https://app.example');
  });

  it("redirects to the client with invalid_request and the client's state when the state cannot be stored", async () => {
    const response = await authorize(asked({ state: 'a\0b' }));
    expect(errorOf(response)).toEqual({ status: 303, error: 'invalid_request', state: 'a\0b', iss: RUNTIME_URL });
  });

  it('accepts a confidential client without PKCE, and ignores unknown parameters, prompt and login_hint', async () => {
    await begin({
      code_challenge: undefined,
      code_challenge_method: undefined,
      prompt: 'none',
      login_hint: 'x',
      foo: '1',
    });
  });
});

describe('an authorization that fails to start', () => {
  const rename = (from: string, to: string) =>
    runtime.db.prisma.$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);

  it('redirects to the client with server_error and no details', async () => {
    await rename('oauth_authorizations', 'away');
    const response = await authorize(asked());
    await rename('away', 'oauth_authorizations');
    expect(errorOf(response)).toEqual({ status: 303, error: 'server_error', state: 'st&te', iss: RUNTIME_URL });
    expect(response.headers.get('location')).not.toContain('oauth_authorizations');
  });

  it('redirects with temporarily_unavailable when the database does not answer', async () => {
    const held = runtime.db.transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE oauth_authorizations`;
      return errorOf(await authorize(asked()));
    });
    expect(await held).toMatchObject({ status: 303, error: 'temporarily_unavailable', state: 'st&te' });
  });
});

describe('GET /oauth/authorize/return', () => {
  it('redirects once over all replicas, only with the cookie of the browser that started the request and the ticket of the decision', async () => {
    const begun = await begin();
    const ticket = await decide(begun, ['agents:read']);
    const other = await begin();
    const refused = [
      await finish(begun.request, ticket, ''),
      await finish(begun.request, ticket, other.cookie),
      await finish(begun.request, ticket, `${begun.cookie.split('=')[0] ?? ''}=${newOneTimeToken()}`),
      await finish(begun.request, newOneTimeToken(), begun.cookie),
      await finish(other.request, ticket, other.cookie),
      await finish('', '', ''),
    ];
    for (const response of refused) expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    const replica = await runtime.start();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        finish(begun.request, ticket, begun.cookie, n % 2 ? replica.url : runtime.url),
      ),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('refuses an authorization request that was started ten minutes ago', async () => {
    const begun = await begin();
    const ticket = await decide(begun, ['agents:read']);
    const request_hash = new Uint8Array(hashSecret(begun.request));
    await runtime.db.prisma.oAuthAuthorization.update({ where: { request_hash }, data: { expires_at: new Date() } });
    expect((await finish(begun.request, ticket, begun.cookie)).status).toBe(400);
  });
});

describe('POST /oauth/token, authorization_code', () => {
  it('issues tokens for the user who consented, within the granted scopes, and audits the grant', async () => {
    const { status, body } = await redeem(await newCode());
    const tokens = body as { access_token: string; refresh_token: string; scope: string };
    expect(status).toBe(200);
    expect(tokens.scope).toBe('agents:read');
    expect(await works(tokens.access_token)).toBe(200);
    expect((await runtime.as(tokens.access_token)('GET', '/api/v1/content')).status).toBe(403);
    const row = await runtime.db.prisma.governanceDecision.findFirst({
      where: { user_id: lin.id, action: 'oauth_grant.create' },
    });
    expect(row).toMatchObject({ decision: 'allow', project: 'Core' });
    const refreshed = await runtime.askToken({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: client.client_id,
      client_secret: client.client_secret,
    });
    expect([refreshed.status, (refreshed.body as { scope: string }).scope]).toEqual([200, 'agents:read']);
  });

  it('accepts a code once; a second use revokes the grant of the first use', async () => {
    const code = await newCode();
    const { access_token } = (await redeem(code)).body as { access_token: string };
    expect(await works(access_token)).toBe(200);
    expect([(await redeem(code)).status, await works(access_token)]).toEqual([400, 401]);
  });

  it('accepts exactly one of 100 parallel redemptions of a code over two replicas', async () => {
    const code = await newCode();
    const replica = await runtime.start();
    const form = queryOf({
      grant_type: 'authorization_code',
      code,
      client_id: client.client_id,
      client_secret: client.client_secret,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        fetch(`${n % 2 ? replica.url : runtime.url}/oauth/token`, { method: 'POST', body: form }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('uses one database connection for all redemptions of a code that wait for the row of the code', async () => {
    const replica = await runtime.start({ databaseUrl: database.url, poolMax: 2 });
    const [token, code] = [await runtime.newToken(), await newCode()];
    const body = queryOf({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier });
    body.set('client_id', client.client_id);
    body.set('client_secret', client.client_secret);
    const answers = await runtime.db.transaction(async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM oauth_codes WHERE used_at IS NULL FOR UPDATE`;
      const asked = Array.from({ length: 20 }, () => fetch(`${replica.url}/oauth/token`, { method: 'POST', body }));
      // Read outside the transaction, because pg_stat_activity does not change within a transaction.
      const waiting = () =>
        runtime.db.prisma.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await waiting()).length === 0) await sleep(10);
      for (let n = 0; n < 5; n += 1)
        expect((await replica.as(token)('GET', '/api/v1/agents/registry')).status).toBe(200);
      expect(await waiting()).toHaveLength(1);
      return asked;
    });
    expect((await Promise.all(answers)).filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('answers none of 200 parallel redemptions with 503, with a pool of 10 connections and the limits of production', async () => {
    const replica = await runtime.start({
      databaseUrl: database.url,
      poolMax: 10,
      capacity: { MAX_IN_FLIGHT_PER_ADDRESS: 1_000 },
    });
    const body = queryOf({
      grant_type: 'authorization_code',
      code: await newCode(),
      client_id: client.client_id,
      client_secret: client.client_secret,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => fetch(`${replica.url}/oauth/token`, { method: 'POST', body })),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(199).fill(400)]);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
    ['another redirect URI', { redirect_uri: LOOPBACK }],
  ])('refuses a code with %s and makes it unusable', async (_title, more) => {
    const code = await newCode();
    expect((await redeem(code, more)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await redeem(code)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('refuses a verifier for a code without a challenge, and requires the redirect URI for such a code', async () => {
    const plain = { code_challenge: undefined, code_challenge_method: undefined };
    expect((await redeem(await newCode(plain))).body).toMatchObject({ error: 'invalid_grant' });
    const without = { code_verifier: undefined, redirect_uri: undefined };
    expect((await redeem(await newCode(plain), without)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await redeem(await newCode(plain), { code_verifier: undefined })).status).toBe(200);
    expect((await redeem(await newCode(), { redirect_uri: undefined })).status).toBe(200);
  });

  it("refuses another client's code, an expired code and the code of a disabled user", async () => {
    const other = await runtime.newClient({ redirectUris: [REDIRECT] });
    const { client_id, client_secret } = other;
    expect((await redeem(await newCode(), { client_id, client_secret })).body).toMatchObject({
      error: 'invalid_grant',
    });
    const late = await newCode();
    await runtime.db.prisma.oAuthCode.update({
      where: { code_hash: new Uint8Array(hashSecret(late)) },
      data: { expires_at: new Date() },
    });
    expect((await redeem(late)).status).toBe(400);
    const code = await newCode();
    await runtime.db.prisma.user.update({ where: { id: lin.id }, data: { status: 'inactive' } });
    expect((await redeem(code)).status).toBe(400);
    await runtime.db.prisma.user.update({ where: { id: lin.id }, data: { status: 'active' } });
    for (const wrong of ['', 'x', newOneTimeToken()]) expect((await redeem(wrong)).status).toBe(400);
  });

  it('refuses a code after the credentials of its user are revoked', async () => {
    const begun = await begin();
    const back = await finish(begun.request, await decide(begun, ['agents:read']), begun.cookie);
    const code = locationOf(back).searchParams.get('code') ?? '';
    await runtime.db.transaction((tx) => revokeCredentials(tx, lin.id, 'test'));
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('accepts a code for a minute after its issue, even when the authorization request would expire earlier', async () => {
    const begun = await begin();
    const ticket = await decide(begun, ['agents:read']);
    const request_hash = new Uint8Array(hashSecret(begun.request));
    const soon = new Date(Date.now() + 20_000);
    await runtime.db.prisma.oAuthAuthorization.update({ where: { request_hash }, data: { expires_at: soon } });
    const code = locationOf(await finish(begun.request, ticket, begun.cookie)).searchParams.get('code') ?? '';
    const row = await runtime.db.prisma.oAuthAuthorization.findUniqueOrThrow({ where: { request_hash } });
    expect(row.expires_at.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect((await redeem(code)).status).toBe(200);
  });

  it('issues tokens that are refused once their user has moved to another project', async () => {
    const user = await runtime.newUser('mover@example.com');
    const begun = await begin();
    const back = await finish(begun.request, await decide(begun, ['agents:read'], user), begun.cookie);
    const code = locationOf(back).searchParams.get('code') ?? '';
    const tokens = (await redeem(code)).body as { access_token: string; refresh_token: string };
    const { access_token, refresh_token } = tokens;
    expect(await works(access_token)).toBe(200);
    await runtime.db.prisma.user.update({ where: { id: user.id }, data: { project: 'Commerce' } });
    expect(await works(access_token)).toBe(401);
    const { client_id, client_secret } = client;
    const renewed = await runtime.askToken({ grant_type: 'refresh_token', refresh_token, client_id, client_secret });
    expect(renewed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('issues a token for the authorized resource; no other resource accepts the token', async () => {
    const resource = `${RUNTIME_URL}/api/v1/mcp/tools/mcp`;
    const { access_token } = (await redeem(await newCode({ resource }))).body as { access_token: string };
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as { aud: string };
    expect([claims.aud, await works(access_token)]).toEqual([resource, 401]);
    const wider = await redeem(await newCode({ resource }), { resource: RUNTIME_URL });
    expect(wider.body).toMatchObject({ error: 'invalid_target' });
    const same = await redeem(await newCode({ resource }), { resource: `${resource}/` });
    expect(same.status).toBe(200);
  });
});

describe('POST /oauth/revoke and /oauth/introspect', () => {
  const send = (path: string, token: string, by: TestClient = client) =>
    runtime.as()('POST', path, {
      body: queryOf({ token, client_id: by.client_id, client_secret: by.client_secret }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const newTokens = async () => (await redeem(await newCode())).body as { access_token: string; refresh_token: string };

  it('answer with details of a token only for the client to which the token was issued', async () => {
    const { access_token, refresh_token } = await newTokens();
    expect((await send('/oauth/introspect', access_token)).body).toMatchObject({
      active: true,
      token_type: 'Bearer',
      scope: 'agents:read',
      client_id: client.client_id,
      sub: lin.id,
      aud: RUNTIME_URL,
      iss: RUNTIME_URL,
    });
    expect((await send('/oauth/introspect', refresh_token)).body).toMatchObject({ active: true, scope: 'agents:read' });
    const other = await runtime.newClient();
    for (const token of [access_token, refresh_token, 'nonsense'])
      expect((await send('/oauth/introspect', token, other)).body).toEqual({ active: false });
    const wrong = await send('/oauth/introspect', access_token, { ...client, client_secret: 'wrong' });
    expect([wrong.status, wrong.body]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  it.each(['access_token', 'refresh_token'] as const)(
    'revoke the grant of an %s with all tokens of the grant',
    async (kind) => {
      const tokens = await newTokens();
      const { status, text } = await send('/oauth/revoke', tokens[kind]);
      expect([status, text]).toEqual([200, '']);
      expect(await works(tokens.access_token)).toBe(401);
      expect((await send('/oauth/introspect', tokens.access_token)).body).toEqual({ active: false });
      expect((await send('/oauth/introspect', tokens.refresh_token)).body).toEqual({ active: false });
    },
  );

  it('revoke one access token of a client_credentials client, and leave the other tokens of the shared grant valid', async () => {
    const machine = await runtime.newClient();
    const { client_id, client_secret } = machine;
    const request = async () =>
      (await runtime.askToken({ grant_type: 'client_credentials', client_id, client_secret })).body as {
        access_token: string;
        refresh_token: string;
      };
    const [first, second] = [await request(), await request()];
    for (let n = 0; n < 2; n += 1) expect((await send('/oauth/revoke', first.access_token, machine)).status).toBe(200);
    expect([await works(first.access_token), await works(second.access_token)]).toEqual([401, 200]);
    expect((await send('/oauth/introspect', first.access_token, machine)).body).toEqual({ active: false });
    expect((await send('/oauth/introspect', second.access_token, machine)).body).toMatchObject({ active: true });
    const rows = await runtime.db.prisma.governanceDecision.findMany({ where: { action: 'oauth_token.revoke' } });
    expect(rows).toMatchObject([{ user_id: runtime.owner.id, decision: 'allow', project: 'Core' }]);

    await send('/oauth/revoke', second.refresh_token, machine);
    expect(await works(second.access_token)).toBe(401);
    expect(await works((await request()).access_token)).toBe(200);
  });

  it('revoke the grant of a client_credentials client that revokes more than 200 of its tokens one by one', async () => {
    const machine = await runtime.newClient();
    const { client_id, client_secret } = machine;
    const ask = { grant_type: 'client_credentials', client_id, client_secret };
    const { access_token } = (await runtime.askToken(ask)).body as { access_token: string };
    const other = ((await runtime.askToken(ask)).body as { access_token: string }).access_token;
    const list = (seconds: number) =>
      runtime.db.prisma.oAuthGrant.updateMany({
        where: { client: { client_id } },
        data: { ended_tokens: Array.from({ length: 200 }, (_, n) => `${seconds}.token-${n}`) },
      });
    await list(1);
    await send('/oauth/revoke', access_token, machine);
    const [grant] = await runtime.db.prisma.oAuthGrant.findMany({ where: { client: { client_id } } });
    expect([grant?.ended_tokens.length, grant?.revoked_at]).toEqual([1, null]);
    await list(4_102_444_800);
    await send('/oauth/revoke', other, machine);
    expect(await works(other)).toBe(401);
    expect(
      (await runtime.db.prisma.oAuthGrant.findFirstOrThrow({ where: { client: { client_id } } })).revoked_at,
    ).toEqual(expect.any(Date));
  });

  it("answer 200 to unknown tokens and to other clients' tokens, which stay valid", async () => {
    const { access_token } = await newTokens();
    expect((await send('/oauth/revoke', access_token, await runtime.newClient())).status).toBe(200);
    expect((await send('/oauth/revoke', 'nonsense')).status).toBe(200);
    expect(await works(access_token)).toBe(200);
    expect((await send('/oauth/revoke', '')).body).toMatchObject({ error: 'invalid_request' });
  });
});

describe('POST /oauth/register', () => {
  const register = (json: unknown) => runtime.as()('POST', '/oauth/register', { json });

  it('creates a public client that uses PKCE, and that does not expire after its first use', async () => {
    const { status, body, headers } = await register({
      redirect_uris: ['http://localhost:1234/cb'],
      client_name: 'Inspector',
      token_endpoint_auth_method: 'none',
    });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { client_id } = body as { client_id: string };
    expect(body).toEqual({
      client_id,
      client_id_issued_at: expect.any(Number) as number,
      redirect_uris: ['http://localhost:1234/cb'],
      client_name: 'Inspector',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
    const commerce = await runtime.newUser('mo@example.com', { project: 'Commerce' });
    const redirect_uri = 'http://localhost:5555/cb';
    const begun = await begin({ client_id, redirect_uri, scope: 'agents:read' });
    const back = await finish(begun.request, await decide(begun, ['agents:read'], commerce), begun.cookie);
    const code = locationOf(back).searchParams.get('code') ?? '';
    const answer = await redeem(code, { client_id, client_secret: undefined, redirect_uri });
    expect(await works((answer.body as { access_token: string }).access_token)).toBe(200);
    const row = await runtime.db.prisma.oAuthClient.findUniqueOrThrow({
      where: { client_id },
      include: { grants: true },
    });
    expect(row).toMatchObject({
      kind: 'registered',
      user_id: null,
      expires_at: null,
      grants: [{ project: 'Commerce' }],
    });
  });

  it('registers the requested grant types, or every grant type that the client may have when the request names no grant type', async () => {
    const granted = async (grant_types?: string[]) => {
      const { body } = await register({
        redirect_uris: ['https://app.example/cb'],
        ...(grant_types && { grant_types }),
      });
      return (body as { grant_types: string[] }).grant_types;
    };
    expect(await granted()).toEqual(['authorization_code', 'refresh_token']);
    expect(await granted(['authorization_code'])).toEqual(['authorization_code']);
  });

  it('registers and returns only the supported grant and response types of the request', async () => {
    const { status, body } = await register({
      redirect_uris: ['https://app.example/cb'],
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:saml2-bearer', 'refresh_token'],
      response_types: ['code', 'code id_token'],
    });
    expect([status, body]).toMatchObject([
      201,
      { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    ]);
  });

  it('accepts a redirect URI whose scheme has no dot only for applications that the operator allows, and only with a host', async () => {
    const uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
    expect((await register({ redirect_uris: [uri] })).body).toMatchObject({ redirect_uris: [uri] });
    for (const other of ['cursor:cb', 'cursor:///cb', 'evil://app.example/cb'])
      expect((await register({ redirect_uris: [other] })).body).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  it.each<[string, string[] | undefined, boolean]>([
    ['authorization_code alone', ['authorization_code'], false],
    ['authorization_code and refresh_token', ['authorization_code', 'refresh_token'], true],
    ['no grant types in the request', undefined, true],
  ])('accepts from a client only the grant types of its registration: %s', async (_title, grant_types, mayRefresh) => {
    const redirect_uri = 'https://app.example/cb';
    const registered = await register({
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
      ...(grant_types && { grant_types }),
    });
    const { client_id } = registered.body as { client_id: string };
    const begun = await begin({ client_id, redirect_uri, scope: 'agents:read' });
    const back = await finish(begun.request, await decide(begun, ['agents:read']), begun.cookie);
    const code = locationOf(back).searchParams.get('code') ?? '';
    const { body } = await redeem(code, { client_id, client_secret: undefined, redirect_uri });
    const { access_token, refresh_token = 'mw_rt_none' } = body as { access_token: string; refresh_token?: string };
    expect([await works(access_token), refresh_token !== 'mw_rt_none']).toEqual([200, mayRefresh]);
    const refreshed = await runtime.askToken({ grant_type: 'refresh_token', refresh_token, client_id });
    expect([refreshed.status, refreshed.body]).toMatchObject(
      mayRefresh ? [200, { scope: 'agents:read' }] : [400, { error: 'unauthorized_client' }],
    );
  });

  it('issues a secret by default, requires PKCE, and does not allow client_credentials', async () => {
    const { body } = await register({ redirect_uris: ['https://app.example/cb'] });
    const { client_id, client_secret, client_secret_expires_at } = body as Record<string, string>;
    expect([client_secret, client_secret_expires_at]).toEqual([expect.stringMatching(/^mw_secret_/), 0]);
    const plain = {
      client_id,
      redirect_uri: 'https://app.example/cb',
      code_challenge: undefined,
      code_challenge_method: undefined,
    };
    expect(await (await authorize(asked(plain))).text()).toContain('code_challenge is required (invalid_request)');
    const { status, body: refused } = await runtime.askToken({
      grant_type: 'client_credentials',
      client_id: client_id ?? '',
      client_secret: client_secret ?? '',
    });
    expect([status, refused]).toMatchObject([400, { error: 'unauthorized_client' }]);
  });

  it.each<[string, unknown]>([
    ['invalid_redirect_uri', {}],
    ['invalid_redirect_uri', { redirect_uris: [] }],
    ['invalid_redirect_uri', { redirect_uris: ['http://app.example/cb'] }],
    ['invalid_redirect_uri', { redirect_uris: ['https://app.example/cb#x'] }],
    ['invalid_redirect_uri', { redirect_uris: ['https://u:p@app.example/cb'] }],
    ['invalid_redirect_uri', { redirect_uris: ['javascript:alert(1)'] }],
    ['invalid_redirect_uri', { redirect_uris: ['data:text/html,x'] }],
    ['invalid_redirect_uri', { redirect_uris: ['myapp:cb'] }],
    ['invalid_redirect_uri', { redirect_uris: [3] }],
    [
      'invalid_client_metadata',
      { redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'private_key_jwt' },
    ],
    ['invalid_client_metadata', { redirect_uris: ['https://a.example/'], grant_types: ['implicit'] }],
    ['invalid_client_metadata', { redirect_uris: ['https://a.example/'], grant_types: ['refresh_token'] }],
    ['invalid_client_metadata', { redirect_uris: ['https://a.example/'], grant_types: [] }],
    ['invalid_client_metadata', { redirect_uris: ['https://a.example/'], client_name: 3 }],
    ['invalid_client_metadata', { redirect_uris: ['https://a.example/'], client_name: 'a\0b' }],
    ['invalid_client_metadata', { redirect_uris: ['https://a.example/'], client_name: 'a\ud83e' }],
  ])('answers %s to %j', async (error, metadata) => {
    const { status, body } = await register(metadata);
    expect([status, body]).toMatchObject([400, { error }]);
  });

  it('answers 404 and is absent from the server metadata when registration by unknown clients is off', async () => {
    const closed = (await runtime.start({ strangers: false })).as();
    const metadata = { redirect_uris: ['https://app.example/cb'] };
    expect((await closed('POST', '/oauth/register', { json: metadata })).status).toBe(404);
    const { body } = await closed('GET', '/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({ client_id_metadata_document_supported: false });
    expect(body).not.toHaveProperty('registration_endpoint');
  });

  it('creates a client that is refused once its registration has expired without a use', async () => {
    const { client_id } = (await register({ redirect_uris: ['com.example.app:/cb'] })).body as { client_id: string };
    await begin({ client_id, redirect_uri: 'com.example.app:/cb' });
    await runtime.db.prisma.oAuthClient.update({ where: { client_id }, data: { expires_at: new Date() } });
    expect((await authorize(asked({ client_id, redirect_uri: 'com.example.app:/cb' }))).status).toBe(400);
  });
});

describe('metadata', () => {
  const get = (path: string) => runtime.as()('GET', path);

  it('describes the authorization server, and may be read by scripts of any origin', async () => {
    const { status, body, headers } = await get('/.well-known/oauth-authorization-server');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(body).toMatchObject({
      issuer: RUNTIME_URL,
      authorization_endpoint: `${RUNTIME_URL}/oauth/authorize`,
      token_endpoint: `${RUNTIME_URL}/oauth/token`,
      registration_endpoint: `${RUNTIME_URL}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect((await get('/.well-known/jwks.json')).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('describes the runtime API and the endpoint of every MCP server as protected resources, even of a server that does not exist', async () => {
    expect((await get('/.well-known/oauth-protected-resource')).body).toMatchObject({ resource: RUNTIME_URL });
    for (const name of ['platform', newId(), 'ms_0351P7zRn8YNUB8XEf0FUh']) {
      expect((await get(`/.well-known/oauth-protected-resource/api/v1/mcp/${name}/mcp`)).body).toMatchObject({
        resource: `${RUNTIME_URL}/api/v1/mcp/${name}/mcp`,
        authorization_servers: [RUNTIME_URL],
        scopes_supported: ['mcp:read', 'mcp:call'],
      });
    }
    expect((await get('/.well-known/oauth-protected-resource/api/v1/mcp/No%20Name/mcp')).status).toBe(404);
  });
});
