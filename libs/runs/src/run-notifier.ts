import type { Database } from '@millwright/db';
import { createPaced, type Pause } from './paced.js';
import { RUNS, toPayloads, type NotifiedChange } from './run-signals.js';

export interface RunNotifierOptions {
  db: Database;
  onError: (error: unknown) => void;
  /** The pause after each statement, in milliseconds. Default: 100. */
  pause?: Pause | undefined;
}

/** Notifies all processes of committed changes. */
export interface RunNotifier {
  changed: (runIds: Iterable<string>) => void;
  /** Notifies the runtime API that the run is queued, so that a process takes the run immediately and not only at its next scan. */
  queued: (runId: string) => void;
  ended: (runId: string) => void;
}

/**
 * Sends the notifications of all runs of this process with one statement. While a transaction with a NOTIFY commits, it has a lock that all
 * databases of the PostgreSQL server share. The transactions of the notifier therefore write no rows: they would wait for the disk while they
 * have this lock. A failed notification is dropped, because followers also poll their run.
 */
export function createRunNotifier({ db, onError, pause }: RunNotifierOptions): RunNotifier {
  const changes = new Map<string, NotifiedChange>();
  const requestNotify = createPaced(async () => {
    const payloads = toPayloads(changes);
    changes.clear();
    const text = `SELECT pg_notify('${RUNS}', payload) FROM unnest($1::text[]) payload`;
    await db.prepared('notify-runs', text, [payloads]).catch(onError);
  }, pause);

  return {
    changed(runIds) {
      for (const id of runIds) if (!changes.has(id)) changes.set(id, 'changed');
      if (changes.size > 0) requestNotify();
    },
    queued(runId) {
      if (changes.get(runId) !== 'ended') changes.set(runId, 'queued');
      requestNotify();
    },
    ended(runId) {
      changes.set(runId, 'ended');
      requestNotify();
    },
  };
}
