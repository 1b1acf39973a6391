import { telemetryEvents, type UpstreamKind } from '@millwright/telemetry';
import { LRUCache } from 'lru-cache';

export interface BreakerOptions {
  /** Kind of the upstream, for metrics. */
  kind: UpstreamKind;
  /** Number of consecutive failures that open the breaker. Default: 5. */
  failures?: number;
  /** Milliseconds for which the breaker stays open before it admits one call. Default: 10 s. */
  resetMs?: number;
  /** Clock in milliseconds, with any origin. Default: the monotonic clock. */
  now?: () => number;
}

/** Permission for one call. The caller reports the outcome of the call once. */
export interface BreakerPass {
  succeeded: () => void;
  failed: () => void;
  /** Call this when the call was abandoned for a reason that is unrelated to the upstream. */
  abandoned: () => void;
}

export interface Breaker {
  /** Whether calls are refused now. */
  readonly open: boolean;
  /** Removes the breaker from the metrics. Do not use the breaker after that. */
  forget(): void;
  /**
   * Returns the permission for one call; undefined while the breaker is open. After `resetMs` one call is admitted as a
   * probe, which closes or reopens the breaker.
   */
  admit(): BreakerPass | undefined;
}

/**
 * Stops calls to an upstream that keeps failing, so that waiting for it does not use up other resources. Each upstream
 * has a separate breaker.
 */
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
        // A call that started before the breaker opened does not close the breaker; only the call that was admitted as a probe does.
        if (!probe && tripped()) return;
        if (tripped()) telemetryEvents.breaker.record({ kind, open: false });
        failuresInARow = 0;
      }),
      failed: report(() => {
        failuresInARow += 1;
        if (failuresInARow === failures) telemetryEvents.breaker.record({ kind, open: true });
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
      if (tripped()) telemetryEvents.breaker.record({ kind, open: false });
      failuresInARow = 0;
    },
    admit() {
      if (open()) return undefined;
      probing = tripped();
      return createPass(probing);
    },
  };
}

/** Limit of the upstreams whose failures are remembered. */
const MOST_BREAKERS = 1_000;

/** Keeps one breaker for each of many upstreams, and forgets the least recently used breakers. */
export function createBreakers(kind: UpstreamKind): (id: string) => Breaker {
  const breakers = new LRUCache<string, Breaker>({
    max: MOST_BREAKERS,
    disposeAfter: (breaker) => breaker.forget(),
  });
  return (id) => {
    const known = breakers.get(id);
    if (known) return known;
    const breaker = createBreaker({ kind });
    breakers.set(id, breaker);
    return breaker;
  };
}
