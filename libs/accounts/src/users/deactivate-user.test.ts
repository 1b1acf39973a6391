import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { deactivateUser, issueApiKey } from '../index.js';
import { makeUser, openDatabase } from '../test-accounts.js';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const anyone = () => undefined;

describe('deactivateUser', () => {
  it('deactivates the account and revokes its credentials, but revokes no credentials of other accounts', async () => {
    const [ann, bob] = [await makeUser(db, 'ann@example.com'), await makeUser(db, 'bob@example.com')];
    for (const { id, actor } of [ann, bob]) {
      await db.transaction((tx) =>
        issueApiKey(tx, { userId: id, name: 'k', scopes: ['*'], plan: 'standard', project: 'Core' }, actor),
      );
    }
    expect(await db.transaction((tx) => deactivateUser(tx, ann.id, bob.actor, anyone))).toMatchObject({
      status: 'inactive',
      version: 2,
    });
    const live = await db.prisma.userApiKey.findMany({ where: { revoked_at: null } });
    expect(live.map(({ user_id }) => user_id)).toEqual([bob.id]);
  });

  it('changes nothing when the check that the caller passed throws', async () => {
    const ann = await makeUser(db, 'ann@example.com');
    const refuse = () => {
      throw new AppError('forbidden');
    };
    await expect(db.transaction((tx) => deactivateUser(tx, ann.id, ann.actor, refuse))).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await db.prisma.user.findUnique({ where: { id: ann.id } })).toMatchObject({ status: 'active', version: 1 });
  });

  it('refuses the last active platform admin, also when two platform admins are deactivated at the same time', async () => {
    const [ann, bob] = [
      await makeUser(db, 'ann@example.com', { platformAdmin: true }),
      await makeUser(db, 'bob@example.com', { platformAdmin: true }),
    ];
    const outcomes = await Promise.allSettled([
      db.transaction((tx) => deactivateUser(tx, ann.id, bob.actor, anyone)),
      db.transaction((tx) => deactivateUser(tx, bob.id, ann.actor, anyone)),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
    expect(await db.prisma.user.count({ where: { status: 'active' } })).toBe(1);
  });

  it('answers not_found for an unknown account', async () => {
    const ann = await makeUser(db, 'ann@example.com');
    const nobody = '018f0000-0000-7000-8000-000000000000';
    await expect(db.transaction((tx) => deactivateUser(tx, nobody, ann.actor, anyone))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
