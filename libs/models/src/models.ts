import { setTimeout as wait } from 'node:timers/promises';
import { createBreaker, type Breaker } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import { telemetryEvents } from '@millwright/telemetry';
import { toAnswer, useOfCut, type Completion } from './completion.js';
import { createDeadline, type Deadline } from './deadline.js';
import { countsAgainstUpstream, describeFailure, isCut, ModelTimeout, type CallOutcome } from './failures.js';
import type {
  ModelAnswer,
  ModelDefinition,
  ModelEvent,
  ModelPrices,
  ModelRequest,
  ModelUse,
  PriceOf,
} from './model.js';
import { createOfflineUpstream } from './offline/offline-upstream.js';
import { createOpenAiUpstream, type ModelFetch } from './openai-upstream.js';
import { startModelSpan } from './model-span.js';
import { unknownModel } from './unknown-model.js';
import { nothingReceived, type Received, type Upstream } from './upstream.js';

export interface CallReport {
  model: string;
  outcome: CallOutcome;
  ms: number;
  /** Why the try failed. */
  cause?: unknown;
  /** Whether the model's breaker is open after the try. */
  isPaused: boolean;
}

export interface CallsOptions {
  /** Milliseconds since any fixed time. Default: the monotonic clock. */
  now?: () => number;
  /** Waits between tries; rejects when the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Called for every try that reached a model, for metrics. */
  onCall?: (report: CallReport) => void;
}

export interface ModelsOptions extends CallsOptions {
  /** The first is the default model. */
  models: readonly ModelDefinition[];
  /** The fetch of `egress.trusted()`. */
  fetch: ModelFetch;
}

export interface CompleteOptions {
  /** Receives the answer's text as it arrives; `model` is the answering model. */
  onText?: ((delta: string, model: string) => void) | undefined;
  /**
   * Receives the estimated usage of a cut-off answer, for any part that had arrived, also when a later try succeeded. The call ends
   * after this callback has returned.
   */
  onCut?: ((use: ModelUse) => unknown) | undefined;
  /** Prices of models, used to calculate costs. Default: the prices of their definitions. */
  priceOf?: PriceOf | undefined;
  /** Whether there is no retry after a cut-off answer, so that the call is paid for once. */
  isPaidOnce?: boolean | undefined;
}

/** Limits of one call of a model. */
export interface CallBounds {
  /** Tokens. */
  contextWindow: number;
  /** Maximum number of tokens of an answer; undefined when unknown. */
  maxOutput: number | undefined;
  /** Maximum number of tokens of the answer to a request that states none; undefined when the model has no default. */
  defaultMaxTokens: number | undefined;
  /** Milliseconds: retries and fallbacks included. */
  timeoutMs: number;
  /** The models that may answer, with the prices of their definitions. */
  candidates: readonly { name: string; prices: ModelPrices | undefined }[];
}

export interface Models {
  /**
   * @throws AppError `unavailable` when neither the model nor a fallback answers in time, `validation_error` for an unknown
   * model, or the reason of the request's signal.
   */
  complete(request: ModelRequest, options?: CompleteOptions): Promise<ModelAnswer>;
  /** Text as it arrives, then one `answer`. Throws like `complete`; leaving the loop early ends the call upstream. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  names(): readonly string[];
  readonly defaultModel: string;
  /** Whether the default model is the built-in offline model. */
  readonly offline: boolean;
  /** The window of a model in tokens. @throws AppError `validation_error` for an unknown model. */
  contextWindow(name: string): number;
  /** Limits of a call of this model or of the default model. @throws AppError `validation_error` for an unknown model. */
  bounds(name?: string): CallBounds;
  /** Whether calls reach the model; false while its breaker is open. Default of `model`: the default model. */
  reachable(name?: string): boolean;
  /** Ends all open calls. */
  close(): Promise<void>;
}

const maxRetries = 2;
const maxRetryAfterMs = 5_000;
const maxAnnouncedRetryAfterS = 60;

type Caller = AbortSignal | undefined;

/** A model with its connections and its breaker, which live as long as its definition. */
export interface OpenModel {
  definition: ModelDefinition;
  upstream: Upstream;
  breaker: Breaker;
  onCall?: ((report: CallReport) => void) | undefined;
}
type Model = OpenModel;

/** A model and its fallbacks, in the order of calls. */
type Turn = readonly [Model, ...Model[]];

type StreamOptions = Omit<CompleteOptions, 'onText'>;
type PricedModel = Pick<ModelDefinition, 'name' | 'prices'>;

const priced = ({ name, prices }: ModelDefinition, priceOf?: PriceOf): PricedModel => ({
  name,
  prices: priceOf ? priceOf(name) : prices,
});

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

/** Delay of a retry: 250 ms, then 500 ms, each reduced randomly by up to a half, so that callers do not retry simultaneously. */
const backoffMs = (retry: number) => 250 * 2 ** retry * (0.5 + Math.random() / 2);

/** The calls of all models of a process. */
export function createModelCalls({
  now = () => performance.now(),
  sleep = (ms, signal) => wait(ms, undefined, { signal }),
  onCall,
}: CallsOptions = {}) {
  const underWay = new Set<Deadline>();
  let closed = false;

  /** Starts one try, which the caller must settle: a stream's try lasts as long as the stream. @throws BreakerOpen */
  function startTry({ definition, breaker, onCall: onOwnCall }: Model, caller: Caller, ms: number) {
    if (closed) throw new ModelsClosed();
    const pass = breaker.admit();
    if (!pass) throw new BreakerOpen(definition.name);
    const deadline = createDeadline(caller, ms, (limit) => new ModelTimeout(definition.name, limit));
    underWay.add(deadline);
    const span = startModelSpan(definition);
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
      left: () => settle('aborted', pass.abandoned),
      /** Returns the reason for the end of the try instead of the transport's error. */
      failed(error: unknown): unknown {
        const cause: unknown = deadline.signal.aborted ? deadline.signal.reason : error;
        if (caller?.aborted || closed) settle('aborted', pass.abandoned);
        const failure = describeFailure(cause);
        settle(failure.outcome, countsAgainstUpstream(failure) ? pass.failed : pass.succeeded, cause);
        return cause;
      },
    };
  }

  type Try = ReturnType<typeof startTry>;
  /** A stream after its first text, or after its end without text. */
  interface Begun {
    definition: PricedModel;
    attempt: Try;
    received: Received;
    deltas: AsyncGenerator<string, Completion, undefined>;
    begin: IteratorResult<string, Completion>;
  }
  type Operation<T> = (model: Model, attempt: Try) => Promise<T>;

  async function tryOnce<T>(model: Model, caller: Caller, until: number, operation: Operation<T>): Promise<T> {
    const attempt = startTry(model, caller, until - now());
    try {
      return await attempt.run(() => operation(model, attempt));
    } catch (error) {
      throw attempt.failed(error);
    }
  }

  async function tryWithRetries<T>(
    model: Model,
    caller: Caller,
    until: number,
    operation: Operation<T>,
    mayRepeat: () => boolean,
  ): Promise<T> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await tryOnce(model, caller, until, operation);
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

  function unavailable(cause: unknown): AppError {
    const { retryAfterMs } = describeFailure(cause);
    const retryAfter = retryAfterMs ? Math.min(maxAnnouncedRetryAfterS, Math.ceil(retryAfterMs / 1_000)) : undefined;
    return new AppError('unavailable', { cause, retryAfter });
  }

  /** Calls the model, then its fallbacks. Each gets a share of the time, so that a hanging model leaves time for the next. */
  async function askInTurn<T>(
    turn: Turn,
    caller: Caller,
    until: number,
    operation: Operation<T>,
    mayRepeat: () => boolean,
  ): Promise<T> {
    let failure: unknown;
    for (const [index, candidate] of turn.entries()) {
      const sharers = turn.slice(index).filter(({ breaker }) => !breaker.open).length || 1;
      try {
        return await tryWithRetries(candidate, caller, now() + (until - now()) / sharers, operation, mayRepeat);
      } catch (error) {
        caller?.throwIfAborted();
        failure = error;
        if (!mayRepeat()) break;
      }
    }
    throw unavailable(failure);
  }

  async function complete(
    turn: Turn,
    request: ModelRequest,
    { onText, ...options }: CompleteOptions = {},
  ): Promise<ModelAnswer> {
    if (onText) return completeStream(turn, request, onText, options);
    const caller = request.signal;
    caller?.throwIfAborted();
    const cuts = collectCuts(request, options);
    const operation: Operation<ModelAnswer> = async ({ definition: own, upstream }, attempt) => {
      const received = nothingReceived();
      const definition = priced(own, options.priceOf);
      const completion = await cuts.of(definition, received, upstream.complete(request, attempt.signal, received));
      return attempt.answered(toAnswer(definition, completion));
    };
    try {
      return await askInTurn(turn, caller, now() + turn[0].definition.timeoutMs, operation, cuts.mayRepeat);
    } finally {
      await cuts.report();
    }
  }

  /** Collects the tries of a call whose answers were cut off, until they can be reported. */
  function collectCuts({ messages }: ModelRequest, { onCut, isPaidOnce = false }: StreamOptions) {
    const cuts: { definition: PricedModel; received: Received }[] = [];
    return {
      mayRepeat: () => !isPaidOnce || cuts.length === 0,
      async of<T>(definition: PricedModel, received: Received, answer: Promise<T>): Promise<T> {
        try {
          return await answer;
        } catch (error) {
          if (isCut(error, received)) cuts.push({ definition, received });
          throw error;
        }
      },
      left: (definition: PricedModel, received: Received) => void cuts.push({ definition, received }),
      async report(): Promise<void> {
        for (const { definition, received } of cuts) await onCut?.(await useOfCut(definition, messages, received));
      },
    };
  }

  async function completeStream(
    turn: Turn,
    request: ModelRequest,
    onText: (delta: string, model: string) => void,
    options: StreamOptions,
  ) {
    for await (const event of stream(turn, request, options)) {
      if (event.type === 'answer') return event.answer;
      onText(event.delta, event.model);
    }
    throw new Error('A stream of a model ended without an answer.');
  }

  /** Retries a stream only before its first text; afterwards the client has a part of the answer. */
  async function* stream(
    turn: Turn,
    request: ModelRequest,
    options: StreamOptions = {},
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const caller = request.signal;
    caller?.throwIfAborted();
    const until = now() + turn[0].definition.timeoutMs;
    const cuts = collectCuts(request, options);
    const operation: Operation<Begun> = async ({ definition: own, upstream }, attempt) => {
      const received = nothingReceived();
      const definition = priced(own, options.priceOf);
      const deltas = upstream.stream(request, attempt.signal, received);
      return { definition, attempt, received, deltas, begin: await cuts.of(definition, received, deltas.next()) };
    };
    try {
      const begun = await askInTurn(turn, caller, until, operation, cuts.mayRepeat);
      begun.attempt.extend(until - now());
      yield* readOn(begun, caller, cuts.left);
    } finally {
      await cuts.report();
    }
  }

  /** Reads a stream, starting with its first text. */
  async function* readOn(
    { definition, attempt, received, deltas, begin }: Begun,
    caller: Caller,
    left: (definition: PricedModel, received: Received) => void,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    let answered = false;
    try {
      let next = begin;
      while (!next.done) {
        yield { type: 'text', delta: next.value, model: definition.name };
        next = await deltas.next();
      }
      answered = true;
      yield { type: 'answer', answer: attempt.answered(toAnswer(definition, next.value)) };
    } catch (error) {
      const cause = attempt.failed(error);
      caller?.throwIfAborted();
      throw unavailable(cause);
    } finally {
      attempt.left();
      if (!answered) left(definition, received);
    }
  }

  return {
    /** Opens a model. `onOwnCall` reports its calls alone. */
    open(definition: ModelDefinition, fetch: ModelFetch, onOwnCall?: (report: CallReport) => void): OpenModel {
      const { endpoint } = definition;
      const upstream =
        endpoint === null ? createOfflineUpstream() : createOpenAiUpstream({ ...definition, endpoint }, fetch);
      return { definition, upstream, breaker: createBreaker({ now, kind: 'model' }), onCall: onOwnCall };
    },

    /** These models under their names. Fallbacks that are not among them are left out. */
    choice(listed: readonly OpenModel[], defaultModel: string): Models {
      const models = new Map(listed.map((model) => [model.definition.name, model]));

      function requireModel(name = defaultModel): Model {
        const model = models.get(name);
        if (!model) throw unknownModel(name, [...models.keys()]);
        return model;
      }

      function turnOf(name?: string): Turn {
        const model = requireModel(name);
        return [model, ...model.definition.fallbacks.flatMap((other) => models.get(other) ?? [])];
      }

      return {
        complete: async (request, options) => complete(turnOf(request.model), request, options),
        stream: (request) => stream(turnOf(request.model), request),
        names: () => [...models.keys()],
        defaultModel,
        offline: models.get(defaultModel)?.definition.endpoint === null,
        contextWindow: (name) => requireModel(name).definition.contextWindow,
        bounds(name) {
          const turn = turnOf(name);
          const { contextWindow, timeoutMs } = turn[0].definition;
          const known = turn.flatMap(
            ({ definition }) => definition.parameters?.max_tokens ?? definition.maxOutput ?? [],
          );
          return {
            contextWindow,
            maxOutput: known.length === turn.length ? Math.max(...known) : undefined,
            defaultMaxTokens: turn[0].definition.parameters?.max_tokens,
            timeoutMs,
            candidates: turn.map(({ definition }) => ({ name: definition.name, prices: definition.prices })),
          };
        },
        reachable: (name = defaultModel) => models.get(name)?.breaker.open === false,
        close,
      };
    },

    close,
  };

  /** Ends all open calls. */
  function close(): Promise<void> {
    closed = true;
    for (const deadline of underWay) deadline.abort(new ModelsClosed());
    return Promise.resolve();
  }
}
export type ModelCalls = ReturnType<typeof createModelCalls>;

/** The models of an installation without those of projects. */
export function createModels({ models: definitions, fetch, ...options }: ModelsOptions): Models {
  const [first] = definitions;
  if (!first) throw new Error('An installation has at least one model.');
  const calls = createModelCalls(options);
  return calls.choice(
    definitions.map((definition) => calls.open(definition, fetch)),
    first.name,
  );
}
