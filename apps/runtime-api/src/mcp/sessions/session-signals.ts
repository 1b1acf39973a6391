import { hashSecret } from '@millwright/auth';

/** The NOTIFY channel of PostgreSQL for changes of MCP sessions. The payload is the hash of the session's id in hex. */
export const MCP_SESSIONS = 'millwright_mcp_sessions';

/** A wait for a condition. */
export interface Watch {
  /** Aborted when the condition holds. */
  signal: AbortSignal;
  stop: () => void;
}

export interface SessionSignals {
  /** Waits until a condition of the session holds. Each change of the session, by any process, triggers a check. */
  until: (sessionId: string, condition: () => Promise<boolean>) => Watch;
  /** Handles a notification of the channel. */
  hear: (payload: string) => void;
}

/** Delay of the first check, which finds a change between reading the session and starting the watch. Most calls end earlier. */
const FIRST_CHECK_MS = 250;
/** Interval of checks without a notification, since a broken connection loses notifications. */
const EVERY_MS = 5_000;

/** Distributes session notifications within this process. A check that throws is treated as false. */
export function createSessionSignals(): SessionSignals {
  const watchers = new Map<string, Set<() => void>>();

  return {
    until(sessionId, condition) {
      const key = hashSecret(sessionId).toString('hex');
      const met = new AbortController();
      let [isChecking, isAsked] = [false, false];
      const check = () => {
        isAsked = true;
        if (isChecking) return;
        isChecking = true;
        void checkWhileAsked().finally(() => (isChecking = false));
      };
      const checkWhileAsked = async () => {
        while (isAsked && !met.signal.aborted) {
          isAsked = false;
          if (await condition().catch(() => false)) met.abort(new Error('The condition holds.'));
        }
      };
      const first = setTimeout(check, FIRST_CHECK_MS).unref();
      const timer = setInterval(check, EVERY_MS).unref();
      const watching = watchers.get(key) ?? new Set();
      watchers.set(key, watching.add(check));
      const stop = () => {
        clearTimeout(first);
        clearInterval(timer);
        watching.delete(check);
        if (watching.size === 0 && watchers.get(key) === watching) watchers.delete(key);
      };
      met.signal.addEventListener('abort', stop, { once: true });
      return { signal: met.signal, stop };
    },
    hear: (payload) => {
      for (const check of [...(watchers.get(payload) ?? [])]) check();
    },
  };
}
