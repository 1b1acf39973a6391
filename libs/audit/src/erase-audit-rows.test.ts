import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { newId, Prisma, type Database } from '@millwright/db';
import { contentHash, eraseFields, isAuditRow, type AuditRow, type PersonalField } from './content-hash.js';
import {
  eraseAuditRows,
  exportAuditLog,
  readRows,
  recordDecision,
  sealAuditLog,
  verifyAuditFile,
  verifyAuditLog,
  type Actor,
  type ErasedPerson,
} from './index.js';
import { asSuperuser, makeActor, makeSealKey, openDatabase } from './test-audit-log.js';

let database: TestDatabase;
let db: Database;
let ann: Actor;
let bob: Actor;
let person: ErasedPerson;
const key = makeSealKey('seal-key');
const ANN_ID = 'usr_0123456789abcdefABCDEF';
const SKILL_ID = 'sk_0123456789abcdefABCDEF';
/** Texts in rows that identify Ann, or that Ann wrote. */
const MARKERS = ['Ann', 'ann@example.com', '192.0.2.7', 'her-request', 'her words', 'her-host'];

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  ann = { ...(await makeActor(db)), requestId: 'her-request', ip: '192.0.2.7', origin: { host: 'her-host' } };
  const { id } = await db.prisma.user.create({
    data: {
      id: newId(),
      email: 'bob@example.com',
      name: 'Bob',
      webauthn_user_id: crypto.getRandomValues(new Uint8Array(32)),
    },
  });
  bob = { userId: id, kind: 'user', label: 'Bob', ip: '192.0.2.8' };
  person = { userId: ann.userId, ids: [ANN_ID, ann.userId], texts: ['ann@example.com'], names: ['Ann'] };
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const record = (actor: Actor, action: string, resource: string, detail = {}) =>
  db.transaction((tx) => recordDecision(tx, { actor, action, resource, project: 'Core', detail }));
const erase = () => eraseAuditRows((work) => db.transaction(work), person, bob);
const verify = () => verifyAuditLog(db, key.find);
const rows = () => readRows(db.prisma, { after: 0n, limit: 1_000 });
async function file(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportAuditLog(db, { keys: [key.jwk], endKey: key })) lines.push(line.trimEnd());
  return lines;
}

async function writeHistory(): Promise<void> {
  await record(ann, 'skill.update', SKILL_ID, { note: 'her words' });
  await record(bob, 'user.update', ANN_ID, { name: { from: 'Anna', to: 'Ann' } });
  await record(bob, 'setup_token.create', 'ANN@example.com');
  await record(bob, 'prompt.label', 'x', { moved: ['by', 'Ann'] });
  await record(bob, 'skill.update', SKILL_ID, { note: 'Annual report' });
}

/** Changes the rows to the form that an earlier release wrote: without a salt. */
const asFormat1 = () =>
  asSuperuser(database.url, (client) => client.query('UPDATE governance_decisions SET salt = NULL'));

describe('eraseAuditRows', () => {
  it.each([
    ['rows sealed with commitments', () => Promise.resolve()],
    ['rows sealed by an earlier release', () => asFormat1()],
  ])('leaves no data of the person in %s, and all seals stay valid', async (_case, prepare) => {
    await writeHistory();
    await prepare();
    await sealAuditLog(db, key);
    expect(await erase()).toBe(4);
    const after = await rows();
    // Keys and commitments are random: any letters can occur in them.
    const text = JSON.stringify(after).replaceAll(/"[\w-]{43}"/g, '""');
    for (const marker of MARKERS) expect(text).not.toMatch(new RegExp(`${marker}(?!ual)`, 'i'));
    expect(after.slice(0, 5)).toMatchObject([
      { user_id: ann.userId, actor_id: 'erased', action: 'skill.update', resource: SKILL_ID, ip: null, detail: {} },
      { actor_id: 'Bob', resource: ANN_ID, ip: '192.0.2.8', detail: {} },
      { actor_id: 'Bob', resource: 'erased' },
      { actor_id: 'Bob', resource: 'x', detail: {} },
      { actor_id: 'Bob', detail: { note: 'Annual report' }, erased: null },
    ]);
    expect(await verify()).toMatchObject({ rows: 5, unsealed: 2, erased: 4, faults: [] });
    await sealAuditLog(db, key);
    expect(await verify()).toMatchObject({ rows: 7, unsealed: 0, erased: 4, faults: [] });
    expect(await verifyAuditFile(await file(), [key.jwk])).toMatchObject({ erased: 4, faults: [] });
  });

  it('changes nothing when the erasure is repeated', async () => {
    await writeHistory();
    await sealAuditLog(db, key);
    await erase();
    const before = await rows();
    expect(await erase()).toBe(0);
    expect(await rows()).toEqual(before);
  });

  it('erases a second person from a row that named both persons', async () => {
    await record(bob, 'user.update', ANN_ID, { by: 'bob@example.com' });
    await sealAuditLog(db, key);
    await erase();
    const other = { userId: bob.userId, ids: ['usr_bob'], texts: ['bob@example.com'], names: ['Bob'] };
    expect(await eraseAuditRows((work) => db.transaction(work), other, ann)).toBe(2);
    await sealAuditLog(db, key);
    expect((await rows())[0]).toMatchObject({ actor_id: 'erased', resource: ANN_ID, ip: null, detail: {} });
    expect(await verify()).toMatchObject({ erased: 2, faults: [] });
  });

  it('erases 5,000 rows in steps, and writes one audit row for each 500 erased rows', async () => {
    await asSuperuser(database.url, (client) =>
      client.query(
        `INSERT INTO governance_decisions (id, user_id, actor_kind, actor_id, action, resource, decision)
         SELECT gen_random_uuid(), $1, 'user', 'Ann', 'skill.update', 'x', 'allow' FROM generate_series(1, 5000)`,
        [ann.userId],
      ),
    );
    await sealAuditLog(db, key);
    expect(await erase()).toBe(5_000);
    await sealAuditLog(db, key);
    expect(await verify()).toMatchObject({ rows: 5_010, erased: 5_000, faults: [] });
  });
});

describe('a verification after an erasure', () => {
  const UPDATE = 'UPDATE governance_decisions';
  it.each([
    ['a public field is changed', `${UPDATE} SET action = 'skill.delete' WHERE seq = 1`, 1],
    ['an erased field has a value again', `${UPDATE} SET actor_id = 'Eve' WHERE seq = 1`, 1],
    ['a field that was kept is changed', `${UPDATE} SET resource = 'sk_other' WHERE seq = 1`, 1],
    [
      'the commitment of an erased field is replaced',
      `${UPDATE} SET erased = jsonb_set(erased, '{ip,commitment}', '"x"') WHERE seq = 1`,
      1,
    ],
    [
      'another row is erased without an audit row about the erasure',
      `${UPDATE} SET detail = '{}', erased = '{}', salt = NULL WHERE seq = 5`,
      5,
    ],
  ])('finds that %s', async (_case, sql, seq) => {
    await writeHistory();
    await sealAuditLog(db, key);
    await erase();
    await sealAuditLog(db, key);
    await asSuperuser(database.url, (client) => client.query(sql));
    const { id } = (await rows())[seq - 1] as AuditRow;
    expect((await verify()).faults).toContainEqual(expect.objectContaining({ kind: 'edited', row: id }));
    expect((await verifyAuditFile(await file(), [key.jwk])).faults).toContainEqual(
      expect.objectContaining({ kind: 'edited', row: id }),
    );
  });

  it('reports erased rows that still have their commitments when the row that states the erasure was deleted', async () => {
    await writeHistory();
    await sealAuditLog(db, key);
    await erase();
    await asSuperuser(database.url, (client) =>
      client.query("DELETE FROM governance_decisions WHERE action = 'audit.erase'"),
    );
    expect((await verify()).faults).toHaveLength(4);
  });

  it('accepts rows that a former release sealed in format 1 and that have a salt', async () => {
    await asFormat1();
    await writeHistory();
    await asFormat1();
    await sealAuditLog(db, key);
    await asSuperuser(database.url, (client) =>
      client.query('UPDATE governance_decisions SET salt = gen_random_uuid()'),
    );
    expect(await verify()).toMatchObject({ rows: 5, faults: [] });
    await erase();
    expect(await verify()).toMatchObject({ erased: 4, faults: [] });
  });
});

describe('the table of the audit log', () => {
  it.each([
    ["SET actor_id = 'Eve'", 'a personal field is changed'],
    ["SET actor_id = 'Eve', salt = NULL, erased = '{}'", 'an erasure writes another value'],
    ["SET action = 'x', salt = NULL, erased = '{}'", 'an erasure changes a public field'],
    ["SET actor_id = 'erased'", 'a field is erased without its commitment'],
  ])('refuses UPDATE %s: %s', async (set) => {
    await record(ann, 'skill.update', SKILL_ID);
    const change = (setting: string) =>
      db.transaction(async (tx) => {
        await tx.$executeRaw`SELECT set_config('millwright.erasure', ${setting}, true)`;
        await tx.$executeRaw`UPDATE governance_decisions ${Prisma.raw(set)}`;
      });
    await expect(change('off')).rejects.toThrow('never changed');
    await expect(change('on')).rejects.toThrow('never changed');
  });
});

describe('eraseFields', () => {
  it('does not change the content hash of a row, whichever combination of fields it erases', async () => {
    await record(ann, 'skill.update', SKILL_ID, { note: 'her words' });
    const row = (await rows())[0] as AuditRow;
    const fields: PersonalField[] = ['actor_id', 'resource', 'reason', 'request_id', 'ip', 'detail'];
    for (let bits = 1; bits < 64; bits++) {
      const chosen = new Set(fields.filter((_field, index) => bits & (1 << index)));
      const erased = eraseFields(row, chosen);
      expect(isAuditRow(erased)).toBe(true);
      expect([bits, contentHash(erased)]).toEqual([bits, contentHash(row)]);
      expect(contentHash(eraseFields(erased, new Set(fields)))).toBe(contentHash(row));
    }
  });
});
