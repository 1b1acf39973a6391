import type { Database } from '@millwright/db';
import { createPaced, type Pause } from './paced.js';
import { RUNS, toPayloads } from './run-signals.js';

export interface RunNotifierOptions {
  db: Database;
  onError: (error: unknown) => void;
  /** The pause after each statement, in milliseconds. Default: 100. */
  pause?: Pause | undefined;
}

/** Notifies all processes of committed changes. */
export interface RunNotifier {
  changed: (runIds: Iterable<string>) => void;
  ended: (runId: string) => void;
}

/**
 * Sends the notifications of all runs of this process with one statement. A transaction with a NOTIFY holds an installation-wide lock
 * during its commit. These transactions therefore write no rows: their commit does not wait for the disk. A failed notification is
 * dropped, because followers poll their run.
 */
export function createRunNotifier({ db, onError, pause }: RunNotifierOptions): RunNotifier {
  const changes = new Map<string, boolean>();
  const requestNotify = createPaced(async () => {
    const payloads = toPayloads(changes);
    changes.clear();
    const text = `SELECT pg_notify('${RUNS}', payload) FROM unnest($1::text[]) payload`;
    await db.prepared('notify-runs', text, [payloads]).catch(onError);
  }, pause);

  return {
    changed(runIds) {
      for (const id of runIds) if (!changes.has(id)) changes.set(id, false);
      if (changes.size > 0) requestNotify();
    },
    ended(runId) {
      changes.set(runId, true);
      requestNotify();
    },
  };
}
