import { issueApiKey, issueOAuthClient, issueSetupToken, type NewUser } from '@millwright/accounts';
import { encodeId, newId } from '@millwright/db';
import {
  createPasskey,
  createTestDatabase,
  type ClientAnswer,
  type HttpClient,
  type TestDatabase,
  type TestPasskey,
} from '@millwright/testing';
import { createMagicLinkStore } from '../magic-link/magic-link.store.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { setProof } from '../test-records.js';
import { beginSignIn, bodyOf, browser, enrol, enrolledUser, signInWith } from '../test-sign-in.js';

let database: TestDatabase;
let site: TestConsole;
let asAdmin: HttpClient;
let asPlatform: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  asAdmin = (await signIn({ email: 'admin@example.com', name: 'Adam', role: 'admin' })).client;
  asPlatform = (await signIn({ email: 'root@example.com', name: 'Root', role: 'admin', platformAdmin: true })).client;
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

async function signIn(user: Partial<NewUser> & { email: string }) {
  const row = await site.addUser(user);
  const actor = { userId: row.id, kind: 'user', label: row.name } as const;
  return { ...row, actor, path: `/admin/api/users/${encodeId('usr', row.id)}`, ...(await site.signIn(row)) };
}

interface Listed {
  items: { email: string; name: string }[];
  total: number;
}
const auditRowsOf = (path: string) =>
  site.db.prisma.governanceDecision.findMany({
    where: { resource: path.replace('/admin/api/users/', '') },
    orderBy: { id: 'asc' },
  });
const codeOf = ({ status, body }: ClientAnswer) => [status, (body as { error?: { code: string } }).error?.code];

/**
 * Returns the path of a setup link whose token is in the query. For such a link, the status of the answer shows whether the link is live.
 */
const linkOfFormerRelease = (url: string) => url.slice(site.url.length).replace('#', '?');

describe('GET /admin/api/users', () => {
  const list = async (query: string) => (await asAdmin('GET', `/admin/api/users?${query}`)).body as Listed;
  beforeAll(async () => {
    await site.addUser({ email: 'zoe@shop.test', name: 'Zoe 100%', project: 'Commerce' });
    await site.addUser({ email: 'yan@shop.test', name: 'Yan', project: 'Commerce' });
    await site.db.prisma.user.update({ where: { email: 'yan@shop.test' }, data: { status: 'inactive' } });
  });

  it.each([
    ['search=shop.TEST', ['yan@shop.test', 'zoe@shop.test']],
    ['search=zo', ['zoe@shop.test']],
    ['search=100%25', ['zoe@shop.test']],
    ['search=%25', ['zoe@shop.test']],
    ['search=nobody', []],
    ['project=Commerce&status=inactive', ['yan@shop.test']],
    ['project=Commerce&status=active', ['zoe@shop.test']],
    ['role=admin', ['admin@example.com', 'root@example.com']],
    ['role=admin&search=root', ['root@example.com']],
  ])('filters by %s, and returns the total', async (query, emails) => {
    const listed = await list(`${query}&sort=email&order=asc`);
    expect([listed.items.map(({ email }) => email), listed.total]).toEqual([emails, emails.length]);
  });

  it('returns pages in the requested order', async () => {
    const names = async (query: string) => (await list(query)).items.map(({ name }) => name);
    expect(await names('sort=name&order=asc&per_page=2')).toEqual(['Adam', 'Root']);
    expect(await names('sort=name&order=asc&per_page=2&page=2')).toEqual(['Yan', 'Zoe 100%']);
    expect(await names('sort=name&per_page=1')).toEqual(['Zoe 100%']);
    expect(await list('per_page=1&page=3')).toMatchObject({ page: 3, per_page: 1, total: 4 });
  });

  it.each(['per_page=101', 'page=0', 'sort=role', 'status=deleted', 'role=king', 'project=core', 'search=a&search=b'])(
    '%s is refused',
    async (query) =>
      expect(codeOf(await asAdmin('GET', `/admin/api/users?${query}`))).toEqual([422, 'validation_error']),
  );

  it('shows no secret', async () => {
    const { text } = await asAdmin('GET', '/admin/api/users');
    expect(text).not.toMatch(/webauthn|hash/);
  });
});

describe('POST /admin/api/users', () => {
  it('creates an account and shows its setup link once', async () => {
    const answer = await asAdmin('POST', '/admin/api/users', {
      json: { name: ' New ', email: 'new@example.com', role: 'admin', project: 'Commerce' },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        ...{ name: 'New', email: 'new@example.com', role: 'admin', project: 'Commerce', status: 'active' },
        ...{ platform_admin: false, self_registered: false, passkeys: 0, last_seen_at: null, deleted_at: null },
      },
    });
    const { id, setup_url } = answer.body as { id: string; setup_url: string };
    expect((await asAdmin('GET', linkOfFormerRelease(setup_url))).status).toBe(200);
    const auditRows = await auditRowsOf(id);
    expect(auditRows.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['user.create', 'Adam'],
      ['setup_token.create', 'Adam'],
    ]);
    expect(
      JSON.stringify(auditRows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(setup_url.slice(-64));
  });

  it('stores no answer under an Idempotency-Key, because the setup link is shown once', async () => {
    await asAdmin('POST', '/admin/api/users', {
      json: { name: 'K', email: 'keyed@example.com' },
      headers: { 'idempotency-key': 'once' },
    });
    expect(await site.db.prisma.idempotencyKey.count()).toBe(0);
  });

  it.each([
    ['a taken email', { name: 'A', email: 'ADMIN@example.com' }, [409, 'conflict']],
    ['an invalid email', { name: 'A', email: 'nobody' }, [422, 'validation_error']],
    ['a blank name', { name: ' ', email: 'blank@example.com' }, [422, 'validation_error']],
    ['a new platform admin', { name: 'A', email: 'p@example.com', platform_admin: true }, [422, 'validation_error']],
    [
      'the role platform_admin',
      { name: 'A', email: 'p@example.com', role: 'platform_admin' },
      [422, 'validation_error'],
    ],
  ])('refuses %s', async (_case, json, expected) => {
    expect(codeOf(await asAdmin('POST', '/admin/api/users', { json }))).toEqual(expected);
  });
});

/** Creates a session and a credential of each kind that an account can have. */
async function withEverything(email: string) {
  const user = await signIn({ email });
  const { db } = site;
  const own = { userId: user.id, name: 'k', scopes: ['*'], project: 'Core' } as const;
  const in10Minutes = new Date(Date.now() + 600_000);
  await db.transaction(async (tx) => {
    await issueApiKey(tx, { ...own, plan: 'standard' }, user.actor);
    await issueSetupToken(tx, email, user.actor);
    const client = await issueOAuthClient(tx, { ...own, redirectUris: [] }, user.actor);
    const { id: client_id } = await tx.oAuthClient.findUniqueOrThrow({ where: { client_id: client.client_id } });
    const grant = {
      id: newId(),
      client_id,
      user_id: user.id,
      project: 'Core',
      kind: 'client_credentials',
      scopes: ['*'],
    };
    await tx.oAuthGrant.create({ data: grant });
    const pat = await tx.userApiKey.create({
      data: {
        ...{ id: newId(), user_id: user.id, kind: 'pat', public_id: newId(), name: 'laptop', scopes: ['*'] },
        ...{ secret_hash: new Uint8Array(32), project: 'Core' },
      },
    });
    await tx.device.create({
      data: {
        ...{ id: newId(), user_id: user.id, key_id: pat.id, name: 'laptop', certificate: '', serial: newId() },
        ...{ public_key: new Uint8Array(1), expires_at: in10Minutes },
      },
    });
    const server = { id: newId(), project: 'Core', name: newId(), slug: newId(), url: 'x', created_by: user.id };
    await tx.mcpServer.create({ data: server });
    await tx.mcpConnection.create({
      data: {
        ...{ server_id: server.id, user_id: user.id, upstream_hash: new Uint8Array(32), issuer: 'x', resource: 'x' },
        ...{ token_endpoint: 'x', client_id: 'x', client_auth: 'none', access_token: 'sealed' },
      },
    });
    await tx.deviceLinkCode.create({
      data: {
        ...{ id: newId(), user_id: user.id, code_hash: crypto.getRandomValues(new Uint8Array(32)), project: 'Core' },
        expires_at: in10Minutes,
      },
    });
  });
  await createMagicLinkStore(db).issue(email, { ip: '127.0.0.1', requestId: 'r' });
  return user;
}

const EVERYTHING = {
  ...{ sessions: 1, keys: 2, devices: 1, codes: 1 },
  ...{ oauth_clients: 1, oauth_grants: 1, setup_tokens: 1, magic_links: 1, mcp_connections: 1 },
};

async function liveOf(user_id: string) {
  const live = { where: { user_id, revoked_at: null } };
  const unused = { where: { user_id, used_at: null, expires_at: { gt: new Date() } } };
  const { userSession, userApiKey, device, deviceLinkCode, oAuthClient, setupToken, magicLinkToken } = site.db.prisma;
  const grants = await site.db.prisma.$queryRaw<unknown[]>`
    SELECT 1 FROM oauth_grants g JOIN users u ON u.id = g.user_id
     WHERE u.id = ${user_id}::uuid AND g.revoked_at IS NULL AND g.epoch = u.grants_epoch`;
  return {
    sessions: await userSession.count(live),
    keys: await userApiKey.count(live),
    devices: await device.count(live),
    codes: await deviceLinkCode.count(live),
    oauth_clients: await oAuthClient.count(live),
    oauth_grants: grants.length,
    setup_tokens: await setupToken.count(unused),
    magic_links: await magicLinkToken.count(unused),
    mcp_connections: await site.db.prisma.mcpConnection.count({ where: { user_id } }),
  };
}
const NOTHING = Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, 0]));

describe('GET /admin/api/users/{user_id}', () => {
  it('shows the passkeys, sessions and credentials of the account, without a secret', async () => {
    const user = await withEverything('everything@example.com');
    const answer = await asAdmin('GET', user.path);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        email: 'everything@example.com',
        sessions: [{ method: 'passkey', current: false }],
        keys: [{ kind: 'pat' }, { kind: 'api_key', name: 'k', scopes: ['*'], revoked_at: null }],
        clients: [{ name: 'k', revoked_at: null }],
        devices: [{ device_name: 'laptop', revoked_at: null }],
      },
    });
    expect(answer.text).not.toMatch(/hash|secret/);
    expect(answer.headers.get('etag')).toBe('"a-1"');
  });

  it('shows when the account was last used, even if its live session is older than 100 ended sessions', async () => {
    const { id, path } = await signIn({ email: 'seen@example.com' });
    const seen = new Date(Date.now() + 3_600_000);
    await site.db.prisma.userSession.updateMany({ where: { user_id: id }, data: { last_seen_at: seen } });
    const ended = (ago: number) => ({
      ...{
        id: newId(),
        user_id: id,
        method: 'passkey',
        ip: '192.0.2.1',
        user_agent: '',
        revoked_at: new Date(),
        revoked_reason: 'x',
      },
      ...{ created_at: new Date(Date.now() + 60_000 - ago), last_seen_at: new Date(), expires_at: new Date(0) },
    });
    await site.db.prisma.userSession.createMany({ data: Array.from({ length: 101 }, (_, n) => ended(n)) });
    const lastSeen = async () => (bodyOf(await asAdmin('GET', path)) as { last_seen_at: string }).last_seen_at;
    expect(await lastSeen()).toBe(seen.toISOString());
    const later = new Date(seen.getTime() + 1_000);
    const { id: latest } = await site.db.prisma.userSession.findFirstOrThrow({
      where: { user_id: id },
      orderBy: { created_at: 'desc' },
    });
    await site.db.prisma.userSession.update({ where: { id: latest }, data: { last_seen_at: later } });
    expect(await lastSeen()).toBe(later.toISOString());
  });

  it.each(['usr_0000000000000000000001', 'usr_', 'nobody'])('answers 404 for %s', async (id) => {
    expect(codeOf(await asAdmin('GET', `/admin/api/users/${id}`))).toEqual([404, 'not_found']);
  });
});

describe('PATCH /admin/api/users/{user_id}', () => {
  it("gives a user a higher or lower role, with effect from the user's next request", async () => {
    const user = await signIn({ email: 'promoted@example.com' });
    expect(codeOf(await user.client('GET', '/admin/api/users'))).toEqual([403, 'forbidden']);
    const promoted = await asAdmin('PATCH', user.path, { json: { role: 'admin', project: 'Commerce', name: 'Pro' } });
    expect(promoted).toMatchObject({ status: 200, body: { role: 'admin', project: 'Commerce', name: 'Pro' } });
    expect((await user.client('GET', '/admin/api/users')).status).toBe(200);
    expect((await user.client('GET', '/admin/api/me')).body).toMatchObject({ project: 'Commerce', username: 'Pro' });
    await asAdmin('PATCH', user.path, { json: { role: 'user' } });
    expect(codeOf(await user.client('GET', '/admin/api/users'))).toEqual([403, 'forbidden']);
    expect((await auditRowsOf(user.path)).at(-1)).toMatchObject({
      action: 'user.update',
      detail: { role: { from: 'admin', to: 'user' } },
    });
  });

  it('answers 412 when If-Match names an old version, and makes no new version when the values are already stored', async () => {
    const { path } = await signIn({ email: 'versions@example.com' });
    const rename = (name: string, tag: string) =>
      asAdmin('PATCH', path, { json: { name }, headers: { 'if-match': tag } });
    expect((await rename('One', '"a-1"')).headers.get('etag')).toBe('"a-2"');
    expect(codeOf(await rename('Two', '"a-1"'))).toEqual([412, 'precondition_failed']);
    expect((await rename('One', '"a-2"')).headers.get('etag')).toBe('"a-2"');
  });

  it.each([
    { role: 'platform_admin' },
    { platform_admin: true },
    { email: 'x@example.com' },
    { name: '' },
    { status: 'active' },
  ])('refuses %j', async (json) => {
    const user = await site.db.prisma.user.findUniqueOrThrow({ where: { email: 'versions@example.com' } });
    const answer = await asAdmin('PATCH', `/admin/api/users/${encodeId('usr', user.id)}`, { json });
    expect(codeOf(answer)).toEqual([422, 'validation_error']);
  });
});

describe('PUT /admin/api/users/{user_id}/email', () => {
  const links = () => createMagicLinkStore(site.db);
  const from = { ip: '127.0.0.1', requestId: 'r' };

  it('changes the address, ends sessions, links and setup tokens, and queues a message to the former address', async () => {
    const user = await withEverything('former@example.com');
    const answer = await asPlatform('PUT', `${user.path}/email`, { json: { email: ' latter@example.com ' } });
    expect(answer).toMatchObject({ status: 200, body: { email: 'latter@example.com' } });
    expect((await user.client('GET', '/admin/api/me')).status).toBe(401);
    expect(await liveOf(user.id)).toEqual({ ...EVERYTHING, sessions: 0, setup_tokens: 0, magic_links: 0 });
    expect(await site.db.prisma.accountNotice.findMany({ where: { user_id: user.id } })).toMatchObject([
      { email: 'former@example.com', kind: 'email_changed' },
    ]);
    expect((await auditRowsOf(user.path)).at(-1)).toMatchObject({
      action: 'user.update',
      actor_id: 'Root',
      detail: { email: { from: 'former@example.com', to: 'latter@example.com' } },
    });
  });

  it('issues no recovery link to the new address for 24 hours', async () => {
    const user = await signIn({ email: 'moved@example.com', role: 'admin' });
    await asPlatform('PUT', `${user.path}/email`, { json: { email: 'arrived@example.com' } });
    expect(await links().issue('arrived@example.com', from)).toBeUndefined();
    expect(await links().issue('moved@example.com', from)).toBeUndefined();
    await site.db.prisma.$executeRaw`
      UPDATE users SET recovery_after = recovery_after - interval '24 hours' WHERE id = ${user.id}::uuid`;
    expect(await links().issue('arrived@example.com', from)).toMatchObject({ email: 'arrived@example.com' });
  });

  it('answers 403 to an admin, and to a platform admin without a recent proof', async () => {
    const user = await signIn({ email: 'stays@example.com' });
    const json = { email: 'gone@example.com' };
    expect(codeOf(await asAdmin('PUT', `${user.path}/email`, { json }))).toEqual([403, 'forbidden']);
    const stale = await signIn({ email: 'stale-root@example.com', role: 'admin', platformAdmin: true });
    await setProof(site, stale.sessionId, 'stale');
    expect(codeOf(await stale.client('PUT', `${user.path}/email`, { json }))).toEqual([403, 'step_up_required']);
    await site.db.prisma.user.update({ where: { id: stale.id }, data: { platform_admin: false } });
    expect(await site.db.prisma.user.findUnique({ where: { id: user.id } })).toMatchObject({
      email: 'stays@example.com',
    });
  });

  it.each([
    ['an address that is taken', 'ADMIN@example.com', [409, 'conflict']],
    ['a text that is no address', 'nobody', [422, 'validation_error']],
  ])('refuses %s', async (_case, email, expected) => {
    const { path } = await signIn({ email: `unmoved${expected.join('')}@example.com` });
    expect(codeOf(await asPlatform('PUT', `${path}/email`, { json: { email } }))).toEqual(expected);
  });
});

describe('POST /admin/api/users/{user_id}/disable', () => {
  it('revokes every credential of the account; when the account is enabled again, no credential is restored', async () => {
    const user = await withEverything('disabled@example.com');
    expect(await liveOf(user.id)).toEqual(EVERYTHING);
    const answer = await asAdmin('POST', `${user.path}/disable`, { json: { reason: 'left' } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'inactive', deleted_at: null } });
    expect(await liveOf(user.id)).toEqual(NOTHING);
    expect((await user.client('GET', '/admin/api/me')).status).toBe(401);
    expect((await auditRowsOf(user.path)).at(-1)).toMatchObject({
      action: 'user.disable',
      actor_id: 'Adam',
      detail: { reason: 'left', ...EVERYTHING },
    });
    expect((await asAdmin('POST', `${user.path}/enable`)).body).toMatchObject({ status: 'active' });
    expect(await liveOf(user.id)).toEqual(NOTHING);
    expect((await user.client('GET', '/admin/api/me')).status).toBe(401);
  });

  it('accepts a request without a body; a second request changes nothing', async () => {
    const { path } = await signIn({ email: 'twice@example.com' });
    const [first, second] = [await asAdmin('POST', `${path}/disable`), await asAdmin('POST', `${path}/disable`)];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    expect((await auditRowsOf(path)).filter(({ action }) => action === 'user.disable')).toHaveLength(1);
  });

  it('changes nothing when the audit row cannot be written', async () => {
    const user = await withEverything('unrecorded@example.com');
    await site.db.prisma.$executeRaw`
      ALTER TABLE governance_decisions ADD CONSTRAINT no_disable CHECK (action <> 'user.disable') NOT VALID`;
    expect((await asAdmin('POST', `${user.path}/disable`)).status).toBe(500);
    await site.db.prisma.$executeRaw`ALTER TABLE governance_decisions DROP CONSTRAINT no_disable`;
    expect(await liveOf(user.id)).toEqual(EVERYTHING);
    expect((await user.client('GET', '/admin/api/me')).status).toBe(200);
  });
});

describe('POST /admin/api/users/{user_id}/revoke', () => {
  it('revokes every credential and keeps the account active', async () => {
    const user = await withEverything('revoked@example.com');
    expect((await asAdmin('POST', `${user.path}/revoke`)).body).toEqual({ revoked: EVERYTHING });
    expect(await liveOf(user.id)).toEqual(NOTHING);
    expect((await asAdmin('GET', user.path)).body).toMatchObject({ status: 'active' });
    expect((await site.signIn(user)).access).toBeTruthy();
  });
});

describe('POST /admin/api/users/{user_id}/setup-token', () => {
  it('returns a new link for an account without a passkey, but not for a disabled account', async () => {
    const { path } = await signIn({ email: 'unset@example.com' });
    const answer = await asAdmin('POST', `${path}/setup-token`);
    expect(answer.status).toBe(201);
    const { setup_url } = answer.body as { setup_url: string };
    expect((await asAdmin('GET', linkOfFormerRelease(setup_url))).status).toBe(200);
    await asAdmin('POST', `${path}/disable`);
    expect((await asAdmin('GET', linkOfFormerRelease(setup_url))).status).toBe(403);
    expect(codeOf(await asAdmin('POST', `${path}/setup-token`))).toEqual([409, 'conflict']);
  });
});

describe('DELETE /admin/api/users/{user_id}/consents/{consent_id}', () => {
  /** Stores the account's consent to an application, and a grant. @returns the public id of the consent */
  async function letIn(user: { id: string }, client_id: string): Promise<string> {
    const id = newId();
    const own = { user_id: user.id, client_id, scopes: ['agents:read'] };
    await site.db.prisma.oAuthConsent.create({ data: { ...own, id } });
    await site.db.prisma.oAuthGrant.create({
      data: { ...own, id: newId(), project: 'Core', kind: 'authorization_code' },
    });
    return encodeId('con', id);
  }
  const liveGrants = (user: { id: string }) =>
    site.db.prisma.oAuthGrant.count({
      where: { user_id: user.id, kind: 'authorization_code', revoked_at: null },
    });

  it("revokes the application's access to that account only, and audits the admin as actor", async () => {
    const [user, other] = [await signIn({ email: 'let@example.com' }), await signIn({ email: 'in@example.com' })];
    const { client_id } = await site.db.transaction((tx) =>
      issueOAuthClient(
        tx,
        { userId: other.id, name: 'Planner', scopes: ['*'], project: 'Core', redirectUris: [] },
        other.actor,
      ),
    );
    const client = await site.db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id } });
    const [consent, others] = [await letIn(user, client.id), await letIn(other, client.id)];
    expect((await asAdmin('GET', user.path)).body).toMatchObject({
      consents: [{ id: consent, client_name: 'Planner', scopes: ['agents:read'] }],
    });

    // For this account, the consent of another account does not exist.
    expect(codeOf(await asAdmin('DELETE', `${user.path}/consents/${others}`))).toEqual([404, 'not_found']);
    expect((await asAdmin('DELETE', `${user.path}/consents/${consent}`)).status).toBe(204);
    expect(codeOf(await asAdmin('DELETE', `${user.path}/consents/${consent}`))).toEqual([404, 'not_found']);
    expect((await asAdmin('GET', user.path)).body).toMatchObject({ consents: [] });
    expect([await liveGrants(user), await liveGrants(other)]).toEqual([0, 1]);
    const row = await site.db.prisma.governanceDecision.findFirst({
      where: { action: 'oauth_consent.revoke', resource: encodeId('cli', client.id) },
    });
    expect(row).toMatchObject({
      actor_id: 'Adam',
      decision: 'allow',
      detail: { user: encodeId('usr', user.id), grants: 1 },
    });
  });
});

describe('DELETE /admin/api/users/{user_id}', () => {
  it('deactivates the account permanently, keeps its row, and refuses to enable it again', async () => {
    const user = await withEverything('deleted@example.com');
    expect((await asAdmin('DELETE', user.path)).status).toBe(204);
    expect(await liveOf(user.id)).toEqual(NOTHING);
    expect((await asAdmin('GET', user.path)).body).toMatchObject({
      status: 'inactive',
      deleted_at: expect.any(String) as string,
    });
    expect(codeOf(await asAdmin('POST', `${user.path}/enable`))).toEqual([409, 'conflict']);
    expect((await asAdmin('DELETE', user.path)).status).toBe(204);
    expect((await auditRowsOf(user.path)).map(({ action, decision }) => `${action} ${decision}`)).toEqual([
      ...['user.create allow', 'setup_token.create allow', 'magic_link.create allow'],
      ...['user.deactivate allow', 'user.enable deny'],
    ]);
  });
});

describe('a platform admin', () => {
  const attempts = (path: string): [string, () => Promise<ClientAnswer>][] => [
    ['disable', () => asAdmin('POST', `${path}/disable`)],
    ['demote', () => asAdmin('PATCH', path, { json: { role: 'user' } })],
    ['revoke', () => asAdmin('POST', `${path}/revoke`)],
    ['set up', () => asAdmin('POST', `${path}/setup-token`)],
    ['shut out', () => asAdmin('DELETE', `${path}/consents/con_0000000000000000000001`)],
    ['delete', () => asAdmin('DELETE', path)],
  ];

  it('cannot be changed by an admin of lower rank, and the attempts are recorded', async () => {
    const other = await signIn({ email: 'other-root@example.com', role: 'admin', platformAdmin: true });
    for (const [, attempt] of attempts(other.path)) expect(codeOf(await attempt())).toEqual([403, 'forbidden']);
    expect((await auditRowsOf(other.path)).filter(({ decision }) => decision === 'deny')).toMatchObject(
      attempts('').map(() => ({ actor_id: 'Adam', reason: 'only a platform admin may change a platform admin' })),
    );
    expect((await asPlatform('DELETE', other.path)).status).toBe(204);
  });

  it('cannot be disabled, demoted or deleted when no other platform admin is active', async () => {
    const root = await site.db.prisma.user.findUniqueOrThrow({ where: { email: 'root@example.com' } });
    const path = `/admin/api/users/${encodeId('usr', root.id)}`;
    for (const answer of [
      await asPlatform('POST', `${path}/disable`),
      await asPlatform('PATCH', path, { json: { role: 'user' } }),
      await asPlatform('DELETE', path),
    ]) {
      expect(codeOf(answer)).toEqual([409, 'conflict']);
      expect(answer.text).toContain('is the last active platform admin');
    }
    expect((await asPlatform('PATCH', path, { json: { name: 'Root' } })).status).toBe(200);
  });

  it('always remains when two platform admins disable each other in 50 concurrent attempts', async () => {
    const one = await signIn({ email: 'duel@example.com', role: 'admin', platformAdmin: true });
    const root = await site.db.prisma.user.findUniqueOrThrow({ where: { email: 'root@example.com' } });
    const rootPath = `/admin/api/users/${encodeId('usr', root.id)}`;
    const duel = Array.from({ length: 50 }, (_, n) => {
      const [client, path] = n % 2 ? [one.client, rootPath] : [asPlatform, one.path];
      if (n % 3 === 0) return client('POST', `${path}/disable`);
      return n % 3 === 1 ? client('PATCH', path, { json: { role: 'user' } }) : client('DELETE', path);
    });
    const statuses = (await Promise.all(duel)).map(({ status }) => status);
    expect(await site.db.prisma.user.count({ where: { platform_admin: true, status: 'active' } })).toBe(1);
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    // Makes both accounts ordinary admins again, for the tests that follow.
    await site.db.prisma.user.updateMany({
      where: { id: { in: [one.id, root.id] } },
      data: { status: 'active', deleted_at: null, role: 'admin' },
    });
  });
});

describe('a user who is not an admin', () => {
  it('is refused in JSON at every endpoint of users', async () => {
    const { client, path } = await signIn({ email: 'nosy@example.com' });
    const requests = [
      'GET /admin/api/users',
      'POST /admin/api/users',
      `GET ${path}`,
      `PATCH ${path}`,
      ...['disable', 'enable', 'revoke', 'setup-token'].map((verb) => `POST ${path}/${verb}`),
      `DELETE ${path}/consents/con_0000000000000000000001`,
      `DELETE ${path}`,
    ].map((line) => line.split(' ') as [string, string]);
    const answers = await Promise.all(requests.map(([method, url]) => client(method, url)));
    for (const answer of answers) expect(codeOf(answer)).toEqual([403, 'forbidden']);
    const denied = await site.db.prisma.governanceDecision.count({
      where: { resource: { startsWith: path }, decision: 'deny' },
    });
    expect(denied).toBe(8);
  });
});

describe('the passkeys of a user', () => {
  const withPasskeys = async (email: string) => {
    const { user, passkey } = await enrolledUser(site, email);
    const second = createPasskey(site.url);
    const { next } = browser(site.url);
    await signInWith(next, site.url, passkey);
    bodyOf(await enrol(next, second), 201);
    return { ...user, email, passkey, second, path: `/admin/api/users/${encodeId('usr', user.id)}` };
  };
  const list = async (path: string) =>
    (bodyOf(await asAdmin('GET', `${path}/passkeys`)) as { items: { id: string; name: string }[] }).items;
  const signInStatus = async (email: string, passkey: TestPasskey) => {
    const { finish } = await beginSignIn(browser(site.url).next, site.url, email);
    return (await finish(passkey)).status;
  };
  const notices = (user_id: string) =>
    site.db.prisma.accountNotice.count({ where: { user_id, kind: 'passkeys_removed' } });

  it('are listed, and can all be removed one by one; each removal is audited and reported to the user', async () => {
    const user = await withPasskeys('thief@example.com');
    const [first, second] = await list(user.path);
    expect((await asAdmin('DELETE', `${user.path}/passkeys/${second?.id}`)).status).toBe(204);
    expect(await signInStatus(user.email, user.second)).toBe(401);
    expect(await signInStatus(user.email, user.passkey)).toBe(200);
    expect((await asAdmin('DELETE', `${user.path}/passkeys/${first?.id}`)).status).toBe(204);
    expect(await list(user.path)).toEqual([]);
    expect((await asAdmin('DELETE', `${user.path}/passkeys/${first?.id}`)).status).toBe(404);
    expect((await auditRowsOf(user.path)).filter(({ action }) => action === 'passkey.remove')).toMatchObject([
      { actor_id: 'Adam', decision: 'allow', detail: { name: 'Test' } },
      { actor_id: 'Adam', decision: 'allow' },
    ]);
    expect(await notices(user.id)).toBe(2);
    expect((await asAdmin('POST', `${user.path}/setup-token`)).status).toBe(201);
  });

  it('are revoked when all credentials of the user are revoked; a setup link can be created afterwards', async () => {
    const user = await withPasskeys('lost@example.com');
    await asAdmin('POST', `${user.path}/revoke`);
    expect(await list(user.path)).toHaveLength(2);
    const { revoked } = bodyOf(await asAdmin('POST', `${user.path}/revoke`, { json: { passkeys: true } })) as {
      revoked: object;
    };
    expect(revoked).toMatchObject({ passkeys: 2 });
    expect(await signInStatus(user.email, user.passkey)).toBe(401);
    expect(await notices(user.id)).toBe(1);
    const { setup_url } = bodyOf(await asAdmin('POST', `${user.path}/setup-token`), 201) as { setup_url: string };
    const token = new URLSearchParams(new URL(setup_url).hash.slice(1)).get('token') ?? '';
    bodyOf(await enrol(browser(site.url).next, createPasskey(site.url), token), 201);
  });

  it('cannot be removed by an admin if the user is a platform admin, and cannot be removed at the path of another user', async () => {
    const other = await withPasskeys('other-owner@example.com');
    const [passkey] = await list(other.path);
    const { path: rootPath, client: asRoot } = await signIn({
      email: 'keyed-root@example.com',
      role: 'admin',
      platformAdmin: true,
    });
    expect(codeOf(await asAdmin('DELETE', `${rootPath}/passkeys/${passkey?.id}`))).toEqual([403, 'forbidden']);
    expect((await auditRowsOf(rootPath)).at(-1)).toMatchObject({ action: 'passkey.remove', decision: 'deny' });
    expect((await asRoot('DELETE', `${rootPath}/passkeys/${passkey?.id}`)).status).toBe(404);
    expect(await list(other.path)).toHaveLength(2);
  });
});
