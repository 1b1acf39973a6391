import { hashSecret } from '@millwright/auth';

/** The NOTIFY channel of PostgreSQL for changes of MCP sessions. The payload is the hash of the session's id in hex. */
export const MCP_SESSIONS = 'millwright_mcp_sessions';

/** A condition that is waited for. */
export interface Watch {
  /** Aborted when the condition holds. */
  signal: AbortSignal;
  stop: () => void;
}

export interface SessionSignals {
  /** Waits until a condition of the session holds. It is checked at each change of the session, by any process. */
  until: (sessionId: string, condition: () => Promise<boolean>) => Watch;
  /** Accepts a notification of the channel. */
  hear: (payload: string) => void;
}

/** A change between the request's read of its session and the start of the watch is noticed by then; most calls are over before. */
const FIRST_CHECK_MS = 250;
/** A notification may be lost: with the connection that it was sent on. */
const EVERY_MS = 5_000;

/** Passes the notifications about sessions on in this process. A check that fails counts as false. */
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
