import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { describeScopes, SCOPES } from '@millwright/auth';
import { deactivateUser, requireRights, type WantedRights } from '../index.js';
import { makeUser, openDatabase } from '../test-accounts.js';

let database: TestDatabase;
let db: Database;
let userId: string;
let adminId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  ({ id: userId } = await makeUser(db, 'ann@example.com', { project: 'Commerce' }));
  ({ id: adminId } = await makeUser(db, 'root@example.com', { role: 'admin' }));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const rights = (id: string, wanted: WantedRights, byAdmin = false) =>
  db.transaction((tx) => requireRights(tx, id, wanted, { byAdmin }));

describe('requireRights', () => {
  it("defaults to the owner's project, the standard plan and all scopes", async () => {
    const plain = { plan: 'standard', scopes: ['*'] };
    expect(await rights(userId, {})).toEqual({ ...plain, userId, project: 'Commerce' });
    expect(await rights(adminId, {})).toEqual({ ...plain, userId: adminId, project: 'Core' });
  });

  it('lets an admin choose any project and any scope', async () => {
    const wanted = { project: 'Commerce', plan: 'professional', scopes: ['users:write', 'admin'] } as const;
    expect(await rights(adminId, wanted, true)).toMatchObject(wanted);
  });

  it('lets an admin give the plan professional to a credential of another user', async () =>
    expect(await rights(userId, { plan: 'professional' }, true)).toMatchObject({ plan: 'professional' }));

  it.each<[string, WantedRights, string]>([
    ['another project', { project: 'Core' }, 'project'],
    ['the plan professional', { plan: 'professional' }, 'plan'],
    ['the scope users:read', { scopes: ['skills:read', 'users:read'] }, 'scopes'],
    ['the scope users:write', { scopes: ['users:write'] }, 'scopes'],
    ['the scope admin', { scopes: ['admin'] }, 'scopes'],
    ['an unknown scope', { scopes: ['skills:*'] }, 'scopes'],
    ['no scope', { scopes: [] }, 'scopes'],
  ])("refuses a user's request for %s", async (_case, wanted, field) => {
    await expect(rights(userId, wanted)).rejects.toMatchObject({ code: 'validation_error', fields: [{ field }] });
  });

  it('refuses another project and an admin scope for a credential of a user, also when an admin requests it', async () => {
    await expect(rights(userId, { project: 'Core' }, true)).rejects.toMatchObject({ fields: [{ field: 'project' }] });
    await expect(rights(userId, { scopes: ['admin'] }, true)).rejects.toMatchObject({ fields: [{ field: 'scopes' }] });
  });

  it('refuses an inactive account and an unknown account', async () => {
    const leaver = await makeUser(db, 'leaver@example.com');
    await db.transaction((tx) => deactivateUser(tx, leaver.id, leaver.actor, () => undefined));
    await expect(rights(leaver.id, {})).rejects.toMatchObject({ code: 'conflict' });
    await expect(rights('018f0000-0000-7000-8000-000000000001', {})).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('describeScopes', () => {
  it('lists the scopes that an account may give, with descriptions', () => {
    const ofAdmin = describeScopes(['user', 'admin']);
    expect(ofAdmin.map(({ scope }) => scope)).toEqual(['*', ...SCOPES]);
    expect(ofAdmin.every(({ description }) => /^[A-Z][A-Za-z ,]{5,}$/.test(description))).toBe(true);
    expect(new Set(ofAdmin.map(({ description }) => description)).size).toBe(ofAdmin.length);
    const ofUser = describeScopes(['user']).map(({ scope }) => scope);
    expect(ofUser).toEqual(['*', ...SCOPES.filter((scope) => !/^(users:|runs:read_all|admin)/.test(scope))]);
  });
});
