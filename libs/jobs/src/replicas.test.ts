import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { bundleProgram } from '@millwright/testing/bundle-program';
import type { Job } from './index.js';
import { EVERY_SECOND, makeAdmin, makeEffects, openDatabase, pollUntil } from './test-jobs.js';

let folder: string;
let program: string;
let database: TestDatabase;
let db: Database;
let owner: Job['owner'];
const replicas: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-replica-'));
  program = join(folder, 'replica.mjs');
  await bundleProgram(new URL('test-replica.ts', import.meta.url), program);
});
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  owner = await makeAdmin(db, 'ann@example.com');
  await makeEffects(db);
});
afterEach(async () => {
  for (const replica of replicas.splice(0)) {
    if (replica.exitCode !== null || replica.signalCode !== null) continue;
    replica.kill('SIGKILL');
    await once(replica, 'exit');
  }
  await db.close();
  await database.drop();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts three processes, with the intervals that are used in production. */
async function startReplicas(): Promise<void> {
  const job = { name: 'mark', extension: 'mark', owner, schedule: EVERY_SECOND, enabled: true } satisfies Job;
  const started = Array.from({ length: 3 }, () =>
    spawn(process.execPath, [program, database.url, JSON.stringify([job])], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  replicas.push(...started);
  await Promise.all(started.map((replica) => once(replica.stdout as NodeJS.ReadableStream, 'data')));
}
const closeGate = (closed: boolean) => db.prisma.$executeRaw`UPDATE gate SET closed = ${closed}`;
const effects = () =>
  db.prisma.$queryRaw<{ tick: Date; n: number; pid: number }[]>`
    SELECT tick, count(*)::int AS n, max(pid) AS pid FROM effects GROUP BY tick ORDER BY tick`;

/**
 * Kills the replica that has a run in progress. Returns this replica, the time of the kill, and the times of the
 * replica's runs.
 */
async function killBusyReplica() {
  const pid = await pollUntil(async () => {
    const [row] = await db.prisma.$queryRaw<{ pid: number }[]>`SELECT pid FROM begun`;
    return row?.pid;
  });
  replicas.find((replica) => replica.pid === pid)?.kill('SIGKILL');
  const killedAt = Date.now();
  const begun = await db.prisma.$queryRaw<{ tick: Date }[]>`SELECT DISTINCT tick FROM begun WHERE pid = ${pid}`;
  return { pid, killedAt, times: begun.map(({ tick: time }) => time) };
}

describe('three replicas, one of which is killed during its runs', () => {
  it('together apply the effect of each scheduled time exactly once, and take over runs of the killed replica within 30 s', async () => {
    await closeGate(true);
    await startReplicas();
    const { pid, killedAt, times } = await killBusyReplica();
    await closeGate(false);
    const runs = await pollUntil(async () => {
      const found = await db.prisma.jobRun.findMany({ where: { tick: { in: times } } });
      return found.every(({ finished_at }) => finished_at) ? found : undefined;
    });
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) expect(run).toMatchObject({ outcome: 'succeeded', attempt: 2, detail: { marked: 1 } });
    const takenAfter = Math.max(...runs.map(({ finished_at }) => Number(finished_at) - killedAt));
    expect(takenAfter).toBeLessThan(30_000);

    const done = await pollUntil(async () => {
      const found = await effects();
      return found.length > times.length + 3 ? found : undefined;
    });
    expect(done.filter(({ n }) => n !== 1)).toEqual([]);
    expect(done.filter((effect) => effect.pid === pid)).toEqual([]);
    for (const time of times) expect(done.map((effect) => effect.tick)).toContainEqual(time);
    const delivered = await db.prisma.jobRun.findMany({ orderBy: { tick: 'asc' } });
    const seconds = delivered.map(({ tick: time }) => time.getTime() / 1_000);
    expect(seconds).toEqual(seconds.map((_, index) => (seconds[0] ?? 0) + index));
    const audited = await db.prisma.governanceDecision.findMany({ where: { actor_kind: 'job' } });
    expect(audited.length).toBeGreaterThanOrEqual(done.length);
    expect(audited[0]).toMatchObject({ user_id: owner.id, actor_id: 'mark', action: 'job.run', decision: 'allow' });
    process.stdout.write(
      `${done.length} scheduled times, ${done.length} effects; ${runs.length} runs of the killed replica taken over within ${(takenAfter / 1_000).toFixed(1)} s\n`,
    );
  });
});
