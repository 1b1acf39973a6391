import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { createDatabase, newId, Prisma } from './index.js';
import type { Database } from './database.js';
import { createStatementNames, type StatementNames } from './statement-names.js';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const account = (name: string) => ({
  id: newId(),
  email: `${newId()}@example.com`,
  name,
  webauthn_user_id: new Uint8Array(Buffer.from(newId().replaceAll('-', ''))),
});

/** A value of each type that the schema has, and NULL in a list. */
const VALUES = Prisma.sql`
  SELECT 1::smallint AS small, 2::int AS int, 9007199254740993::bigint AS big, 1.5::float8 AS float, 0.1::numeric AS numeric, true AS bool,
         'text' AS text, 'a82c54d2-5b1e-4a5b-9d3c-2f6c8e1b7a90'::uuid AS uuid, '\\x00ff'::bytea AS bytes,
         timestamptz '2026-02-03 04:05:06.789+02' AS moment, date '0001-02-28' AS day, '{"a":[1,null]}'::jsonb AS json, '[1]'::json AS list,
         ARRAY['a', NULL] AS texts, ARRAY[1, NULL] AS ints, ARRAY[1::bigint, NULL] AS bigs, ARRAY[0.1::numeric] AS numerics, ARRAY['\\x00ff'::bytea] AS many_bytes,
         ARRAY[date '2026-02-28'] AS days, ARRAY[timestamptz '2026-02-03 04:05:06Z'] AS moments,
         ARRAY['a82c54d2-5b1e-4a5b-9d3c-2f6c8e1b7a90'::uuid] AS uuids, NULL::int AS nothing`;

const GIVEN = [
  ...['text', "'; DROP TABLE users; --", 1, 1.5, true, null, 9_007_199_254_740_993n, new Prisma.Decimal('0.10')],
  ...[new Date('2026-02-03T04:05:06.789Z'), new Uint8Array([0, 255]), ['a', 'b"c'], [1, 2], [new Date(0)]],
];
const TYPES = 'text,text,int,float8,bool,int,bigint,numeric,timestamptz,bytea,text[],int[],timestamptz[]'.split(',');
const echo = Prisma.sql`SELECT ${Prisma.join(GIVEN.map((value, n) => Prisma.sql`${value}::${Prisma.raw(`${TYPES[n]} AS v${n}`)}`))}`;

const plain = (rows: unknown) =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

describe('a raw statement of a transaction', () => {
  it('returns the values that Prisma returns, for each type', async () => {
    const byPrisma = await db.prisma.$queryRaw(VALUES);
    const rows = await db.transaction((tx) => tx.$queryRaw<Record<string, unknown>[]>(VALUES));
    expect(plain(rows)).toBe(plain(byPrisma));
    expect(rows[0]).toMatchObject({ big: 9_007_199_254_740_993n, bigs: [1n, null], day: new Date('0001-02-28') });
    expect(rows[0]?.['numeric']).toBeInstanceOf(Prisma.Decimal);
  });

  it('sends the values that Prisma sends, for each type', async () => {
    const byPrisma = await db.prisma.$queryRaw(echo);
    expect(plain(await db.transaction((tx) => tx.$queryRaw(echo)))).toBe(plain(byPrisma));
  });

  it('accepts a template and a composed statement, and counts changed rows', async () => {
    const answers = await db.transaction(async (tx) => [
      await tx.$queryRaw`SELECT ${1}::int + ${Prisma.sql`${2}::int`} AS n`,
      await tx.$queryRaw(Prisma.sql`SELECT ${3}::int AS n`),
      await tx.$executeRaw`UPDATE users SET name = name WHERE id = ${newId()}::uuid`,
      await tx.$executeRaw`SELECT FROM generate_series(1, ${4}::int)`,
    ]);
    expect(answers).toEqual([[{ n: 3 }], [{ n: 3 }], 0, 4]);
  });

  it('is prepared once on a connection when it is sent repeatedly', async () => {
    const send = (n: number) => Prisma.sql`SELECT ${n}::int AS repeated`;
    await db.transaction(async (tx) => {
      for (let n = 0; n < 7; n++) await tx.$queryRaw(send(n));
    });
    const prepared = await db.prisma.$queryRaw`
      SELECT (generic_plans + custom_plans)::int AS times FROM pg_prepared_statements WHERE statement = ${send(0).text}`;
    expect(prepared).toEqual([{ times: 3 }]);
  });

  it('still succeeds after a migration has added a column, also when it returns all columns', async () => {
    await db.prisma.$executeRaw`CREATE TABLE widening (a int)`;
    const texts = ['SELECT * FROM widening', 'INSERT INTO widening VALUES (1) RETURNING a', 'DELETE FROM widening'];
    const sendAll = () =>
      db.transaction(async (tx) => {
        for (const text of Array.from({ length: 7 }, () => texts).flat()) await tx.$queryRaw(Prisma.raw(text));
      });
    await sendAll();
    await db.prisma.$executeRaw`ALTER TABLE widening ADD COLUMN b int`;
    await sendAll();
  });
});

describe('a transaction', () => {
  it('applies raw statements and Prisma queries to the same state, and rolls both back together', async () => {
    const [kept, lost] = [account('kept'), account('lost')];
    const seen = await db.transaction(async (tx) => {
      await tx.user.create({ data: kept });
      await tx.$executeRaw`UPDATE users SET name = 'changed' WHERE id = ${kept.id}::uuid`;
      return tx.user.findUniqueOrThrow({ where: { id: kept.id }, select: { name: true } });
    });
    expect(seen).toEqual({ name: 'changed' });
    const refused = db.transaction(async (tx) => {
      await tx.$executeRaw`UPDATE users SET name = 'lost' WHERE id = ${kept.id}::uuid`;
      await tx.user.create({ data: lost });
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    const users = await db.prisma.user.findMany({ where: { id: { in: [kept.id, lost.id] } } });
    expect(users.map(({ name }) => name)).toEqual(['changed']);
  });

  it('fails when a statement failed, even if the caller ignored the failure', async () => {
    const name = newId();
    const ignoring = db.transaction(async (tx) => {
      await tx.user.create({ data: account(name) });
      await tx.$queryRaw`SELECT 1/0`.catch(() => undefined);
    });
    await expect(ignoring).rejects.toThrow('the transaction was rolled back, because one of its statements failed');
    expect(await db.prisma.user.count({ where: { name } })).toBe(0);
  });

  it('refuses statements after its end', async () => {
    let [raw, model] = [() => Promise.resolve<unknown>(1), () => Promise.resolve<unknown>(1)];
    await db.transaction((tx) => {
      raw = () => tx.$queryRaw`SELECT 1`;
      model = () => tx.user.count();
      return Promise.resolve();
    });
    await expect(raw()).rejects.toThrow('the transaction is over');
    await expect(model()).rejects.toThrow('Transaction already closed');
  });

  it('sends no further statement of a running operation after the end of the transaction', async () => {
    const { id } = await db.prisma.user.create({ data: account('before') });
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
    const blocked = Promise.withResolvers<undefined>();
    let late: Promise<unknown> = Promise.resolve();
    const refused = db.transaction(async (tx) => {
      // Several statements, of which the first waits for the other transaction.
      late = tx.user.update({ where: { id }, data: { name: 'after' }, include: { api_keys: true } });
      late.catch(() => undefined);
      while (!(await waitsForLock(holder))) await sleep(5);
      blocked.resolve(undefined);
      throw new Error('no');
    });
    refused.catch(() => undefined);
    await blocked.promise;
    await sleep(20);
    await holder.end();
    await expect(refused).rejects.toThrow('no');
    await expect(late).rejects.toThrow('the transaction is over');
    expect(await db.prisma.user.findUnique({ where: { id }, select: { name: true } })).toEqual({ name: 'before' });
  });

  it('returns its connection to the pool after a success, a failed statement and an error of the caller', async () => {
    await db.transaction((tx) => tx.user.count());
    await db.transaction((tx) => tx.$queryRaw`SELECT 1/0`).catch(() => undefined);
    await db.transaction((tx) => tx.user.create({ data: { ...account('king'), role: 'king' } })).catch(() => undefined);
    await db.transaction(() => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(db.poolState()).toEqual({ total: 1, idle: 1, waiting: 0 });
    expect(await db.transaction((tx) => tx.$queryRaw`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });
});

const waitsForLock = async (client: pg.Client) =>
  (await client.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
    .rowCount !== 0;

describe('the names of statements', () => {
  const namesOf = (text: string, names: StatementNames) => Array.from({ length: 6 }, () => names.of(text));
  const [none, second] = [Array<undefined>(6).fill(undefined), Array<string>(2).fill('statement-2')];

  it('are assigned to texts that are sent for the fifth time, until the limit of names is reached', () => {
    const names = createStatementNames(2);
    expect(namesOf('SELECT 1', names)).toEqual([...none.slice(2), 'statement-1', 'statement-1']);
    expect(namesOf('SELECT count(*) FROM users', names)).toEqual([...none.slice(2), ...second]);
    expect(namesOf('SELECT 3', names)).toEqual(none);
    expect(names.of('SELECT 1')).toBe('statement-1');
  });

  it('are not assigned to texts that select all columns, because a migration may add a column', () => {
    const names = createStatementNames();
    for (const text of ['SELECT * FROM users', 'SELECT u.* FROM users u', 'DELETE FROM users RETURNING *'])
      expect(namesOf(text, names)).toEqual(none);
  });

  it('are not assigned to long texts', () => {
    expect(namesOf(`SELECT '${'x'.repeat(20_000)}'`, createStatementNames())).toEqual(none);
  });

  it('are not used up by texts that are sent only once, however many there are', () => {
    const names = createStatementNames(1);
    for (let n = 0; n < 5_000; n++) names.of(`SELECT ${n}`);
    expect(namesOf('SELECT a', names).at(-1)).toBe('statement-1');
  });
});
