import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { directUrl } from './config.js';
import { createDatabase } from './database.js';
import { createDirectPool } from './direct-pool.js';
import { listenTo } from './notifications/listen.js';
import { migrate, migrationStatus } from './migrations/index.js';
import { countExisting, readQuotaDrift, recountQuotas } from './quotas/index.js';
import { applyRoles } from './roles.js';
import { createRenumberingWire, readStartup } from './test-wire.js';

const ignored = () => undefined;

/**
 * Every way in which the services and the command line connect to the database. A lint rule allows services to use `pg` in this lib only,
 * so the list is complete.
 */
const CONNECTIONS: readonly [name: string, connect: (url: string) => unknown][] = [
  ['the pool of requests', (url) => createDatabase({ url, poolMax: 1 }).prepared('one', 'SELECT 1', []).catch(ignored)],
  [
    'the pool of pg-boss',
    (url) =>
      createDirectPool({ url, max: 1, applicationName: 'test', onError: ignored }).query('SELECT 1').catch(ignored),
  ],
  [
    'a listener',
    (url) => {
      const listener = listenTo({
        url,
        channel: 'x',
        onNotify: ignored,
        onConnected: () => Promise.resolve(),
        onError: () => void listener.close(),
      });
    },
  ],
  ['the migrations', (url) => migrate(directUrl({ DATABASE_URL: url }), []).catch(ignored)],
  ['the state of the migrations', (url) => migrationStatus(directUrl({ DATABASE_URL: url }), []).catch(ignored)],
  ['the roles', (url) => applyRoles(directUrl({ DATABASE_URL: url }), []).catch(ignored)],
  ['the first count of quotas', (url) => countExisting(url).catch(ignored)],
  ['the check of quotas', (url) => readQuotaDrift(url).catch(ignored)],
  ['the recount of quotas', (url) => recountQuotas(url).catch(ignored)],
];

describe('a connection', () => {
  it.each(CONNECTIONS)(
    'sends settings with which the server soon detects a lost client: %s',
    async (_name, connect) => {
      const sent = await readStartup(connect);
      expect(sent).toContain('-c idle_in_transaction_session_timeout=10000');
      expect(sent).toContain('-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3');
      expect(sent).toContain('-c tcp_user_timeout=15000');
    },
  );

  it('does not replace a setting that the options of its URL contain', async () => {
    const options = encodeURIComponent('-c tcp_user_timeout=1');
    const sent = await readStartup((url) =>
      migrate(directUrl({ DATABASE_URL: `${url}?options=${options}` }), []).catch(ignored),
    );
    expect(sent).toContain('-c tcp_user_timeout=1 ');
    expect(sent).not.toContain('tcp_user_timeout=15000');
  });

  it('leads to DATABASE_DIRECT_URL when its address comes from directUrl and DATABASE_URL leads to a pooler', () => {
    const direct = directUrl({ DATABASE_URL: 'postgresql://pooler/x', DATABASE_DIRECT_URL: 'postgresql://server/x' });
    expect(new URL(direct).host).toBe('server');
  });
});

describe('a pool whose address leads to a pooler, while no direct address is set', () => {
  it('is reported as not ready, with the name of the missing setting', async () => {
    const database = await createTestDatabase();
    const pooler = await createRenumberingWire(new URL(database.url));
    const [through, direct] = [pooler.url, database.url].map((url) => createDatabase({ url, poolMax: 1 }));
    expect(await through?.notReady()).toMatch(/^DATABASE_URL leads to a pooler.*DATABASE_DIRECT_URL/);
    expect(await direct?.notReady()).toBeUndefined();
    await Promise.all([through?.close(), direct?.close()]);
    await pooler.close();
    await database.drop();
  });
});

describe('a pool on a pooler', () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await createTestDatabase()));
  afterEach(() => database.drop());

  it('sends no session settings, which the pooler would refuse', async () => {
    const sent = await readStartup((url) =>
      createDatabase({ url, pooled: true, poolMax: 1 }).prepared('one', 'SELECT 1', []).catch(ignored),
    );
    expect(sent).not.toContain('options');
    expect(sent).not.toContain('statement_timeout');
  });

  it('prepares no named statement, because the next transaction may get another session', async () => {
    const statements = async (pooled: boolean) => {
      const db = createDatabase({ url: database.url, pooled, poolMax: 1 });
      await db.prepared('one', 'SELECT 1', []);
      const [found] = await db.prepared<{ n: number }>(
        'count',
        'SELECT count(*)::int AS n FROM pg_prepared_statements',
        [],
      );
      await db.close();
      return found?.n;
    };
    expect([await statements(true), await statements(false)]).toEqual([0, 2]);
  });

  it('is not ready while its sessions have no time limit for statements or for idle transactions', async () => {
    const states: (string | undefined)[] = [];
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const name = new URL(database.url).pathname.slice(1);
    for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
      const db = createDatabase({ url: database.url, pooled: true, poolMax: 1 });
      states.push(await db.notReady());
      await db.close();
      await client.query(`ALTER DATABASE ${name} SET ${setting} = 1900`);
    }
    const db = createDatabase({ url: database.url, pooled: true, poolMax: 1 });
    states.push(await db.notReady());
    await Promise.all([db.close(), client.end()]);
    const without = (settings: string) =>
      `the pooler of DATABASE_URL opens sessions without ${settings}: set it in its connect_query`;
    expect(states).toEqual([
      without('idle_in_transaction_session_timeout and statement_timeout'),
      without('idle_in_transaction_session_timeout'),
      undefined,
    ]);
  });
});
