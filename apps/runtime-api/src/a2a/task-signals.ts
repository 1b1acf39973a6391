/** The NOTIFY channel of PostgreSQL for changes of tasks. The payload is `<task's UUID>`, followed by ` ended` when the task has ended. */
export const TASKS = 'millwright_tasks';
export const ENDED = ' ended';

/** Called for each change of a task, made by any process. */
export type OnChange = (ended: boolean) => void;

export interface TaskSignals {
  /** @returns a function that ends the watch */
  watch: (taskId: string, onChange: OnChange) => () => void;
  /** Accepts a notification of the channel. */
  hear: (payload: string) => void;
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
      const ended = payload.endsWith(ENDED);
      const taskId = ended ? payload.slice(0, -ENDED.length) : payload;
      for (const onChange of [...(watchers.get(taskId) ?? [])]) onChange(ended);
    },
  };
}
