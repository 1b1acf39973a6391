/** How soon a call ends that was cancelled at another replica. */
const EVERY_MS = 250;

export interface CancelWatch {
  /** Aborted when the call was cancelled. */
  signal: AbortSignal;
  stop: () => void;
}

/** Asks again and again whether a call under way was cancelled. What cannot be told counts as not. */
export function watchCancel(isCancelled: () => Promise<boolean>): CancelWatch {
  const cancelling = new AbortController();
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    isCancelled()
      .then(
        (is) => {
          if (is) cancelling.abort(new Error('The client cancelled the call.'));
        },
        () => undefined,
      )
      .finally(() => (isAsking = false));
  }, EVERY_MS).unref();
  const stop = () => clearInterval(timer);
  cancelling.signal.addEventListener('abort', stop, { once: true });
  return { signal: cancelling.signal, stop };
}
