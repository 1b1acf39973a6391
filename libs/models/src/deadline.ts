export interface Deadline {
  signal: AbortSignal;
  /** Moves the deadline to `ms` from now. */
  extend: (ms: number) => void;
  /** Aborts the signal with this reason, unless the signal is already aborted. */
  abort: (reason?: unknown) => void;
  /** Releases the timer and the caller's signal. */
  end: () => void;
}

/** A signal for one try: it aborts with the caller's reason, or with `expiry()` after the time limit. */
export function createDeadline(caller: AbortSignal | undefined, ms: number, expiry: (ms: number) => Error): Deadline {
  const controller = new AbortController();
  const abort = () => controller.abort(caller?.reason);
  const expireIn = (time: number) => setTimeout(() => controller.abort(expiry(ms)), Math.max(0, time));
  let timer = expireIn(ms);
  if (caller?.aborted) abort();
  else caller?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    extend(time: number) {
      clearTimeout(timer);
      timer = expireIn(time);
    },
    abort: (reason?: unknown) => controller.abort(reason),
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
}
