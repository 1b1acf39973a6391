import { once } from 'node:events';
import type { RunStatus, StoredEvent } from './run.js';
import type { RunSignals } from './run-signals.js';
import { hasEnded } from './run-state.js';
import type { RunStore } from './runs.store.js';

/** Interval at which a followed run is polled, in case a notification is lost. */
const LOOK_AGAIN_MS = 2_000;
/** Maximum number of events per read. */
const PAGE = 500;

export interface FollowDeps {
  runs: Pick<RunStore, 'events' | 'status'>;
  signals: Pick<RunSignals, 'watch'>;
}

/** One batch for a follower of a run: events, and the state of the run. The state was read before the events. */
export interface Followed {
  status: RunStatus;
  events: readonly StoredEvent[];
}

/**
 * Yields the events of a run after `seq` until the run has ended or the signal aborts. Each event is yielded once and
 * in order, whichever process executes the run. The last batch has the final state. When the run was deleted, the
 * iteration ends without a final state.
 */
export async function* followRun(
  { runs, signals }: FollowDeps,
  runId: string,
  seq: number,
  signal: AbortSignal,
): AsyncGenerator<Followed, void, undefined> {
  const changes = watchChanges(runId, signals, signal);
  try {
    for (let after = seq; !signal.aborted;) {
      // The state is read before the events. When the run has already ended, the following read then returns all remaining events.
      const status = await runs.status(runId);
      if (!status) return;
      const events = await runs.events(runId, after, PAGE);
      after = events.at(-1)?.seq ?? after;
      yield { status, events };
      if (events.length === PAGE) continue;
      if (hasEnded(status.state)) return;
      await changes.next();
    }
  } finally {
    changes.end();
  }
}

/** Waits for the next change. A change between two waits ends the second wait immediately. */
function watchChanges(runId: string, signals: Pick<RunSignals, 'watch'>, signal: AbortSignal) {
  const target = new EventTarget();
  let changed = false;
  const onChange = () => {
    changed = true;
    target.dispatchEvent(new Event('change'));
  };
  const unwatch = signals.watch(runId, onChange);
  return {
    async next(): Promise<void> {
      const waiting = AbortSignal.any([signal, AbortSignal.timeout(LOOK_AGAIN_MS)]);
      if (!changed) await once(target, 'change', { signal: waiting }).catch(() => undefined);
      changed = false;
    },
    end: unwatch,
  };
}
