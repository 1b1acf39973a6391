import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { disableUser, enableUser, issueOAuthClient, revokeUser } from '../index.js';
import { makeGrants, makeUser, MANY_GRANTS, openDatabase } from '../test-accounts.js';

let database: TestDatabase;
/** A database whose statement timeout is shorter than in production. */
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('an account with 150,000 grants of a machine client', () => {
  it('loses all grants when its credentials are revoked, and has none of them after it was disabled and enabled again', async () => {
    const ann = await makeUser(db, 'ann@example.com');
    const input = { userId: ann.id, name: 'app', redirectUris: [], scopes: ['*'], project: 'Core' } as const;
    const { client_id } = await db.transaction((tx) => issueOAuthClient(tx, input, ann.actor));
    const client = await db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id } });
    await makeGrants(database, client.id, ann.id, MANY_GRANTS);
    const live = async () => {
      const [counted] = await db.prisma.$queryRaw<{ n: number }[]>`
        SELECT count(*)::int AS n FROM oauth_grants g JOIN users u ON u.id = g.user_id
         WHERE u.id = ${ann.id}::uuid AND g.revoked_at IS NULL AND g.epoch = u.grants_epoch`;
      return counted?.n;
    };
    expect(await live()).toBe(MANY_GRANTS);
    const revoked = await db.transaction((tx) => revokeUser(tx, ann.id, ann.actor, () => undefined));
    expect([revoked.oauth_grants, await live()]).toEqual([1_000, 0]);
    const disabled = await db.transaction((tx) => disableUser(tx, ann.id, ann.actor, () => undefined));
    expect(disabled.status).toBe('inactive');
    const enabled = await db.transaction((tx) => enableUser(tx, ann.id, ann.actor, () => undefined));
    expect([enabled.status, await live()]).toEqual(['active', 0]);
  });
});

describe('an account with a consent from which no grant was made yet', () => {
  it('loses the consent when its credentials are revoked, while other accounts keep their consents', async () => {
    const [bea, cleo] = [await makeUser(db, 'bea@example.com'), await makeUser(db, 'cleo@example.com')];
    const input = { userId: cleo.id, name: 'app', redirectUris: [], scopes: ['*'], project: 'Core' } as const;
    const { client_id } = await db.transaction((tx) => issueOAuthClient(tx, input, cleo.actor));
    const client = await db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id } });
    for (const user_id of [bea.id, cleo.id])
      await db.prisma.$executeRaw`
        INSERT INTO oauth_authorizations (id, request_hash, browser_hash, client_id, redirect_uri, expires_at, user_id, decided_at)
        VALUES (gen_random_uuid(), sha256(${user_id}::text::bytea), sha256('b'), ${client.id}::uuid, 'https://app.example', now() + interval '5 minutes',
                ${user_id}::uuid, now())`;
    await db.transaction((tx) => revokeUser(tx, bea.id, bea.actor, () => undefined));
    const live = await db.prisma.oAuthAuthorization.findMany({ where: { expires_at: { gt: new Date() } } });
    expect(live.map(({ user_id }) => user_id)).toEqual([cleo.id]);
  });
});
