import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createDatabase, type Database } from '../index.js';
import { listenTo, type Listener } from './index.js';
import { readStartup } from '../test-wire.js';

let database: TestDatabase;
let db: Database;
let listener: Listener;
beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 2 });
});
afterEach(async () => {
  await listener.close();
  await db.close();
  await database.drop();
});

const CHANNEL = 'test_channel';
const notify = (payload: string) => db.prisma.$executeRaw`SELECT pg_notify(${CHANNEL}, ${payload})`;

/** Starts to listen. Returns the received notifications in order, and a function that resolves at the next connection. */
function start() {
  const received: string[] = [];
  let heard = Promise.withResolvers<undefined>();
  let connected = Promise.withResolvers<undefined>();
  const failures: unknown[] = [];
  const missed: number[] = [];
  listener = listenTo({
    url: database.url,
    channel: CHANNEL,
    onNotify: (payload) => {
      received.push(payload);
      heard.resolve(undefined);
      heard = Promise.withResolvers();
    },
    onConnected: (missedMs) => {
      missed.push(missedMs);
      connected.resolve(undefined);
      connected = Promise.withResolvers();
      return Promise.resolve();
    },
    onError: (error) => failures.push(error),
  });
  return { received, failures, missed, heard: () => heard.promise, connected: () => connected.promise };
}

describe('listenTo', () => {
  it('sends settings with which the server detects a lost client', async () => {
    const sent = await readStartup((url) => {
      listener = listenTo({
        url,
        channel: CHANNEL,
        onNotify: () => undefined,
        onConnected: () => Promise.resolve(),
        onError: () => undefined,
      });
    });
    expect(sent).toContain('tcp_user_timeout=15000');
  });

  it('receives committed notifications, and no notifications of a transaction that is rolled back', async () => {
    const { received, heard, connected } = start();
    await connected();
    const rolledBack = db.transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_notify(${CHANNEL}, 'undone')`;
      throw new Error('undo');
    });
    await expect(rolledBack).rejects.toThrow('undo');
    const next = heard();
    await notify('done');
    await next;
    expect(received).toEqual(['done']);
  });

  it('receives several channels on one connection, each with its own handler', async () => {
    const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const connected = Promise.withResolvers<undefined>();
    listener = listenTo({
      url: database.url,
      channel: CHANNEL,
      onNotify: one.resolve,
      also: { other_channel: other.resolve },
      onConnected: () => {
        connected.resolve(undefined);
        return Promise.resolve();
      },
      onError: () => undefined,
    });
    await connected.promise;
    await db.prisma.$executeRaw`SELECT pg_notify('other_channel', 'b'), pg_notify('unheard', 'c')`;
    await notify('a');
    expect(await Promise.all([one.promise, other.promise])).toEqual(['a', 'b']);
  });

  it('connects again when its connection is cut, and reports the interruption', async () => {
    const { received, failures, heard, connected } = start();
    await connected();
    const again = connected();
    await db.prisma.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${`listen ${CHANNEL}`}`;
    await again;
    expect(failures).toHaveLength(1);
    const next = heard();
    await notify('after');
    await next;
    expect(received).toEqual(['after']);
  });

  it('reports for how long it may have missed notifications', async () => {
    const { missed, connected } = start();
    await connected();
    const from = performance.now();
    const again = connected();
    await db.prisma.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${`listen ${CHANNEL}`}`;
    await again;
    expect(missed[1]).toBeGreaterThan(100);
    expect(missed[1]).toBeLessThanOrEqual(performance.now() - from + (missed[0] ?? 0));
  });

  it('has no connection after it is closed', async () => {
    const { connected } = start();
    await connected();
    await listener.close();
    const open = async () =>
      (
        await db.prisma.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_stat_activity WHERE application_name = ${`listen ${CHANNEL}`}`
      ).length;
    for (const deadline = Date.now() + 3_000; (await open()) > 0 && Date.now() < deadline;);
    expect(await open()).toBe(0);
  });
});
