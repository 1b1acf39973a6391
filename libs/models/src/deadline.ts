export interface Deadline {
  signal: AbortSignal;
  /** Moves the end to `ms` from now. */
  extend: (ms: number) => void;
  /** Ends what is still open, with this reason unless it already has one. */
  abort: (reason?: unknown) => void;
  /** Lets go of clock and caller. */
  end: () => void;
}

/** A signal for one try: it fires with the caller's reason, or with `expiry()` when the time is over. */
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
