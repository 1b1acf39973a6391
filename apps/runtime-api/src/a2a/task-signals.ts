/**
 * The NOTIFY channel of PostgreSQL for changes of tasks. The payload is a list, separated by commas, of `<task's UUID>`, each followed
 * by ` ended` when the task has ended.
 */
export const TASKS = 'millwright_tasks';
const ENDED = ' ended';
const SEPARATOR = ',';

/** PostgreSQL's limit is 7,999 bytes; an entry has at most 43 with its separator. */
const MOST_ENTRIES = 180;

/** Called for each change of a task, made by any process. */
export type OnChange = (ended: boolean) => void;

export interface TaskSignals {
  /** @returns a function that ends the watch */
  watch: (taskId: string, onChange: OnChange) => () => void;
  /** Accepts a notification of the channel. */
  hear: (payload: string) => void;
}

/** The payloads that report these tasks, each with whether it has ended. */
export function toPayloads(changes: ReadonlyMap<string, boolean>): string[] {
  const entries = [...changes].map(([taskId, ended]) => (ended ? taskId + ENDED : taskId));
  return Array.from({ length: Math.ceil(entries.length / MOST_ENTRIES) }, (_, page) =>
    entries.slice(page * MOST_ENTRIES, (page + 1) * MOST_ENTRIES).join(SEPARATOR),
  );
}

/** Passes the notifications about tasks on in this process. Watchers also read the task at intervals, because a notification may be lost. */
export function createTaskSignals(): TaskSignals {
  const watchers = new Map<string, Set<OnChange>>();
  return {
    watch(taskId, onChange) {
      const watching = watchers.get(taskId) ?? new Set();
      watchers.set(taskId, watching.add(onChange));
      return () => {
        watching.delete(onChange);
        if (watching.size === 0 && watchers.get(taskId) === watching) watchers.delete(taskId);
      };
    },
    hear: (payload) => {
      for (const entry of payload.split(SEPARATOR)) {
        const ended = entry.endsWith(ENDED);
        const taskId = ended ? entry.slice(0, -ENDED.length) : entry;
        for (const onChange of [...(watchers.get(taskId) ?? [])]) onChange(ended);
      }
    },
  };
}
