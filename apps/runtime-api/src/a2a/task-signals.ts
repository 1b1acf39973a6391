/** PostgreSQL's NOTIFY channel on which processes hear of tasks: `<task's UUID>`, with ` ended` behind it when that is what it did. */
export const TASKS = 'millwright_tasks';
export const ENDED = ' ended';

/** Told of a task's changes, wherever they were made. */
export type OnChange = (ended: boolean) => void;

export interface TaskSignals {
  /** @returns what ends the watch. */
  watch: (taskId: string, onChange: OnChange) => () => void;
  /** Takes what was announced on the channel. */
  hear: (payload: string) => void;
}

/** Passes on what this process hears of tasks. A change that is missed is found by those who look for it at intervals. */
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
