import type { Breaker } from '@millwright/egress';
import { telemetryEvents, type ModelOperation } from '@millwright/telemetry';
import { createDeadline, type Deadline } from './deadline.js';
import { countsAgainstUpstream, describeFailure, ModelTimeout, type CallOutcome } from './failures.js';
import type { Embeddings, ModelAnswer, ModelDefinition } from './model.js';
import { startModelSpan } from './model-span.js';
import type { Upstream } from './upstream.js';

export interface CallReport {
  model: string;
  outcome: CallOutcome;
  ms: number;
  /** Cause of the failed attempt. */
  cause?: unknown;
  /** Whether the model's breaker is open after the try. */
  isPaused: boolean;
}

/** A model with its connections and its breaker, which exist until the definition of the model changes. */
export interface OpenModel {
  definition: ModelDefinition;
  upstream: Upstream;
  breaker: Breaker;
  onCall?: ((report: CallReport) => void) | undefined;
}

class ModelsClosed extends Error {
  constructor() {
    super('The process is shutting down.');
    this.name = 'ModelsClosed';
  }
}

class BreakerOpen extends Error {
  constructor(model: string) {
    super(`The model ${model} failed too often and is not asked for a while.`);
    this.name = 'BreakerOpen';
  }
}

export interface TriesOptions {
  now: () => number;
  onCall?: ((report: CallReport) => void) | undefined;
}

/**
 * The tries of all models of a process. Each try has its deadline, its span, its metrics and its effect on the breaker
 * of the model.
 */
export function createTries({ now, onCall }: TriesOptions) {
  const underWay = new Set<Deadline>();
  let closed = false;

  return {
    /**
     * Starts one try, which the caller must settle. The try of a stream lasts as long as the stream.
     * @throws BreakerOpen while the breaker of the model is open
     */
    start(
      { definition, breaker, onCall: onOwnCall }: OpenModel,
      caller: AbortSignal | undefined,
      ms: number,
      kind: ModelOperation,
    ) {
      if (closed) throw new ModelsClosed();
      const pass = breaker.admit();
      if (!pass) throw new BreakerOpen(definition.name);
      const deadline = createDeadline(caller, ms, (limit) => new ModelTimeout(definition.name, limit));
      underWay.add(deadline);
      const span = startModelSpan(definition, kind);
      const started = now();
      let settled = false;
      const settle = (outcome: CallOutcome, report: () => void, cause?: unknown) => {
        if (settled) return;
        settled = true;
        report();
        deadline.end();
        underWay.delete(deadline);
        if (outcome !== 'answered') deadline.abort();
        const ms = now() - started;
        telemetryEvents.upstreamCall.record({ kind: 'model', outcome, seconds: ms / 1_000 });
        const called = { model: definition.name, outcome, ms, cause, isPaused: breaker.open };
        onCall?.(called);
        onOwnCall?.(called);
        span.end(outcome);
      };
      return {
        signal: deadline.signal,
        extend: deadline.extend,
        run: span.run,
        answered(answer: ModelAnswer): ModelAnswer {
          const { prompt_tokens: input, completion_tokens: output } = answer.usage;
          telemetryEvents.modelTokens.record({ model: definition.metricName ?? definition.name, input, output });
          span.answered(answer);
          settle('answered', pass.succeeded);
          return answer;
        },
        embedded(embeddings: Embeddings): Embeddings {
          const { prompt_tokens: input } = embeddings.usage;
          telemetryEvents.modelTokens.record({ model: definition.metricName ?? definition.name, input, output: 0 });
          span.embedded(embeddings.usage);
          settle('answered', pass.succeeded);
          return embeddings;
        },
        left: () => settle('aborted', pass.abandoned),
        /** Returns the reason why the try was aborted, if it was, and otherwise the error itself. */
        failed(error: unknown): unknown {
          const cause: unknown = deadline.signal.aborted ? deadline.signal.reason : error;
          if (caller?.aborted || closed) settle('aborted', pass.abandoned);
          const failure = describeFailure(cause);
          settle(failure.outcome, countsAgainstUpstream(failure) ? pass.failed : pass.succeeded, cause);
          return cause;
        },
      };
    },

    /** Ends all open calls. */
    close(): void {
      closed = true;
      for (const deadline of underWay) deadline.abort(new ModelsClosed());
    },
  };
}
export type Tries = ReturnType<typeof createTries>;
export type Try = ReturnType<Tries['start']>;
