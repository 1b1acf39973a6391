import { once } from 'node:events';
import type { RunStatus, StoredEvent } from './run.js';
import type { RunSignals } from './run-signals.js';
import { hasEnded } from './run-state.js';
import type { RunStore } from './runs.store.js';

/** Polling interval of a followed run, in case a notification is lost. */
const LOOK_AGAIN_MS = 2_000;
/** Maximum number of events per read. */
const PAGE = 500;

export interface FollowDeps {
  runs: Pick<RunStore, 'events' | 'status'>;
  signals: Pick<RunSignals, 'watch'>;
}

/** One batch of a followed run: events, and the run's state, which was read before them. */
export interface Followed {
  status: RunStatus;
  events: readonly StoredEvent[];
}

/**
 * Yields the events of a run after `seq`, executed in any process, until the run has ended or the signal aborts: each event once and
 * in order. The last batch has the final state; when the run was deleted, the iteration ends without a final state.
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
      // Reads the state first: a run that has ended by then gets no events after the following read.
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

/** Waits for the next change; changes between two waits are kept. */
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
