import { createUser } from '@millwright/accounts';
import type { Caller } from '@millwright/auth';
import { createDatabase, decodeId, encodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { contains, defineRecords, equals, listPage, nextPart, partOf, startsWith } from './index.js';

interface SkillRow {
  id: string;
  name: string;
  status: string;
  version: number;
}

const SKILLS = defineRecords<SkillRow, string>({
  table: 'skills',
  prefix: 'sk',
  noun: 'skill',
  columns: 'r.id, r.name, r.status, r.version',
  toResponse: ({ name }) => name,
});

let database: TestDatabase;
let db: Database;
let caller: Caller;
let id: string;

const page = { sort: 'name', direction: 'asc', limit: 10, offset: 0 } as const;
const fields = { description: '', instructions: 'Do it.', parameters: {} };
const create = (name: string) =>
  db.transaction((tx) =>
    SKILLS.create(
      tx,
      caller,
      (columns) => tx.skill.create({ data: { ...fields, ...columns, name } }),
      () => ({ name }),
    ),
  );
const decisions = (action: string) => db.prisma.governanceDecision.findMany({ where: { action } });

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 3 });
  const email = 'ada@example.com';
  const user = await db.transaction((tx) =>
    createUser(tx, { email, name: 'Ada', role: 'admin', project: 'Core', platformAdmin: false }),
  );
  const userId = decodeId('usr', user.id) ?? '';
  const actor = { userId, kind: 'user', label: email } as const;
  caller = { project: 'Core', actor };
  for (const name of ['Mill', '100% wheat', '100 grains', 'Stone']) await create(name);
  const row = await db.prisma.skill.findFirstOrThrow({ where: { name: 'Mill' } });
  id = encodeId('sk', row.id);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('defineRecords', () => {
  it('sets both times of a new record to the same moment', async () => {
    const row = await db.prisma.skill.findFirstOrThrow({ where: { name: 'Stone' } });
    expect(row.updated_at).toEqual(row.created_at);
  });

  it('finds a record of the project with its version, and no record of another project', async () => {
    expect(await SKILLS.find(db, 'Core', id)).toEqual({ record: 'Mill', version: 1 });
    expect(await SKILLS.find(db, 'Commerce', id)).toBeUndefined();
    expect(await SKILLS.find(db, 'Core', 'sk_nonsense')).toBeUndefined();
  });

  it('writes a change together with the next version, the time of the change, the totals of lists and an audit row', async () => {
    const before = await db.prisma.skill.findFirstOrThrow({ where: { name: 'Mill' } });
    await db.transaction(async (tx) => {
      const current = await SKILLS.lock(tx, caller, { id, ifMatch: [1] });
      await SKILLS.change(
        tx,
        caller,
        current,
        (next) => tx.skill.update({ where: { id: current.id }, data: { status: 'inactive', ...next } }),
        () => ({ fields: ['status'] }),
      );
    });
    const after = await db.prisma.skill.findFirstOrThrow({ where: { name: 'Mill' } });
    expect(after.version).toBe(2);
    expect(after.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
    expect(await SKILLS.list(db, 'Core', { ...page, status: 'inactive' })).toEqual({
      items: ['Mill'],
      total: 1,
      cut: false,
    });
    expect(await decisions('skill.update')).toMatchObject([{ resource: id, detail: { fields: ['status'] } }]);
  });

  it('refuses a lock for an outdated version', async () => {
    const locked = db.transaction((tx) => SKILLS.lock(tx, caller, { id, ifMatch: [1] }));
    await expect(locked).rejects.toMatchObject({ code: 'precondition_failed' });
  });

  it('refuses a taken name with the error conflict; the total of the list does not change, and no audit row is written', async () => {
    const before = (await decisions('skill.create')).length;
    await expect(create('Mill')).rejects.toMatchObject({ code: 'conflict', fields: [{ field: 'name' }] });
    expect(await decisions('skill.create')).toHaveLength(before);
    expect((await SKILLS.list(db, 'Core', page)).total).toBe(4);
  });

  it('removes a record, decreases the total of the list and writes an audit row', async () => {
    const row = await create('Short-lived');
    const target = { id: SKILLS.idOf(row.id), ifMatch: undefined };
    await db.transaction((tx) =>
      SKILLS.remove(tx, caller, target, (current) => tx.skill.delete({ where: { id: current.id } })),
    );
    expect((await SKILLS.list(db, 'Core', page)).total).toBe(4);
    expect(await decisions('skill.delete')).toMatchObject([{ resource: target.id }]);
  });
});

describe('nextPart', () => {
  it.each([
    [
      'the rest of a page that is answered in parts',
      { page: 2, size: 5, skip: 1, items: 2, cut: true, total: 30 },
      { page: 2, skip: 3 },
    ],
    ['the next page after a whole page', { page: 2, size: 5, items: 5, cut: false, total: 11 }, { page: 3 }],
    ['nothing after the last page', { page: 3, size: 5, items: 1, cut: false, total: 11 }, undefined],
    ['nothing after a last page that is full', { page: 2, size: 5, items: 5, cut: false, total: 10 }, undefined],
  ])('returns %s', (_, listed, next) => expect(nextPart(listed)).toEqual(next));
});

describe('partOf', () => {
  it('returns the rest of the page and no items of the next page', () => {
    expect(partOf(2, 20)).toEqual({ offset: 20, limit: 20 });
    expect(partOf(2, 20, 7)).toEqual({ offset: 27, limit: 13 });
    expect(partOf(1, 5, 99)).toEqual({ offset: 99, limit: 0 });
  });
});

describe('listPage', () => {
  const source = { name: 'test-skills', table: 'skills', columns: 'r.name' };
  const names = async (...conditions: Parameters<typeof listPage>[2]['conditions']) => listNames(source, conditions);
  const listNames = async (from: typeof source, conditions: Parameters<typeof listPage>[2]['conditions']) => {
    const { rows, total } = await listPage<{ name: string }>(db, from, { ...page, conditions });
    expect(total).toBe(rows.length);
    return rows.map(({ name }) => name);
  };

  it('matches the characters of a search literally, ignoring case', async () => {
    expect(await names(contains(['r.name'], '0%'))).toEqual(['100% wheat']);
    expect(await names(contains(['r.name'], 'STONE'))).toEqual(['Stone']);
    expect(await names(startsWith('r.name', 'st'))).toEqual(['Stone']);
    expect(await names(startsWith('r.name', '_'))).toEqual([]);
    expect(await names(contains(['r.name'], String.raw`\Mill`))).toEqual([]);
  });

  it('applies every condition and counts the rows that fulfil all conditions', async () => {
    const ofProject = { ...source, name: 'test-skills-of-project' };
    const core = equals('r.project', 'Core');
    expect(await listNames(ofProject, [core, contains(['r.name'], '100')])).toHaveLength(2);
    expect(await listNames(ofProject, [core, equals('r.id', newId(), 'id')])).toEqual([]);
  });

  it('counts all rows, or rows up to the limit of the count', async () => {
    const request = { ...page, limit: 1, conditions: [equals('r.project', 'Core')] };
    const totals = [];
    for (const limit of [{}, { mostCounted: 5 }, { mostCounted: 3 }]) {
      const limited = { ...source, name: `test-skills-${limit.mostCounted ?? 'all'}` };
      totals.push((await listPage(db, limited, { ...request, ...limit })).total);
    }
    expect(totals).toEqual([4, 4, 3]);
  });

  it('numbers the placeholders correctly when some conditions have no value', async () => {
    const isLong = { name: 'long', sql: () => 'length(r.name) > 4' };
    expect(await names(isLong, contains(['r.name'], '100'), equals('r.name', '100 grains', 'name'))).toEqual([
      '100 grains',
    ]);
    expect(await names(isLong)).toEqual(['100 grains', '100% wheat', 'Stone']);
  });

  it('ends a page of long rows after 8 MiB, and continues it with the next row', async () => {
    const long = { ...source, name: 'long-skills', bytes: "CASE r.name WHEN 'Mill' THEN 1 ELSE 5000000 END" };
    const parts: { names: string[]; cut: boolean; total: number }[] = [];
    for (let offset = 0; offset < 4; offset += parts.at(-1)?.names.length ?? 0) {
      const request = { ...page, conditions: [equals('r.project', 'Core')], limit: 4 - offset, offset };
      const { rows, total, cut } = await listPage<{ name: string }>(db, long, request);
      parts.push({ names: rows.map(({ name }) => name), cut, total });
    }
    expect(parts).toEqual([
      { names: ['100 grains', '100% wheat'], cut: true, total: 4 },
      { names: ['Mill', 'Stone'], cut: false, total: 4 },
    ]);
  });

  it('fills a page up to exactly 8 MiB: the row that reaches the limit is still on the page', async () => {
    const exact = { ...source, name: 'exact-skills', bytes: `${4 * 1_048_576}` };
    const request = { ...page, conditions: [equals('r.project', 'Core')] };
    expect((await listPage(db, exact, request)).rows).toHaveLength(2);
  });

  it('returns a row above the byte limit as the only row of a page', async () => {
    const huge = { ...source, name: 'huge-skills', bytes: '9000000' };
    const request = { ...page, conditions: [equals('r.project', 'Core')] };
    expect(await listPage(db, huge, request)).toMatchObject({ rows: [{ name: '100 grains' }], total: 4, cut: true });
  });

  it('neither repeats nor skips rows with equal sort values', async () => {
    const seen: string[] = [];
    for (let offset = 0; offset < 4; offset += 1) {
      const request = {
        conditions: [equals('r.project', 'Core')],
        sort: 'project',
        direction: 'desc',
        limit: 1,
      } as const;
      const { rows, total } = await listPage<{ name: string }>(db, source, { ...request, offset });
      expect(total).toBe(4);
      seen.push(...rows.map(({ name }) => name));
    }
    expect(new Set(seen).size).toBe(4);
  });
});
