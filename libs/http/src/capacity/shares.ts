import { AppError } from '@millwright/errors';

/** Milliseconds that a request waits for a place. */
const PATIENCE_MS = 5_000;
/** Limit of the requests that wait for the places of one key. */
const MOST_WAITING = 1_000;

/** Places for requests. Each key has the same number of places. A key is one address, one account, one project or one credential. */
export interface Shares {
  /**
   * Takes a place, in the order of the requests.
   *
   * @returns the function that gives the place back
   * @throws AppError rate_limited after 5 s without a free place, when too many requests wait, or once `left` is aborted
   */
  take(key: string, left: () => AbortSignal): Promise<() => void>;
}

interface Share {
  taken: number;
  waiting: Set<() => void>;
}

export function createShares(most: number): Shares {
  const shares = new Map<string, Share>();

  /** Passes the place to the request that has waited longest. */
  function giveBack(key: string, share: Share) {
    const [next] = share.waiting;
    if (next) next();
    else share.taken -= 1;
    if (share.taken === 0) shares.delete(key);
  }

  function wait({ waiting }: Share, left: AbortSignal): Promise<void> {
    if (waiting.size >= MOST_WAITING || left.aborted) return Promise.reject(new AppError('rate_limited'));
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        waiting.delete(go);
        left.removeEventListener('abort', giveUp);
        finish();
      };
      const go = () => settle(resolve);
      const giveUp = () => settle(() => reject(new AppError('rate_limited')));
      const timer = setTimeout(giveUp, PATIENCE_MS);
      left.addEventListener('abort', giveUp);
      waiting.add(go);
    });
  }

  function tryTake(key: string) {
    const share = shares.get(key) ?? { taken: 0, waiting: new Set() };
    if (share.taken >= most) return undefined;
    share.taken += 1;
    shares.set(key, share);
    return () => giveBack(key, share);
  }

  return {
    async take(key, left) {
      const taken = tryTake(key);
      const share = shares.get(key);
      if (taken || !share) return taken ?? (() => undefined);
      await wait(share, left());
      return () => giveBack(key, share);
    },
  };
}
