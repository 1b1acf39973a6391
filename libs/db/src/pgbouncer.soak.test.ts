import { createTestDatabase, serviceConnection, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { createDatabase, type Database } from './index.js';
import { listenTo } from './notifications/index.js';
import { asRole } from './roles.js';

/** Returns the connection to the pooler. Throws without a pooler, because these tests would also pass on a direct connection. */
const connectionOf = (url: string) => {
  const connection = serviceConnection(asRole(url, 'platform-api'));
  if (!connection.pooled) throw new Error('run these tests with npm run pgbouncer');
  return connection;
};

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ ...connectionOf(database.url), poolMax: 20, acquireTimeoutMs: 15_000 });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const setting = async (name: string) =>
  (await db.prepared<{ value: string }>('setting', 'SELECT current_setting($1) AS value', [name]))[0]?.value;

describe('a database behind PgBouncer', () => {
  it('is ready, and its sessions have the time limits of the pooler and the role of the service', async () => {
    expect(await db.notReady()).toBeUndefined();
    expect(await setting('statement_timeout')).toBe('1900ms');
    expect(await setting('idle_in_transaction_session_timeout')).toBe('10s');
    expect(await setting('role')).toBe('millwright_platform_api');
  });

  it('runs more concurrent prepared statements than the pooler has sessions', async () => {
    const numbers = Array.from({ length: 400 }, (_, index) => index);
    const found = await Promise.all(
      numbers.map((n) => db.prepared<{ n: number }>(`named-${n % 7}`, `SELECT $1::int + ${n % 7} AS n`, [n])),
    );
    expect(found.map(([row]) => row?.n)).toEqual(numbers.map((n) => n + (n % 7)));
  });

  it('runs a transaction in one session, and ends the settings and locks of the transaction with it', async () => {
    const inside = await db.transaction(async (tx) => {
      await tx.$executeRaw`SELECT set_config('millwright.test', 'inside', true), pg_advisory_xact_lock(7)`;
      return tx.$queryRaw<{ value: string }[]>`SELECT current_setting('millwright.test') AS value`;
    });
    expect(inside).toEqual([{ value: 'inside' }]);
    const after = await Promise.all(
      Array.from({ length: 30 }, () =>
        db.prepared<{ left: string }>(
          'left',
          `SELECT coalesce(current_setting('millwright.test', true), '') || (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS left`,
          [],
        ),
      ),
    );
    expect(new Set(after.map(([row]) => row?.left))).toEqual(new Set(['0']));
  });

  it('ends a statement and an idle transaction at the limits of the pooler', async () => {
    await expect(db.prepared('long', 'SELECT pg_sleep(30)', [])).rejects.toThrow();
    const client = new pg.Client({ connectionString: connectionOf(database.url).url });
    const ended = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await client.query('BEGIN');
    await ended;
    expect(await db.prepared('one', 'SELECT 1 AS one', [])).toEqual([{ one: 1 }]);
  });

  it('sends notifications, which a direct connection receives', async () => {
    const heard = Promise.withResolvers<string>();
    const connected = Promise.withResolvers<undefined>();
    const listener = listenTo({
      url: database.url,
      channel: 'pooled',
      onNotify: heard.resolve,
      onConnected: () => {
        connected.resolve(undefined);
        return Promise.resolve();
      },
      onError: heard.reject,
    });
    await connected.promise;
    await db.transaction((tx) => tx.$executeRaw`SELECT pg_notify('pooled', 'news')`);
    expect(await heard.promise).toBe('news');
    await listener.close();
  });
});
