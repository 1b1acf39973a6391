import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase } from '@millwright/testing';
import { recordDecision } from './index.js';
import { asSuperuser, createRandom, makeActor, openDatabase } from './test-audit-log.js';

const TRIES = 1_000;

it('a change and its audit row are stored together or not at all in 1,000 tries with a lost connection', async () => {
  const database = await createTestDatabase();
  const db = openDatabase(database.url);
  const actor = await makeActor(db);
  const acknowledged: number[] = [];
  await asSuperuser(database.url, async (killer) => {
    await killer.query('CREATE TABLE changes (n int PRIMARY KEY)');
    for (let n = 0; n < TRIES; n++) {
      const random = createRandom(n);
      const dies = random.below(6); // at one of four moments, during the commit, or not at all
      let pid = 0;
      const kill = async (point: number) => {
        if (point === dies) await killer.query('SELECT pg_terminate_backend($1)', [pid]);
      };
      let killing: Promise<unknown> = Promise.resolve();
      const committed = await db
        .transaction(async (tx) => {
          [{ pid }] = await tx.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
          await kill(0);
          await tx.$executeRaw`INSERT INTO changes VALUES (${n})`;
          await kill(1);
          await recordDecision(tx, { actor, action: 'change.make', resource: String(n) });
          await kill(2);
          if (random.below(2) === 0) await kill(3);
          else killing = pause(random.below(3)).then(() => kill(3));
          if (dies === 4) killing = kill(4);
        })
        .then(
          () => true,
          () => false,
        );
      await killing;
      if (committed) acknowledged.push(n);
    }
    const { rows: changes } = await killer.query<{ n: number }>('SELECT n FROM changes ORDER BY n');
    const { rows: auditRows } = await killer.query<{ n: number }>(
      "SELECT resource::int AS n FROM governance_decisions WHERE action = 'change.make' ORDER BY resource::int",
    );
    expect(auditRows).toEqual(changes);
    const stored = new Set(changes.map(({ n }) => n));
    expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(TRIES / 10);
    expect(acknowledged.length).toBeLessThan(TRIES * 0.9);
  });
  await db.close();
  await database.drop();
});
