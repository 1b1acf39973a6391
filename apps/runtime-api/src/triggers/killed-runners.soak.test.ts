import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { bundleProgram } from '@millwright/testing/bundle-program';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import { createTestTriggers, pollUntil, type TestTriggers } from './test-triggers.js';

const TRIGGERS = 50;
const ROUNDS = 20;
const TIMES = TRIGGERS * ROUNDS;
const PROCESSES = 3;
const KILLS = 30;

let folder: string;
let program: string;
let database: TestDatabase;
let model: FakeModel;
/** This process only creates records for the test. It does not fire triggers. */
let runtime: TestRuntime;
let triggers: TestTriggers;
const runners: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-runner-'));
  program = join(folder, 'runner.mjs');
  await bundleProgram(new URL('test-runner.ts', import.meta.url), program);
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel('Done.')]);
  runtime = await startRuntime(database.url, model.url, { takesRuns: false });
  triggers = createTestTriggers(runtime, await runtime.newUser('grace@example.com', { role: 'admin' }));
  await runtime.newAgent({ name: 'Guide' });
});
afterAll(async () => {
  await Promise.all(runners.map(kill));
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
  rmSync(folder, { recursive: true });
});

async function startRunner(place: number): Promise<void> {
  const runner = spawn(process.execPath, [program, database.url, model.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  runners[place] = runner;
  await once(runner.stdout as NodeJS.ReadableStream, 'data');
}
async function kill(runner: ChildProcess): Promise<void> {
  if (runner.exitCode !== null || runner.signalCode !== null) return;
  runner.kill('SIGKILL');
  await once(runner, 'exit');
}

const completed = () => runtime.db.prisma.triggerFiring.count({ where: { state: 'completed' } });

describe(`${TIMES} scheduled times over ${PROCESSES} processes, with ${KILLS} kills`, () => {
  it(
    'start one run each, and each run completes',
    async () => {
      // The next scheduled time is on the next leap day, so that the schedule causes no other firing.
      const never = { schedule: '0 0 29 2 *', missed: 'once', overlap: 'allow', next_at: null };
      for (let n = 0; n < TRIGGERS; n += 1) await triggers.cron({ ...never, name: `T${n}` });
      for (let place = 0; place < PROCESSES; place += 1) await startRunner(place);
      const expected: string[] = [];
      let isDone = false;
      const killing = (async () => {
        for (let n = 0; n < KILLS; n += 1) {
          const from = await completed();
          await pollUntil(async () => isDone || (await completed()) > from);
          await kill(runners[n % PROCESSES] as ChildProcess);
          await startRunner(n % PROCESSES);
        }
      })();
      for (let round = 0; round < ROUNDS; round += 1) {
        const times = await runtime.db.prisma.$queryRaw<{ id: string; next_at: Date }[]>`
          UPDATE triggers SET next_at = date_trunc('milliseconds', now()) RETURNING id, next_at`;
        expected.push(...times.map(({ id, next_at }) => `${id} time ${next_at.toISOString()}`));
        await pollUntil(async () => (await runtime.db.prisma.triggerFiring.count()) >= expected.length);
      }
      await pollUntil(async () => (await runtime.db.prisma.triggerFiring.count({ where: { ended_at: null } })) === 0);
      isDone = true;
      await killing;

      const firings = await runtime.db.prisma.triggerFiring.findMany();
      const runs = await runtime.db.prisma.run.findMany();
      const takenOver = runs.filter(({ attempt }) => attempt > 1).length;
      process.stdout.write(
        `${TIMES} scheduled times, ${KILLS} kills: ${firings.length} firings, ${runs.length} runs, ${takenOver} taken over, ` +
          `${firings.filter(({ attempts }) => attempts > 1).length} started by a second process\n`,
      );
      expect(firings.map(({ trigger_id, key }) => `${trigger_id} ${key}`).sort()).toEqual(expected.sort());
      expect(new Set(firings.map(({ state }) => state))).toEqual(new Set(['completed']));
      expect(runs.map(({ id }) => id).sort()).toEqual(firings.map(({ run_id }) => run_id).sort());
      expect(new Set(runs.map(({ state }) => state))).toEqual(new Set(['completed']));
      const messages = await runtime.db.prisma.contextMessage.groupBy({ by: ['role'], _count: true });
      expect(Object.fromEntries(messages.map(({ role, _count }) => [role, _count]))).toEqual({
        ...{ user: TIMES, assistant: TIMES },
      });
    },
    30 * 60_000,
  );
});
