import type { Actor } from '@millwright/audit';
import type { Database, Tx } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { callerOf, hashSecret, rolesOf } from '@millwright/auth';
import {
  changeAccount,
  createUser,
  disableUser,
  issueRegistrationToken,
  issueSetupToken,
  listUsers,
  operatorActor,
  promoteUser,
  renameUser,
  type NewUser,
} from '../index.js';
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
  it('creates an account with a random passkey handle, and writes an audit row with the account as actor', async () => {
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

  it('gives a platform admin the role admin, whatever role was requested', async () => {
    expect(await create({ platformAdmin: true, role: 'user' })).toMatchObject({ role: 'admin', platform_admin: true });
  });

  it('accepts admin@localhost, the default address of a local installation', async () => {
    expect(await create({ email: 'admin@localhost' })).toMatchObject({ email: 'admin@localhost' });
  });

  it('refuses an email that another account has in any letter case, and changes nothing', async () => {
    await create();
    await expect(create({ email: 'Ann@Example.com' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await listUsers(db)).toHaveLength(1);
    expect(await db.prisma.governanceDecision.count()).toBe(1);
  });

  it.each([
    ['a text without @ as email', { email: 'ann' }, 'email'],
    ['an email with a blank', { email: 'a nn@example.com' }, 'email'],
    ['two emails', { email: 'a@example.com,b@example.com' }, 'email'],
    ['an email with a line end', { email: 'a@example.com\nb@example.com' }, 'email'],
    ['an email of over 254 characters', { email: `${'a'.repeat(250)}@example.com` }, 'email'],
    ['no name', { name: ' ' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a name with an escape sequence', { name: 'Ann\u001b[2J' }, 'name'],
    ['a name with a C1 control', { name: 'Ann\u009b31m' }, 'name'],
    ['a name with a line break', { name: 'Ann\nroot' }, 'name'],
    ['a name with a paragraph separator', { name: 'Ann\u2029root' }, 'name'],
  ])('refuses %s', async (_case, changes, field) => {
    await expect(create(changes)).rejects.toMatchObject({ code: 'validation_error', fields: [{ field }] });
    expect(await listUsers(db)).toEqual([]);
  });
});

describe('renameUser', () => {
  it('writes the old and the new name to the audit log, and writes nothing when the name is unchanged', async () => {
    const { id, actor } = await makeUser(db, 'ann@example.com');
    const rename = (name?: string) => db.transaction((tx) => renameUser(tx, name, actor));
    expect(await rename(' Ann L. ')).toMatchObject({ name: 'Ann L.', version: 2 });
    expect(await rename('Ann L.')).toMatchObject({ name: 'Ann L.', version: 2 });
    expect(await rename()).toMatchObject({ version: 2 });
    expect(await db.prisma.governanceDecision.findMany({ where: { action: 'user.rename' } })).toMatchObject([
      { user_id: id, project: 'Core', detail: { from: 'ann', to: 'Ann L.' } },
    ]);
    await expect(rename(' ')).rejects.toMatchObject({ code: 'validation_error', fields: [{ field: 'name' }] });
  });
});

describe('changeAccount', () => {
  const allow = () => undefined;

  it('writes the old and the new value of each changed field to the audit log', async () => {
    const { id, actor } = await makeUser(db, 'ann@example.com');
    const changes = { name: 'Ann', email: ' new@example.com ', role: 'user', project: 'Commerce' } as const;
    expect(await db.transaction((tx) => changeAccount(tx, id, changes, actor, allow))).toMatchObject({ version: 2 });
    expect(await db.prisma.governanceDecision.findMany({ where: { action: 'user.update' } })).toMatchObject([
      {
        detail: {
          name: { from: 'ann', to: 'Ann' },
          email: { from: 'ann@example.com', to: 'new@example.com' },
          project: { from: 'Core', to: 'Commerce' },
        },
      },
    ]);
  });

  it('refuses an email that another account has, and changes nothing', async () => {
    const { id, actor } = await makeUser(db, 'ann@example.com');
    await makeUser(db, 'bob@example.com');
    const change = db.transaction((tx) => changeAccount(tx, id, { email: 'BOB@example.com' }, actor, allow));
    await expect(change).rejects.toMatchObject({ code: 'conflict' });
    expect(await db.prisma.user.findUnique({ where: { id } })).toMatchObject({ email: 'ann@example.com', version: 1 });
  });
});

describe('a change of an account', () => {
  const allow = () => undefined;

  it.each<[string, (tx: Tx, id: string, actor: Actor) => Promise<unknown>]>([
    ['changeAccount', (tx, id, actor) => changeAccount(tx, id, { name: 'Ann' }, actor, allow)],
    ['renameUser', (tx, _id, actor) => renameUser(tx, 'Ann', actor)],
    ['promoteUser', (tx, _id, actor) => promoteUser(tx, 'ann@example.com', actor)],
    ['disableUser', (tx, id, actor) => disableUser(tx, id, actor, allow)],
  ])('sets updated_at to the time of the change: %s', async (_name, change) => {
    const { id, actor } = await makeUser(db, 'ann@example.com');
    const long = new Date('2020-01-01T00:00:00Z');
    await db.prisma.user.update({ where: { id }, data: { updated_at: long } });
    await db.transaction((tx) => change(tx, id, actor));
    const { updated_at } = await db.prisma.user.findUniqueOrThrow({ where: { id } });
    expect(updated_at.getTime()).toBeGreaterThan(long.getTime());
  });
});

describe('promoteUser', () => {
  it('makes a user an admin, never a platform admin; a second call writes no second audit row', async () => {
    const { actor } = await makeUser(db, 'root@example.com', { platformAdmin: true });
    const ann = await create();
    const promote = () => db.transaction((tx) => promoteUser(tx, 'ANN@example.com', actor));
    expect(await promote()).toMatchObject({ role: 'admin', platform_admin: false });
    expect(await promote()).toMatchObject({ role: 'admin' });
    expect(await db.prisma.governanceDecision.findMany({ where: { action: 'user.promote' } })).toMatchObject([
      { user_id: actor.userId, resource: ann.id },
    ]);
  });

  it('refuses an unknown email', async () => {
    const { actor } = await makeUser(db, 'root@example.com');
    await expect(db.transaction((tx) => promoteUser(tx, 'no@example.com', actor))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('issueSetupToken', () => {
  it('stores only the hash of the token, valid for 24 hours, and writes no token to the audit log', async () => {
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

  it('makes earlier setup tokens of the account invalid; issueRegistrationToken leaves them valid', async () => {
    const { actor } = await makeUser(db, 'late@example.com');
    const first = await db.transaction((tx) => issueSetupToken(tx, 'late@example.com', actor));
    const from = { requestId: 'test', ip: '127.0.0.1' };
    const live = async () => {
      const rows = await db.prisma.setupToken.findMany({ where: { expires_at: { gt: new Date() } } });
      return rows.map(({ token_hash }) => Buffer.from(token_hash).toString('hex')).sort();
    };
    const hashes = (...tokens: string[]) => tokens.map((token) => hashSecret(token).toString('hex')).sort();
    const registered = await db.transaction((tx) => issueRegistrationToken(tx, 'late@example.com', from));
    expect(await live()).toEqual(hashes(first.token, registered?.token ?? ''));
    const second = await db.transaction((tx) => issueSetupToken(tx, 'late@example.com', actor));
    expect(await live()).toEqual(hashes(second.token));
  });

  it('refuses an inactive account and an unknown email', async () => {
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

  it('returns the oldest active platform admin', async () => {
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

describe('principal', () => {
  it.each([
    ['user', null, false, ['user']],
    ['user', 'project_admin', false, ['user', 'project_admin']],
    ['user', 'auditor', false, ['auditor']],
    ['admin', null, false, ['user', 'admin']],
    ['admin', null, true, ['user', 'admin', 'platform_admin']],
    ['user', null, true, ['user']],
  ] as const)(
    'rolesOf with the role %s, the delegated role %s and platform admin %s returns %j',
    (user_role, user_delegated_role, user_platform_admin, roles) => {
      expect(rolesOf({ user_role, user_delegated_role, user_platform_admin })).toEqual(roles);
    },
  );

  it('callerOf makes the principal the actor of the request', () => {
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
      credential: { kind: 'api_key', id: 'k' },
    });
  });
});
