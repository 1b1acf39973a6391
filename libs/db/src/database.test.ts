import { setTimeout as sleep } from 'node:timers/promises';
import { blockEventLoop, createEmptyDatabase, createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { changeOwner, createDatabase, databaseFailure, isUniqueViolation, newId, runOwnedBy } from './index.js';
import type { Database, DatabaseOptions } from './database.js';
import { schemaState } from './schema-state.js';
import { createWire } from './test-wire.js';

let database: TestDatabase;
const opened: Database[] = [];
function open(options: Partial<DatabaseOptions> = {}): Database {
  const db = createDatabase({ url: database.url, poolMax: 2, ...options });
  opened.push(db);
  return db;
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
});
afterAll(() => database.drop());

const account = () => ({
  id: newId(),
  email: `${newId()}@example.com`,
  name: 'Ann',
  webauthn_user_id: new Uint8Array(Buffer.from(newId().replaceAll('-', ''))),
});
const select = (db: Database) => db.prepared<{ n: number }>('one', 'SELECT 1 AS n', []);
const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it answered',
    (error: unknown) => databaseFailure(error),
  );

describe('prepared', () => {
  it('prepares a statement only once on each connection', async () => {
    const db = open({ poolMax: 1 });
    for (let n = 0; n < 3; n++) {
      expect(await db.prepared<{ n: number }>('adds', 'SELECT $1::int + 1 AS n', [n])).toEqual([{ n: n + 1 }]);
    }
    const [statement] = await db.prisma.$queryRaw<[{ times: bigint }]>`
      SELECT generic_plans + custom_plans AS times FROM pg_prepared_statements WHERE name = 'adds'`;
    expect(statement.times).toBe(3n);
  });

  it('refuses to use one name for two different statements', async () => {
    const db = open({ poolMax: 1 });
    await db.prepared('same', 'SELECT 1', []);
    await expect(db.prepared('same', 'SELECT 2', [])).rejects.toThrow('must be unique');
  });

  it('passes values as parameters, never as SQL', async () => {
    const text = "'; DROP TABLE users; --";
    expect(await open().prepared<{ text: string }>('echo', 'SELECT $1::text AS text', [text])).toEqual([{ text }]);
  });
});

describe('expensive', () => {
  it('uses at most a third of the connections per project, so that other projects and other statements need not wait', async () => {
    const db = open({ poolMax: 3 });
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(7)');
    const wait = () => db.expensive('Core').prepared('waits', 'SELECT pg_advisory_xact_lock_shared(7)', []);
    const waiting = Promise.all(Array.from({ length: 5 }, wait));
    expect(await db.expensive('Commerce').prepared('two', 'SELECT 2 AS n', [])).toEqual([{ n: 2 }]);
    for (let n = 0; n < 3; n++) expect(await select(db)).toEqual([{ n: 1 }]);
    const { rows } = await holder.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'",
    );
    expect(rows).toEqual([{ n: 1 }]);
    await holder.end();
    expect(await waiting).toHaveLength(5);
  });
});

describe('transaction', () => {
  it('commits everything or nothing', async () => {
    const db = open();
    const [kept, lost] = [account(), account()];
    await db.transaction((tx) => tx.user.create({ data: kept }));
    const refused = db.transaction(async (tx) => {
      await tx.user.create({ data: lost });
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    const users = await db.prisma.user.findMany({ where: { id: { in: [kept.id, lost.id] } } });
    expect(users.map(({ id }) => id)).toEqual([kept.id]);
  });

  it('is rolled back and fails as unavailable when a statement exceeds its time limit', async () => {
    const db = open();
    const slow = db.transaction(async (tx) => {
      await tx.user.create({ data: { ...account(), name: 'slow' } });
      await tx.$queryRaw`SELECT pg_sleep(5)::text`;
    });
    expect(await reasonOf(slow)).toMatchObject({ code: 'unavailable', status: 503 });
    expect(await db.prisma.user.count({ where: { name: 'slow' } })).toBe(0);
  });

  it('is rolled back and fails as unavailable when it exceeds its time limit without a running statement', async () => {
    const db = open();
    const endless = db.transaction(async (tx) => {
      await tx.user.create({ data: { ...account(), name: 'endless' } });
      await new Promise(() => undefined);
    });
    expect(await reasonOf(endless)).toMatchObject({ code: 'unavailable', status: 503 });
    expect(await db.prisma.user.count({ where: { name: 'endless' } })).toBe(0);
  });

  it('fails as unavailable when the server closes its connection, and the next transaction succeeds', async () => {
    const db = open({ poolMax: 1 });
    const cut = db.transaction((tx) => tx.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`);
    expect(await reasonOf(cut)).toMatchObject({ code: 'unavailable', retryAfter: 1 });
    expect(await db.transaction((tx) => tx.user.count())).toBeGreaterThanOrEqual(0);
    expect(db.poolState()).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  it('fails as unavailable when the server aborts it to resolve a deadlock', async () => {
    const db = open();
    const ids = [account(), account()];
    for (const data of ids) await db.prisma.user.create({ data });
    const clients = [
      new pg.Client({ connectionString: database.url }),
      new pg.Client({ connectionString: database.url }),
    ];
    const lock = (n: number, id: number) =>
      clients[n]?.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [ids[id]?.id]) ?? Promise.reject(new Error());
    for (const [n, client] of clients.entries()) {
      await client.connect();
      await client.query('BEGIN');
      await lock(n, n);
    }
    const outcomes = await Promise.all([reasonOf(lock(0, 1)), reasonOf(lock(1, 0))]);
    expect(outcomes).toContainEqual(expect.objectContaining({ code: 'unavailable' }));
    await Promise.all(clients.map((client) => client.end()));
  });

  it('fails as unavailable, so that it may be repeated, after a conflict with another transaction', async () => {
    const db = open();
    const { id } = await db.prisma.user.create({ data: account() });
    let readers = 0;
    let tell: () => void = () => undefined;
    const bothHaveRead = new Promise<void>((resolve) => (tell = resolve));
    const change = () =>
      db.prisma.$transaction(
        async (tx) => {
          const { version } = await tx.user.findUniqueOrThrow({ where: { id } });
          if (++readers === 2) tell();
          await bothHaveRead;
          await tx.user.update({ where: { id }, data: { version: version + 1 } });
        },
        { isolationLevel: 'Serializable' },
      );
    const outcomes = await Promise.all([reasonOf(change()), reasonOf(change())]);
    expect(outcomes).toContainEqual('it answered');
    expect(outcomes).toContainEqual(expect.objectContaining({ code: 'unavailable' }));
  });
});

describe('a pool that refuses nesting', () => {
  it('refuses statements that are sent to the pool inside one of its transactions', async () => {
    const db = createDatabase({ url: database.url, poolMax: 2, refusesNesting: true });
    opened.push(db);
    const refused = /used within a transaction/;
    await expect(db.transaction(() => select(db))).rejects.toThrow(refused);
    await expect(db.transaction(() => db.prisma.user.count())).rejects.toThrow(refused);
    await expect(db.transaction(() => db.transaction((tx) => tx.user.count()))).rejects.toThrow(refused);
    expect(await db.transaction((tx) => tx.user.count())).toBe(await db.prisma.user.count());
    expect(await select(db)).toEqual([{ n: 1 }]);
  });
});

describe('a process that was frozen for longer than every timeout', () => {
  it('still receives the answer to a query', async () => {
    const db = open();
    await select(db);
    const answer = select(db);
    blockEventLoop(2_500);
    expect(await answer).toEqual([{ n: 1 }]);
  });

  it('still starts, continues and commits a transaction', async () => {
    const db = open();
    const { id } = await db.prisma.user.create({ data: account() });
    const change = db.transaction(async (tx) => {
      const asked = tx.user.findUniqueOrThrow({ where: { id } });
      blockEventLoop(4_000);
      const { version } = await asked;
      await tx.user.update({ where: { id }, data: { version: version + 1 } });
    });
    blockEventLoop(2_500);
    await change;
    expect(await db.prisma.user.findUniqueOrThrow({ where: { id } })).toMatchObject({ version: 2 });
  });
});

describe('a pool with waiting calls of several owners', () => {
  it.each(['prepared', 'prisma', 'transaction'] as const)('assigns connections in turn by owner: %s', async (way) => {
    const db = open({ poolMax: 1, acquireTimeoutMs: 60_000 });
    const taken = Promise.withResolvers<undefined>();
    const finish = Promise.withResolvers<undefined>();
    const holder = db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      taken.resolve(undefined);
      await finish.promise;
    });
    await taken.promise;
    const work = {
      prepared: () => select(db),
      prisma: () => db.prisma.user.count(),
      transaction: () => db.transaction((tx) => tx.user.count()),
    }[way];
    const done: string[] = [];
    const owners = ['many', 'many', 'many', 'many', 'one changed'];
    const waiting = owners.map((owner) =>
      runOwnedBy('same address', async () => {
        await Promise.resolve();
        changeOwner(owner);
        await work();
        done.push(owner);
      }),
    );
    while (db.poolState().waiting < owners.length) await sleep(5);
    finish.resolve(undefined);
    await Promise.all([holder, ...waiting]);
    expect(done).toEqual(['many', 'one changed', 'many', 'many', 'many']);
  });
});

describe('a pool with no connection left', () => {
  it.each(['prepared', 'prisma', 'transaction'] as const)('fails %s calls as unavailable within 5 s', async (way) => {
    const db = open({ poolMax: 1 });
    let finish: () => void = () => undefined;
    let taken: () => void = () => undefined;
    const isTaken = new Promise<void>((resolve) => (taken = resolve));
    const holder = db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      taken();
      await new Promise<void>((resolve) => (finish = resolve));
    });
    await isTaken;
    const started = performance.now();
    const work = {
      prepared: () => select(db),
      prisma: () => db.prisma.user.count(),
      transaction: () => db.transaction((tx) => tx.user.count()),
    }[way];
    expect(await reasonOf(work())).toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(5_000);
    finish();
    await holder;
    expect(await select(db)).toEqual([{ n: 1 }]);
    expect(await db.transaction((tx) => tx.user.count())).toBeGreaterThanOrEqual(0);
    expect(db.poolState()).toEqual({ total: 1, idle: 1, waiting: 0 });
  });
});

describe('isUniqueViolation', () => {
  it('is true for a violated unique constraint in Prisma, raw SQL and prepared statements, and false for other errors', async () => {
    const db = open();
    const data = account();
    await db.prisma.user.create({ data });
    const again = { ...account(), email: data.email.toUpperCase() };
    const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
    const failures = await Promise.all([
      failureOf(db.prisma.user.create({ data: again })),
      failureOf(db.transaction((tx) => tx.user.create({ data: again }))),
      failureOf(
        db.prisma
          .$executeRaw`INSERT INTO record_counts VALUES ('Core', 'skills', 'x', 1, 1), ('Core', 'skills', 'x', 1, 1)`,
      ),
      failureOf(
        db.prepared(
          'twice',
          "INSERT INTO record_counts VALUES ('Core', 'agents', 'x', 1, 1), ('Core', 'agents', 'x', 1, 1)",
          [],
        ),
      ),
    ]);
    expect(failures.map(isUniqueViolation)).toEqual([true, true, true, true]);
    const others = await Promise.all([
      failureOf(db.prisma.user.create({ data: { ...account(), role: 'king' } })),
      failureOf(db.prepared('bad', 'SELECT nonsense', [])),
    ]);
    for (const failure of [...others, new Error('no'), undefined, 'text']) {
      expect(isUniqueViolation(failure)).toBe(false);
      expect(databaseFailure(failure)).toBe(failure);
    }
  });
});

describe('a database server', () => {
  const ways = {
    prepared: (db: Database): Promise<unknown> => select(db),
    prisma: (db: Database): Promise<unknown> => db.prisma.user.count(),
    transaction: (db: Database): Promise<unknown> => db.transaction((tx) => tx.user.count()),
  };

  it.each(Object.entries(ways))('makes %s calls fail as unavailable after the server stopped', async (_name, way) => {
    const wire = await createWire(new URL(database.url));
    const idle: Error[] = [];
    const db = open({ url: wire.url, onIdleError: (error) => idle.push(error) });
    await way(db);
    await wire.cut();
    expect(await reasonOf(way(db))).toMatchObject({ code: 'unavailable' });
    expect(await db.notReady()).toMatch(/^the database does not answer \((ECONNREFUSED|ECONNRESET|57P01)\)$/);
  });

  it('makes all calls fail as unavailable within 6 s when the server stops responding, and is used again when it responds', async () => {
    const wire = await createWire(new URL(database.url));
    const db = open({ url: wire.url, poolMax: 3 });
    await Promise.all(Object.values(ways).map((way) => way(db)));
    wire.freeze();
    const started = performance.now();
    const reasons = await Promise.all(Object.values(ways).map((way) => reasonOf(way(db))));
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(6_000);
    wire.thaw();
    for (const way of Object.values(ways)) await way(db);
    await db.close();
    await wire.close();
  });

  it('makes a transaction fail as unavailable within 6 s when the server stops responding during the transaction', async () => {
    const wire = await createWire(new URL(database.url));
    const db = open({ url: wire.url });
    let frozenAt = 0;
    const cut = db.transaction(async (tx) => {
      await tx.user.count();
      wire.freeze();
      frozenAt = performance.now();
      await tx.user.count();
    });
    expect(await reasonOf(cut)).toMatchObject({ code: 'unavailable' });
    expect(performance.now() - frozenAt).toBeLessThan(6_000);
    await db.close();
    await wire.close();
  });

  it('releases the locks of a client that stops responding during a transaction', async () => {
    const wire = await createWire(new URL(database.url));
    const db = open({ url: wire.url });
    const lost = { ...account(), name: 'lost' };
    const holds = Promise.withResolvers<undefined>();
    const silent = db.transaction(async (tx) => {
      await tx.user.create({ data: lost });
      await tx.$executeRaw`LOCK TABLE governance_decisions IN ROW EXCLUSIVE MODE`; // takes the lock for which sealing waits
      wire.freeze();
      holds.resolve(undefined);
      await new Promise(() => undefined);
    });
    const reason = reasonOf(silent);
    await holds.promise;
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query('BEGIN');
    await other.query('LOCK TABLE governance_decisions IN SHARE MODE'); // this statement waits for the lock of the lost client
    await other.query('ROLLBACK');
    expect((await other.query('SELECT FROM users WHERE id = $1', [lost.id])).rowCount).toBe(0);
    await other.end();
    expect(await reason).toMatchObject({ code: 'unavailable' });
    await db.close();
    await wire.close();
  });

  it('detects a lost client by settings that the pool adds to the settings of the URL', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c lock_timeout=1234');
    const settings = await open({ url: url.href }).prepared<{ name: string; setting: string }>(
      'settings',
      'SELECT name, setting FROM pg_settings WHERE name = ANY($1) ORDER BY name',
      [['idle_in_transaction_session_timeout', 'lock_timeout', 'tcp_keepalives_idle', 'tcp_user_timeout']],
    );
    expect(settings.map(({ setting }) => setting)).toEqual(['10000', '1234', '10', '15000']);
  });

  it('makes every query fail as unavailable when its host name does not resolve', async () => {
    const db = open({ url: 'postgresql://u:p@no-such-host.invalid:5432/x' });
    expect(await reasonOf(select(db))).toMatchObject({ code: 'unavailable' });
    expect(await db.notReady()).toMatch(/^the database does not answer \((ENOTFOUND|EAI_AGAIN)\)$/);
  });

  it('is reported as not ready with the error code when it refuses the password', async () => {
    const url = new URL(database.url);
    url.username = 'nobody_known';
    expect(await open({ url: url.href }).notReady()).toMatch(/^the database does not answer \(28[0-9A-Z]{3}\)$/);
  });

  it('can close an idle connection without making a query fail', async () => {
    const idle: Error[] = [];
    const db = open({ poolMax: 1, onIdleError: (error) => idle.push(error) });
    const [{ pid } = { pid: 0 }] = await db.prepared<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid', []);
    await open().prepared('end', 'SELECT pg_terminate_backend($1)', [pid]);
    while (idle.length === 0) await sleep(5);
    expect(await select(db)).toEqual([{ n: 1 }]);
  });
});

describe('notReady', () => {
  it('opens every connection of the pool, and returns undefined when the database answers', async () => {
    const db = open({ poolMax: 7 });
    expect(await db.notReady()).toBeUndefined();
    expect(db.poolState()).toEqual({ total: 7, idle: 7, waiting: 0 });
  });

  it.each([
    [
      'there is no schema',
      createEmptyDatabase,
      '20991231000000_newest',
      'the schema is older than 20991231000000_newest',
    ],
    [
      'the schema is older',
      createTestDatabase,
      '20991231000000_newest',
      'the schema is older than 20991231000000_newest',
    ],
    ['the schema has the required version', createTestDatabase, '20261121000000_init', undefined],
  ])('returns the reason, or undefined if the database is ready, when %s', async (_case, create, wanted, reason) => {
    const { url, drop } = await create();
    const pool = new pg.Pool({ connectionString: url }).on('error', () => undefined);
    expect(await schemaState(pool, wanted)).toBe(reason);
    await pool.end();
    await drop();
  });

  it('reports the schema as older when the required migration is unfinished or was rolled back', async () => {
    const { url, drop } = await createTestDatabase();
    const pool = new pg.Pool({ connectionString: url });
    await pool.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, rolled_back_at)
                      VALUES ('a', '', 'unfinished', NULL, NULL), ('b', '', 'undone', now(), now())`);
    expect(await schemaState(pool, 'unfinished')).toBe('the schema is older than unfinished');
    expect(await schemaState(pool, 'undone')).toBe('the schema is older than undone');
    await pool.end();
    await drop();
  });
});

it('a database can be closed twice', async () => {
  const db = open();
  await select(db);
  await db.close();
  await db.close();
});
