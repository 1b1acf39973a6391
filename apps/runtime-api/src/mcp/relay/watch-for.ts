/** How soon is seen what was done at another replica. */
const EVERY_MS = 250;

export interface Watch {
  /** Aborted when it has happened. */
  signal: AbortSignal;
  stop: () => void;
}

/** Asks again and again whether something has happened. What cannot be told counts as not. */
export function watchFor(hasHappened: () => Promise<boolean>): Watch {
  const happened = new AbortController();
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    hasHappened()
      .then(
        (has) => {
          if (has) happened.abort(new Error('It has happened.'));
        },
        () => undefined,
      )
      .finally(() => (isAsking = false));
  }, EVERY_MS).unref();
  const stop = () => clearInterval(timer);
  happened.signal.addEventListener('abort', stop, { once: true });
  return { signal: happened.signal, stop };
}
