import { randomBytes } from 'node:crypto';
import { issueApiKey, issueOAuthClient, issueSetupToken } from '@millwright/accounts';
import { decodeId, encodeId, newId } from '@millwright/db';
import { createTestDatabase, type ClientAnswer, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';
import type { User } from './users.contract.js';

let database: TestDatabase;
let runtime: TestRuntime;
let admin: TestUser;
let root: TestUser;
let call: HttpClient;
let asRoot: HttpClient;
let foreign: HttpClient;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  admin = await runtime.newUser('grace@example.com', { role: 'admin' });
  root = await runtime.newUser('root@example.com', { platformAdmin: true });
  const [own, platform, other] = await Promise.all([
    runtime.newToken({ userId: admin.id }),
    runtime.newToken({ userId: root.id }),
    runtime.newToken({ userId: admin.id, project: 'Commerce' }),
  ]);
  [call, asRoot, foreign] = [runtime.as(own), runtime.as(platform), runtime.as(other)];
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const path = (id = '') => `/api/v1/users${id && `/${id}`}`;
const newEmail = () => `user${++count}@example.com`;
const idOf = ({ id }: TestUser) => encodeId('usr', id);
const rowOf = (id: string) => runtime.db.prisma.user.findUnique({ where: { id: decodeId('usr', id) ?? '' } });
const auditRowsOf = (resource: string) =>
  runtime.db.prisma.governanceDecision.findMany({
    where: { resource },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
    select: { action: true, user_id: true, decision: true, detail: true },
  });
const errorOf = ({ status, body }: ClientAnswer) => ({
  status,
  ...(body as { error: { code: string; details: object } }).error,
});
const create = async (over: object = {}) => {
  const answer = await call('POST', path(), { json: { email: newEmail(), name: 'Lin', ...over } });
  expect(answer.status).toBe(201);
  return answer.body as User;
};

describe('POST /api/v1/users', () => {
  it('answers 201 with the user, Location and ETag; stores the user, and writes an audit row', async () => {
    const email = newEmail();
    const answer = await call('POST', path(), { json: { email: ` ${email} `, name: ' Lin ' } });
    const user = answer.body as User;
    expect(answer.status).toBe(201);
    expect(user).toEqual({
      id: expect.stringMatching(/^usr_[0-9A-Za-z]{22}$/) as string,
      email,
      name: 'Lin',
      role: 'user',
      project: 'Core',
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([path(user.id), '"c-1"']);
    expect(await rowOf(user.id)).toMatchObject({
      email,
      role: 'user',
      platform_admin: false,
      project: 'Core',
      version: 1,
    });
    expect(await auditRowsOf(user.id)).toMatchObject([{ action: 'user.create', user_id: admin.id, decision: 'allow' }]);
    expect((await call('GET', path(user.id))).text).toBe(answer.text);
  });

  it('creates the user in the credential’s project', async () => {
    const { body } = await foreign('POST', path(), { json: { email: newEmail(), name: 'Mo' } });
    expect(body).toMatchObject({ project: 'Commerce' });
  });

  it('answers 400, naming the field email, when another account has the address, in any letter case', async () => {
    const { email } = await create();
    const answer = await call('POST', path(), { json: { email: email.toUpperCase(), name: 'Two' } });
    expect(errorOf(answer)).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { field: 'email', reason: 'is taken' },
    });
    expect(await runtime.db.prisma.user.count({ where: { email } })).toBe(1);
  });

  it.each<[object, string]>([
    [{ email: undefined }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: `${'a'.repeat(250)}@example.com` }, 'email'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ role: 'admin' }, 'role'],
    [{ platform_admin: true }, 'platform_admin'],
  ])('answers 400 for %j, and the error names the field %s', async (over, field) => {
    const answer = await call('POST', path(), { json: { email: newEmail(), name: 'Lin', ...over } });
    expect(errorOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', details: { field } });
  });

  it('creates one user for a request repeated with the same key', async () => {
    const request = { json: { email: newEmail(), name: 'Once' }, headers: { 'idempotency-key': 'once' } };
    const [first, second] = [await call('POST', path(), request), await call('POST', path(), request)];
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
  });

  it('answers 403 to a user without the role admin, whatever scopes the credential has', async () => {
    const mere = runtime.as(await runtime.newToken({ scopes: ['*', 'users:read', 'users:write'] }));
    expect((await mere('GET', path())).status).toBe(403);
    expect((await mere('POST', path(), { json: { email: newEmail(), name: 'X' } })).status).toBe(403);
  });
});

describe('GET /api/v1/users', () => {
  it('answers a page, oldest first, with the total of the project', async () => {
    for (let i = 0; i < 3; i++) await create();
    const total = await runtime.db.prisma.user.count({ where: { project: 'Core' } });
    const all = (await call('GET', path())).body as { items: User[] };
    expect(all).toMatchObject({ total, limit: 50, offset: 0 });
    expect(all.items.every(({ project }) => project === 'Core')).toBe(true);
    const { body } = await call('GET', `${path()}?limit=2&offset=1`);
    expect(body).toEqual({ items: all.items.slice(1, 3), total, limit: 2, offset: 1 });
    expect((await call('GET', `${path()}?offset=100000`)).body).toMatchObject({ items: [], total });
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'offset=1.5', 'limit=', 'limit=1&limit=2'])(
    'answers 400 for %s',
    async (query) => {
      expect(errorOf(await call('GET', `${path()}?${query}`))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );
});

describe('GET /api/v1/users/{user_id}', () => {
  it('answers 304 while the version is unchanged', async () => {
    const { id } = await create();
    expect((await call('GET', path(id), { headers: { 'if-none-match': '"c-1"' } })).status).toBe(304);
  });

  it.each(['usr_', 'nobody', newId(), 'sk_0000000000000000000000'])('answers 404 for %s', async (id) => {
    expect((await call('GET', path(id))).status).toBe(404);
    expect((await call('DELETE', path(id))).status).toBe(404);
  });
});

describe('PUT /api/v1/users/{user_id}', () => {
  it('changes the sent fields, keeps the other fields, increments the version, and writes an audit row', async () => {
    const user = await create();
    const answer = await call('PUT', path(user.id), { json: { name: 'Linh' }, headers: { 'if-match': '"c-1"' } });
    expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([200, { ...user, name: 'Linh' }, '"c-2"']);
    expect(await rowOf(user.id)).toMatchObject({ name: 'Linh', email: user.email, version: 2 });
    const [, update] = await auditRowsOf(user.id);
    expect(update).toMatchObject({
      action: 'user.update',
      user_id: admin.id,
      detail: { name: { from: 'Lin', to: 'Linh' } },
    });
  });

  it('keeps the version and writes no audit row when nothing changes', async () => {
    const { id, name } = await create();
    expect((await call('PUT', path(id), { json: { name } })).headers.get('etag')).toBe('"c-1"');
    expect((await call('PUT', path(id), { json: {} })).status).toBe(200);
    expect(await auditRowsOf(id)).toHaveLength(1);
  });

  it('answers 412 and changes nothing when If-Match names another version than the current version', async () => {
    const { id } = await create();
    for (const method of ['PUT', 'DELETE']) {
      const answer = await call(method, path(id), {
        ...(method === 'PUT' && { json: { name: 'Late' } }),
        headers: { 'if-match': '"c-9"' },
      });
      expect(errorOf(answer)).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    }
    expect(await rowOf(id)).toMatchObject({ name: 'Lin', status: 'active', version: 1 });
  });

  it.each<[object, string]>([
    [{ email: 'nobody' }, 'email'],
    [{ email: 'ADA@example.com' }, 'email'],
    [{ name: '' }, 'name'],
    [{ role: 'admin' }, 'role'],
    [{ status: 'inactive' }, 'status'],
  ])('answers 400 for %j, and the error names the field %s', async (json, field) => {
    const { id } = await create();
    expect(errorOf(await call('PUT', path(id), { json }))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { field },
    });
    expect(await rowOf(id)).toMatchObject({ version: 1 });
  });

  it('answers 403 to an admin who changes a platform admin, and records the attempt', async () => {
    const other = await runtime.newUser(newEmail(), { platformAdmin: true });
    const answer = await call('PUT', path(idOf(other)), { json: { email: newEmail() } });
    expect(errorOf(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await call('DELETE', path(idOf(other)))).status).toBe(403);
    expect(await auditRowsOf(idOf(other))).toMatchObject([
      { action: 'user.create' },
      { action: 'user.update', decision: 'deny', user_id: admin.id },
      { action: 'user.deactivate', decision: 'deny', user_id: admin.id },
    ]);
    expect((await asRoot('PUT', path(idOf(other)), { json: { name: 'Peer' } })).status).toBe(200);
    expect((await asRoot('DELETE', path(idOf(other)))).status).toBe(200);
  });
});

describe('PUT /api/v1/users/{user_id} with another email', () => {
  it("answers 403 for the account of an admin, even the caller's own, and records the attempt", async () => {
    for (const [client, user, by] of [
      [call, await runtime.newUser(newEmail(), { role: 'admin' }), admin],
      [call, admin, admin],
      [asRoot, root, root],
    ] as const) {
      const before = await rowOf(idOf(user));
      const answer = await client('PUT', path(idOf(user)), { json: { email: newEmail(), name: 'Taken over' } });
      expect(errorOf(answer)).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        details: { field: 'email', reason: 'of an admin or auditor is changed in the console only' },
      });
      expect(await rowOf(idOf(user))).toEqual(before);
      expect((await auditRowsOf(idOf(user))).at(-1)).toMatchObject({
        action: 'user.update',
        decision: 'deny',
        user_id: by.id,
      });
      expect((await client('PUT', path(idOf(user)), { json: { email: before?.email } })).status).toBe(200);
    }
  });

  it('ends sessions, recovery links and setup tokens of the account, and stores a notice to the former address', async () => {
    const user = await create();
    const userId = decodeId('usr', user.id) ?? '';
    const expires_at = new Date(Date.now() + 600_000);
    const { prisma } = runtime.db;
    await prisma.userSession.create({
      data: { id: newId(), user_id: userId, method: 'passkey', ip: '', user_agent: '', expires_at },
    });
    const token = () => ({ id: newId(), user_id: userId, token_hash: randomBytes(32), expires_at });
    await prisma.magicLinkToken.create({ data: token() });
    await prisma.setupToken.create({ data: { ...token(), origin: 'operator' } });

    const email = newEmail();
    expect(await call('PUT', path(user.id), { json: { email } })).toMatchObject({ status: 200, body: { email } });

    expect(await prisma.userSession.count({ where: { user_id: userId, revoked_at: null } })).toBe(0);
    const live = { where: { user_id: userId, expires_at: { gt: new Date() } } };
    expect([await prisma.magicLinkToken.count(live), await prisma.setupToken.count(live)]).toEqual([0, 0]);
    expect(await prisma.accountNotice.findMany({ where: { user_id: userId } })).toMatchObject([
      { email: user.email, kind: 'email_changed' },
    ]);
    const { recovery_after } = (await rowOf(user.id)) ?? {};
    expect((recovery_after?.getTime() ?? 0) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  });
});

describe('DELETE /api/v1/users/{user_id}', () => {
  it('answers 200 with the inactive user, and ends all credentials of the user immediately', async () => {
    const user = await runtime.newUser(newEmail());
    const token = await runtime.newToken({ userId: user.id });
    await runtime.db.transaction(async (tx) => {
      await issueApiKey(
        tx,
        { userId: user.id, name: 'k', scopes: ['*'], plan: 'standard', project: 'Core' },
        user.actor,
      );
      await issueOAuthClient(
        tx,
        { userId: user.id, name: 'c', redirectUris: [], scopes: ['*'], project: 'Core' },
        user.actor,
      );
      const { email } = await tx.user.findUniqueOrThrow({ where: { id: user.id } });
      await issueSetupToken(tx, email, user.actor);
    });
    expect((await runtime.as(token)('GET', '/api/v1/agents/registry')).status).toBe(200);

    const answer = await call('DELETE', path(idOf(user)));
    expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([
      200,
      expect.objectContaining({ id: idOf(user), status: 'inactive' }),
      '"c-2"',
    ]);
    expect((await runtime.as(token)('GET', '/api/v1/agents/registry')).status).toBe(401);
    const live = { where: { user_id: user.id, revoked_at: null } };
    const { userApiKey, oAuthClient, setupToken } = runtime.db.prisma;
    expect(await Promise.all([userApiKey.count(live), oAuthClient.count(live)])).toEqual([0, 0]);
    expect(await setupToken.count({ where: { user_id: user.id, expires_at: { gt: new Date() } } })).toBe(0);
    expect((await auditRowsOf(idOf(user))).at(-1)).toEqual({
      action: 'user.deactivate',
      user_id: admin.id,
      decision: 'allow',
      detail: {
        reason: 'account deactivated',
        sessions: 0,
        keys: 1,
        devices: 0,
        codes: 0,
        oauth_clients: 2,
        oauth_grants: 1,
        setup_tokens: 1,
        magic_links: 0,
        mcp_connections: 0,
      },
    });
  });

  it('returns the same answer to a second request, and writes no second audit row', async () => {
    const { id } = await create();
    const [first, second] = [await call('DELETE', path(id)), await call('DELETE', path(id))];
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(await auditRowsOf(id)).toHaveLength(2);
  });

  it('answers 400 for the last active platform admin, even when two platform admins deactivate each other at the same time', async () => {
    const peer = await runtime.newUser(newEmail(), { platformAdmin: true });
    const asPeer = runtime.as(await runtime.newToken({ userId: peer.id }));
    const answers = await Promise.all([asRoot('DELETE', path(idOf(peer))), asPeer('DELETE', path(idOf(root)))]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await runtime.db.prisma.user.findMany({ where: { platform_admin: true, status: 'active' } });
    expect(left).toHaveLength(1);
    const lone = encodeId('usr', left[0]?.id ?? '');
    const last = await (lone === idOf(root) ? asRoot : asPeer)('DELETE', path(lone));
    expect(errorOf(last)).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { field: 'user_id', reason: 'is the last active platform admin' },
    });
    expect(await rowOf(lone)).toMatchObject({ status: 'active' });
  });
});
