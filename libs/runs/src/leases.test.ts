import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@millwright/db';
import { createLeases, type Leases } from './leases.js';
import { RunLost, type Fence } from './run.js';
import { createRunSignals } from './run-signals.js';
import { LEASE_MS } from './run-leases.store.js';
import { openRuns, type TestRuns } from './test-runs.js';

let test: TestRuns;
let leases: Leases;
let now = 0;
const signals = createRunSignals();
beforeAll(async () => {
  test = await openRuns();
});
afterAll(() => test.close());
beforeEach(() => {
  now = 0;
  const onError = (error: unknown) => {
    throw error;
  };
  leases = createLeases({ runs: test.runs, signals, onError, now: () => now });
});
afterEach(() => leases.close());

const newFence = (): Fence => ({ runId: newId(), attempt: 1 });

describe('the lease of a run that a process executes', () => {
  it('allows irreversible actions until it ends', () => {
    const fence = newFence();
    const signal = leases.hold(fence);
    now = LEASE_MS / 3;
    leases.requireLease(fence);
    expect(signal.aborted).toBe(false);
  });

  it('refuses irreversible actions to a process that was frozen until the lease had ended, and stops the run in that process', () => {
    const fence = newFence();
    const signal = leases.hold(fence);
    now = LEASE_MS;
    expect(() => leases.requireLease(fence)).toThrow(RunLost);
    expect(signal.reason).toBeInstanceOf(RunLost);
  });

  it('refuses irreversible actions to an earlier attempt after the same process took the run again', () => {
    const fence = newFence();
    const first = leases.hold(fence);
    const second = leases.hold({ ...fence, attempt: 2 });
    expect(() => leases.requireLease(fence)).toThrow(RunLost);
    leases.requireLease({ ...fence, attempt: 2 });
    expect([first.aborted, second.aborted]).toEqual([true, false]);
  });

  it('is renewed while the process holds it, and ends when the process closes', async () => {
    const fence = await test.start({ worker: leases.id });
    const leaseOf = async () => (await test.rowOf(fence)).lease_until?.getTime() ?? 0;
    await test.lapse(fence);
    leases.hold(fence);
    while ((await leaseOf()) < Date.now()) await sleep(10);
    await leases.close();
    expect(await leaseOf()).toBeLessThan(Date.now());
  });

  it('stops the run when a notification or a renewal shows that the run ended elsewhere', async () => {
    const [noted, found] = [await test.start({ worker: leases.id }), await test.start({ worker: leases.id })];
    const [first, second] = [leases.hold(noted), leases.hold(found)];
    signals.hear(`${noted.runId} ended`);
    expect([first.aborted, second.aborted]).toEqual([true, false]);
    await test.db.transaction((tx) => test.runs.cancel(tx, found.runId));
    await new Promise((resolve) => second.addEventListener('abort', resolve));
    expect(second.reason).toBeInstanceOf(RunLost);
  });

  it('is released only by the attempt that holds it', () => {
    const fence = newFence();
    leases.hold(fence);
    expect([leases.letGo({ ...fence, attempt: 2 }), leases.count()]).toEqual([false, 1]);
    expect([leases.letGo(fence), leases.count()]).toEqual([true, 0]);
  });
});
