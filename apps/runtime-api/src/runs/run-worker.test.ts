import { newId } from '@millwright/db';
import { createWork } from '@millwright/http/process';
import { createRunStore, LEASE_MS, RunLost, type Fence } from '@millwright/runs';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import { createRunSignals } from './run-signals.js';
import { createRunWorker, type RunWorker } from './run-worker.js';

let database: TestDatabase;
let runtime: TestRuntime;
let worker: RunWorker;
let now: number;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});
beforeEach(() => {
  now = 0;
  const { db } = runtime;
  const logger = { warn: () => undefined } as unknown as Parameters<typeof createRunWorker>[0]['logger'];
  const limits = { process: 10, project: 10, depth: 5 };
  const clock = { now: () => now };
  worker = createRunWorker({
    db,
    runs: createRunStore(db),
    signals: createRunSignals(),
    logger,
    work: createWork(),
    limits,
    ...clock,
  });
});
afterEach(() => worker.close());

const newFence = (): Fence => ({ runId: newId(), attempt: 1 });

describe('the lease of a run that a process executes', () => {
  it('allows what cannot be taken back while it lasts', () => {
    const fence = newFence();
    const signal = worker.hold(fence, false);
    now = LEASE_MS / 3;
    worker.requireLease(fence);
    expect(signal.aborted).toBe(false);
  });

  it('refuses it to a process that was frozen until the lease was over, and ends its run there', () => {
    const fence = newFence();
    const signal = worker.hold(fence, false);
    now = LEASE_MS;
    expect(() => worker.requireLease(fence)).toThrow(RunLost);
    expect(signal.reason).toBeInstanceOf(RunLost);
  });

  it('refuses it to an earlier attempt of a run that the process has taken again', () => {
    const fence = newFence();
    const first = worker.hold(fence, false);
    const second = worker.hold({ ...fence, attempt: 2 }, false);
    expect(() => worker.requireLease(fence)).toThrow(RunLost);
    worker.requireLease({ ...fence, attempt: 2 });
    expect([first.aborted, second.aborted]).toEqual([true, false]);
  });
});
