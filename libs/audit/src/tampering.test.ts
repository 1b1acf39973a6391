import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Database } from '@millwright/db';
import type pg from 'pg';
import { sealRows } from './seal.js';
import {
  exportAuditLog,
  readRows,
  sealAuditLog,
  verifyAuditLog,
  verifyAuditFile,
  type Actor,
  type AuditRow,
} from './index.js';
import {
  asSuperuser,
  createRandom,
  makeActor,
  makeSealKey,
  openDatabase,
  writeSealedAuditLog,
} from './test-audit-log.js';

let database: TestDatabase;
let db: Database;
let actor: Actor;
let rows: AuditRow[];
let file: string[];
const key = makeSealKey('seal-key');
const foreign = makeSealKey('seal-key');

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  actor = await makeActor(db);
  await writeSealedAuditLog(db, database.url, actor.userId, key);
  rows = (await readRows(db.prisma, { after: 0n, limit: 1_000 })).slice(0, 60);
  file = await lines();
  await asSuperuser(database.url, async (client) => {
    for (const table of ['governance_decisions', 'audit_seals'])
      await client.query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function lines(endKey = key, filter = {}): Promise<string[]> {
  const read: string[] = [];
  for await (const line of exportAuditLog(db, { keys: [key.jwk], endKey, filter })) read.push(line.trimEnd());
  return read;
}

/** The faults that a verification must find after a manipulation: the ids of the faulty rows, or the kind of the fault. */
interface Wanted {
  rows?: string[];
  kind?: string;
}
type Random = ReturnType<typeof createRandom>;

const FIELDS = ['actor_id', 'action', 'resource', 'reason', 'request_id', 'ip'] as const;
const COLUMNS =
  'at, user_id, actor_kind, actor_id, action, resource, project, decision, reason, request_id, ip, detail, salt, erased';

/** Manipulations by someone who has all rights on the database. */
const inDatabase: Record<string, (client: pg.Client, random: Random) => Promise<Wanted>> = {
  async edit(client, random) {
    const { id } = random.pick(rows);
    await client.query(`UPDATE governance_decisions SET ${random.pick(FIELDS)} = 'someone else' WHERE id = $1`, [id]);
    return { rows: [id] };
  },
  async 'edit of the time'(client, random) {
    const { id } = random.pick(rows);
    await client.query("UPDATE governance_decisions SET at = at - interval '1 ms' WHERE id = $1", [id]);
    return { rows: [id] };
  },
  async 'edit deep in the detail'(client, random) {
    const { id } = random.pick(rows);
    await client.query(`UPDATE governance_decisions SET detail = jsonb_set(detail, '{a,y,0}', '2') WHERE id = $1`, [
      id,
    ]);
    return { rows: [id] };
  },
  async deletion(client, random) {
    const { id } = random.pick(rows);
    await client.query('DELETE FROM governance_decisions WHERE id = $1', [id]);
    return { rows: [id] };
  },
  async swap(client, random) {
    const [one, other] = random.pair(rows);
    const copy = `(${COLUMNS}) = (SELECT ${COLUMNS} FROM kept_governance_decisions WHERE id = $2)`;
    await client.query(`UPDATE governance_decisions SET ${copy} WHERE id = $1`, [one.id, other.id]);
    await client.query(`UPDATE governance_decisions SET ${copy} WHERE id = $1`, [other.id, one.id]);
    return { rows: [one.id, other.id], kind: 'swapped' };
  },
  async 'another order'(client, random) {
    const [one, other] = random.pair(rows);
    await client.query('UPDATE governance_decisions SET seq = -1 WHERE id = $1', [one.id]);
    await client.query('UPDATE governance_decisions SET seq = $2 WHERE id = $1', [other.id, one.seq]);
    await client.query('UPDATE governance_decisions SET seq = $2 WHERE id = $1', [one.id, other.seq]);
    return { rows: [one.id, other.id] };
  },
  async 'cut tail'(client, random) {
    const gone = rows.slice(-1 - random.below(20));
    await client.query('DELETE FROM governance_decisions WHERE id = ANY($1)', [gone.map(({ id }) => id)]);
    return { rows: gone.map(({ id }) => id) };
  },
  async insertion(client, random) {
    const { id } = random.pick(rows);
    const taken = new Set(rows.map(({ seq }) => seq));
    const gaps = rows.map(({ seq }) => seq - 1).filter((seq) => !taken.has(seq));
    const { rows: made } = await client.query<{ id: string }>(
      `INSERT INTO governance_decisions (id, seq, ${COLUMNS})
       SELECT gen_random_uuid(), $2, ${COLUMNS} FROM governance_decisions WHERE id = $1 RETURNING id`,
      [id, random.pick([...gaps, -7])],
    );
    return { rows: made.map((row) => row.id), kind: 'inserted' };
  },
  async 'forged seal'(client, random) {
    const number = 1 + random.below(5);
    const { rows: seals } = await client.query<{ through_seq: string }>(
      'SELECT through_seq FROM audit_seals ORDER BY number',
    );
    const [from, to] = [Number(seals[number - 2]?.through_seq ?? 0), Number(seals[number - 1]?.through_seq)];
    const batch = rows
      .filter(({ seq }) => seq > from && seq <= to)
      .map((row) => ({ ...row, actor_id: 'someone else' }));
    await client.query("UPDATE governance_decisions SET actor_id = 'someone else' WHERE seq > $1 AND seq <= $2", [
      from,
      to,
    ]);
    const seal = await sealRows(batch, { number, previous: '0'.repeat(64), sealedAt: new Date() }, foreign);
    await client.query('UPDATE audit_seals SET entries = $2, jws = $3, sealed_at = $4 WHERE number = $1', [
      number,
      JSON.stringify(seal.entries),
      seal.jws,
      seal.sealed_at,
    ]);
    return { kind: 'seal' };
  },
  async 'seal of our own key in another place'(client, random) {
    const [one, other] = random.pair([1, 2, 3, 4, 5]);
    const copy = '(entries, jws) = (SELECT entries, jws FROM kept_audit_seals WHERE number = $2)';
    await client.query(`UPDATE audit_seals SET ${copy} WHERE number = $1`, [one, other]);
    return { kind: 'seal' };
  },
  async 'seal that is gone'(client, random) {
    await client.query('DELETE FROM audit_seals WHERE number = $1', [1 + random.below(4)]);
    return { kind: 'seal' };
  },
};

const isDecision = (line: string) => line.startsWith('{"type":"decision"');
const sealed = () => file.flatMap((line, index) => (isDecision(line) && index < lastSeal() ? [index] : []));
const lastSeal = () => file.findLastIndex((line) => line.startsWith('{"type":"seal"'));
const idAt = (index: number) => (JSON.parse(file[index] ?? '') as AuditRow).id;
const rewrite = (line: string | undefined, change: object) =>
  JSON.stringify({ ...(JSON.parse(line ?? '') as object), ...change });

/** Manipulations of an exported file. */
const inFile: Record<string, (copy: string[], random: Random) => Wanted> = {
  edit(copy, random) {
    const index = random.pick(sealed());
    copy[index] = rewrite(copy[index], { [random.pick(FIELDS)]: 'someone else' });
    return { rows: [idAt(index)] };
  },
  deletion(copy, random) {
    const index = random.pick(sealed());
    copy.splice(index, 1);
    return { rows: [idAt(index)] };
  },
  'swap of contents'(copy, random) {
    const [one, other] = random.pair(sealed());
    const place = (index: number) => {
      const { seq, id } = JSON.parse(file[index] ?? '') as AuditRow;
      return { seq, id };
    };
    [copy[one], copy[other]] = [rewrite(copy[other], place(one)), rewrite(copy[one], place(other))];
    return { rows: [idAt(one), idAt(other)], kind: 'swapped' };
  },
  'swap of lines'(copy, random) {
    const [one, other] = random.pair(sealed());
    [copy[one], copy[other]] = [copy[other] ?? '', copy[one] ?? ''];
    return { rows: [idAt(one), idAt(other)], kind: 'moved' };
  },
  'cut tail'(copy, random) {
    copy.splice(copy.length - 1 - random.below(30));
    return { kind: 'file' };
  },
  'cut tail with the end kept'(copy, random) {
    const index = random.pick(sealed());
    copy.splice(index, copy.length - 1 - index);
    return { kind: 'file' };
  },
  'row that was not there'(copy, random) {
    const index = random.pick(sealed());
    copy.splice(index, 0, rewrite(copy[index], { id: crypto.randomUUID() }));
    return { kind: 'inserted' };
  },
  'row twice'(copy, random) {
    const index = random.pick(sealed());
    copy.splice(random.pick(sealed()), 0, copy[index] ?? '');
    return { rows: [idAt(index)], kind: 'inserted' };
  },
  'seal that is gone'(copy, random) {
    const seals = copy.flatMap((line, index) => (line.startsWith('{"type":"seal"') ? [index] : []));
    copy.splice(random.pick(seals), 1);
    return { kind: 'file' };
  },
  'seal with another list of rows'(copy, random) {
    const seals = copy.flatMap((line, index) => (line.startsWith('{"type":"seal"') ? [index] : []));
    const index = random.pick(seals);
    const { entries } = JSON.parse(copy[index] ?? '') as { entries: unknown[] };
    copy[index] = rewrite(copy[index], { entries: entries.slice(1) });
    return { kind: 'seal' };
  },
  'other header'(copy) {
    copy[0] = rewrite(copy[0], { partial: true });
    return { kind: 'file' };
  },
  'line that is not JSON'(copy, random) {
    copy[random.below(copy.length)] = '{"type":';
    return { kind: 'file' };
  },
};

function expectFound(faults: readonly { kind: string; row: string | null }[], wanted: Wanted): void {
  expect(faults).not.toEqual([]);
  const named = faults.map(({ row }) => row);
  for (const row of wanted.rows ?? []) expect(named).toContain(row);
  if (wanted.kind !== undefined) expect(faults.map(({ kind }) => kind)).toContain(wanted.kind);
}

describe('an audit log that nobody touched', () => {
  it('has no faults, in the database and in its export', async () => {
    expect(await verifyAuditLog(db, key.find)).toEqual({
      rows: 60,
      seals: 5,
      unsealed: 3,
      erased: 0,
      removed: 0,
      faults: [],
    });
    expect(await verifyAuditFile(file, [key.jwk])).toMatchObject({
      rows: 63,
      seals: 5,
      unsealed: 3,
      complete: true,
      keys: 'given',
      kids: ['seal-key'],
      end: 'signed',
      faults: [],
    });
    expect(await verifyAuditFile(file)).toMatchObject({ keys: 'file', faults: [] });
  });

  it('has no faults in the export of a period; the export has a fault after one of its rows was deleted', async () => {
    const [from, to] = [rows[15]?.at ?? '', rows[40]?.at ?? ''];
    const part = await lines(key, { from: new Date(from), to: new Date(to) });
    const inside = rows.filter(({ at }) => at >= from && at < to);
    expect(await verifyAuditFile(part, [key.jwk])).toMatchObject({
      rows: inside.length,
      from,
      to,
      complete: true,
      faults: [],
    });
    const index = part.findIndex(isDecision);
    const { id } = JSON.parse(part[index] ?? '') as AuditRow;
    part.splice(index, 1);
    expectFound((await verifyAuditFile(part, [key.jwk])).faults, { rows: [id], kind: 'deleted' });
  });

  it('has no faults in a filtered export, which is marked as partial', async () => {
    const part = await lines(key, { decision: 'deny' });
    expect(await verifyAuditFile(part, [key.jwk])).toMatchObject({ complete: false, faults: [] });
    const index = part.findIndex(isDecision);
    const { id } = JSON.parse(part[index] ?? '') as AuditRow;
    part[index] = rewrite(part[index], { reason: null });
    expectFound((await verifyAuditFile(part, [key.jwk])).faults, { rows: [id], kind: 'edited' });
  });

  it('has a fault when the key of its seals is not trusted', async () => {
    expectFound((await verifyAuditFile(file, [foreign.jwk])).faults, { kind: 'seal' });
  });

  it('has one chain of seals after a rotation of the key', async () => {
    const fresh = await createTestDatabase();
    const other = openDatabase(fresh.url);
    const next = makeSealKey('next-key');
    const { userId } = await makeActor(other);
    await writeSealedAuditLog(other, fresh.url, userId, key, 2);
    await sealAuditLog(other, next);
    const find = (kid: string) => (kid === 'next-key' ? next.find(kid) : key.find(kid));
    expect(await verifyAuditLog(other, find)).toMatchObject({
      seals: 3,
      unsealed: 0,
      erased: 0,
      removed: 0,
      faults: [],
    });
    await other.close();
    await fresh.drop();
  });
});

/** Tries the kinds of manipulations one after the other, at places that the seed determines. */
describe('verification', () => {
  const TRIES = 100;

  it('reports each of 100 manipulations of the database', async () => {
    const kinds = Object.entries(inDatabase);
    await asSuperuser(database.url, async (client) => {
      for (let seed = 0; seed < TRIES; seed++) {
        const [name, tamper] = kinds[seed % kinds.length] as (typeof kinds)[number];
        const wanted = await tamper(client, createRandom(seed));
        const { faults } = await verifyAuditLog(db, key.find);
        expect({ name, seed, found: faults.length > 0 }).toEqual({ name, seed, found: true });
        expectFound(faults, wanted);
        for (const table of ['governance_decisions', 'audit_seals']) {
          await client.query(`DELETE FROM ${table}`);
          await client.query(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
        }
      }
    });
    expect((await verifyAuditLog(db, key.find)).faults).toEqual([]);
  });

  it('reports each of 100 manipulations of an export', async () => {
    const kinds = Object.entries(inFile);
    for (let seed = 0; seed < TRIES; seed++) {
      const [name, tamper] = kinds[seed % kinds.length] as (typeof kinds)[number];
      const copy = [...file];
      const wanted = tamper(copy, createRandom(seed));
      const { faults } = await verifyAuditFile(copy, [key.jwk]);
      expect({ name, seed, found: faults.length > 0 }).toEqual({ name, seed, found: true });
      expectFound(faults, wanted);
    }
  });
});
