import { asRole, createDatabase, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { recordAction, recordDecision, recordDenial, recordStrangerDenial, type Actor } from './index.js';

let database: TestDatabase;
let db: Database;
let actor: Actor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 3 });
  const webauthn_user_id = new Uint8Array(32);
  const { id } = await db.prisma.user.create({
    data: { id: newId(), email: 'ann@example.com', name: 'Ann', webauthn_user_id },
  });
  actor = { userId: id, kind: 'user', label: 'Ann', requestId: 'req-1', ip: '192.0.2.7' };
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const rowsOf = (resource: string) =>
  db.prisma.governanceDecision.findMany({ where: { resource }, orderBy: { seq: 'asc' } });
const rename = { action: 'user.rename' };

describe('recordDecision', () => {
  it('stores actor, action, resource, project, request and address', async () => {
    const detail = { to: "O'Neill ä", nested: { n: 1 } };
    await db.transaction((tx) =>
      recordDecision(tx, { ...rename, actor, resource: 'usr_full', project: 'Core', detail }),
    );
    expect(await rowsOf('usr_full')).toMatchObject([
      {
        user_id: actor.userId,
        actor_kind: 'user',
        actor_id: 'Ann',
        action: 'user.rename',
        resource: 'usr_full',
        project: 'Core',
        decision: 'allow',
        reason: null,
        request_id: 'req-1',
        ip: '192.0.2.7',
        detail,
      },
    ]);
  });

  it('accepts an entry without request, project and detail', async () => {
    const job: Actor = { userId: actor.userId, kind: 'job', label: 'nightly' };
    await db.transaction((tx) => recordDecision(tx, { ...rename, actor: job, resource: 'usr_bare' }));
    expect(await rowsOf('usr_bare')).toMatchObject([
      { actor_kind: 'job', actor_id: 'nightly', project: null, request_id: null, ip: null, detail: {} },
    ]);
  });

  it('stores no row when the transaction of the change is rolled back', async () => {
    const refused = db.transaction(async (tx) => {
      await tx.user.update({ where: { id: actor.userId }, data: { name: 'Other' } });
      await recordDecision(tx, { ...rename, actor, resource: 'usr_undone' });
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await rowsOf('usr_undone')).toEqual([]);
    expect(await db.prisma.user.findUnique({ where: { id: actor.userId } })).toMatchObject({ name: 'Ann' });
  });

  it.each([
    ['a user who does not exist', { userId: newId() }],
    ['an unknown kind of actor', { kind: 'system' as 'user' }],
  ])('rolls the change back when the row cannot be written: %s', async (_case, wrong) => {
    const refused = db.transaction(async (tx) => {
      await tx.user.update({ where: { id: actor.userId }, data: { name: 'Other' } });
      await recordDecision(tx, { ...rename, actor: { ...actor, ...wrong }, resource: 'usr_none' });
    });
    await expect(refused).rejects.toThrow();
    expect(await db.prisma.user.findUnique({ where: { id: actor.userId } })).toMatchObject({ name: 'Ann' });
  });
});

describe('recordAction', () => {
  it('has committed the audit row when its promise resolves', async () => {
    const detail = { tool: 'add' };
    await recordAction(db, { actor, action: 'mcp.call', resource: 'ms_full', project: 'Core', detail });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query("SELECT * FROM governance_decisions WHERE resource = 'ms_full'");
    await client.end();
    expect(rows).toMatchObject([
      { user_id: actor.userId, actor_kind: 'user', action: 'mcp.call', project: 'Core', decision: 'allow', detail },
    ]);
  });

  it('rejects when the audit row cannot be written', async () => {
    const nobody: Actor = { ...actor, userId: newId() };
    await expect(recordAction(db, { actor: nobody, action: 'mcp.call', resource: 'ms_none' })).rejects.toThrow();
    expect(await rowsOf('ms_none')).toEqual([]);
  });
});

describe('recordDenial', () => {
  it('stores a refused attempt with its reason', async () => {
    await recordDenial(
      db,
      { actor, action: 'createSkill', resource: '/api/v1/skills', project: 'Core' },
      'scope skills:write is missing',
    );
    expect(await rowsOf('/api/v1/skills')).toMatchObject([
      { user_id: actor.userId, action: 'createSkill', decision: 'deny', reason: 'scope skills:write is missing' },
    ]);
  });
});

describe('recordStrangerDenial', () => {
  const MINUTE = 60_000;
  const attempt = (action: string, reason: string, at: number) => {
    const entry = { actor, action, resource: 'usr_sampled', project: 'Core', detail: { n: 1 } };
    return recordStrangerDenial(db, entry, reason, at);
  };

  it('stores one row a minute for the same account, action and reason, whatever the number of attempts', async () => {
    await Promise.all(Array.from({ length: 5 }, (_, n) => attempt('session.create', 'wrong passkey', MINUTE + n)));
    await attempt('session.create', 'account disabled', MINUTE);
    await attempt('setup_token.use', 'wrong passkey', MINUTE);
    await attempt('session.create', 'wrong passkey', 2 * MINUTE);
    const stored = await rowsOf('usr_sampled');
    expect(stored.map(({ action, reason }) => `${action}: ${reason ?? ''}`)).toEqual([
      'session.create: wrong passkey',
      'session.create: account disabled',
      'setup_token.use: wrong passkey',
      'session.create: wrong passkey',
    ]);
    expect(stored[0]).toMatchObject({
      ...{ user_id: actor.userId, decision: 'deny', ip: '192.0.2.7' },
      detail: { n: 1, by: 'stranger' },
    });
  });

  it('works with a database role that may not read the audit log', async () => {
    const area = createDatabase({ url: asRole(database.url, 'platform-api'), poolMax: 1 });
    await recordStrangerDenial(area, { actor, action: 'api_key.use', resource: 'key_sampled' }, 'wrong secret');
    await area.close();
    expect(await rowsOf('key_sampled')).toHaveLength(1);
  });
});

describe('the audit log', () => {
  it.each([
    ['UPDATE', "UPDATE governance_decisions SET actor_id = 'someone else'"],
    ['DELETE', 'DELETE FROM governance_decisions'],
    ['TRUNCATE', 'TRUNCATE governance_decisions'],
    ['UPDATE that hits nothing', 'UPDATE governance_decisions SET reason = NULL WHERE false'],
  ])('cannot be changed by %s, not even by a superuser', async (_case, sql) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `INSERT INTO governance_decisions (id, user_id, actor_kind, actor_id, action, resource, decision)
       VALUES ($1, $2, 'user', 'Ann', 'x.y', 'z', 'allow')`,
      [newId(), actor.userId],
    );
    const auditRows = async () => (await client.query<object>('SELECT * FROM governance_decisions ORDER BY id')).rows;
    const before = await auditRows();
    await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    expect(await auditRows()).toEqual(before);
    await client.end();
  });

  it('prevents the deletion of users to which its rows refer', async () => {
    await db.transaction((tx) => recordDecision(tx, { ...rename, actor, resource: 'usr_kept' }));
    await expect(db.prisma.user.delete({ where: { id: actor.userId } })).rejects.toThrow();
  });
});
