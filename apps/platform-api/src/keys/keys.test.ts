import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createUser, disableUser, issueApiKey, revokeApiKey, type NewApiKey } from '@millwright/accounts';
import { createTokenSigner, mintAreaToken, mintGatewayToken, type Project } from '@millwright/auth';
import { publishSigningKey } from '@millwright/auth/signing-keys';
import { decodeId } from '@millwright/db';
import { createHttpClient, type HttpClient } from '@millwright/testing';
import { bearer } from '../test-platform.js';
import { usePlatform } from '../test-use-platform.js';

const { platform } = usePlatform();
const DAY_MS = 86_400_000;
const SCOPES = ['skills:read', 'content:read', 'keys:read', 'keys:write'];

/** Makes a new account. It has no keys yet, so a test does not reach the limit of keys. */
async function newUser(role: 'user' | 'admin' = 'user', project: Project = 'Core'): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await platform.db.transaction((tx) => createUser(tx, { email, name: 'Owner', role, platformAdmin: false, project }));
  return (await platform.db.prisma.user.findUniqueOrThrow({ where: { email } })).id;
}

interface Parent {
  id: string;
  userId: string;
  client: HttpClient;
}

const actorOf = (userId: string) => ({ userId, kind: 'user', label: 'Owner' }) as const;

/** Makes a key as the console does, by default for a new account. */
async function parentWith(wanted: Partial<NewApiKey> = {}): Promise<Parent> {
  const userId = wanted.userId ?? (await newUser());
  const made = { name: 'Parent', scopes: SCOPES, plan: 'standard', project: 'Core', ...wanted, userId } as const;
  const { id, key } = await platform.db.transaction((tx) => issueApiKey(tx, made, actorOf(userId)));
  return { id, userId, client: createHttpClient(platform.url, bearer(key)) };
}

interface Made {
  id: string;
  key: string;
  scopes: string[];
  plan: string;
  project: string;
  expires_at: string | null;
}
const make = async ({ client }: Parent, json: object = {}, headers: Record<string, string> = {}) =>
  client('POST', '/api/v1/keys', { json: { name: 'Child', scopes: ['skills:read'], ...json }, headers });
async function made(parent: Parent, json?: object): Promise<Made> {
  const { status, body, text } = await make(parent, json);
  expect([status, text]).toEqual([201, text]);
  return body as Made;
}
const idsOf = async ({ client }: Parent) =>
  ((await client('GET', '/api/v1/keys')).body as { items: { id: string }[] }).items.map(({ id }) => id);
const refusal = (field: string, reason: string) => ({
  error: { code: 'validation_error', message: expect.stringContaining(`${field}: ${reason}`) as string },
});

describe('POST /api/v1/keys', () => {
  it('makes a key with the scopes in the body, and with the owner and the project of the key that sent the request', async () => {
    const parent = await parentWith();
    const child = await made(parent);
    expect(child).toMatchObject({ scopes: ['skills:read'], plan: 'standard', project: 'Core' });
    const call = createHttpClient(platform.url, bearer(child.key));
    const skills = await call('GET', '/api/v1/skills');
    const content = await call('GET', '/api/v1/content');
    expect([skills.status, content.status]).toEqual([200, 403]);
    const row = await platform.db.prisma.userApiKey.findUniqueOrThrow({
      where: { id: decodeId('key', child.id) ?? '' },
    });
    expect([row.user_id, row.kind]).toEqual([parent.userId, 'api_key']);
  });

  it('records the user who created the key, and the key of the request', async () => {
    const parent = await parentWith();
    const { id } = await made(parent, { name: 'Deploy' });
    expect(await platform.decisionsOn(id)).toMatchObject([
      {
        ...{ action: 'api_key.create', decision: 'allow', project: 'Core', user_id: parent.userId },
        detail: { parent: parent.id, name: 'Deploy', scopes: ['skills:read'], plan: 'standard', kind: 'api_key' },
      },
    ]);
  });

  it.each([
    ['a scope that the key lacks', ['skills:read', 'agents:write'], 'agents:write is not a scope of the key'],
    ['an unknown scope', ['skills:*'], 'skills:* is not a scope'],
    ['*', ['*'], '* is given in the console only'],
    ['keys:write', ['keys:write'], 'keys:write is given in the console only'],
    ['a scope of admins', ['admin'], 'admin is given in the console only'],
    ['no scope', [], 'must not be empty'],
  ])('refuses %s', async (_what, scopes, reason) => {
    const { status, body } = await make(await parentWith(), { scopes });
    expect([status, body]).toMatchObject([422, refusal('scopes', reason)]);
  });

  it('lets a key with the scope * grant any scope by name, except *, scopes of admins and scopes for managing keys', async () => {
    const parent = await parentWith({ scopes: ['*', 'keys:write'], userId: await newUser('admin') });
    expect((await made(parent, { scopes: ['agents:write', 'runs:approve'] })).scopes).toEqual([
      'agents:write',
      'runs:approve',
    ]);
    for (const scope of ['*', 'keys:read', 'keys:write', 'users:read', 'users:write', 'runs:read_all', 'admin'])
      expect([scope, (await make(parent, { scopes: [scope] })).status]).toEqual([scope, 422]);
  });

  it('lets a key with keys:read grant this scope to a new key, which can then only read keys', async () => {
    const parent = await parentWith();
    const { id, key } = await made(parent, { scopes: ['keys:read'] });
    const child = { ...parent, id, client: createHttpClient(platform.url, bearer(key)) };
    expect(await idsOf(child)).toEqual(expect.arrayContaining([id, parent.id]));
    expect((await make(child)).status).toBe(403);
    expect((await child.client('DELETE', `/api/v1/keys/${parent.id}`)).status).toBe(403);
  });

  it('gives the new key the plan professional only when the key that sent the request has this plan', async () => {
    const { status, body } = await make(await parentWith(), { plan: 'professional' });
    expect([status, body]).toMatchObject([422, refusal('plan', 'is at most standard')]);
    const parent = await parentWith({ plan: 'professional' });
    expect((await made(parent, { plan: 'professional' })).plan).toBe('professional');
    expect((await made(parent)).plan).toBe('standard');
  });

  it('makes a key that expires no later than the key of the request', async () => {
    const expiresAt = new Date(Date.now() + 10 * DAY_MS);
    const parent = await parentWith({ expiresAt });
    for (const expires_in_days of [11, null]) {
      const { status, body } = await make(parent, { expires_in_days });
      const reason = `must end by ${expiresAt.toISOString()}`;
      expect([status, body]).toMatchObject([422, refusal('expires_in_days', reason)]);
    }
    expect((await made(parent)).expires_at).toBe(expiresAt.toISOString());
    const days = (Date.parse((await made(parent, { expires_in_days: 9 })).expires_at ?? '') - Date.now()) / DAY_MS;
    expect(Math.round(days)).toBe(9);
  });

  it('makes a key that expires after 90 days by default, and without an expiry only when the key of the request has none', async () => {
    const parent = await parentWith();
    const days = (Date.parse((await made(parent)).expires_at ?? '') - Date.now()) / DAY_MS;
    expect(Math.round(days)).toBe(90);
    expect((await made(parent, { expires_in_days: null })).expires_at).toBeNull();
  });

  it('ignores a project in the request, and answers 422 to a request with an owner or a kind', async () => {
    const parent = await parentWith({ userId: await newUser('admin') });
    expect((await made(parent, { project: 'Commerce' })).project).toBe('Core');
    for (const field of [{ kind: 'pat' }, { user_id: platform.user.id }])
      expect([field, (await make(parent, field)).status]).toEqual([field, 422]);
  });

  it('refuses the 21st key of an account', async () => {
    const userId = await newUser('user', 'Commerce');
    const parent = await parentWith({ userId, project: 'Commerce' });
    const live = () =>
      platform.db.prisma.userApiKey.count({ where: { user_id: userId, kind: 'api_key', revoked_at: null } });
    while ((await live()) < 19) await made(parent);
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await make(parent)).status));
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
    expect(await live()).toBe(20);
  });

  it('requires a key that lists keys:write by name; the scope *, gateway tokens and tokens of the console are not enough', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signingKey = { kid: 'admin', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
    await publishSigningKey(platform.db, 'admin-auth', signingKey);
    const sign = createTokenSigner(signingKey);
    const subject = { issuer: 'http://platform.test', userId: platform.user.id, sid: 's', project: 'Core' as const };
    const tokens = [mintGatewayToken(sign, subject), mintAreaToken(sign, { ...subject, isFresh: true }, 'platform')];
    const every = await parentWith({ scopes: ['*'] });
    for (const client of [every.client, ...tokens.map((token) => createHttpClient(platform.url, bearer(token)))]) {
      const refused = await make({ ...every, client });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="keys:write"',
      ]);
      expect((await client('GET', '/api/v1/keys')).status).toBe(403);
      expect((await client('DELETE', `/api/v1/keys/${every.id}?self=true`)).status).toBe(403);
    }
    const denied = await platform.db.prisma.governanceDecision.count({
      where: { action: 'api_key.create', decision: 'deny', user_id: every.userId },
    });
    expect(denied).toBeGreaterThan(0);
  });

  it('returns the same new key when a request is repeated, and stores this key only encrypted', async () => {
    const parent = await parentWith();
    const headers = { 'idempotency-key': 'terraform-1' };
    const first = await make(parent, {}, headers);
    const again = await make(parent, {}, headers);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { id, key } = first.body as Made;
    expect(await platform.decisionsOn(id)).toHaveLength(1);
    const stored = JSON.stringify(await platform.db.prisma.idempotencyKey.findMany());
    expect(stored).toContain(id);
    expect(stored).not.toContain(key.slice(-30));
    expect((await make(parent, { name: 'Other' }, headers)).status).toBe(409);
  });
});

describe('a key that was made by a key', () => {
  it('stays valid when the key that made it is revoked, but the revoked key makes no more keys', async () => {
    const parent = await parentWith();
    const { key } = await made(parent);
    await platform.db.transaction((tx) => revokeApiKey(tx, parent.id, actorOf(parent.userId)));
    expect((await make(parent)).status).toBe(401);
    expect((await createHttpClient(platform.url, bearer(key))('GET', '/api/v1/skills')).status).toBe(200);
  });

  it('is refused once its account is disabled', async () => {
    const parent = await parentWith();
    const { key } = await made(parent);
    const actor = actorOf(parent.userId);
    await platform.db.transaction((tx) => disableUser(tx, parent.userId, actor, () => undefined));
    expect((await make(parent)).status).toBe(401);
    expect((await createHttpClient(platform.url, bearer(key))('GET', '/api/v1/skills')).status).toBe(401);
  });
});

describe('GET /api/v1/keys', () => {
  it("lists the owner's API keys in the project, without secrets and without revoked keys", async () => {
    const parent = await parentWith({ userId: await newUser('admin') });
    const elsewhere = await parentWith({ userId: parent.userId, project: 'Commerce' });
    const pat = await parentWith({ userId: parent.userId, kind: 'pat' });
    const other = await parentWith();
    const [child, revoked] = [await made(parent), await made(parent)];
    await parent.client('DELETE', `/api/v1/keys/${revoked.id}`);
    const { body, text } = await parent.client('GET', '/api/v1/keys');
    const ids = (body as { items: { id: string }[] }).items.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual([child.id, parent.id]);
    for (const { id } of [elsewhere, pat, other, revoked]) expect(ids).not.toContain(id);
    expect(text).not.toContain(child.key.slice(-30));
  });
});

describe('DELETE /api/v1/keys/{key_id}', () => {
  const remove = ({ client }: Parent, id: string, query = '') => client('DELETE', `/api/v1/keys/${id}${query}`);

  it('revokes a key, so that its next request is refused, and records the revocation; a second DELETE is answered 204 too', async () => {
    const parent = await parentWith();
    const { id, key } = await made(parent);
    expect((await remove(parent, id)).status).toBe(204);
    expect((await createHttpClient(platform.url, bearer(key))('GET', '/api/v1/skills')).status).toBe(401);
    expect((await remove(parent, id)).status).toBe(204);
    expect((await platform.decisionsOn(id)).slice(1, 2)).toMatchObject([
      { action: 'api_key.revoke', user_id: parent.userId, project: 'Core', detail: { by: parent.id } },
    ]);
  });

  it('answers 404 for a key of another user or project and for a personal access token', async () => {
    const parent = await parentWith({ userId: await newUser('admin') });
    const others = [
      await parentWith(),
      await parentWith({ userId: parent.userId, project: 'Commerce' }),
      await parentWith({ userId: parent.userId, kind: 'pat' }),
    ];
    for (const { id } of others) {
      expect((await remove(parent, id)).status).toBe(404);
      const row = await platform.db.prisma.userApiKey.findUniqueOrThrow({ where: { id: decodeId('key', id) ?? '' } });
      expect(row.revoked_at).toBeNull();
    }
  });

  it('revokes the key of the request only with self=true', async () => {
    const parent = await parentWith();
    for (const query of ['', '?self=false']) {
      const { status, body } = await remove(parent, parent.id, query);
      expect([status, body]).toMatchObject([
        409,
        { error: { message: expect.stringContaining('?self=true') as string } },
      ]);
    }
    expect((await remove(parent, parent.id, '?self=true')).status).toBe(204);
    expect((await make(parent)).status).toBe(401);
  });
});
