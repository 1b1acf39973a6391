import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, databaseFailure, type Database } from '@millwright/db';
import { telemetryEvents } from '@millwright/telemetry';
import pg from 'pg';
import {
  startTemporaryPostgres,
  startTemporaryReplica,
  WITH_REPLICAS,
  type TemporaryPostgres,
} from '../tools/temporary-postgres.mjs';

let primary: TemporaryPostgres;
let replica: TemporaryPostgres;
const opened: Database[] = [];
const seen: string[] = [];
telemetryEvents.replicaRead.listen(({ outcome }) => seen.push(outcome));

/** Runs a statement as the superuser, directly on the server at `url`. */
async function run<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

function open(replicaUrl = replica.url): Database {
  const db = createDatabase({ url: primary.url, replicaUrl, poolMax: 3 });
  opened.push(db);
  return db;
}

/** Starts a relay in front of a server. `freeze` makes the relay stop forwarding, `thaw` makes it continue, and `end` ends it. */
async function startRelay(server: string) {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = new URL(server);
  url.port = String((relay.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze: () => sockets.forEach((socket) => socket.pause()),
    thaw: () => sockets.forEach((socket) => socket.resume()),
    end: () => {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const inReplica = async (db: Database) => {
  const [row] = await db.reads.prepared<{ recovering: boolean }>(
    'where',
    'SELECT pg_is_in_recovery() AS recovering',
    [],
  );
  return row?.recovering;
};
const count = async (db: Database) => {
  const [row] = await db.reads.prepared<{ n: number }>('count', 'SELECT count(*)::int AS n FROM notes', []);
  return row?.n;
};
/** Waits until the replica answers. */
async function untilReplicaAnswers(db: Database): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await inReplica(db))) {
    if (Date.now() > end) throw new Error('the replica does not answer');
    await sleep(50);
  }
}

beforeAll(async () => {
  primary = await startTemporaryPostgres(WITH_REPLICAS);
  await run(primary.url, 'CREATE TABLE notes (n int)');
  replica = await startTemporaryReplica(primary.url);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
});
afterAll(async () => {
  await replica.stop();
  await primary.stop();
});

describe('reads of a database with a replica', () => {
  it('go to the replica, and all other statements go to the primary', async () => {
    const db = open();
    await untilReplicaAnswers(db);
    expect(await db.expensive('Core').prepared('where', 'SELECT pg_is_in_recovery() AS recovering', [])).toEqual([
      { recovering: true },
    ]);
    expect(await db.prepared('where', 'SELECT pg_is_in_recovery() AS recovering', [])).toEqual([{ recovering: false }]);
  });

  it('return every change that another process committed before the read', async () => {
    const [db, other] = [open(), open()];
    await untilReplicaAnswers(other);
    seen.length = 0;
    for (let n = (await count(other)) ?? 0; n < 300; n += 1) {
      await db.prepared('insert', 'INSERT INTO notes VALUES ($1) RETURNING n', [n]);
      expect(await count(other)).toBe(n + 1);
    }
    expect(seen.filter((outcome) => outcome === 'answered').length).toBeGreaterThan(200);
  });

  it('return the last change of another process, also while that process commits many other changes', async () => {
    const [db, other] = [open(), open()];
    await untilReplicaAnswers(other);
    await run(
      primary.url,
      'CREATE TABLE IF NOT EXISTS marks (k int PRIMARY KEY, n int); INSERT INTO marks VALUES (0, 0)',
    );
    let isOver = false;
    const noise = async () => {
      while (!isOver) await db.prepared('noise', 'INSERT INTO notes SELECT generate_series(1, 50) RETURNING n', []);
    };
    const noises = [noise(), noise()];
    for (let n = 1; n <= 100; n += 1) {
      await db.prepared('mark', 'UPDATE marks SET n = $1 RETURNING n', [n]);
      expect(await other.reads.prepared('read-mark', 'SELECT n FROM marks', [])).toEqual([{ n }]);
    }
    isOver = true;
    await Promise.all(noises);
  });

  it('go to the primary while the replica lags, and to the replica again when it has caught up', async () => {
    const db = open();
    await untilReplicaAnswers(db);
    const before = (await count(db)) ?? 0;
    await run(replica.url, 'SELECT pg_wal_replay_pause()');
    await db.prepared('insert', 'INSERT INTO notes VALUES ($1) RETURNING n', [0]);
    const began = performance.now();
    expect(await count(db)).toBe(before + 1);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(await inReplica(db)).toBe(false);
    await run(replica.url, 'SELECT pg_wal_replay_resume()');
    await untilReplicaAnswers(db);
    expect(await count(db)).toBe(before + 1);
  });

  it('go to the primary while the replica is unreachable or silent, and to the replica again when it answers', async () => {
    const relay = await startRelay(replica.url);
    const db = open(relay.url);
    await untilReplicaAnswers(db);
    relay.freeze();
    const began = performance.now();
    expect(await inReplica(db)).toBe(false);
    expect(performance.now() - began).toBeLessThan(1_000);
    relay.thaw();
    await untilReplicaAnswers(db);
    relay.end();
    expect(await inReplica(db)).toBe(false);
  });

  it("fail with the primary's error when the statement is wrong or too slow", async () => {
    const db = open();
    await untilReplicaAnswers(db);
    await expect(db.reads.prepared('wrong', 'SELECT 1 / $1::int AS n', [0])).rejects.toMatchObject({ code: '22012' });
    const slow = db.reads.prepared('slow', 'SELECT pg_sleep(5)', []);
    expect(databaseFailure(await slow.catch((error: unknown) => error))).toMatchObject({ code: 'unavailable' });
    await untilReplicaAnswers(db);
  });

  it.each([
    ['a server that is no replica', () => primary.url],
    ['another database of the replica', () => replica.url.replace(/postgres$/, 'template1')],
  ])('never go to %s', async (_name, url) => {
    const db = open(url());
    seen.length = 0;
    const end = Date.now() + 2_500;
    while (Date.now() < end) {
      await inReplica(db);
      await sleep(100);
    }
    expect(new Set(seen)).toEqual(new Set(['paused']));
  });
});
