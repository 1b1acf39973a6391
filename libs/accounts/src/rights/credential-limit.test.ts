import { decodeId, isDatabaseFailure, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { IssuedApiKey } from '../api-keys/api-keys.store.js';
import { issueApiKey, issueOAuthClient, issuePat, revokeApiKey, revokeOAuthClient, rotateApiKey } from '../index.js';
import { makeUser, openDatabase } from '../test-accounts.js';

type Owner = Awaited<ReturnType<typeof makeUser>>;

let database: TestDatabase;
/** The connection pools, one for each simulated process. */
let processes: Database[];
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  processes = [1, 2, 3].map(() => openDatabase(database.url));
  db = processes[0] as Database;
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.close()));
  await database.drop();
});

const newKey = (
  { id, actor }: Owner,
  on: Database = db,
  kind: 'api_key' | 'pat' = 'api_key',
): Promise<IssuedApiKey> => {
  const key = { userId: id, kind, name: 'k', scopes: ['*'], plan: 'standard', project: 'Core' } as const;
  return on.transaction((tx) => issueApiKey(tx, key, actor));
};
const newClient = ({ id, actor }: Owner, on: Database = db) => {
  const client = { userId: id, name: 'c', scopes: ['*'], project: 'Core', redirectUris: [] } as const;
  return on.transaction((tx) => issueOAuthClient(tx, client, actor));
};
const rotate = ({ actor }: Owner, id: string, overlapHours?: number) =>
  db.transaction((tx) => rotateApiKey(tx, id, actor, { overlapHours }));

/** Repeats an attempt, as a client would do, when it failed because a busy machine did not answer in time. */
const answered = async (attempt: () => Promise<unknown>): Promise<unknown> =>
  attempt().catch((error: unknown) => {
    if (isDatabaseFailure(error) || (error instanceof AppError && error.code === 'unavailable'))
      return answered(attempt);
    throw error;
  });

/** Makes 10 attempts from each process at once. @returns how many succeed; every other attempt must be refused for `reason`. */
async function succeeding(attempt: (on: Database) => Promise<unknown>, reason: string): Promise<number> {
  const outcomes = await Promise.allSettled(
    processes.flatMap((on) => Array.from({ length: 10 }, () => answered(() => attempt(on)))),
  );
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ code: 'conflict', fields: [{ field: 'user', reason }] });
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

describe('the credentials of an account', () => {
  it.each([
    ['API keys', (owner: Owner, on: Database) => newKey(owner, on)],
    ['personal access tokens', (owner: Owner, on: Database) => newKey(owner, on, 'pat')],
    ['OAuth clients', (owner: Owner, on: Database) => newClient(owner, on)],
  ])('are limited to exactly 20 live %s when three processes concurrently create 10 each', async (what, create) => {
    const owner = await makeUser(db, `${what.replaceAll(' ', '-')}@example.com`);
    const reason = `has 20 ${what}, the most an account can have; revoke one first`;
    expect(await succeeding((on) => create(owner, on), reason)).toBe(20);
    const other = await makeUser(db, `other-${what.replaceAll(' ', '-')}@example.com`);
    await create(other, db);
    const tables = [db.prisma.userApiKey.count({ where: { user_id: owner.id } })];
    tables.push(db.prisma.oAuthClient.count({ where: { user_id: owner.id } }));
    expect((await Promise.all(tables)).sort()).toEqual([0, 20]);
  });

  it('are refused beyond 20 API keys; after one key is revoked or has expired, one new key is accepted', async () => {
    const owner = await makeUser(db, 'room@example.com');
    const keys: IssuedApiKey[] = [];
    for (let made = 0; made < 20; made += 1) keys.push(await newKey(owner));
    const [first, second] = keys.map(({ id }) => id);
    await expect(newKey(owner)).rejects.toMatchObject({ code: 'conflict' });
    await db.transaction((tx) => revokeApiKey(tx, first ?? '', owner.actor));
    await newKey(owner);
    await expect(newKey(owner)).rejects.toMatchObject({ code: 'conflict' });
    const where = { id: decodeId('key', second ?? '') ?? '' };
    await db.prisma.userApiKey.update({ where, data: { expires_at: new Date() } });
    await newKey(owner);
    await expect(newKey(owner)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('are refused beyond 20 OAuth clients; after one client is revoked, one new client is accepted', async () => {
    const owner = await makeUser(db, 'client-room@example.com');
    const first = await newClient(owner);
    for (let made = 1; made < 20; made += 1) await newClient(owner);
    await expect(newClient(owner)).rejects.toMatchObject({ code: 'conflict' });
    await db.transaction((tx) => revokeOAuthClient(tx, first.id, owner.actor));
    await newClient(owner);
  });

  it('can be rotated when the account has 20 API keys, unless 20 rotated keys are still valid', async () => {
    const owner = await makeUser(db, 'rotation@example.com');
    const keys: IssuedApiKey[] = [];
    for (let made = 0; made < 20; made += 1) keys.push(await newKey(owner));
    const successors: string[] = [];
    for (const { id } of keys) successors.push((await rotate(owner, id)).id);
    const [first = '', second = ''] = successors;
    await expect(rotate(owner, first)).rejects.toMatchObject({
      code: 'conflict',
      fields: [
        {
          field: 'user',
          reason: 'has 20 rotated keys that are still valid, the most an account can have; revoke one first',
        },
      ],
    });
    await expect(newKey(owner)).rejects.toMatchObject({ code: 'conflict' });
    await rotate(owner, second, 0);
    await db.transaction((tx) => revokeApiKey(tx, keys[5]?.id ?? '', owner.actor));
    await rotate(owner, first);
    const live = { user_id: owner.id, revoked_at: null, successor_id: null };
    expect(await db.prisma.userApiKey.count({ where: live })).toBe(20);
  });

  it('are counted without the personal access tokens of devices', async () => {
    const owner = await makeUser(db, 'devices@example.com');
    for (let made = 0; made < 20; made += 1) {
      const pat = { userId: owner.id, name: 'd', project: 'Core', expiresAt: new Date(Date.now() + 60_000) } as const;
      const { id } = await db.transaction((tx) => issuePat(tx, pat, owner.actor));
      const device = { id, key_id: id, user_id: owner.id, name: 'd', public_key: new Uint8Array(1), serial: id };
      await db.prisma.device.create({ data: { ...device, certificate: 'c', expires_at: pat.expiresAt } });
    }
    await newKey(owner, db, 'pat');
  });
});
