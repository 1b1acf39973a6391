interface Watchers<Change> {
  /** @returns a function that ends the watch */
  watch: (key: string, onChange: (change: Change) => void) => () => void;
  notify: (key: string, change: Change) => void;
}

/** Passes notifications within this process to the functions that watch their key. */
export function createWatchers<Change>(): Watchers<Change> {
  const watchers = new Map<string, Set<(change: Change) => void>>();
  return {
    watch: (key, onChange) => {
      const watching = watchers.get(key) ?? new Set<(change: Change) => void>();
      watchers.set(key, watching.add(onChange));
      return () => {
        watching.delete(onChange);
        if (watching.size === 0 && watchers.get(key) === watching) watchers.delete(key);
      };
    },

    notify: (key, change) => {
      for (const onChange of [...(watchers.get(key) ?? [])]) onChange(change);
    },
  };
}
