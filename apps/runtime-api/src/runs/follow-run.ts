import { once } from 'node:events';
import { hasEnded, type RunSignals, type RunStatus, type RunStore, type StoredEvent } from '@millwright/runs';

/** The interval at which a run is read again, so that a lost notification is no loss. */
const LOOK_AGAIN_MS = 2_000;
/** The events of one read. */
const PAGE = 500;

export interface FollowDeps {
  runs: Pick<RunStore, 'events' | 'status'>;
  signals: Pick<RunSignals, 'watch'>;
}

/** A part of what happens in a run: events, and the state that was read before them. */
export interface Followed {
  status: RunStatus;
  events: readonly StoredEvent[];
}

/**
 * The events of a run after `seq`, in any process, until the run has ended or the signal aborts: each once and in order. The last part
 * has the state in which it ended. Ends without it when the run was deleted.
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
      // The state first: an ended run has no later events than those that are read now.
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

/** Waits for the next change. A change between two waits is not lost. */
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
