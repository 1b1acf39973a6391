const FAILURES_TO_OPEN = 3;
/** Default timeout of an answer, in milliseconds. */
const DEADLINE_MS = 50;
const PROBE_INTERVAL_MS = 1_000;

export interface BreakerOptions {
  /** Sends a probe. Rejects while the guarded service is still down. */
  probe: () => Promise<unknown>;
  onChange: (open: boolean) => void;
  deadlineMs?: number | undefined;
}

/**
 * Circuit breaker for a service that stopped answering. It opens after three failures in a row; the calls that still wait for an answer
 * then end without a result. While it is open, it sends one probe per second until a probe succeeds.
 */
export function createBreaker({ probe, onChange, deadlineMs = DEADLINE_MS }: BreakerOptions) {
  let failures = 0;
  let open = false;
  let stopped = false;
  let probeTimer: NodeJS.Timeout | undefined;
  const waiting = new Set<() => void>();

  function change(to: boolean) {
    failures = 0;
    open = to;
    onChange(to);
  }

  function recordFailure() {
    failures += 1;
    if (open || stopped || failures < FAILURES_TO_OPEN) return;
    change(true);
    for (const giveUp of waiting) giveUp();
    scheduleProbe();
  }

  function scheduleProbe() {
    probeTimer = setTimeout(() => {
      void attempt(probe, deadlineMs, () => undefined).then((answer) => {
        if (stopped) return;
        if (answer === undefined) scheduleProbe();
        else change(false);
      });
    }, PROBE_INTERVAL_MS).unref();
  }

  /**
   * Resolves to undefined after a rejection or after `patienceMs`. A call without an answer at the deadline counts as a failure. One more
   * turn of the event loop passes before the failure is counted, so that an answer that arrived while this process was busy is still used.
   */
  function attempt<T>(call: () => Promise<T>, patienceMs: number, onFailure: () => void): Promise<T | undefined> {
    return new Promise((resolve) => {
      let late: NodeJS.Timeout | undefined;
      function settle(result: T | undefined) {
        clearTimeout(timer);
        clearTimeout(late);
        waiting.delete(giveUp);
        resolve(result);
      }
      const giveUp = () => settle(undefined);
      const fail = () => {
        if (!waiting.has(giveUp)) return;
        onFailure();
        giveUp();
      };
      const miss = () => {
        if (patienceMs <= deadlineMs || !waiting.has(giveUp)) {
          fail();
          return;
        }
        late = setTimeout(giveUp, patienceMs - deadlineMs);
        onFailure();
      };
      const timer = setTimeout(() => setImmediate(miss), deadlineMs);
      waiting.add(giveUp);
      call().then(settle, fail);
    });
  }

  return {
    /**
     * Returns the result of the call, or undefined when the call failed, took longer than `patienceMs` or was not
     * tried. A call that takes longer than the deadline counts as a failure, whatever `patienceMs` is. Never rejects.
     */
    async run<T>(call: () => Promise<T>, patienceMs = deadlineMs): Promise<T | undefined> {
      if (open || stopped) return undefined;
      const result = await attempt(call, patienceMs, recordFailure);
      if (result !== undefined) failures = 0;
      return result;
    },
    stop() {
      stopped = true;
      clearTimeout(probeTimer);
      for (const giveUp of waiting) giveUp();
    },
  };
}
