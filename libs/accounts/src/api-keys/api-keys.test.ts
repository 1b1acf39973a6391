import { encodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Actor } from '@millwright/audit';
import { createApiKeyVerifier, SCOPES, newKey, parseKey } from '@millwright/auth';
import { issueApiKey, listApiKeys, revokeApiKey, rotateApiKey, type NewApiKey } from '../index.js';
import type { IssuedApiKey } from './api-keys.store.js';
import { makeUser, openDatabase } from '../test-accounts.js';

let database: TestDatabase;
let db: Database;
let verify: ReturnType<typeof createApiKeyVerifier>;
let ann: { id: string; actor: Actor };
let admin: { id: string; actor: Actor };

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  verify = createApiKeyVerifier(db);
  ann = await makeUser(db, 'ann@example.com');
  admin = await makeUser(db, 'root@example.com', { platformAdmin: true, role: 'admin' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

// An account can have 20 live keys.
afterEach(() => db.prisma.userApiKey.updateMany({ where: { revoked_at: null }, data: { revoked_at: new Date() } }));

function issue(changes: Partial<NewApiKey> = {}): Promise<IssuedApiKey> {
  const input: NewApiKey = {
    userId: ann.id,
    name: 'test',
    scopes: ['*'],
    plan: 'standard',
    project: 'Core',
    ...changes,
  };
  return db.transaction((tx) => issueApiKey(tx, input, ann.actor));
}
const rotate = (id: string) => db.transaction((tx) => rotateApiKey(tx, id, ann.actor));
const revoke = (id: string) => db.transaction((tx) => revokeApiKey(tx, id, ann.actor));
const rowOf = (key: string) =>
  db.prisma.userApiKey.findUniqueOrThrow({ where: { public_id: parseKey('api_key', key)?.publicId ?? '' } });
const expireNow = (key: string) =>
  db.prisma.userApiKey.update({
    where: { public_id: parseKey('api_key', key)?.publicId ?? '' },
    data: { expires_at: new Date() },
  });

describe('issueApiKey', () => {
  it('returns the key once and stores its public id and a hash', async () => {
    const { key, ...record } = await issue({
      name: 'CI',
      scopes: ['skills:read'],
      plan: 'professional',
      project: 'Commerce',
    });
    expect(record).toMatchObject({
      name: 'CI',
      scopes: ['skills:read'],
      plan: 'professional',
      project: 'Commerce',
      expires_at: null,
      revoked_at: null,
    });
    const row = await rowOf(key);
    expect(JSON.stringify({ ...row, secret_hash: Buffer.from(row.secret_hash).toString('latin1') })).not.toContain(
      parseKey('api_key', key)?.secret,
    );
    expect(row.secret_hash).toHaveLength(32);
    const listed = await listApiKeys(db, ann.id);
    expect(listed[0]).toEqual(record);
    expect(JSON.stringify(listed)).not.toContain(key);
  });

  it('writes no part of the secret to the audit log', async () => {
    const { key, id } = await issue();
    const { key: successor } = await rotate(id);
    await revoke(id);
    const auditRows = JSON.stringify(await db.prisma.governanceDecision.findMany(), (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const text of [key, successor]) {
      const { secret = '-', publicId = '-' } = parseKey('api_key', text) ?? {};
      expect(auditRows).not.toContain(secret);
      expect(auditRows).not.toContain(publicId);
    }
    const actions = await db.prisma.governanceDecision.findMany({ where: { resource: id }, orderBy: { id: 'asc' } });
    expect(actions.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['api_key.create', ann.id],
      ['api_key.rotate', ann.id],
      ['api_key.revoke', ann.id],
    ]);
  });

  it.each([
    ['an unknown scope', { scopes: ['skills:read', 'skills:*'] }, 'scopes'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['no name', { name: ' ' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
  ])('refuses %s', async (_case, changes, field) => {
    await expect(issue(changes)).rejects.toMatchObject({ code: 'validation_error', fields: [{ field }] });
  });
});

describe('createApiKeyVerifier', () => {
  it('writes an audit row for an attempt with a wrong secret or a revoked key, and attributes the attempt to a stranger', async () => {
    const [known, ended] = [await issue(), await issue()];
    await db.prisma.userApiKey.updateMany({
      where: { public_id: parseKey('api_key', ended.key)?.publicId ?? '' },
      data: { revoked_at: new Date() },
    });
    const forged = newKey('api_key');
    await db.prisma.userApiKey.updateMany({
      where: { public_id: parseKey('api_key', known.key)?.publicId ?? '' },
      data: { public_id: forged.publicId },
    });
    for (const key of [forged.text, ended.key]) expect(await verify(key)).toBeUndefined();
    const rows = await db.prisma.governanceDecision.findMany({
      where: { action: 'api_key.use', resource: { in: [known.id, ended.id] } },
      orderBy: { seq: 'asc' },
    });
    expect(rows).toMatchObject([
      { resource: known.id, user_id: ann.id, decision: 'deny', reason: 'wrong secret', detail: { by: 'stranger' } },
      {
        resource: ended.id,
        user_id: ann.id,
        decision: 'deny',
        reason: 'the key has ended',
        detail: { by: 'stranger' },
      },
    ]);
  });

  it('returns the principal with user, project, roles, scopes and plan', async () => {
    const { key, id } = await issue({ scopes: ['skills:read', 'admin'], plan: 'professional' });
    const principal = await verify(key);
    expect(principal).toMatchObject({
      user: { id: ann.id, name: 'ann', email: 'ann@example.com' },
      project: 'Core',
      roles: ['user'],
      credential: { kind: 'api_key', id, plan: 'professional' },
    });
    expect([...(principal?.scopes ?? [])]).toEqual(['skills:read']);
  });

  it('expands * to every scope for an admin, and to every scope except users:* and admin for a user', async () => {
    const own = await db.transaction((tx) =>
      issueApiKey(tx, { userId: admin.id, name: 'all', scopes: ['*'], plan: 'standard', project: 'Core' }, admin.actor),
    );
    const asAdmin = await verify(own.key);
    expect(asAdmin?.roles).toEqual(['user', 'admin', 'platform_admin']);
    expect(asAdmin?.scopes.size).toBe(SCOPES.length);
    const asUser = await verify((await issue()).key);
    expect(asUser?.scopes.size).toBe(SCOPES.length - 4);
    for (const scope of ['users:read', 'users:write', 'admin']) expect(asUser?.scopes.has(scope)).toBe(false);
  });

  it('applies the removal of a role from the next request on', async () => {
    const user = await makeUser(db, 'demoted@example.com', { role: 'admin' });
    const { key } = await issue({ userId: user.id });
    expect((await verify(key))?.scopes.has('admin')).toBe(true);
    await db.prisma.user.update({ where: { id: user.id }, data: { role: 'user' } });
    expect((await verify(key))?.scopes.has('admin')).toBe(false);
    expect((await verify(key))?.roles).toEqual(['user']);
  });

  it('refuses a key whose owner has left the project of the key, and accepts the key when the owner returns or becomes an admin', async () => {
    const user = await makeUser(db, 'moved@example.com');
    const { key } = await issue({ userId: user.id, project: 'Core' });
    const change = (data: { project?: 'Core' | 'Commerce'; role?: 'user' | 'admin' }) =>
      db.prisma.user.update({ where: { id: user.id }, data });
    await change({ project: 'Commerce' });
    expect(await verify(key)).toBeUndefined();
    await change({ role: 'admin' });
    expect(await verify(key)).toMatchObject({ project: 'Core' });
    await change({ role: 'user', project: 'Core' });
    expect(await verify(key)).toMatchObject({ project: 'Core' });
  });

  it('refuses every text that is not a live key', async () => {
    const { key, id } = await issue();
    const revoked = await issue();
    await revoke(revoked.id);
    const expired = await issue();
    await expireNow(expired.key);
    const parts = parseKey('api_key', key);
    const forged = newKey('api_key');
    for (const text of [
      '',
      key.slice(0, -1),
      forged.text,
      newKey('pat').text,
      id,
      parts?.secret ?? '',
      revoked.key,
      expired.key,
    ]) {
      expect(await verify(text)).toBeUndefined();
    }
    expect(await verify(key)).toBeDefined();
  });

  it('refuses a wrong secret under a known public id', async () => {
    const { key } = await issue();
    const { key: other } = await issue();
    // Stores the hash of the other key under the public id of this key. The text of this key is then well-formed, but its secret is wrong.
    const { secret_hash } = await rowOf(other);
    await db.prisma.userApiKey.update({
      where: { public_id: parseKey('api_key', key)?.publicId ?? '' },
      data: { secret_hash },
    });
    expect(await verify(key)).toBeUndefined();
  });

  it('refuses an API key whose public id belongs to a personal access token', async () => {
    const { key } = await issue();
    await db.prisma.userApiKey.update({
      where: { public_id: parseKey('api_key', key)?.publicId ?? '' },
      data: { kind: 'pat' },
    });
    expect(await verify(key)).toBeUndefined();
  });

  it('refuses the key of an inactive owner immediately, and accepts it when the owner is active again', async () => {
    const user = await makeUser(db, 'off@example.com');
    const { key } = await issue({ userId: user.id });
    const set = (status: string) => db.prisma.user.update({ where: { id: user.id }, data: { status } });
    expect(await verify(key)).toBeDefined();
    await set('inactive');
    expect(await verify(key)).toBeUndefined();
    await set('active');
    expect(await verify(key)).toBeDefined();
  });

  it("stores the time of a key's last use at most once a minute", async () => {
    const { key } = await issue();
    expect((await rowOf(key)).last_used_at).toBeNull();
    await verify(key);
    const noted = async () => {
      for (;;) {
        const { last_used_at } = await rowOf(key);
        if (last_used_at) return last_used_at;
      }
    };
    const first = await noted();
    await verify(key);
    await db.prisma.$queryRaw`SELECT 1`;
    expect((await rowOf(key)).last_used_at).toEqual(first);
  });

  it('rejects with an error while the database is unavailable, and does not treat the key as invalid', async () => {
    const { key } = await issue();
    const away = openDatabase('postgresql://u:p@127.0.0.1:1/x');
    await expect(createApiKeyVerifier(away)(key)).rejects.toThrow();
    await away.close();
  });
});

describe('rotateApiKey', () => {
  it('creates a successor with the same rights; the old key works for one more day', async () => {
    const old = await issue({ userId: admin.id, scopes: ['skills:read'], plan: 'professional', project: 'Commerce' });
    const successor = await rotate(old.id);
    expect(successor).toMatchObject({
      name: 'test',
      scopes: ['skills:read'],
      plan: 'professional',
      project: 'Commerce',
    });
    expect(successor.key).not.toBe(old.key);
    expect([(await verify(old.key))?.credential.id, (await verify(successor.key))?.credential.id]).toEqual([
      old.id,
      successor.id,
    ]);
    const { expires_at } = await rowOf(old.key);
    const hours = (Number(expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    await expireNow(old.key);
    expect(await verify(old.key)).toBeUndefined();
    expect(await verify(successor.key)).toBeDefined();
  });

  it('makes a successor whose lifetime does not depend on the expiry of the rotated key', async () => {
    const daysOf = ({ expires_at }: IssuedApiKey) =>
      expires_at === null ? null : (Date.parse(expires_at) - Date.now()) / 86_400_000;
    const soon = new Date(Date.now() + 60_000);
    expect(daysOf(await rotate((await issue({ expiresAt: soon })).id))).toBeCloseTo(90, 2);
    expect(daysOf(await rotate((await issue()).id))).toBeCloseTo(90, 2);
    for (const lifeDays of [7, null]) {
      const { id } = await issue({ expiresAt: soon });
      const successor = await db.transaction((tx) => rotateApiKey(tx, id, ann.actor, { lifeDays }));
      expect(daysOf(successor)).toEqual(lifeDays && (expect.closeTo(lifeDays, 2) as unknown));
    }
  });

  it.each([
    ['during the requested overlap', 700],
    ['at no time when the overlap is 0', 0],
  ])('accepts the old key %s', async (_case, overlapHours) => {
    const old = await issue();
    const successor = await db.transaction((tx) => rotateApiKey(tx, old.id, ann.actor, { overlapHours }));
    expect((await verify(old.key)) !== undefined).toBe(overlapHours > 0);
    expect(await verify(successor.key)).toBeDefined();
    const { expires_at, successor_id } = await rowOf(old.key);
    if (overlapHours > 0) expect((Number(expires_at) - Date.now()) / 3_600_000).toBeCloseTo(overlapHours, 1);
    expect(encodeId('key', successor_id ?? '')).toBe(successor.id);
  });

  it('makes a personal access token as the successor of a personal access token', async () => {
    const old = await issue({ kind: 'pat' });
    expect(old.key).toMatch(/^mw_pat_/);
    const successor = await rotate(old.id);
    expect([successor.kind, successor.key.slice(0, 7)]).toEqual(['pat', 'mw_pat_']);
    expect(successor.prefix).toBe(successor.key.slice(0, successor.prefix.length));
    expect(await verify(successor.key)).toBeUndefined();
  });

  it('refuses to rotate a key whose project or scopes its owner may no longer use', async () => {
    const user = await makeUser(db, 'fallen@example.com', { role: 'admin' });
    const elsewhere = await issue({ userId: user.id, project: 'Commerce' });
    const powerful = await issue({ userId: user.id, scopes: ['users:write'] });
    await db.prisma.user.update({ where: { id: user.id }, data: { role: 'user' } });
    await expect(rotate(elsewhere.id)).rejects.toMatchObject({ fields: [{ field: 'project' }] });
    await expect(rotate(powerful.id)).rejects.toMatchObject({ fields: [{ field: 'scopes' }] });
    expect(await db.prisma.userApiKey.count({ where: { user_id: user.id } })).toBe(2);
  });

  it("answers not_found for another user's key", async () => {
    const { id, key } = await issue();
    const asAdmin = { userId: admin.id };
    await expect(db.transaction((tx) => rotateApiKey(tx, id, admin.actor, asAdmin))).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(db.transaction((tx) => revokeApiKey(tx, id, admin.actor, admin.id))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await verify(key)).toBeDefined();
  });

  it('leaves the expiry of the old key unchanged when it is earlier than the end of the overlap', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const old = await issue({ expiresAt });
    await rotate(old.id);
    expect((await rowOf(old.key)).expires_at).toEqual(expiresAt);
  });

  it('refuses a rotated, revoked, expired or unknown key', async () => {
    const [rotated, revoked, expired] = [await issue(), await issue(), await issue()];
    await rotate(rotated.id);
    await revoke(revoked.id);
    await expireNow(expired.key);
    for (const { id } of [rotated, revoked, expired])
      await expect(rotate(id)).rejects.toMatchObject({ code: 'conflict' });
    for (const id of ['', 'key_', 'nonsense', `key_${'0'.repeat(22)}`])
      await expect(rotate(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('creates only one successor when five calls for the same key run concurrently', async () => {
    const { id } = await issue({ name: newId() });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => rotate(id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const names = (await listApiKeys(db, ann.id)).filter(
      (key) => key.name === outcomes.flatMap((o) => (o.status === 'fulfilled' ? [o.value.name] : []))[0],
    );
    expect(names).toHaveLength(2);
  });
});

describe('revokeApiKey', () => {
  it('revokes the key from the next request on; a second call writes no second audit row', async () => {
    const { key, id } = await issue();
    expect(await verify(key)).toBeDefined();
    const { revoked_at } = await revoke(id);
    expect(await verify(key)).toBeUndefined();
    expect((await revoke(id)).revoked_at).toBe(revoked_at);
    expect(await db.prisma.governanceDecision.count({ where: { resource: id, action: 'api_key.revoke' } })).toBe(1);
  });
});
