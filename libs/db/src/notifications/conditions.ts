import { createWatchers } from './watchers.js';

/** A wait for a condition. */
export interface Watch {
  /** The signal aborts when the condition is met. */
  signal: AbortSignal;
  stop: () => void;
}

export interface Conditions {
  /** Starts to wait until the condition is met. Each notification of the key, by any process, triggers a check. */
  until: (key: string, condition: () => Promise<boolean>) => Watch;
  /** Checks the conditions that wait for this key. Call this after a change of the row that the key names. */
  notify: (key: string) => void;
}

/**
 * Delay of the first check, in milliseconds. The check finds a change that was made after the row was read and before the watch started.
 * Most watches end earlier.
 */
const FIRST_CHECK_MS = 250;
/** Interval of checks without a notification. A broken connection loses notifications. */
const EVERY_MS = 5_000;

/**
 * Waits for conditions of rows. A condition is checked when a notification names its row. A check that throws counts as
 * false.
 */
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
