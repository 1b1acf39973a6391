import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type Replica, type TestRuntime } from '../test-runtime.js';

/** Limits of concurrent runs per process and per project. */
const [PROCESS, PROJECT] = [3, 5];

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let processes: Replica[];
let tokens: Record<'Core' | 'Commerce', string>;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  const limits = { runsAtOnce: PROCESS, projectRunsAtOnce: PROJECT, modelTimeoutMs: 60_000 };
  runtime = await startRuntime(database.url, model.url, limits);
  processes = [runtime, await runtime.start(limits), await runtime.start(limits)];
  tokens = { Core: await runtime.newToken(), Commerce: await runtime.newToken({ project: 'Commerce' }) };
  await runtime.newAgent({ name: 'Core' });
  await runtime.newAgent({ name: 'Commerce', project: 'Commerce' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(() => runtime.db.prisma.run.deleteMany());

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Starts runs of a project. The processes start them in turn. */
async function start(project: 'Core' | 'Commerce', count: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, n) =>
      processes[n % processes.length]?.as(tokens[project])('POST', '/api/v1/runs', {
        json: { agent: project.toLowerCase(), content: 'Work' },
      }),
    ),
  );
  expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 202));
}

const countOf = (state: string, project?: string) =>
  runtime.db.prisma.run.count({ where: { state, ...(project !== undefined && { project }) } });

/** The largest number of runs that one process executes now, and the largest number for one project. */
async function mostRunning(): Promise<{ ofProcess: number; ofProject: number }> {
  const most = async (by: 'worker' | 'project') => {
    const groups = await runtime.db.prisma.run.groupBy({ by: [by], where: { state: 'running' }, _count: true });
    return Math.max(0, ...groups.map(({ _count }) => _count));
  };
  return { ofProcess: await most('worker'), ofProject: await most('project') };
}

/** Makes the model answer a moment after the returned function was called, and not before. */
function slowModel(): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  model.answerWith(async () => {
    await promise;
    await new Promise((later) => setTimeout(later, 30));
    return 'Done.';
  });
  return () => resolve(undefined);
}

describe('concurrent runs', () => {
  it('never exceed RUNS_AT_ONCE per process and PROJECT_RUNS_AT_ONCE per project', async () => {
    const open = slowModel();
    await Promise.all([start('Core', 20), start('Commerce', 20)]);
    await until(async () => (await countOf('running')) === PROCESS * processes.length);
    expect(await countOf('queued')).toBe(40 - PROCESS * processes.length);
    open();
    const seen = { ofProcess: 0, ofProject: 0 };
    await until(async () => {
      const { ofProcess, ofProject } = await mostRunning();
      seen.ofProcess = Math.max(seen.ofProcess, ofProcess);
      seen.ofProject = Math.max(seen.ofProject, ofProject);
      return (await countOf('completed')) === 40;
    });
    expect([seen.ofProcess <= PROCESS, seen.ofProject <= PROJECT]).toEqual([true, true]);
  });

  it('start round-robin by project: the first run of a project does not wait for 200 runs of another project', async () => {
    const open = slowModel();
    await start('Core', 200);
    // Other projects get a place immediately, because Core cannot use more places than its limit.
    await until(async () => (await countOf('running')) === PROJECT);
    const free = PROCESS * processes.length - PROJECT;
    await start('Commerce', free + 1);
    await until(async () => (await countOf('running', 'Commerce')) === free);
    const waiting = await runtime.db.prisma.run.findFirstOrThrow({ where: { state: 'queued', project: 'Commerce' } });
    open();
    await until(async () => (await countOf('queued', 'Commerce')) === 0);
    const { started_at, queued_at } = await runtime.db.prisma.run.findUniqueOrThrow({ where: { id: waiting.id } });
    const before = await runtime.db.prisma.run.count({
      where: { project: 'Core', started_at: { gt: queued_at, lte: started_at ?? queued_at } },
    });
    // Each process takes as many runs as it has free places, alternately from both projects.
    expect(before).toBeLessThanOrEqual(PROCESS * processes.length);
    expect(await countOf('queued', 'Core')).toBeGreaterThan(150);
    await until(async () => (await countOf('completed')) === 200 + free + 1);
  });
});
