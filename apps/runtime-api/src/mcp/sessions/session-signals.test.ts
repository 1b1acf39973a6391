import { hashSecret } from '@millwright/auth';
import { createSessionSignals } from './session-signals.js';

const payloadOf = (sessionId: string) => hashSecret(sessionId).toString('hex');

describe('a watch of a session', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('checks its condition only when its own session changes', async () => {
    const signals = createSessionSignals();
    let [checks, holds] = [0, false];
    const watch = signals.until('a', () => Promise.resolve((checks += 1) > 0 && holds));
    signals.hear(payloadOf('b'));
    expect(checks).toBe(0);
    signals.hear(payloadOf('a'));
    await jest.advanceTimersByTimeAsync(0);
    expect([checks, watch.signal.aborted]).toEqual([1, false]);
    holds = true;
    signals.hear(payloadOf('a'));
    await jest.advanceTimersByTimeAsync(0);
    expect([checks, watch.signal.aborted]).toEqual([2, true]);
    signals.hear(payloadOf('a'));
    expect([checks, jest.getTimerCount()]).toEqual([2, 0]);
  });

  it('checks once soon after its start, and every five seconds for notifications that were lost', async () => {
    const signals = createSessionSignals();
    let checks = 0;
    const watch = signals.until('a', () => Promise.resolve((checks += 1) < 0));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(checks).toBe(13);
    watch.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    signals.hear(payloadOf('a'));
    expect([checks, jest.getTimerCount()]).toEqual([13, 0]);
  });

  it('checks again after a change during a check, and treats a failed check as false', async () => {
    const signals = createSessionSignals();
    const running = Promise.withResolvers<boolean>();
    const results: Promise<boolean>[] = [running.promise, Promise.resolve(true)];
    const watch = signals.until('a', () => results.shift() ?? Promise.resolve(false));
    signals.hear(payloadOf('a'));
    signals.hear(payloadOf('a'));
    running.reject(new Error('the database is away'));
    await jest.advanceTimersByTimeAsync(0);
    expect([results.length, watch.signal.aborted]).toEqual([0, true]);
  });
});
