import { newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Actor } from '@millwright/audit';
import { issueOAuthClient, listOAuthClients, revokeOAuthClient, secretMatches, type NewOAuthClient } from './index.js';
import { makeUser, openDatabase } from './test-accounts.js';

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
  it('shows the secret once and keeps its hash', async () => {
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
    const trail = await db.prisma.governanceDecision.findMany({ where: { resource: record.id } });
    expect(trail).toMatchObject([{ action: 'oauth_client.create', user_id: ann.id, project: 'Commerce' }]);
    expect(JSON.stringify(trail)).not.toContain(client_secret.slice('mw_secret_'.length));
  });

  it.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com:8443/a?b=c',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:9/callback',
  ])('takes %s as a redirect URI', async (uri) =>
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
    ['no scope', { scopes: [] }, 'scopes'],
    ['no name', { name: '' }, 'name'],
    ['too long a name', { name: 'x'.repeat(201) }, 'name'],
  ])('refuses %s', async (_case, changes, field) => {
    await expect(issue(changes)).rejects.toMatchObject({ code: 'validation_error', fields: [{ field }] });
  });
});

describe('revokeOAuthClient', () => {
  it("ends the client and its grants, and nobody else's", async () => {
    const [one, other] = [await issue(), await issue()];
    const rows = await db.prisma.oAuthClient.findMany({
      where: { client_id: { in: [one.client_id, other.client_id] } },
    });
    for (const { id } of rows) {
      const grant = {
        id: newId(),
        client_id: id,
        user_id: ann.id,
        project: 'Core',
        kind: 'client_credentials',
        scopes: [],
      };
      await db.prisma.oAuthGrant.create({ data: grant });
    }
    const { revoked_at } = await revoke(one.id);
    expect(revoked_at).not.toBeNull();
    expect((await revoke(one.id)).revoked_at).toBe(revoked_at);
    const grants = await db.prisma.oAuthGrant.findMany({
      where: { client_id: { in: rows.map(({ id }) => id) } },
      include: { client: true },
    });
    expect(Object.fromEntries(grants.map((grant) => [grant.client.client_id, grant.revoked_at !== null]))).toEqual({
      [one.client_id]: true,
      [other.client_id]: false,
    });
    expect(
      await db.prisma.governanceDecision.count({ where: { resource: one.id, action: 'oauth_client.revoke' } }),
    ).toBe(1);
  });

  it.each(['', 'cli_', 'mw_client_x', `cli_${'0'.repeat(22)}`])('does not find "%s"', async (id) => {
    await expect(revoke(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
