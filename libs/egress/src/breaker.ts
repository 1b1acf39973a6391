import { signals, type UpstreamKind } from '@millwright/telemetry';

export interface BreakerOptions {
  /** What it guards calls of, for metrics. */
  kind: UpstreamKind;
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
  /** Nobody asks it any more. */
  forget(): void;
  /** A pass for one call, or undefined while open. After `resetMs` one call gets through; it closes or reopens the breaker. */
  admit(): BreakerPass | undefined;
}

/** Stops calls to an upstream that keeps failing, so that waiting for it does not use up everything else. One per upstream. */
export function createBreaker({
  kind,
  failures = 5,
  resetMs = 10_000,
  now = () => performance.now(),
}: BreakerOptions): Breaker {
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
        if (!probe && tripped()) return;
        if (tripped()) signals.breaker.tell({ kind, open: false });
        failuresInARow = 0;
      }),
      failed: report(() => {
        failuresInARow += 1;
        if (failuresInARow === failures) signals.breaker.tell({ kind, open: true });
        if (failuresInARow === failures || probe) retryAt = now() + resetMs;
      }),
      abandoned: report(() => undefined),
    };
  }

  return {
    get open() {
      return open();
    },
    forget() {
      if (tripped()) signals.breaker.tell({ kind, open: false });
      failuresInARow = 0;
    },
    admit() {
      if (open()) return undefined;
      probing = tripped();
      return createPass(probing);
    },
  };
}

/** Upstreams whose failures are remembered. */
const MOST_BREAKERS = 1_000;

/** One breaker for each of many upstreams; those that were not asked for longest are forgotten. */
export function createBreakers(kind: UpstreamKind): (id: string) => Breaker {
  const breakers = new Map<string, Breaker>();
  return (id) => {
    const breaker = breakers.get(id) ?? createBreaker({ kind });
    breakers.delete(id);
    breakers.set(id, breaker);
    const [oldest] = breakers;
    if (breakers.size > MOST_BREAKERS && oldest) {
      oldest[1].forget();
      breakers.delete(oldest[0]);
    }
    return breaker;
  };
}
