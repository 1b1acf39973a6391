import { createConditions } from './conditions.js';

describe('createConditions', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it("checks a condition only after a notification of the condition's key", async () => {
    const conditions = createConditions();
    let [checks, holds] = [0, false];
    const watch = conditions.until('a', () => Promise.resolve((checks += 1) > 0 && holds));
    conditions.notify('b');
    expect(checks).toBe(0);
    conditions.notify('a');
    await jest.advanceTimersByTimeAsync(0);
    expect([checks, watch.signal.aborted]).toEqual([1, false]);
    holds = true;
    conditions.notify('a');
    await jest.advanceTimersByTimeAsync(0);
    expect([checks, watch.signal.aborted]).toEqual([2, true]);
    conditions.notify('a');
    expect([checks, jest.getTimerCount()]).toEqual([2, 0]);
  });

  it('checks a condition soon after the start, and every five seconds, because notifications can be lost', async () => {
    const conditions = createConditions();
    let checks = 0;
    const watch = conditions.until('a', () => Promise.resolve((checks += 1) < 0));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(checks).toBe(13);
    watch.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    conditions.notify('a');
    expect([checks, jest.getTimerCount()]).toEqual([13, 0]);
  });

  it('checks a condition again when a notification arrives during a check, and treats a failed check as false', async () => {
    const conditions = createConditions();
    const running = Promise.withResolvers<boolean>();
    const results: Promise<boolean>[] = [running.promise, Promise.resolve(true)];
    const watch = conditions.until('a', () => results.shift() ?? Promise.resolve(false));
    conditions.notify('a');
    conditions.notify('a');
    running.reject(new Error('the database is away'));
    await jest.advanceTimersByTimeAsync(0);
    expect([results.length, watch.signal.aborted]).toEqual([0, true]);
  });
});
