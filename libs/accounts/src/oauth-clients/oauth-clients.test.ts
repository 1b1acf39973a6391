import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Actor } from '@millwright/audit';
import { clientSecretMatches, noteClientUse, secretMatches } from '@millwright/auth';
import {
  issueOAuthClient,
  listOAuthClients,
  revokeOAuthClient,
  rotateOAuthClient,
  updateOAuthClient,
  type NewOAuthClient,
} from '../index.js';
import { makeUser, openDatabase } from '../test-accounts.js';

let database: TestDatabase;
let db: Database;
let ann: { id: string; actor: Actor };
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  ann = await makeUser(db, 'ann@example.com');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const issue = (changes: Partial<NewOAuthClient> = {}) =>
  db.transaction((tx) =>
    issueOAuthClient(
      tx,
      { userId: ann.id, name: 'app', redirectUris: [], scopes: ['*'], project: 'Core', ...changes },
      ann.actor,
    ),
  );
const revoke = (id: string) => db.transaction((tx) => revokeOAuthClient(tx, id, ann.actor));

describe('issueOAuthClient', () => {
  it('returns the secret once and stores its hash', async () => {
    const redirectUris = ['https://app.example.com/callback?x=1'];
    const { client_secret, ...record } = await issue({ redirectUris, scopes: ['agents:read'], project: 'Commerce' });
    expect(record).toMatchObject({
      name: 'app',
      redirect_uris: redirectUris,
      scopes: ['agents:read'],
      project: 'Commerce',
      revoked_at: null,
    });
    expect(record.client_id).toMatch(/^mw_client_[0-9A-Za-z]{22}$/);
    const row = await db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id: record.client_id } });
    expect(secretMatches(client_secret, row.secret_hash ?? new Uint8Array())).toBe(true);
    expect((await listOAuthClients(db))[0]).toEqual(record);
    const auditRows = await db.prisma.governanceDecision.findMany({ where: { resource: record.id } });
    expect(auditRows).toMatchObject([{ action: 'oauth_client.create', user_id: ann.id, project: 'Commerce' }]);
    expect(
      JSON.stringify(auditRows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(client_secret.slice('mw_secret_'.length));
  });

  it.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com:8443/a?b=c',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:9/callback',
  ])('accepts %s as a redirect URI', async (uri) =>
    expect((await issue({ redirectUris: [uri] })).redirect_uris).toEqual([uri]),
  );

  it.each([
    '',
    'app.example.com/callback',
    '/callback',
    'http://app.example.com/callback',
    'http://localhost.evil.test/callback',
    'http://127.0.0.1.evil.test/callback',
    'https://app.example.com/callback#fragment',
    'https://app.example.com/callback#',
    'https://user@app.example.com/',
    'https://user:pass@app.example.com/',
    'https://app.example.com\\@evil.test/',
    ' https://app.example.com/',
    'https://app.example.com/\n',
    'https://app.exa\tmple.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://app.example.com/',
    'https://',
  ])('refuses "%s" as a redirect URI', async (uri) => {
    await expect(issue({ redirectUris: ['https://app.example.com/', uri] })).rejects.toMatchObject({
      code: 'validation_error',
      fields: [{ field: 'redirect_uris' }],
    });
  });

  it.each([
    ['an unknown scope', { scopes: ['agents:run'] }, 'scopes'],
    ['a scope that only keys have', { scopes: ['keys:write'] }, 'scopes'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['no name', { name: '' }, 'name'],
    ['too long a name', { name: 'x'.repeat(201) }, 'name'],
  ])('refuses %s', async (_case, changes, field) => {
    await expect(issue(changes)).rejects.toMatchObject({ code: 'validation_error', fields: [{ field }] });
  });
});

describe('revokeOAuthClient', () => {
  it('revokes the client, and no other client', async () => {
    const [one, other] = [await issue(), await issue()];
    const { revoked_at } = await revoke(one.id);
    expect(revoked_at).not.toBeNull();
    expect((await revoke(one.id)).revoked_at).toBe(revoked_at);
    expect((await rowOf(other.client_id)).revoked_at).toBeNull();
    expect(
      await db.prisma.governanceDecision.count({ where: { resource: one.id, action: 'oauth_client.revoke' } }),
    ).toBe(1);
  });

  it.each(['', 'cli_', 'mw_client_x', `cli_${'0'.repeat(22)}`])('answers not_found for "%s"', async (id) => {
    await expect(revoke(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

const rowOf = (client_id: string) => db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id } });

describe('rotateOAuthClient', () => {
  const rotate = (id: string, overlapHours?: number) =>
    db.transaction((tx) => rotateOAuthClient(tx, id, ann.actor, { overlapHours }));

  it('returns a new secret, and the old secret works for one more day', async () => {
    const { id, client_id, client_secret: old } = await issue();
    const rotated = await rotate(id);
    expect(rotated).toMatchObject({ id, client_id });
    const row = await rowOf(client_id);
    for (const secret of [old, rotated.client_secret]) expect(clientSecretMatches(secret, row)).toBe(true);
    expect(clientSecretMatches('mw_secret_x', row)).toBe(false);
    const hours = (Number(row.previous_secret_until) - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    const later = Date.now() + 25 * 3_600_000;
    expect(clientSecretMatches(old, row, later)).toBe(false);
    expect(clientSecretMatches(rotated.client_secret, row, later)).toBe(true);
  });

  it('makes the previous secret invalid immediately when the overlap is 0; older secrets become invalid whatever the overlap is', async () => {
    const { id, client_id, client_secret: first } = await issue();
    const { client_secret: second } = await rotate(id, 720);
    const { client_secret: third } = await rotate(client_id, 1);
    const row = await rowOf(client_id);
    expect([first, second, third].map((secret) => clientSecretMatches(secret, row))).toEqual([false, true, true]);
    const { client_secret: fourth } = await rotate(id, 0);
    const last = await rowOf(client_id);
    expect([third, fourth].map((secret) => clientSecretMatches(secret, last))).toEqual([false, true]);
  });

  it('leaves the last returned secret valid after five concurrent calls, and writes one audit row for each successful call', async () => {
    const { id, client_id } = await issue();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => rotate(id)));
    const secrets = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.client_secret] : [],
    );
    const row = await rowOf(client_id);
    expect(secrets.length).toBeGreaterThan(0);
    expect(clientSecretMatches(secrets.at(-1) ?? '', row)).toBe(true);
    expect(await db.prisma.governanceDecision.count({ where: { resource: id, action: 'oauth_client.rotate' } })).toBe(
      secrets.length,
    );
  });

  it("refuses a revoked client, a client without a secret, and another user's client", async () => {
    const [revoked, open] = [await issue(), await issue()];
    await revoke(revoked.id);
    await db.prisma.oAuthClient.update({
      where: { client_id: open.client_id },
      data: { secret_hash: null, auth_method: 'none' },
    });
    for (const { id } of [revoked, open]) await expect(rotate(id)).rejects.toMatchObject({ code: 'conflict' });
    const bob = await makeUser(db, 'bob-rotates@example.com');
    const foreign = db.transaction((tx) => rotateOAuthClient(tx, open.id, bob.actor, { userId: bob.id }));
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the expiry of an OAuth client that was created with an API key', () => {
  it('is removed by a rotation of the secret that sets no expiry, and is unchanged when other fields change', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    const made = await issue({ expiresAt });
    expect(made.expires_at).toBe(expiresAt.toISOString());
    const changed = await db.transaction((tx) => updateOAuthClient(tx, made.id, { name: 'y' }, ann.actor));
    expect(changed.expires_at).toBe(expiresAt.toISOString());
    const rotated = await db.transaction((tx) => rotateOAuthClient(tx, made.id, ann.actor));
    expect(rotated.expires_at).toBeNull();
    expect((await listOAuthClients(db, ann.id)).find(({ id }) => id === made.id)?.expires_at).toBeNull();
  });
});

describe('updateOAuthClient', () => {
  const update = (id: string, changes: { name?: string; redirectUris?: string[] }) =>
    db.transaction((tx) => updateOAuthClient(tx, id, changes, ann.actor));

  it('changes the given fields and keeps the other fields', async () => {
    const { id, client_id } = await issue({ redirectUris: ['https://a.example.com/'] });
    expect(await update(client_id, { name: ' new ' })).toMatchObject({
      name: 'new',
      redirect_uris: ['https://a.example.com/'],
    });
    expect(await update(id, { redirectUris: [] })).toMatchObject({ name: 'new', redirect_uris: [] });
    const auditRows = await db.prisma.governanceDecision.findMany({
      where: { resource: id, action: 'oauth_client.update' },
    });
    expect(auditRows).toHaveLength(2);
  });

  it('refuses values that are not allowed for a new client, and refuses every change of a revoked client', async () => {
    const { id } = await issue();
    await expect(update(id, { redirectUris: ['http://evil.test/'] })).rejects.toMatchObject({
      fields: [{ field: 'redirect_uris' }],
    });
    await expect(update(id, { name: ' ' })).rejects.toMatchObject({ fields: [{ field: 'name' }] });
    await revoke(id);
    await expect(update(id, { name: 'x' })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('noteClientUse', () => {
  it("stores the time of a client's last use at most once a minute", async () => {
    const { client_id } = await issue();
    const { id } = await rowOf(client_id);
    const noted = async (isWanted: (time: Date) => boolean): Promise<Date> => {
      for (;;) {
        const { last_used_at } = await rowOf(client_id);
        if (last_used_at && isWanted(last_used_at)) return last_used_at;
      }
    };
    noteClientUse(db, id);
    const first = await noted(() => true);
    for (let n = 0; n < 5; n++) noteClientUse(db, id);
    await db.prisma.$queryRaw`SELECT 1`;
    expect((await rowOf(client_id)).last_used_at).toEqual(first);
    const old = new Date(Date.now() - 61_000);
    await db.prisma.oAuthClient.update({ where: { id }, data: { last_used_at: old } });
    noteClientUse(db, id);
    await noted((time) => time > old);
  });
});
