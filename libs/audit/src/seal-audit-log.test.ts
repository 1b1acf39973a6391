import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Database } from '@millwright/db';
import pg from 'pg';
import { recordVerification, readChain, recordDecision, sealAuditLog, verifyAuditLog, type Actor } from './index.js';
import { asSuperuser, makeActor, makeSealKey, openDatabase, writeRows, writeSealedAuditLog } from './test-audit-log.js';

let database: TestDatabase;
let db: Database;
let actor: Actor;
const key = makeSealKey('seal-key');

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  actor = await makeActor(db);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const verify = () => verifyAuditLog(db, key.find);

describe('sealAuditLog', () => {
  it('seals every row once, in chained batches of at most a thousand', async () => {
    await writeRows(database.url, actor.userId, 1_005);
    expect(await sealAuditLog(db, key)).toEqual({ rows: 1_005, seals: 2, waiting: false });
    expect(await sealAuditLog(db, key)).toEqual({ rows: 0, seals: 0, waiting: false });
    await writeRows(database.url, actor.userId, 2);
    expect(await verify()).toEqual({ rows: 1_005, seals: 2, unsealed: 2, erased: 0, removed: 0, faults: [] });
    expect(await sealAuditLog(db, key)).toMatchObject({ rows: 2, seals: 1 });
    expect(await verify()).toEqual({ rows: 1_007, seals: 3, unsealed: 0, erased: 0, removed: 0, faults: [] });
  });

  it('includes a row whose transaction commits after the transactions of later rows', async () => {
    const late = new pg.Client({ connectionString: database.url });
    await late.connect();
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO governance_decisions (id, user_id, actor_kind, actor_id, action, resource, decision)
       VALUES (gen_random_uuid(), $1, 'user', 'Ann', 'late.commit', 'x', 'allow')`,
      [actor.userId],
    );
    await writeRows(database.url, actor.userId, 5);
    const sealing = sealAuditLog(db, key);
    const writing = writeRows(database.url, actor.userId, 1); // other transactions write rows meanwhile
    await writing;
    expect(await db.prisma.auditSeal.count()).toBe(0);
    await late.query('COMMIT');
    await late.end();
    expect(await sealing).toMatchObject({ waiting: false });
    await sealAuditLog(db, key);
    const first = await db.prisma.auditSeal.findFirstOrThrow({ orderBy: { number: 'asc' } });
    const row = await db.prisma.governanceDecision.findFirstOrThrow({ where: { action: 'late.commit' } });
    expect(JSON.stringify(first.entries)).toContain(row.id);
    expect(await verify()).toEqual({
      rows: 7,
      seals: expect.any(Number) as number,
      unsealed: 0,
      erased: 0,
      removed: 0,
      faults: [],
    });
  });

  it('seals nothing and returns `waiting: true` while a transaction that may write audit rows is open', async () => {
    const open = new pg.Client({ connectionString: database.url });
    await open.connect();
    await open.query('BEGIN');
    await open.query('LOCK TABLE governance_decisions IN ROW EXCLUSIVE MODE');
    await writeRows(database.url, actor.userId, 2);
    expect(await sealAuditLog(db, key)).toEqual({ rows: 0, seals: 0, waiting: true });
    await open.query('ROLLBACK');
    await open.end();
    expect(await sealAuditLog(db, key)).toMatchObject({ rows: 2 });
  });

  it('writes one valid chain when several sealers and writers run concurrently', async () => {
    const writers = Array.from({ length: 4 }, async (_, n) => {
      for (let i = 0; i < 40; i++)
        await db.transaction((tx) => recordDecision(tx, { actor, action: 'x.y', resource: `${n}-${i}` }));
    });
    const sealers = Array.from({ length: 3 }, async () => {
      for (let i = 0; i < 15; i++) await sealAuditLog(db, key);
    });
    await Promise.all([...writers, ...sealers]);
    await sealAuditLog(db, key);
    expect(await verify()).toMatchObject({ rows: 160, unsealed: 0, erased: 0, removed: 0, faults: [] });
  });

  it('writes seals that cannot be changed or deleted', async () => {
    await writeSealedAuditLog(db, database.url, actor.userId, key, 1);
    await expect(db.prisma.auditSeal.updateMany({ data: { jws: 'x' } })).rejects.toThrow('never changed');
    await expect(db.prisma.auditSeal.deleteMany()).rejects.toThrow('never changed');
  });
});

describe('readChain', () => {
  it('returns how far the audit log is sealed and the faults of the last check', async () => {
    expect(await readChain(db.prisma)).toEqual({
      sealed_through: null,
      batches: 0,
      unsealed: 0,
      last_sealed_at: null,
      verified: 'unchecked',
      verified_at: null,
      verified_with: null,
      faults: [],
      verifying: null,
      removed: null,
    });
    await writeSealedAuditLog(db, database.url, actor.userId, key, 2);
    await recordVerification(db, { source: 'pinned', findKey: key.find });
    expect(await readChain(db.prisma)).toMatchObject({
      batches: 2,
      unsealed: 3,
      verified: 'ok',
      verified_with: 'pinned',
    });
    const { id } = await db.prisma.governanceDecision.findFirstOrThrow({ orderBy: { seq: 'asc' } });
    await asSuperuser(database.url, (client) => client.query('DELETE FROM governance_decisions WHERE id = $1', [id]));
    await recordVerification(db, { source: 'pinned', findKey: key.find });
    expect(await readChain(db.prisma)).toMatchObject({
      verified: 'broken',
      faults: [{ kind: 'deleted', row: id, seal: 1, reason: 'is gone' }],
    });
  });

  it('reports seals that an earlier check has verified and that were deleted with their rows', async () => {
    await writeSealedAuditLog(db, database.url, actor.userId, key, 3);
    await recordVerification(db, { source: 'pinned', findKey: key.find });
    await asSuperuser(database.url, async (client) => {
      await client.query(
        'DELETE FROM governance_decisions WHERE seq > (SELECT through_seq FROM audit_seals WHERE number = 2)',
      );
      await client.query('DELETE FROM audit_seals WHERE number = 3');
    });
    expect((await verify()).faults).toMatchObject([{ kind: 'seal', seal: 3 }]);
  });
});
