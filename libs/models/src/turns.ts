import { AppError } from '@millwright/errors';
import type { ModelOperation } from '@millwright/telemetry';
import { describeFailure } from './failures.js';
import type { OpenModel, Tries, Try } from './tries.js';

const maxRetries = 2;
const maxRetryAfterMs = 5_000;
const maxAnnouncedRetryAfterS = 60;

/** A model and its fallbacks, in the order of calls. */
export type Turn = readonly [OpenModel, ...OpenModel[]];

/** A call of one model. Each try repeats it. */
export type Operation<T> = (model: OpenModel, attempt: Try) => Promise<T>;

/** A call of models with all its attempts. */
export interface TurnCall<T> {
  caller: AbortSignal | undefined;
  /** Time, as returned by `now`, at which the call ends. */
  until: number;
  operation: Operation<T>;
  /** Whether another try is allowed after a failed try. */
  mayRepeat: () => boolean;
  /** Kind of call. Default: `chat`. */
  kind?: ModelOperation;
}

export interface TurnsOptions {
  tries: Tries;
  now: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/**
 * Delay before a retry: 250 ms, then 500 ms. Each delay is reduced randomly by up to a half, so that callers do not
 * retry at the same time.
 */
const backoffMs = (retry: number) => 250 * 2 ** retry * (0.5 + Math.random() / 2);

/** The error when no model of a turn has answered. */
export function unavailable(cause: unknown): AppError {
  const { retryAfterMs } = describeFailure(cause);
  const retryAfter = retryAfterMs ? Math.min(maxAnnouncedRetryAfterS, Math.ceil(retryAfterMs / 1_000)) : undefined;
  return new AppError('unavailable', { cause, retryAfter });
}

/** Calls of models with retries and fallbacks. */
export function createTurns({ tries, now, sleep }: TurnsOptions) {
  async function tryOnce<T>(model: OpenModel, { caller, until, operation, kind = 'chat' }: TurnCall<T>): Promise<T> {
    const attempt = tries.start(model, caller, until - now(), kind);
    try {
      return await attempt.run(() => operation(model, attempt));
    } catch (error) {
      throw attempt.failed(error);
    }
  }

  async function tryWithRetries<T>(model: OpenModel, call: TurnCall<T>): Promise<T> {
    const { caller, until, mayRepeat } = call;
    for (let retries = 0; ; retries += 1) {
      try {
        return await tryOnce(model, call);
      } catch (error) {
        const { retry, retryAfterMs } = describeFailure(error);
        const pause = retryAfterMs ?? backoffMs(retries);
        const inTime = pause <= maxRetryAfterMs && now() + pause < until;
        if (!retry || retries === maxRetries || !inTime || !mayRepeat()) throw error;
        if (model.breaker.open || caller?.aborted) throw error;
        await sleep(pause, caller);
      }
    }
  }

  /** Calls the model, then its fallbacks. Each model has a share of the time, so that time remains for the next model when one does not answer. */
  async function askInTurn<T>(turn: Turn, call: TurnCall<T>): Promise<T> {
    const { caller, until, mayRepeat } = call;
    let failure: unknown;
    for (const [index, candidate] of turn.entries()) {
      const sharers = turn.slice(index).filter(({ breaker }) => !breaker.open).length || 1;
      try {
        return await tryWithRetries(candidate, { ...call, until: now() + (until - now()) / sharers });
      } catch (error) {
        caller?.throwIfAborted();
        failure = error;
        if (!mayRepeat()) break;
      }
    }
    throw unavailable(failure);
  }

  return askInTurn;
}
