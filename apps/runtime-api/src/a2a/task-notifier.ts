import type { Database } from '@millwright/db';
import { createPaced, type Pause } from './paced.js';
import { TASKS, toPayloads } from './task-signals.js';

export interface TaskNotifierOptions {
  db: Database;
  onError: (error: unknown) => void;
  /** The pause after each statement; the default is a tenth of a second. */
  pause?: Pause | undefined;
}

/** Notifies all processes of changes that are committed. */
export interface TaskNotifier {
  changed: (taskIds: Iterable<string>) => void;
  ended: (taskId: string) => void;
}

/**
 * Sends the notifications of all tasks of this process with one statement. A transaction with a NOTIFY holds a lock of the whole
 * installation while it commits, so none of them writes a row: its commit then waits for no disk. A notification that fails is dropped,
 * because followers read their task at intervals.
 */
export function createTaskNotifier({ db, onError, pause }: TaskNotifierOptions): TaskNotifier {
  const changes = new Map<string, boolean>();
  const requestNotify = createPaced(async () => {
    const payloads = toPayloads(changes);
    changes.clear();
    const text = `SELECT pg_notify('${TASKS}', payload) FROM unnest($1::text[]) payload`;
    await db.prepared('notify-tasks', text, [payloads]).catch(onError);
  }, pause);

  return {
    changed(taskIds) {
      for (const id of taskIds) if (!changes.has(id)) changes.set(id, false);
      if (changes.size > 0) requestNotify();
    },
    ended(taskId) {
      changes.set(taskId, true);
      requestNotify();
    },
  };
}
