import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase } from '@millwright/testing';
import pg from 'pg';
import { recordDecision } from './index.js';
import { asSuperuser, createRandom, makeActor, openDatabase } from './test-audit-log.js';

/**
 * `npm run audit:soak` runs this test apart from all other tests, because it kills the database server that Jest
 * started for the whole run.
 */
const ROUNDS = 100;
const LANES = 10;
/** The moments of a kill: before the change, between the change and its row, after the row, and during the commit. */
const POINTS = 4;

function newClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined); // the test itself cuts the connection
  return client;
}

/** Kills one process of the server. The server then ends every connection and recovers. */
async function killServer(url: string): Promise<void> {
  const client = newClient(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await client.query(`COPY (SELECT 1) TO PROGRAM 'kill -9 ${rows[0]?.pid}'`).catch(() => undefined);
  await client.end().catch(() => undefined);
}

async function untilItAnswers(url: string): Promise<void> {
  for (;;) {
    const client = newClient(url);
    const answers = await client.connect().then(
      () => client.query('SELECT 1').then(() => true),
      () => false,
    );
    await client.end().catch(() => undefined);
    if (answers) return;
    await pause(20);
  }
}

it(`a change and its audit row are stored together or not at all in ${ROUNDS * LANES} tries while the server is killed`, async () => {
  const database = await createTestDatabase();
  const setUp = openDatabase(database.url);
  const actor = await makeActor(setUp);
  await setUp.close();
  await asSuperuser(database.url, async (client) => {
    await client.query('CREATE TABLE changes (n int PRIMARY KEY)');
    // By default, the test server acknowledges commits before they are on disk. A killed server could then lose
    // acknowledged commits, so this test turns that off.
    await client.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET synchronous_commit = on`);
  });
  const acknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const db = openDatabase(database.url, LANES);
    const killed = Promise.withResolvers<undefined>();
    const arrived: Promise<void>[] = [];
    const lanes = Array.from({ length: LANES }, (_, lane) => {
      const n = round * LANES + lane;
      const point = createRandom(n).below(POINTS);
      const here = Promise.withResolvers<undefined>();
      arrived.push(here.promise);
      const reach = async (reached: number) => {
        if (reached !== point) return;
        here.resolve(undefined);
        if (point < POINTS - 1) await killed.promise;
      };
      return db
        .transaction(async (tx) => {
          await reach(0);
          await tx.$executeRaw`INSERT INTO changes VALUES (${n})`;
          await reach(1);
          await recordDecision(tx, { actor, action: 'change.make', resource: String(n) });
          await reach(2);
          await reach(3);
        })
        .then(
          () => acknowledged.push(n),
          () => here.resolve(undefined),
        );
    });
    await Promise.all(arrived);
    await killServer(database.url);
    killed.resolve(undefined);
    await Promise.all(lanes);
    await untilItAnswers(database.url);
    await db.close();
  }
  await asSuperuser(database.url, async (client) => {
    const { rows: changes } = await client.query<{ n: number }>('SELECT n FROM changes ORDER BY n');
    const { rows: auditRows } = await client.query<{ n: number }>(
      "SELECT resource::int AS n FROM governance_decisions WHERE action = 'change.make' ORDER BY resource::int",
    );
    expect(auditRows).toEqual(changes);
    const stored = new Set(changes.map(({ n }) => n));
    expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
    expect(acknowledged.length).toBeLessThan((ROUNDS * LANES) / 2);
    process.stdout.write(
      `${ROUNDS} kills of the server amid ${ROUNDS * LANES} tries: ${acknowledged.length} acknowledged, ${changes.length} changes and ${auditRows.length} rows stored, 0 of either without the other\n`,
    );
  });
  await database.drop();
}, 600_000);
