import type { Database } from '@millwright/db';
import { failureCause, type FailureCause } from './failure-cause.js';
import type { CallReport } from './tries.js';

/** Milliseconds during which a process does not write the same successful state of a model again. */
const SUCCESS_MS = 60_000;
const FAILURE_MS = 10_000;
/** Milliseconds for which a model's breaker stays open; see createBreaker. */
const PAUSE_MS = 10_000;

const SUCCEEDED = `INSERT INTO model_health (project, model, last_success_at) VALUES ($1, $2, now())
  ON CONFLICT (project, model) DO UPDATE SET last_success_at = now(), paused_until = NULL`;
const FAILED = `INSERT INTO model_health (project, model, last_failure_at, failure_kind, failure_status, failure_text, paused_until)
  VALUES ($1, $2, now(), $3, $4, $5, now() + $6::int * interval '1 millisecond')
  ON CONFLICT (project, model) DO UPDATE SET last_failure_at = now(), failure_kind = $3, failure_status = $4, failure_text = $5,
    paused_until = coalesce(excluded.paused_until, model_health.paused_until)`;

const placeOf = (project: string, model: string) => JSON.stringify([project, model]);

/** The outcome of the last call of a model. */
export type ModelState = 'succeeded' | Pick<FailureCause, 'kind' | 'status' | 'text'>;

interface Written {
  key: string;
  at: number;
}

/**
 * Stores the outcome of the last answer of each model of each project. A process writes a changed state immediately. It writes an unchanged
 * state again after a minute when the call succeeded, and after ten seconds when it failed. Calls of models do not wait for these writes.
 */
export function createModelHealth(
  db: Pick<Database, 'prepared'>,
  { now = () => performance.now() }: { now?: (() => number) | undefined } = {},
) {
  const written = new Map<string, Written>();
  const writing = new Map<string, Promise<unknown>>();

  function write(project: string, model: string, state: ModelState, isPaused: boolean): Promise<unknown> {
    if (state === 'succeeded') return db.prepared('write-model-success', SUCCEEDED, [project, model]);
    const { kind, status, text } = state;
    const pauseMs = isPaused ? PAUSE_MS : null;
    return db.prepared('write-model-failure', FAILED, [project, model, kind, status, text, pauseMs]);
  }

  /** Stores the outcome of an answer of a model. */
  function record(project: string, model: string, state: ModelState, isPaused = false): void {
    const place = placeOf(project, model);
    const key = state === 'succeeded' ? state : JSON.stringify([state.kind, state.status, isPaused]);
    const last = written.get(place);
    const patience = state === 'succeeded' ? SUCCESS_MS : FAILURE_MS;
    if (last?.key === key && now() - last.at < patience) return;
    written.set(place, { key, at: now() });
    // Writes happen one after the other, so that the newest state is stored last. A failed write is repeated after the
    // next call.
    const before = writing.get(place) ?? Promise.resolve();
    const next = before
      .then(() => write(project, model, state, isPaused))
      .catch(() => written.delete(place))
      .finally(() => {
        if (writing.get(place) === next) writing.delete(place);
      });
    writing.set(place, next);
  }

  /** Makes the next outcome of a model be written even when it is unchanged. This is needed after a change of the model or its row. */
  const forget = (project: string, model: string): void => void written.delete(placeOf(project, model));

  return {
    /** Stores the outcome of a test, even when it equals the last outcome. */
    recordTest(project: string, model: string, state: ModelState): void {
      forget(project, model);
      record(project, model, state);
    },

    forget,

    /**
     * Stores the outcome of a try at a model. The API key of the model is passed so that it can be removed from the
     * server's text.
     */
    recordCall(project: string, { model, outcome, cause, isPaused }: CallReport, apiKey?: string): void {
      if (outcome === 'aborted') return;
      const state = outcome === 'answered' ? 'succeeded' : failureCause(cause, apiKey);
      if (state === 'succeeded' || isOfModel(state)) record(project, model, state, isPaused);
    },

    /** Resolves when all outcomes are stored. */
    async idle(): Promise<void> {
      while (writing.size > 0) await Promise.allSettled(writing.values());
    },
  };
}
export type ModelHealth = ReturnType<typeof createModelHealth>;

/**
 * Statuses of refusals that concern the model or its key. Other statuses concern one request, such as a request that is
 * too long.
 */
const OF_MODEL: ReadonlySet<number | null> = new Set([401, 402, 403, 404]);
const isOfModel = ({ kind, status }: FailureCause) => kind !== 'rejected' || OF_MODEL.has(status);
