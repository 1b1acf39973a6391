import { setTimeout as wait } from 'node:timers/promises';
import { createBreaker } from '@millwright/egress';
import { AppError, invalidField } from '@millwright/errors';
import { toAnswer, useOfCut, type Completion } from './completion.js';
import { refusedEmbeddings, toEmbeddings } from './embeddings.js';
import { isCut } from './failures.js';
import { imageInputOf, imagesOf, readsImage, refusedImages, type ImageInput } from './image-input.js';
import type {
  EmbeddingRequest,
  Embeddings,
  ModelAnswer,
  ModelDefinition,
  ModelEvent,
  ModelPrices,
  ModelRequest,
  ModelUse,
  PriceOf,
} from './model.js';
import { createOfflineUpstream } from './offline/offline-upstream.js';
import type { ModelFetch } from './checked-fetch.js';
import { createOpenAiUpstream } from './openai-upstream.js';
import { createTries, type CallReport, type OpenModel, type Try } from './tries.js';
import { createTurns, unavailable, type Operation, type Turn, type TurnCall } from './turns.js';
import { unknownModel } from './unknown-model.js';
import { nothingReceived, type Received } from './received.js';

export interface CallsOptions {
  /** Milliseconds since any fixed time. Default: the monotonic clock. */
  now?: () => number;
  /** Waits between tries; rejects when the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Called at the end of every try at a model, for metrics. Not called for a model whose breaker is open. */
  onCall?: (report: CallReport) => void;
}

export interface ModelsOptions extends CallsOptions {
  /** Models of the configuration; the first is the default model. */
  models: readonly ModelDefinition[];
  /** Fetch function of `egress.trusted()`. */
  fetch: ModelFetch;
}

export interface CompleteOptions {
  /** Receives the answer's text as it arrives; `model` is the answering model. */
  onText?: ((delta: string, model: string) => void) | undefined;
  /**
   * Receives the estimated usage of an answer that was cut off after a part had arrived, even when a later try succeeded. The call waits
   * for the end of this callback.
   */
  onCut?: ((use: ModelUse) => unknown) | undefined;
  /** Prices of models, used to calculate costs. Default: the prices of their definitions. */
  priceOf?: PriceOf | undefined;
  /** Whether the call is never repeated after an answer was cut off, so that it is paid for only once. */
  isPaidOnce?: boolean | undefined;
}

/** Limits of one call of a model. */
export interface CallBounds {
  /** Size of the context window in tokens. */
  contextWindow: number;
  /** The largest context window among the models that may answer. */
  largestWindow: number;
  /** Maximum number of tokens of an answer; undefined when unknown. */
  maxOutput: number | undefined;
  /** Maximum number of tokens of the answer to a request that states no maximum; undefined when the model has no default. */
  defaultMaxTokens: number | undefined;
  /** Time limit in milliseconds, retries and fallbacks included. */
  timeoutMs: number;
  /** The models that may answer, with the prices of their definitions. */
  candidates: readonly { name: string; prices: ModelPrices | undefined }[];
}

export interface Models {
  /**
   * Calls the model, and its fallbacks when it cannot answer.
   *
   * @throws AppError `unavailable` when no model answers in time, `validation_error` for an unknown model, or the reason of the request's
   *   signal once it aborts
   */
  complete(request: ModelRequest, options?: CompleteOptions): Promise<ModelAnswer>;
  /**
   * Makes vectors of texts. Fallbacks are not called, because vectors of two models cannot be compared.
   *
   * @throws AppError `unavailable` when the model does not answer in time, `validation_error` for an unknown model or for a request that
   *   its server refuses, or the reason of the request's signal once it aborts
   */
  embed(request: EmbeddingRequest, options?: Pick<CompleteOptions, 'priceOf'>): Promise<Embeddings>;
  /**
   * Yields the text as it arrives, then one `answer`. Throws like `complete`. When the caller leaves the loop early,
   * the call to the upstream ends.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  names(): readonly string[];
  readonly defaultModel: string;
  /** Whether the default model is the built-in offline model. */
  readonly offline: boolean;
  /** The size of the model's context window in tokens. @throws AppError `validation_error` for an unknown model. */
  contextWindow(name: string): number;
  /** Limits of a call of this model or of the default model. @throws AppError `validation_error` for an unknown model. */
  bounds(name?: string): CallBounds;
  /** The images that the model reads. @throws AppError `validation_error` for an unknown model. */
  imageInput(name: string): ImageInput;
  /**
   * Whether calls can reach the model. False while the breaker of the model is open. Default of `model`: the default
   * model.
   */
  reachable(name?: string): boolean;
  /** Ends all open calls. */
  close(): Promise<void>;
}

type StreamOptions = Omit<CompleteOptions, 'onText'>;
type PricedModel = Pick<ModelDefinition, 'name' | 'prices'>;

const priced = ({ name, prices }: ModelDefinition, priceOf?: PriceOf): PricedModel => ({
  name,
  prices: priceOf ? priceOf(name) : prices,
});

/** Makes the functions with which a process calls models. */
export function createModelCalls({
  now = () => performance.now(),
  sleep = (ms, signal) => wait(ms, undefined, { signal }),
  onCall,
}: CallsOptions = {}) {
  const tries = createTries({ now, onCall });
  const askInTurn = createTurns({ tries, now, sleep });

  function close(): Promise<void> {
    tries.close();
    return Promise.resolve();
  }

  /** A stream that has yielded its first text, or that has ended without text. */
  interface Begun {
    definition: PricedModel;
    attempt: Try;
    received: Received;
    deltas: AsyncGenerator<string, Completion, undefined>;
    begin: IteratorResult<string, Completion>;
  }

  /** Calls the models of a turn. @throws AppError `validation_error` when a server refuses a request with images */
  async function askForAnswer<T>(turn: Turn, { messages }: ModelRequest, call: TurnCall<T>): Promise<T> {
    try {
      return await askInTurn(turn, call);
    } catch (error) {
      throw refusedImages(turn[0].definition.name, messages, error) ?? error;
    }
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
      const until = now() + turn[0].definition.timeoutMs;
      return await askForAnswer(turn, request, { caller, until, operation, mayRepeat: cuts.mayRepeat });
    } finally {
      await cuts.report();
    }
  }

  async function embed(
    model: OpenModel,
    request: EmbeddingRequest,
    { priceOf }: Pick<CompleteOptions, 'priceOf'> = {},
  ): Promise<Embeddings> {
    const caller = request.signal;
    caller?.throwIfAborted();
    const definition = priced(model.definition, priceOf);
    const send = model.upstream.embed;
    if (!send) throw invalidField('model', 'makes no embeddings: the offline model only writes text');
    const operation: Operation<Embeddings> = async (_, attempt) =>
      attempt.embedded(await toEmbeddings(definition, request, await send(request, attempt.signal)));
    const until = now() + model.definition.timeoutMs;
    try {
      return await askInTurn([model], { caller, until, operation, mayRepeat: () => true, kind: 'embeddings' });
    } catch (error) {
      throw (error instanceof AppError && refusedEmbeddings(error.cause)) || error;
    }
  }

  /** Collects the tries whose answers were cut off during a call, and reports their usage at the end of the call. */
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

  /** Streams an answer. The call is retried only before its first text, because afterwards the client has a part of the answer. */
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
      const begun = await askForAnswer(turn, request, { caller, until, operation, mayRepeat: cuts.mayRepeat });
      begun.attempt.extend(until - now());
      yield* readOn(begun, caller, cuts.left);
    } finally {
      await cuts.report();
    }
  }

  /** Yields the text of a stream that has begun, starting with its first text. */
  async function* readOn(
    { definition, attempt, received, deltas, begin }: Begun,
    caller: AbortSignal | undefined,
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
    /** Opens a model. `onOwnCall` receives the calls of this model only. */
    open(definition: ModelDefinition, fetch: ModelFetch, onOwnCall?: (report: CallReport) => void): OpenModel {
      const { endpoint } = definition;
      const upstream =
        endpoint === null ? createOfflineUpstream() : createOpenAiUpstream({ ...definition, endpoint }, fetch);
      return { definition, upstream, breaker: createBreaker({ now, kind: 'model' }), onCall: onOwnCall };
    },

    /** Makes the listed models callable by their names. Fallbacks that are not in the list are left out. */
    choice(listed: readonly OpenModel[], defaultModel: string): Models {
      const models = new Map(listed.map((model) => [model.definition.name, model]));

      function requireModel(name = defaultModel): OpenModel {
        const model = models.get(name);
        if (!model) throw unknownModel(name, [...models.keys()]);
        return model;
      }

      function turnOf(name?: string): Turn {
        const model = requireModel(name);
        return [model, ...model.definition.fallbacks.flatMap((other) => models.get(other) ?? [])];
      }

      /** Returns the models for a request: the named model and its fallbacks. A fallback that cannot read all images of the request is left out. */
      function turnFor({ model, messages }: ModelRequest): Turn {
        const [first, ...fallbacks] = turnOf(model);
        const images = imagesOf(messages);
        const readsAll = ({ definition }: OpenModel) =>
          images.every((image) => readsImage(imageInputOf(definition), image));
        return [first, ...fallbacks.filter(readsAll)];
      }

      return {
        complete: async (request, options) => complete(turnFor(request), request, options),
        embed: async (request, options) => embed(requireModel(request.model), request, options),
        stream: (request) => stream(turnFor(request), request),
        names: () => [...models.keys()],
        defaultModel,
        offline: models.get(defaultModel)?.definition.endpoint === null,
        imageInput: (name) => imageInputOf(requireModel(name).definition),
        contextWindow: (name) => requireModel(name).definition.contextWindow,
        bounds(name) {
          const turn = turnOf(name);
          const { contextWindow, timeoutMs } = turn[0].definition;
          const known = turn.flatMap(
            ({ definition }) => definition.parameters?.max_tokens ?? definition.maxOutput ?? [],
          );
          return {
            contextWindow,
            largestWindow: Math.max(...turn.map(({ definition }) => definition.contextWindow)),
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
}
export type ModelCalls = ReturnType<typeof createModelCalls>;

/** Creates the models of an installation, without the models of projects. */
export function createModels({ models: definitions, fetch, ...options }: ModelsOptions): Models {
  const [first] = definitions;
  if (!first) throw new Error('An installation has at least one model.');
  const calls = createModelCalls(options);
  return calls.choice(
    definitions.map((definition) => calls.open(definition, fetch)),
    first.name,
  );
}
