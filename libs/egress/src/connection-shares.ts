import { EgressError } from './egress-error.js';

export interface ConnectionShareOptions {
  /** Maximum number of concurrent calls of one share. */
  most: number;
  /** Maximum wait of a call for a free place, in milliseconds. */
  waitMs: number;
}

/**
 * Resolves to the function that frees the place of the call in its share. A second call of this function has no effect.
 */
export type EnterShare = (share: string, signal: AbortSignal) => Promise<() => void>;

interface Share {
  used: number;
  /** Calls that wait, in the order of arrival. */
  waiting: Set<() => void>;
}

/**
 * Limits the concurrent calls of each share. A share belongs to one origin and one owner of calls. A share that is used
 * up delays no other share. A call waits for a place for at most `waitMs`. The returned function throws EgressError
 * busy, or the reason of the signal.
 */
export function createConnectionShares({ most, waitMs }: ConnectionShareOptions): EnterShare {
  const shares = new Map<string, Share>();

  function leaveOnce(key: string, share: Share): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const [next] = share.waiting;
      // Gives the place directly to the call that has waited longest, so that no new call can occupy it before.
      if (next) next();
      else share.used -= 1;
      if (share.used === 0) shares.delete(key);
    };
  }

  return async (key, signal) => {
    signal.throwIfAborted();
    const share = shares.get(key) ?? { used: 0, waiting: new Set() };
    shares.set(key, share);
    if (share.used < most) share.used += 1;
    else await turnOf(share, signal);
    return leaveOnce(key, share);
  };

  async function turnOf({ waiting }: Share, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const next = () => {
      waiting.delete(next);
      resolve(undefined);
    };
    const giveUp = (reason: unknown) => {
      waiting.delete(next);
      reject(reason instanceof Error ? reason : new Error('The caller left.', { cause: reason }));
    };
    const abort = () => giveUp(signal.reason);
    const late = new EgressError('busy', `No connection became free in ${waitMs} ms.`);
    const timer = setTimeout(() => giveUp(late), waitMs);
    signal.addEventListener('abort', abort, { once: true });
    waiting.add(next);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }
}
