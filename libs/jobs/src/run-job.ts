import { AppError } from '@millwright/errors';
import type { Database } from '@millwright/db';
import { inSpan, type TraceSpan } from '@millwright/telemetry';
import { RunEnd, type JobHandlers, type JobCall, type RunDetail } from './job.js';
import {
  actorOf,
  endRun,
  lockRun,
  OwnerGone,
  refuseRun,
  RunLost,
  takeRun,
  type Outcome,
  type Run,
} from './runs.store.js';

/** Maximum number of attempts of a run, after which the run has failed. */
const MAX_ATTEMPTS = 3;

export interface RunReport {
  job: string;
  outcome: Outcome;
  seconds: number;
  /** Cause of a failure, for the log. */
  error?: unknown;
}

export interface RunnerOptions {
  db: Database;
  handlers: JobHandlers;
  onRun: (report: RunReport) => void;
}

/**
 * Runs one attempt of a run. Over all processes, at most one attempt commits the change of a scheduled time.
 *
 * @throws the handler's error when the run must be retried.
 */
export function createRunner({ db, handlers, onRun }: RunnerOptions) {
  async function attempt(run: Run, signal: AbortSignal, span: TraceSpan): Promise<void> {
    const startedAt = performance.now();
    const report = (outcome: Outcome, error?: unknown) => {
      span.set({ 'millwright.job.outcome': outcome });
      onRun({ job: run.job, outcome, seconds: (performance.now() - startedAt) / 1_000, error });
    };
    try {
      const handler = handlers[run.extension];
      if (!handler) throw new Error(`there is no job handler ${run.extension}`);
      await handler(callOf(db, run, signal));
      report('succeeded');
    } catch (error) {
      if (error instanceof RunLost) return;
      if (error instanceof OwnerGone) {
        await refuseRun(db, run, 'the owner is not an active admin');
        report('refused');
      } else if (run.attempt >= MAX_ATTEMPTS && !signal.aborted) {
        await failRun(db, run, { error: error instanceof AppError ? error.code : 'internal_error' });
        report('failed', error);
        span.fail(error);
      } else throw error;
    }
  }

  return async (id: string, signal: AbortSignal): Promise<void> => {
    const run = await takeRun(db, id);
    if (!run) return;
    const attributes = { 'millwright.job': run.job, 'millwright.job.attempt': run.attempt };
    await inSpan(`job ${run.job}`, { kind: 'consumer', parent: 'root', attributes }, (span) =>
      attempt(run, signal, span),
    );
  };
}

function callOf(db: Database, run: Run, signal: AbortSignal): JobCall {
  const step: JobCall['step'] = (work) =>
    db.transaction(async (tx) => {
      signal.throwIfAborted();
      await lockRun(tx, run);
      return work(tx);
    });
  return {
    job: run.job,
    scheduledAt: run.tick,
    actor: actorOf(run),
    signal,
    step,
    commit: (work) =>
      step(async (tx) => {
        const detail = await work(tx);
        await endRun(tx, run, 'succeeded', detail);
        return new RunEnd(detail);
      }),
  };
}

/** Ends a run as failed, unless another attempt has taken over the run. */
async function failRun(db: Database, run: Run, detail: RunDetail): Promise<void> {
  await db
    .transaction(async (tx) => {
      await lockRun(tx, run);
      await endRun(tx, run, 'failed', detail);
    })
    .catch((error: unknown) => {
      if (!(error instanceof RunLost)) throw error;
    });
}

/** Ends a run as failed after the processes of all its attempts died. */
export async function giveRunUp(db: Database, id: string): Promise<Run | undefined> {
  const run = await takeRun(db, id);
  if (run) await failRun(db, run, { error: 'every process that ran it ended before it did' });
  return run;
}
