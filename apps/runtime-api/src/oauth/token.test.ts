import { disableUser, enableUser, revokeOAuthClient, rotateOAuthClient } from '@millwright/accounts';
import { hashSecret } from '@millwright/auth';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import jwt from 'jsonwebtoken';
import { RUNTIME_URL, startRuntime, type TestClient, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let client: TestClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  client = await runtime.newClient();
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };
const secretOf = ({ client_id, client_secret }: TestClient) => ({ client_id, client_secret });
const basic = ({ client_id, client_secret }: Omit<TestClient, 'id'>) =>
  `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`;
const issue = async (by: TestClient = client, more: Record<string, string> = {}) =>
  (await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(by), ...more })).body as Tokens;
const refresh = (refresh_token: string, by: TestClient = client, more: Record<string, string> = {}) =>
  runtime.askToken({ grant_type: 'refresh_token', refresh_token, ...secretOf(by), ...more });
const works = async (token: string) => (await runtime.as(token)('GET', '/api/v1/agents/registry')).status;
const refused = (error: string, description: unknown = expect.any(String)) => ({
  error,
  error_description: description,
});

describe('an access token', () => {
  it.each([
    ["the runtime API's", '/api/v1/agents/registry', 'GET' as const, {}],
    ['an MCP', '/api/v1/mcp/platform/mcp', 'POST' as const, { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
  ])(
    'is refused at %s endpoint when it names another account than its grant',
    async (_where, path, method, request) => {
      const { access_token } = await issue();
      const { sub, ...claims } = jwt.decode(access_token) as jwt.JwtPayload;
      const grace = await runtime.newUser(`grace${method}@example.com`);
      const { privateKey, kid: keyid } = runtime.signingKey;
      const signed = (subject: string) =>
        jwt.sign({ ...claims, sub: subject }, privateKey, {
          algorithm: 'ES256',
          keyid,
          header: { alg: 'ES256', typ: 'at+jwt' },
        });
      const status = async (subject: string) => (await runtime.as(signed(subject))(method, path, request)).status;
      expect(await status(String(sub))).toBe(200);
      expect(await status(grace.id)).toBe(401);
    },
  );
});

describe('POST /oauth/token, client_credentials', () => {
  it('returns the token response with headers that forbid caching', async () => {
    const { status, body, headers } = await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(client) });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^mw_refresh_[0-9A-Za-z]{43}$/) as string,
      scope: expect.any(String) as string,
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toContain('application/json');
    expect(Number(headers.get('x-ratelimit-limit'))).toBe(10_000_000);
  });

  it('accepts the previous secret during the overlap after a rotation', async () => {
    const own = await runtime.newClient();
    const rotated = await runtime.db.transaction((tx) =>
      rotateOAuthClient(tx, own.client_id, runtime.owner.actor, { overlapHours: 1 }),
    );
    for (const secret of [own, { ...own, client_secret: rotated.client_secret }])
      expect((await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(secret) })).status).toBe(200);
    const where = { client_id: own.client_id };
    await runtime.db.prisma.oAuthClient.update({ where, data: { previous_secret_until: new Date() } });
    expect((await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(own) })).status).toBe(401);
  });

  it('audits a wrong client secret as an unauthenticated attempt, once a minute', async () => {
    const own = await runtime.newClient();
    for (let n = 0; n < 3; n++)
      await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(own), client_secret: 'mw_secret_wrong' });
    const where = { reason: 'wrong client secret', user_id: runtime.owner.id };
    const rows = await runtime.db.prisma.governanceDecision.findMany({ where, orderBy: { seq: 'desc' } });
    expect(rows.length).toBeLessThan(3);
    expect(rows[0]).toMatchObject({ action: 'oauth_token.issue', decision: 'deny', detail: { by: 'stranger' } });
  });

  it('stores when the client or one of its tokens was last used', async () => {
    const own = await runtime.newClient();
    const where = { client_id: own.client_id };
    const noted = async () => {
      for (;;) {
        const { last_used_at } = await runtime.db.prisma.oAuthClient.findUniqueOrThrow({ where });
        if (last_used_at) return last_used_at;
      }
    };
    await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(own), client_secret: 'mw_secret_wrong' });
    expect((await runtime.db.prisma.oAuthClient.findUniqueOrThrow({ where })).last_used_at).toBeNull();
    const { access_token } = await issue(own);
    await noted();
    await runtime.db.prisma.oAuthClient.update({ where, data: { last_used_at: null } });
    expect(await works(access_token)).toBe(200);
    await noted();
  });

  it("issues a token in the form of RFC 9068 that names the runtime API, the client's owner and the grant", async () => {
    const own = await runtime.newClient();
    const { access_token, scope } = await issue(own);
    const { header, payload } = jwt.decode(access_token, { complete: true }) ?? {};
    const grant = await runtime.db.prisma.oAuthGrant.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: runtime.signingKey.kid });
    expect(payload).toMatchObject({
      iss: RUNTIME_URL,
      aud: RUNTIME_URL,
      sub: runtime.owner.id,
      sid: grant.id,
      client_id: own.client_id,
      scope,
    });
    const { iat, exp } = payload as { iat: number; exp: number };
    expect(exp - iat).toBe(3_600);
    expect(await works(access_token)).toBe(200);
  });

  it('reuses the active grant with the same rights, and creates a grant for other rights and after a revocation', async () => {
    const own = await runtime.newClient();
    const grantOf = ({ access_token }: Tokens) => (jwt.decode(access_token) as jwt.JwtPayload)['sid'] as string;
    const first = await issue(own);
    const again = await issue(own);
    expect(grantOf(again)).toBe(grantOf(first));
    expect(again.refresh_token).not.toBe(first.refresh_token);
    const other = await issue(own, { scope: 'agents:read' });
    expect(grantOf(other)).not.toBe(grantOf(first));
    expect(grantOf(await issue(own, { resource: RUNTIME_URL }))).not.toBe(grantOf(first));
    await runtime.db.prisma.oAuthGrant.update({ where: { id: grantOf(first) }, data: { revoked_at: new Date() } });
    const next = await issue(own);
    expect(grantOf(next)).not.toBe(grantOf(first));
    expect(await Promise.all([first, again, other, next].map(({ access_token }) => works(access_token)))).toEqual([
      401, 401, 200, 200,
    ]);
  });

  it('opens a grant, or extends an open grant, so that the grant is valid for longer than its refresh tokens', async () => {
    const own = await runtime.newClient();
    const { access_token } = await issue(own);
    const where = { id: (jwt.decode(access_token) as jwt.JwtPayload)['sid'] as string };
    const outlives = async () => {
      const [row] = await runtime.db.prisma.$queryRaw<{ outlives: boolean }[]>`
        SELECT bool_and(coalesce(g.expires_at > t.expires_at, false)) AS outlives
          FROM oauth_grants g JOIN oauth_refresh_tokens t ON t.grant_id = g.id WHERE g.id = ${where.id}::uuid`;
      return row?.outlives;
    };
    expect(await outlives()).toBe(true);
    for (const expires_at of [null, new Date(Date.now() + 86_400_000)]) {
      await runtime.db.prisma.oAuthGrant.update({ where, data: { expires_at } });
      expect(await outlives()).toBe(false);
      const { refresh_token } = await issue(own);
      expect(await outlives()).toBe(true);
      await runtime.db.prisma.oAuthGrant.update({ where, data: { expires_at } });
      expect((await refresh(refresh_token, own)).status).toBe(200);
      expect(await outlives()).toBe(true);
    }
  });

  it('accepts form-encoded credentials by HTTP Basic', async () => {
    const { status } = await runtime.askToken(CLIENT_CREDENTIALS, { authorization: basic(client) });
    expect(status).toBe(200);
    const both = await runtime.askToken(
      { ...CLIENT_CREDENTIALS, client_id: client.client_id },
      { authorization: basic(client) },
    );
    expect(both.status).toBe(200);
  });

  it('accepts a charset in the content type, and ignores unknown parameters', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(client), foo: 'bar' }, headers)).status).toBe(
      200,
    );
  });

  it('writes the grant to the audit log without token or secret', async () => {
    const tokens = await issue();
    const rows = await runtime.db.prisma.governanceDecision.findMany({ where: { action: 'oauth_grant.create' } });
    expect(rows.at(-1)).toMatchObject({
      user_id: runtime.owner.id,
      actor_kind: 'user',
      decision: 'allow',
      ip: '127.0.0.1',
    });
    expect(rows.at(-1)?.request_id).toEqual(expect.any(String));
    const everything = await runtime.db.prisma.$queryRaw<{ text: string }[]>`
      SELECT t::text AS text FROM governance_decisions t UNION ALL SELECT t::text FROM oauth_refresh_tokens t
      UNION ALL SELECT t::text FROM oauth_grants t UNION ALL SELECT t::text FROM oauth_clients t`;
    for (const { text } of everything) {
      for (const secret of [tokens.refresh_token, tokens.access_token, client.client_secret])
        expect(text).not.toContain(secret);
    }
    const token_hash = new Uint8Array(hashSecret(tokens.refresh_token));
    expect(await runtime.db.prisma.oAuthRefreshToken.count({ where: { token_hash } })).toBe(1);
  });
});

describe('the scope of a token', () => {
  it('is all scopes of the client when the request names no scope', async () => {
    const some = await runtime.newClient({ scopes: ['agents:read', 'agents:message'] });
    expect((await issue(some)).scope).toBe('agents:read agents:message');
    expect((await issue(some, { scope: '' })).scope).toBe('agents:read agents:message');
    expect((await issue(some, { scope: 'offline_access' })).scope).toBe('agents:read agents:message');
  });

  it('is the requested scope', async () => {
    const { scope, access_token } = await issue(client, {
      scope: 'agents:message  agents:message skills:read offline_access',
    });
    expect(scope).toBe('agents:message skills:read');
    expect(await works(access_token)).toBe(403);
  });

  it.each(['agents:read admin', 'nonsense', 'AGENTS:READ', '*', 'agents:read,skills:read', '__proto__'])(
    'is refused as invalid: "%s"',
    async (scope) => {
      const { status, body } = await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(client), scope });
      expect([status, body]).toEqual([400, refused('invalid_scope')]);
    },
  );

  it('contains admin scopes for the client of an admin, until the role of the owner is removed', async () => {
    const boss = await runtime.newUser('boss@example.com', { role: 'admin' });
    const own = await runtime.newClient({ userId: boss.id });
    const { scope, refresh_token } = await issue(own);
    expect(scope.split(' ')).toEqual(expect.arrayContaining(['admin', 'users:read', 'users:write']));
    await runtime.db.prisma.user.update({ where: { id: boss.id }, data: { role: 'user' } });
    const { body } = await refresh(refresh_token, own);
    expect((body as Tokens).scope.split(' ')).not.toContain('admin');
    expect((await issue(own)).scope.split(' ')).not.toContain('users:read');
  });
});

describe('a client without valid authentication', () => {
  const wrong = (change: Partial<TestClient>) => ({ ...secretOf(client), ...change });

  it.each([
    ['a wrong secret', () => wrong({ client_secret: 'mw_secret_wrong' })],
    ['an empty secret', () => wrong({ client_secret: '' })],
    ['an unknown client', () => wrong({ client_id: 'mw_client_0000000000000000000000' })],
    ['an id with NUL', () => wrong({ client_id: 'mw_client_\0' })],
    ['an id of 10,000 characters', () => wrong({ client_id: 'x'.repeat(10_000) })],
    ['an id that is not ASCII', () => wrong({ client_id: 'müller' })],
    ['SQL for an id', () => wrong({ client_id: "' OR '1'='1" })],
    ['no secret', () => ({ client_id: client.client_id })],
    ['no client', () => ({})],
  ])('with %s is answered 401 invalid_client', async (_case, form) => {
    const { status, body, headers } = await runtime.askToken({ ...CLIENT_CREDENTIALS, ...form() });
    expect([status, body]).toEqual([401, refused('invalid_client')]);
    expect(headers.get('www-authenticate')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['a wrong secret', () => basic({ ...client, client_secret: 'wrong' })],
    ['an unknown client', () => basic({ ...client, client_id: 'mw_client_x' })],
    ['no colon', () => `Basic ${Buffer.from('nothing').toString('base64')}`],
    ['no base64', () => 'Basic %%%'],
  ])('with %s by Basic is answered with a Basic challenge', async (_case, authorization) => {
    const { status, body, headers } = await runtime.askToken(CLIENT_CREDENTIALS, { authorization: authorization() });
    expect([status, body]).toEqual([401, refused('invalid_client')]);
    expect(headers.get('www-authenticate')).toMatch(/^Basic realm="[^"]+"/);
  });

  it('receives the same answer for a wrong id and a wrong secret', async () => {
    const [one, other] = await Promise.all([
      runtime.askToken({ ...CLIENT_CREDENTIALS, ...wrong({ client_secret: 'wrong' }) }),
      runtime.askToken({ ...CLIENT_CREDENTIALS, ...wrong({ client_id: 'mw_client_x' }) }),
    ]);
    expect(one.text).toBe(other.text);
  });

  it('is refused after it has expired, and so are its tokens; the attempt is audited', async () => {
    const own = await runtime.newClient();
    const { access_token, refresh_token } = await issue(own);
    const expireAt = (expires_at: Date) =>
      runtime.db.prisma.oAuthClient.update({ where: { client_id: own.client_id }, data: { expires_at } });
    await expireAt(new Date(Date.now() + 60_000));
    expect(await works(access_token)).toBe(200);
    await expireAt(new Date());
    expect((await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(own) })).status).toBe(401);
    expect((await refresh(refresh_token, own)).status).toBe(401);
    expect(await works(access_token)).toBe(401);
    const denied = await runtime.db.prisma.governanceDecision.findMany({
      where: { resource: own.id, decision: 'deny' },
    });
    expect(denied[0]).toMatchObject({ action: 'oauth_token.issue', reason: 'the client has expired' });
  });

  it('is refused after it was revoked, and so are its tokens; the attempt is audited', async () => {
    const own = await runtime.newClient();
    const { access_token, refresh_token } = await issue(own);
    await runtime.db.transaction((tx) => revokeOAuthClient(tx, own.id, runtime.owner.actor));
    expect((await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(own) })).status).toBe(401);
    expect((await refresh(refresh_token, own)).status).toBe(401);
    expect(await works(access_token)).toBe(401);
    const denied = await runtime.db.prisma.governanceDecision.findMany({
      where: { resource: own.id, decision: 'deny' },
    });
    expect(denied).toHaveLength(2);
    expect(denied[0]).toMatchObject({
      user_id: runtime.owner.id,
      action: 'oauth_token.issue',
      reason: 'the client is revoked',
    });
  });

  it('is refused while its owner is disabled, and accepted afterwards', async () => {
    const user = await runtime.newUser('off@example.com');
    const own = await runtime.newClient({ userId: user.id });
    const { access_token, refresh_token } = await issue(own);
    const set = (status: string) => runtime.db.prisma.user.update({ where: { id: user.id }, data: { status } });
    expect(await works(access_token)).toBe(200);
    await set('inactive');
    expect(await works(access_token)).toBe(401);
    expect((await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(own) })).status).toBe(401);
    expect((await refresh(refresh_token, own)).status).toBe(401);
    await set('active');
    expect(await works(access_token)).toBe(200);
    expect((await refresh(refresh_token, own)).status).toBe(200);
  });

  it('is refused while its owner is in another project, and so are its tokens', async () => {
    const user = await runtime.newUser('mover@example.com');
    const own = await runtime.newClient({ userId: user.id });
    const { access_token } = await issue(own);
    const move = (project: string) => runtime.db.prisma.user.update({ where: { id: user.id }, data: { project } });
    await move('Commerce');
    expect(await works(access_token)).toBe(401);
    expect((await runtime.askToken({ ...CLIENT_CREDENTIALS, ...secretOf(own) })).status).toBe(401);
    await move('Core');
    expect(await works(access_token)).toBe(200);
  });
});

describe('a bad request', () => {
  const good = () => new URLSearchParams({ ...CLIENT_CREDENTIALS, ...secretOf(client) }).toString();

  it.each([
    ['two ways of authentication', () => good(), () => ({ authorization: basic(client) })],
    ['two clients', () => `grant_type=client_credentials&client_id=other`, () => ({ authorization: basic(client) })],
    [
      'a JSON body',
      () => JSON.stringify({ ...CLIENT_CREDENTIALS, ...secretOf(client) }),
      () => ({ 'content-type': 'application/json' }),
    ],
    ['a multipart body', () => good(), () => ({ 'content-type': 'multipart/form-data; boundary=x' })],
    ['no content type', () => good(), () => ({ 'content-type': '' })],
    ['a repeated grant_type', () => `${good()}&grant_type=client_credentials`, () => ({})],
    ['a repeated scope', () => `${good()}&scope=agents:read&scope=admin`, () => ({})],
    ['a repeated unknown parameter', () => `${good()}&a=1&a=2`, () => ({})],
    ['no grant_type', () => new URLSearchParams(secretOf(client)).toString(), () => ({})],
    [
      'no refresh token',
      () => new URLSearchParams({ grant_type: 'refresh_token', ...secretOf(client) }).toString(),
      () => ({}),
    ],
    ['a body of 100 KB', () => `${good()}&x=${'x'.repeat(100_000)}`, () => ({})],
    ['2,000 parameters', () => `${good()}&${Array.from({ length: 2_000 }, (_, n) => `p${n}=1`).join('&')}`, () => ({})],
    [
      'an unknown charset',
      () => good(),
      () => ({ 'content-type': 'application/x-www-form-urlencoded; charset=klingon' }),
    ],
    ['an unknown encoding', () => good(), () => ({ 'content-encoding': 'klingon' })],
  ])('with %s is answered 400 invalid_request', async (_case, body, headers) => {
    const answer = await runtime.askToken(body(), headers());
    expect([answer.status, answer.body]).toEqual([400, refused('invalid_request')]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.text).not.toContain(client.client_secret);
  });

  it.each(['password', 'implicit', 'CLIENT_CREDENTIALS', '__proto__', 'urn:ietf:params:oauth:grant-type:jwt-bearer'])(
    'with the grant type %s is answered 400 unsupported_grant_type',
    async (grant_type) => {
      const { status, body } = await runtime.askToken({ ...secretOf(client), grant_type });
      expect([status, body]).toEqual([400, refused('unsupported_grant_type')]);
    },
  );

  it.each(['/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/introspect', '/oauth/register'])(
    'to %s is answered with an OAuth error when its Content-Encoding is gzip but its body is not compressed',
    async (path) => {
      const type = path === '/oauth/register' ? 'application/json' : 'application/x-www-form-urlencoded';
      const headers = { 'content-type': type, 'content-encoding': 'gzip' };
      const { status, body } = await runtime.as()('POST', path, { body: 'token=a', headers });
      expect([status, body]).toEqual([400, refused('invalid_request', 'the body cannot be read')]);
    },
  );

  it('is answered with invalid_client when both the client and the grant type are wrong', async () => {
    expect((await runtime.askToken({ grant_type: 'password', client_id: 'x', client_secret: 'y' })).status).toBe(401);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
    "with method %s is answered 405 with the header Allow and the service's error body",
    async (method) => {
      const { status, headers, body } = await runtime.as()(method, '/oauth/token');
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
      expect(body).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
    },
  );
});

describe('POST /oauth/token, refresh_token', () => {
  it('refuses every grant of an account that was disabled, even after the account is enabled again', async () => {
    const user = await runtime.newUser('heidi@example.com');
    const own = await runtime.newClient({ userId: user.id });
    const { access_token, refresh_token } = await issue(own);
    expect(await works(access_token)).toBe(200);
    for (const change of [disableUser, enableUser])
      await runtime.db.transaction((tx) => change(tx, user.id, runtime.owner.actor, () => undefined));
    // The test enables the client again, so that only the grant can be the reason for the refusal.
    await runtime.db.prisma.oAuthClient.update({ where: { client_id: own.client_id }, data: { revoked_at: null } });
    expect(await works(access_token)).toBe(401);
    expect(await refresh(refresh_token, own)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await works((await issue(own)).access_token)).toBe(200);
  });

  it('issues a new access token and a new refresh token with the same scope, which are both accepted', async () => {
    const first = await issue(client, { scope: 'agents:read' });
    const { status, body } = await refresh(first.refresh_token);
    const second = body as Tokens;
    expect(status).toBe(200);
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'agents:read' });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    expect(await works(second.access_token)).toBe(200);
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('revokes the grant and all its tokens when a refresh token is used twice', async () => {
    const first = await issue();
    const second = (await refresh(first.refresh_token)).body as Tokens;
    expect([await works(first.access_token), await works(second.access_token)]).toEqual([200, 200]);
    const { status, body } = await refresh(first.refresh_token);
    expect([status, body]).toEqual([400, refused('invalid_grant')]);
    expect([await works(first.access_token), await works(second.access_token)]).toEqual([401, 401]);
    expect((await refresh(second.refresh_token)).body).toEqual(refused('invalid_grant'));
    const revoked = await runtime.db.prisma.governanceDecision.findMany({ where: { action: 'oauth_grant.revoke' } });
    expect(revoked.at(-1)).toMatchObject({ user_id: runtime.owner.id, detail: { reason: 'refresh token reused' } });
  });

  it('succeeds for exactly one of a hundred parallel requests', async () => {
    const { refresh_token } = await issue();
    const answers = await Promise.all(Array.from({ length: 100 }, () => refresh(refresh_token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) {
      expect([200, 400, 503]).toContain(status);
      if (status === 400) expect(body).toEqual(refused('invalid_grant'));
    }
  });

  it('narrows the scope on request and never widens it', async () => {
    const { refresh_token } = await issue(client, { scope: 'agents:read skills:read' });
    const narrow = (await refresh(refresh_token, client, { scope: 'skills:read' })).body as Tokens;
    expect(narrow.scope).toBe('skills:read');
    expect(await works(narrow.access_token)).toBe(403);
  });

  it('leaves the refresh token valid when the requested scope is invalid', async () => {
    const { refresh_token } = await issue(client, { scope: 'agents:read' });
    for (const scope of ['skills:read', 'nonsense']) {
      expect((await refresh(refresh_token, client, { scope })).body).toEqual(refused('invalid_scope'));
    }
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it('refuses a refresh token that was issued to another client; the other client can still use it', async () => {
    const { refresh_token } = await issue();
    const other = await runtime.newClient();
    expect((await refresh(refresh_token, other)).body).toEqual(refused('invalid_grant'));
    const next = await refresh(refresh_token);
    expect(next.status).toBe(200);
    expect((await refresh(refresh_token, other)).body).toEqual(refused('invalid_grant'));
    expect((await refresh((next.body as Tokens).refresh_token)).status).toBe(200);
  });

  it.each(['nonsense', 'mw_refresh_', '\0', 'x'.repeat(10_000)])('answers invalid_grant to "%.20s"', async (token) => {
    expect((await refresh(token)).body).toEqual(refused('invalid_grant'));
  });

  it('accepts a refresh token for thirty days', async () => {
    const { refresh_token } = await issue();
    const token_hash = new Uint8Array(hashSecret(refresh_token));
    const { expires_at } = await runtime.db.prisma.oAuthRefreshToken.findUniqueOrThrow({ where: { token_hash } });
    expect((Number(expires_at) - Date.now()) / 86_400_000).toBeCloseTo(30, 2);
    await runtime.db.prisma.oAuthRefreshToken.update({ where: { token_hash }, data: { expires_at: new Date() } });
    expect((await refresh(refresh_token)).body).toEqual(refused('invalid_grant'));
  });

  it("requires the client's secret", async () => {
    const { refresh_token } = await issue();
    const { client_id } = client;
    expect((await runtime.askToken({ grant_type: 'refresh_token', refresh_token, client_id })).status).toBe(401);
    expect((await refresh(refresh_token)).status).toBe(200);
  });
});

describe('an access token', () => {
  it('is refused with a challenge when it is invalid', async () => {
    const { access_token } = await issue();
    for (const token of ['nonsense', access_token.slice(0, -2), `${access_token}x`, client.client_secret]) {
      const { status, headers, body } = await runtime.as(token)('GET', '/api/v1/agents/registry');
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer /);
      expect(body).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
    }
  });

  it('is refused after its signing key is retired', async () => {
    const other = await runtime.start();
    const { access_token } = await issue();
    const { kid } = runtime.signingKey;
    await runtime.db.prisma.signingKey.update({ where: { kid }, data: { retired_at: new Date() } });
    expect((await other.as(access_token)('GET', '/api/v1/agents/registry')).status).toBe(401);
    await runtime.db.prisma.signingKey.update({ where: { kid }, data: { retired_at: null } });
  });
});

it("the token endpoint admits a hundred requests a minute from an IP address, refused requests included, then answers 429 in the service's form", async () => {
  const at = Date.now();
  const { as } = await runtime.start({ multiplier: 1, now: () => at });
  const ask = () =>
    as()('POST', '/oauth/token', {
      body: new URLSearchParams({ ...CLIENT_CREDENTIALS, client_id: 'x', client_secret: 'y' }),
    });
  const answers = await Promise.all(Array.from({ length: 105 }, ask));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(100);
  const [over] = answers.filter(({ status }) => status === 429);
  expect(over?.body).toMatchObject({ error: { code: 'RATE_LIMITED' } });
  expect(over?.headers.get('retry-after')).toMatch(/^\d+$/);
});

describe('POST /oauth/token past a limit', () => {
  // Starts a process with a twentieth of the limits: 5 requests for an address, 50 requests for a client.
  const limited = async () => {
    const at = Date.now();
    return runtime.start({ multiplier: 0.05, now: () => at });
  };
  const ask = ({ as }: Pick<TestRuntime, 'as'>, fields: object) =>
    as()('POST', '/oauth/token', { body: new URLSearchParams({ ...CLIENT_CREDENTIALS, ...fields }) });
  const statuses = (answers: readonly { status: number }[]) =>
    Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]));

  it('counts requests of an authenticated client against the client, and not against the IP address', async () => {
    const limits = await limited();
    const [busy, other] = [secretOf(await runtime.newClient()), secretOf(await runtime.newClient())];
    const answers = await Promise.all(Array.from({ length: 55 }, () => ask(limits, busy)));
    expect(statuses(answers)).toEqual({ 200: 50, 429: 5 });
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await ask(limits, other)).status).toBe(200);
  });

  it('counts requests without an authenticated client against the IP address, including forms that cannot be read', async () => {
    const limits = await limited();
    const client = await runtime.newClient();
    const wrong = { ...secretOf(client), client_secret: 'wrong' };
    for (let n = 0; n < 3; n += 1) expect((await ask(limits, wrong)).status).toBe(401);
    const broken = () =>
      limits.as()('POST', '/oauth/token', { body: '{', headers: { 'content-type': 'application/json' } });
    for (let n = 0; n < 2; n += 1) expect((await broken()).status).toBe(400);
    expect((await broken()).status).toBe(429);
    // Beyond the limit, requests of the address are refused before their credentials are checked.
    expect((await ask(limits, secretOf(client))).status).toBe(429);
  });
});
