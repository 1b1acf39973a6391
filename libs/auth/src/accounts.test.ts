import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import {
  callerOf,
  createUser,
  hashSecret,
  issueRegistrationToken,
  issueSetupToken,
  listUsers,
  operatorActor,
  promoteUser,
  rolesOf,
  type NewUser,
} from './index.js';
import { makeUser, openDatabase } from './test-accounts.js';

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

const create = (changes: Partial<NewUser> = {}) =>
  db.transaction((tx) =>
    createUser(tx, {
      email: 'ann@example.com',
      name: 'Ann',
      role: 'user',
      platformAdmin: false,
      project: 'Core',
      ...changes,
    }),
  );

describe('createUser', () => {
  it('makes an account of its own trail, with a random passkey handle', async () => {
    const ann = await create({ email: ' ann@example.com ', name: ' Ann ' });
    expect(ann).toMatchObject({
      id: expect.stringMatching(/^usr_/) as string,
      email: 'ann@example.com',
      name: 'Ann',
      role: 'user',
      platform_admin: false,
      project: 'Core',
      status: 'active',
    });
    const row = await db.prisma.user.findUniqueOrThrow({ where: { email: 'ANN@example.com' } });
    expect(row.webauthn_user_id).toHaveLength(32);
    expect(await db.prisma.governanceDecision.findMany()).toMatchObject([
      { user_id: row.id, actor_id: 'Ann', action: 'user.create', resource: ann.id, project: 'Core', decision: 'allow' },
    ]);
  });

  it('makes a platform admin an admin', async () => {
    expect(await create({ platformAdmin: true, role: 'user' })).toMatchObject({ role: 'admin', platform_admin: true });
  });

  it("takes the local default's own address", async () => {
    expect(await create({ email: 'admin@localhost' })).toMatchObject({ email: 'admin@localhost' });
  });

  it('refuses an email that is taken, in any case, and changes nothing', async () => {
    await create();
    await expect(create({ email: 'Ann@Example.com' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await listUsers(db)).toHaveLength(1);
    expect(await db.prisma.governanceDecision.count()).toBe(1);
  });

  it.each([
    ['an email that is none', { email: 'ann' }, 'email'],
    ['an email with a blank', { email: 'a nn@example.com' }, 'email'],
    ['two emails', { email: 'a@example.com,b@example.com' }, 'email'],
    ['an email with a line end', { email: 'a@example.com\nb@example.com' }, 'email'],
    ['too long an email', { email: `${'a'.repeat(250)}@example.com` }, 'email'],
    ['no name', { name: ' ' }, 'name'],
    ['too long a name', { name: 'x'.repeat(201) }, 'name'],
  ])('refuses %s', async (_case, changes, field) => {
    await expect(create(changes)).rejects.toMatchObject({ code: 'validation_error', fields: [{ field }] });
    expect(await listUsers(db)).toEqual([]);
  });
});

describe('promoteUser', () => {
  it('makes a user an admin, never a platform admin; twice is one row in the trail', async () => {
    const { actor } = await makeUser(db, 'root@example.com', { platformAdmin: true });
    const ann = await create();
    const promote = () => db.transaction((tx) => promoteUser(tx, 'ANN@example.com', actor));
    expect(await promote()).toMatchObject({ role: 'admin', platform_admin: false });
    expect(await promote()).toMatchObject({ role: 'admin' });
    expect(await db.prisma.governanceDecision.findMany({ where: { action: 'user.promote' } })).toMatchObject([
      { user_id: actor.userId, resource: ann.id },
    ]);
  });

  it('refuses an email of nobody', async () => {
    const { actor } = await makeUser(db, 'root@example.com');
    await expect(db.transaction((tx) => promoteUser(tx, 'no@example.com', actor))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('issueSetupToken', () => {
  it('keeps only the hash, for 24 hours, and no token in the trail', async () => {
    const { actor } = await makeUser(db, 'root@example.com');
    const issued = await db.transaction((tx) => issueSetupToken(tx, 'root@example.com', actor));
    expect(issued.token).toMatch(/^[0-9a-f]{64}$/);
    expect((Date.parse(issued.expires_at) - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
    const [row] = await db.prisma.setupToken.findMany();
    expect(row).toMatchObject({ user_id: actor.userId, origin: 'operator', used_at: null });
    expect(Buffer.from(row?.token_hash ?? [])).toEqual(hashSecret(issued.token));
    const everything = await db.prisma.$queryRaw<{ text: string }[]>`
      SELECT setup_tokens::text AS text FROM setup_tokens UNION ALL SELECT governance_decisions::text FROM governance_decisions`;
    for (const { text } of everything) expect(text).not.toContain(issued.token);
  });

  it('ends the ones before it, which one for a registration does not', async () => {
    const { actor } = await makeUser(db, 'late@example.com');
    const first = await db.transaction((tx) => issueSetupToken(tx, 'late@example.com', actor));
    const from = { requestId: 'test', ip: '127.0.0.1' };
    const live = async () => {
      const rows = await db.prisma.setupToken.findMany({ where: { expires_at: { gt: new Date() } } });
      return rows.map(({ token_hash }) => Buffer.from(token_hash).toString('hex')).sort();
    };
    const hashes = (...tokens: string[]) => tokens.map((token) => hashSecret(token).toString('hex')).sort();
    const registered = await db.transaction((tx) => issueRegistrationToken(tx, 'late@example.com', from));
    expect(await live()).toEqual(hashes(first.token, registered.token));
    const second = await db.transaction((tx) => issueSetupToken(tx, 'late@example.com', actor));
    expect(await live()).toEqual(hashes(second.token));
  });

  it('refuses an account that is off, and an email of nobody', async () => {
    const { id, actor } = await makeUser(db, 'off@example.com');
    await db.prisma.user.update({ where: { id }, data: { status: 'inactive' } });
    const issue = (email: string) => db.transaction((tx) => issueSetupToken(tx, email, actor));
    await expect(issue('off@example.com')).rejects.toMatchObject({ code: 'conflict' });
    await expect(issue('no@example.com')).rejects.toMatchObject({ code: 'not_found' });
    expect(await db.prisma.setupToken.count()).toBe(0);
  });
});

describe('operatorActor', () => {
  const actor = () => db.transaction((tx) => operatorActor(tx));

  it('is the oldest platform admin who is active', async () => {
    expect(await actor()).toBeUndefined();
    await makeUser(db, 'admin@example.com', { role: 'admin' });
    expect(await actor()).toBeUndefined();
    const first = await makeUser(db, 'first@example.com', { platformAdmin: true });
    const second = await makeUser(db, 'second@example.com', { platformAdmin: true });
    expect(await actor()).toEqual(first.actor);
    await db.prisma.user.update({ where: { id: first.id }, data: { status: 'inactive' } });
    expect(await actor()).toEqual(second.actor);
  });
});

describe('a principal', () => {
  it.each([
    ['user', false, ['user']],
    ['admin', false, ['user', 'admin']],
    ['admin', true, ['user', 'admin', 'platform_admin']],
    ['user', true, ['user']],
  ] as const)('of role %s, platform admin %s, has roles %j', (user_role, user_platform_admin, roles) => {
    expect(rolesOf({ user_role, user_platform_admin })).toEqual(roles);
  });

  it('is accountable for its request', () => {
    const user = { id: 'u', name: 'Ann', email: 'ann@example.com' };
    const principal = {
      user,
      project: 'Core',
      roles: [],
      scopes: new Set<string>(),
      credential: { kind: 'api_key', id: 'k', plan: 'standard' },
    } as const;
    expect(callerOf(principal, { requestId: 'r', ip: '192.0.2.1' })).toEqual({
      project: 'Core',
      scopes: new Set(),
      actor: { userId: 'u', kind: 'user', label: 'Ann', requestId: 'r', ip: '192.0.2.1' },
    });
  });
});
