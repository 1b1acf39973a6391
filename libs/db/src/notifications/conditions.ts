import { createWatchers } from './watchers.js';

/** A wait for a condition. */
export interface Watch {
  /** The signal aborts when the condition is met. */
  signal: AbortSignal;
  stop: () => void;
}

export interface Conditions {
  /** Waits until the condition holds. Each notification of the key, by any process, triggers a check. */
  until: (key: string, condition: () => Promise<boolean>) => Watch;
  /** Checks the condition again after a change of the key's row. */
  notify: (key: string) => void;
}

/** Delay of the first check, which finds a change between reading the row and starting the watch. Most watches end earlier. */
const FIRST_CHECK_MS = 250;
/** Interval of checks without a notification, since a broken connection loses notifications. */
const EVERY_MS = 5_000;

/** Waits for conditions of rows, which are checked when a notification names the row. A check that throws is treated as false. */
export function createConditions(): Conditions {
  const watchers = createWatchers<undefined>();
  return {
    until: (key, condition) => {
      const met = new AbortController();
      let [isChecking, isDue] = [false, false];
      const check = () => {
        isDue = true;
        if (isChecking) return;
        isChecking = true;
        void checkWhileDue().finally(() => (isChecking = false));
      };
      const checkWhileDue = async () => {
        while (isDue && !met.signal.aborted) {
          isDue = false;
          if (await condition().catch(() => false)) met.abort(new Error('The condition holds.'));
        }
      };
      const first = setTimeout(check, FIRST_CHECK_MS).unref();
      const timer = setInterval(check, EVERY_MS).unref();
      const unwatch = watchers.watch(key, check);
      const stop = () => {
        clearTimeout(first);
        clearInterval(timer);
        unwatch();
      };
      met.signal.addEventListener('abort', stop, { once: true });
      return { signal: met.signal, stop };
    },

    notify: (key) => watchers.notify(key, undefined),
  };
}
