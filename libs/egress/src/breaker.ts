export interface BreakerOptions {
  /** How many failures in a row open it. Default 5. */
  failures?: number;
  /** How long it stays open before one call may try again. Default 10 s. */
  resetMs?: number;
  /** Milliseconds, from any start. Default: the monotonic clock. */
  now?: () => number;
}

/** What an admitted call reports, once. */
export interface BreakerPass {
  succeeded: () => void;
  failed: () => void;
  /** The call was given up for a reason that says nothing about the upstream. */
  abandoned: () => void;
}

export interface Breaker {
  /** Whether calls are refused at this moment. */
  readonly open: boolean;
  /** A pass for one call, or undefined while open. After `resetMs` one call gets through; it closes or reopens the breaker. */
  admit(): BreakerPass | undefined;
}

/** Stops calls to an upstream that keeps failing, so that waiting for it does not use up everything else. One per upstream. */
export function createBreaker({
  failures = 5,
  resetMs = 10_000,
  now = () => performance.now(),
}: BreakerOptions = {}): Breaker {
  let failuresInARow = 0;
  let retryAt = 0;
  let probing = false;

  const tripped = () => failuresInARow >= failures;
  const open = () => tripped() && (probing || now() < retryAt);

  function createPass(probe: boolean): BreakerPass {
    let reported = false;
    const report = (settle: () => void) => () => {
      if (reported) return;
      reported = true;
      if (probe) probing = false;
      settle();
    };
    return {
      succeeded: report(() => {
        // A call from before it opened does not close it: only the probe does.
        if (probe || !tripped()) failuresInARow = 0;
      }),
      failed: report(() => {
        failuresInARow += 1;
        if (failuresInARow === failures || probe) retryAt = now() + resetMs;
      }),
      abandoned: report(() => undefined),
    };
  }

  return {
    get open() {
      return open();
    },
    admit() {
      if (open()) return undefined;
      probing = tripped();
      return createPass(probing);
    },
  };
}
