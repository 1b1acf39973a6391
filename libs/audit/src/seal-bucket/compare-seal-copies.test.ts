import type { Database } from '@millwright/db';
import { createTestDatabase, startLockServer, type LockServer, type TestDatabase } from '@millwright/testing';
import { removeOldAuditRows, sealAuditLog, sendSeals, verifyAuditLog, type Actor } from '../index.js';
import { asSuperuser, makeActor, makeSealKey, openDatabase, writeRows } from '../test-audit-log.js';
import { compareSealCopies } from './compare-seal-copies.js';
import { lockSeals } from './lock-seals.js';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const key = makeSealKey('seal-key');

let server: LockServer;
let database: TestDatabase;
let db: Database;
let actor: Actor;

beforeEach(async () => {
  [server, database] = await Promise.all([startLockServer(), createTestDatabase()]);
  db = openDatabase(database.url);
  actor = await makeActor(db);
});
afterEach(async () => {
  await Promise.all([db.close(), server.close()]);
  await database.drop();
});

const compare = () => compareSealCopies(db, server.bucket);
const send = () =>
  sendSeals(
    db,
    (work) => db.transaction(work),
    's3',
    (seals) => lockSeals(server.bucket, seals),
  );
async function seal(...ages: number[]): Promise<void> {
  for (const age of ages) {
    await writeRows(database.url, actor.userId, 2, daysAgo(age));
    await sealAuditLog(db, key, undefined, () => daysAgo(age));
  }
}
const asOwner = (statement: string) => asSuperuser(database.url, (client) => client.query(statement));
/** Returns the fault of the seal `number`, with a reason that begins with `reason`. */
const faultOf = (number: number | null, reason: string) => ({
  ...{ kind: 'copy', row: null, seal: number },
  reason: expect.stringMatching(`^${reason}`) as string,
});

describe('compareSealCopies', () => {
  it('reports no fault when every seal has a copy, also when the list has several pages and some seals were sent twice', async () => {
    server.pageSize = 2;
    for (const age of [5, 4, 3]) {
      await seal(age, age);
      await send();
    }
    await db.prisma.auditSealCursor.update({ where: { receiver: 's3' }, data: { number: 2 } });
    await send();
    expect(await compare()).toEqual({ copies: 4, copied: 6, uncopied: 0, faults: [] });
  });

  it('reports seals that were signed again by a trusted key, although the log itself has no fault', async () => {
    await seal(5, 4, 3);
    await send();
    await asOwner(`DELETE FROM audit_seals WHERE number > 1;
                   DELETE FROM governance_decisions WHERE seq = (SELECT max(seq) FROM governance_decisions)`);
    await sealAuditLog(db, key, undefined, () => daysAgo(4));
    await writeRows(database.url, actor.userId, 1);
    await sealAuditLog(db, key, undefined, () => daysAgo(3));
    expect((await verifyAuditLog(db, key.find)).faults).toEqual([]);
    const copy = 'its copy audit-seals/0000000001-0000000003.json of ';
    expect(await compare()).toMatchObject({
      copied: 1,
      faults: [faultOf(2, `differs from ${copy}`), faultOf(3, `differs from ${copy}`)],
    });
  });

  it('reports a changed seal once, also when the bucket has a second version of the copy with the changed hash', async () => {
    await seal(5);
    await send();
    await asOwner(`UPDATE audit_seals SET hash = repeat('0', 64)`);
    await db.prisma.auditSealCursor.deleteMany();
    await send();
    expect(server.versions).toHaveLength(2);
    expect((await compare()).faults).toEqual([faultOf(1, 'differs from its copy')]);
  });

  it('reports a deleted last seal whose copy is in the bucket', async () => {
    await seal(5, 4, 3);
    await send();
    await asOwner('DELETE FROM audit_seals WHERE number = 3');
    expect((await compare()).faults).toEqual([faultOf(3, 'is gone: its copy')]);
  });

  it('reports the seals without a copy, before, between and after seals with a copy', async () => {
    await seal(6, 5, 4, 3, 2);
    const rows = await db.prisma.auditSeal.findMany({ orderBy: { number: 'asc' } });
    for (const { number, hash, sealed_at } of rows.filter((row) => [2, 4].includes(row.number)))
      await lockSeals(server.bucket, [{ number, hash, rows: 2, sealed_at: sealed_at.toISOString(), kid: key.kid }]);
    expect(await compare()).toMatchObject({
      copied: 2,
      faults: [1, 3, 5].map((number) => faultOf(number, 'has no copy in the bucket')),
    });
  });

  it('accepts a seal without a copy when it is less than an hour old, or precedes all copies and is older than the time of a lock', async () => {
    await seal(500, 450);
    await db.prisma.auditSealCursor.create({ data: { receiver: 's3', number: 2 } });
    await seal(3);
    await send();
    await seal(0);
    expect(await compare()).toEqual({ copies: 1, copied: 1, uncopied: 3, faults: [] });
  });

  it('reports a seal without a copy that follows the last copied seal, even when it is older than the time of a lock', async () => {
    await seal(3);
    await send();
    await seal(500);
    expect((await compare()).faults).toEqual([faultOf(2, 'has no copy in the bucket')]);
  });

  it('accepts the copies of seals that retention removed, and compares the copy of the last removed seal with the checkpoint', async () => {
    await seal(400, 300, 3);
    await send();
    const options = { before: daysAgo(200), key, findKey: key.find, actor };
    expect(await removeOldAuditRows(db, (work) => db.transaction(work), options)).toBe(4);
    expect((await compare()).faults).toEqual([]);
    await asOwner(`UPDATE audit_checkpoints SET hash = repeat('0', 64)`);
    expect((await compare()).faults).toEqual([faultOf(2, 'differs from its copy')]);
  });

  it.each([
    ['text', 'seals'],
    ['another form', '{"seals":[{"number":"1"}]}'],
    ['more than 64 KiB', `{"seals":[{"number":1,"hash":"${'0'.repeat(65_536)}"}]}`],
  ])('reports an object whose content is %s', async (_form, body) => {
    const [id, name] = ['v1', '/seals/audit-seals/0000000001-0000000001.json'];
    server.versions.push({ id, key: name, body, mode: undefined, until: undefined, storedAt: new Date() });
    expect((await compare()).faults).toEqual([faultOf(null, 'the object audit-seals/0000000001')]);
  });

  it('rejects when the bucket does not answer', async () => {
    await server.close();
    await expect(compare()).rejects.toThrow('ECONNREFUSED');
  });
});
