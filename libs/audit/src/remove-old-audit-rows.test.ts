import { asRole, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import {
  exportAuditLog,
  readChain,
  recordVerification,
  removeOldAuditRows,
  sealAuditLog,
  verifyAuditFile,
  verifyAuditLog,
  type Actor,
} from './index.js';
import { asSuperuser, makeActor, makeSealKey, openDatabase, writeRows } from './test-audit-log.js';

const NEVER = 'never changed or deleted';
const key = makeSealKey('seal-key');
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
/** Ages of the seals, in days. Each seal covers four rows. */
const AGES = [400, 300, 200, 95, 10];

let database: TestDatabase;
/** Connects as the owner of the schema. */
let db: Database;
/** Connects with the rights of the service that runs the job. */
let area: Database;
let actor: Actor;

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  area = openDatabase(asRole(database.url, 'admin-auth'));
  actor = await makeActor(db);
  for (const age of AGES) {
    await writeRows(database.url, actor.userId, 4, daysAgo(age));
    await sealAuditLog(db, key, undefined, () => daysAgo(age));
  }
});
afterEach(async () => {
  await Promise.all([db.close(), area.close()]);
  await database.drop();
});

const verify = () => verifyAuditLog(db, key.find);
const remove = (days: number) =>
  removeOldAuditRows(area, (work) => area.transaction(work), { before: daysAgo(days), key, findKey: key.find, actor });
const rowsWith = (where: object = {}) => db.prisma.governanceDecision.count({ where });
const lines = async (filter = {}) => {
  const file: string[] = [];
  for await (const line of exportAuditLog(db, { filter, keys: [key.jwk], endKey: key })) file.push(line.trimEnd());
  return file;
};

describe('removeOldAuditRows', () => {
  it('removes the seals that are older than the retention together with their rows; the rest verifies without faults', async () => {
    expect(await remove(250)).toBe(8);
    expect(await verify()).toEqual({ rows: 12, seals: 3, unsealed: 1, erased: 0, removed: 8, faults: [] });
    expect(await rowsWith({ at: { lt: daysAgo(250) } })).toBe(0);
    expect(await remove(100)).toBe(4);
    await sealAuditLog(db, key);
    expect(await verify()).toMatchObject({ rows: 10, seals: 3, removed: 12, faults: [] });
    expect(await db.prisma.auditCheckpoint.count()).toBe(1);
  });

  it('writes an audit row for each step, with the last seal that it removed', async () => {
    const { hash, sealed_at } = await db.prisma.auditSeal.findUniqueOrThrow({ where: { number: 2 } });
    await remove(250);
    expect(await remove(250)).toBe(0);
    expect(await db.prisma.governanceDecision.findMany({ where: { action: 'audit.remove' } })).toMatchObject([
      { user_id: actor.userId, detail: { rows: 8, seal: 2, hash, sealed_at: sealed_at.toISOString() } },
    ]);
    await recordVerification(db, { source: 'pinned', findKey: key.find });
    expect(await readChain(db.prisma)).toMatchObject({
      verified: 'ok',
      batches: 5,
      removed: { rows: 8, sealed_through: sealed_at.toISOString() },
    });
  });

  it('removes many rows and many seals in bounded steps', async () => {
    await asSuperuser(database.url, (client) =>
      client.query('DELETE FROM audit_seals; DELETE FROM governance_decisions'),
    );
    for (let n = 0; n < 310; n++) {
      await database.sql`
        INSERT INTO governance_decisions (id, user_id, actor_kind, actor_id, action, resource, decision, at)
        SELECT gen_random_uuid(), ${actor.userId}::uuid, 'user', 'Ann', 'x.y', 'x', 'allow', ${daysAgo(100)}
          FROM generate_series(1, ${n < 3 ? 900 : 1})`;
      await sealAuditLog(db, key, undefined, () => daysAgo(100));
    }
    expect(await remove(90)).toBe(3 * 900 + 306);
    const steps = await db.prisma.governanceDecision.findMany({
      where: { action: 'audit.remove' },
      orderBy: { seq: 'asc' },
    });
    expect(steps.map(({ detail }) => (detail as { rows: number }).rows)).toEqual([1_800, 900 + 299, 7]);
    expect(await verify()).toMatchObject({ rows: 1, removed: 3_006, faults: [] });
  });

  it('keeps the last seal, however old it is', async () => {
    await asSuperuser(database.url, (client) =>
      client.query('DELETE FROM governance_decisions WHERE seq > 16; DELETE FROM audit_seals WHERE number = 5'),
    );
    expect(await remove(90)).toBe(12);
    expect(await verify()).toMatchObject({ rows: 4, seals: 1, faults: [] });
    await sealAuditLog(db, key);
    expect(await verify()).toMatchObject({ seals: 2, faults: [] });
  });

  it.each([
    ['an edited row', "UPDATE governance_decisions SET action = 'skill.delete' WHERE seq = 2"],
    ['a deleted row', 'DELETE FROM governance_decisions WHERE seq = 2'],
    ['a seal that was changed', "UPDATE audit_seals SET entries = '[]' WHERE number = 1"],
    ['a checkpoint that was forged', "INSERT INTO audit_checkpoints VALUES (1, 4, 'x', 4, now(), now(), 'x')"],
  ])('rejects and removes nothing when the old part of the log has %s', async (_case, sql) => {
    await asSuperuser(database.url, (client) => client.query(sql));
    const before = await rowsWith();
    await expect(remove(150)).rejects.toThrow('verify it');
    expect(await rowsWith()).toBe(before);
  });

  it('causes no fault in a concurrent verification', async () => {
    const checks = Promise.all(Array.from({ length: 5 }, verify));
    await remove(90);
    for (const { faults } of await checks) expect(faults).toEqual([]);
  });
});

describe('the audit log after the removal of old rows', () => {
  beforeEach(() => remove(250));

  it.each<[string, string, object]>([
    ['its checkpoint is gone', 'DELETE FROM audit_checkpoints', { kind: 'seal', seal: 3 }],
    ['its checkpoint is signed by another key', '', { kind: 'checkpoint', seal: 2 }],
    ['its checkpoint has another number of rows', 'UPDATE audit_checkpoints SET rows = 9', { kind: 'checkpoint' }],
    ['its checkpoint has another time', 'UPDATE audit_checkpoints SET sealed_at = now()', { kind: 'checkpoint' }],
    [
      'its checkpoint has the signature of a seal',
      'UPDATE audit_checkpoints SET jws = (SELECT min(jws) FROM audit_seals)',
      { kind: 'checkpoint' },
    ],
    [
      'more rows were removed than the checkpoint states',
      'DELETE FROM governance_decisions WHERE seq <= 12; DELETE FROM audit_seals WHERE number = 3',
      { kind: 'seal', seal: 4 },
    ],
    [
      'the checkpoint was moved to a later seal',
      `DELETE FROM governance_decisions WHERE seq <= 12;
       UPDATE audit_checkpoints SET (number, through_seq, hash, sealed_at, rows) = (SELECT number, through_seq, hash, sealed_at, 12 FROM audit_seals WHERE number = 3);
       DELETE FROM audit_seals WHERE number = 3`,
      { kind: 'checkpoint', seal: 3 },
    ],
    [
      'a row was inserted before the checkpoint',
      `INSERT INTO governance_decisions (id, seq, user_id, actor_kind, actor_id, action, resource, decision)
         SELECT gen_random_uuid(), 3, user_id, 'user', 'Ann', 'x.y', 'x', 'allow' FROM governance_decisions LIMIT 1`,
      { kind: 'inserted' },
    ],
  ])('has a fault when %s', async (_case, sql, fault) => {
    expect((await verify()).faults).toEqual([]);
    if (sql !== '') await asSuperuser(database.url, (client) => client.query(sql));
    else {
      const foreign = makeSealKey('seal-key');
      expect((await verifyAuditLog(db, foreign.find)).faults).toContainEqual(expect.objectContaining(fault));
      return;
    }
    expect((await verify()).faults).toContainEqual(expect.objectContaining(fault));
  });

  it('has no faults in its export, which begins with the checkpoint', async () => {
    const file = await lines();
    expect(await verifyAuditFile(file, [key.jwk])).toMatchObject({ rows: 13, seals: 3, removed: 8, faults: [] });
    expect(await verifyAuditFile(await lines({ from: daysAgo(150) }), [key.jwk])).toMatchObject({
      rows: 9,
      faults: [],
    });
    const unsigned = file.map((line, index) =>
      index === file.length - 1 ? line.replace(/"jws":"[^"]*"/, '"jws":null') : line,
    );
    const header = JSON.parse(unsigned[0] ?? '') as { checkpoint: { rows: number } };
    for (const changed of [
      { ...header, checkpoint: undefined },
      { ...header, checkpoint: { ...header.checkpoint, rows: 9 } },
    ]) {
      const { faults } = await verifyAuditFile([JSON.stringify(changed), ...unsigned.slice(1)], [key.jwk]);
      const kinds = faults.map(({ kind, reason }) => `${kind}: ${reason}`);
      expect(kinds.join()).toMatch(/begins at seal 3, without a checkpoint|begins has no good signature/);
    }
  });
});

describe('the tables of the audit log', () => {
  /** Returns a checkpoint of the third seal, with changes. */
  const checkpoint = (changes: object = {}) =>
    area.transaction(async (tx) => {
      const { number, through_seq, hash, sealed_at } = await tx.auditSeal.findUniqueOrThrow({ where: { number: 3 } });
      const data = { number, through_seq, hash, sealed_at, rows: 12, at: new Date(), jws: 'unsigned', ...changes };
      await tx.auditCheckpoint.create({ data });
    });

  it.each<[string, object]>([
    ['of the last seal', { number: 5 }],
    ['of a seal that does not exist', { number: 9 }],
    ['with the hash of another seal', { hash: 'x' }],
    ['that ends inside a seal', { through_seq: 11 }],
    ['with another time than its seal', { sealed_at: daysAgo(500) }],
    ['with a wrong number of rows', { rows: 13 }],
  ])('refuse a checkpoint %s', async (_case, changes) => {
    await expect(checkpoint(changes)).rejects.toThrow('audit_checkpoints:');
    expect(await rowsWith()).toBe(20);
  });

  it('refuse a checkpoint over rows or seals that are younger than 90 days', async () => {
    const statements = [
      'UPDATE audit_seals SET sealed_at = now() WHERE number = 2',
      'UPDATE governance_decisions SET at = now() WHERE seq = 5',
    ];
    for (const sql of statements) {
      await asSuperuser(database.url, (client) => client.query(sql));
      await expect(checkpoint()).rejects.toThrow('at least 90 days');
      await asSuperuser(database.url, async (client) => {
        await client.query("UPDATE audit_seals SET sealed_at = now() - interval '300 days' WHERE number = 2");
        await client.query("UPDATE governance_decisions SET at = now() - interval '300 days' WHERE seq = 5");
      });
    }
    await checkpoint();
    expect(await rowsWith()).toBe(8);
  });

  it('refuse a checkpoint over a row that no seal covers', async () => {
    await asSuperuser(database.url, (client) => client.query('UPDATE audit_seals SET rows = 3 WHERE number = 1'));
    await expect(checkpoint()).rejects.toThrow('does not count');
  });

  it('refuse every deletion that is not made by a checkpoint, also when the owner of the schema attempts it', async () => {
    await remove(250);
    for (const sql of [
      'DELETE FROM governance_decisions',
      'DELETE FROM audit_seals',
      'DELETE FROM audit_checkpoints',
      'UPDATE audit_checkpoints SET rows = 1',
      'TRUNCATE audit_checkpoints',
      'TRUNCATE governance_decisions',
      'TRUNCATE audit_seals',
    ]) {
      await expect(db.prisma.$executeRawUnsafe(sql)).rejects.toThrow(NEVER);
      await expect(area.prisma.$executeRawUnsafe(sql)).rejects.toThrow('permission denied');
    }
    await expect(db.prisma.$executeRawUnsafe('SELECT remove_audit_range()')).rejects.toThrow('trigger');
  });
});
