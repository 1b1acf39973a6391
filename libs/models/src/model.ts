import type { ModelParameters, StatedParameters } from './parameters.js';

/** Prices in US dollars for a million tokens. */
export interface ModelPrices {
  input: number;
  output: number;
}

/** Returns the current price of a model; undefined when the price is unknown. */
export type PriceOf = (model: string) => ModelPrices | undefined;

/** A model of the installation or of a project. */
export interface ModelDefinition {
  /** Name of the model in requests and records. */
  name: string;
  /** Base address of an OpenAI-compatible API, `/v1` included; null for the built-in offline model. */
  endpoint: string | null;
  /** Name of the model at the endpoint. Default: `name`. */
  upstreamName?: string;
  apiKey?: string;
  /** Size of the context window in tokens. */
  contextWindow: number;
  /** Whether the model reads images. */
  images?: boolean | undefined;
  /** Whether the model's server fetches images from addresses that clients name; only with `images`. */
  imageUrls?: boolean | undefined;
  /** Maximum number of tokens of one answer; undefined when unknown. */
  maxOutput?: number | undefined;
  /** Default parameters of requests. */
  parameters?: ModelParameters | undefined;
  /**
   * Name in metrics. Default: `name`. Models of projects share a few names, so that users cannot create an unlimited
   * number of series.
   */
  metricName?: string | undefined;
  /** USD for a million tokens. Without prices the costs are unknown, not 0. */
  prices?: ModelPrices | undefined;
  /** Names of the models that are called, in this order, when this model cannot answer. */
  fallbacks: readonly string[];
  /** Time limit of a whole call, including retries, fallbacks and the body. */
  timeoutMs: number;
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON text as written by the model, not validated. */
  arguments: string;
}

/** An image that a user sends. */
export interface ModelImage {
  /** A data URL of a PNG, JPEG, GIF or WebP image, or an https address that the model's server fetches. */
  url: string;
  /** The resolution in which the model reads the image. Default: as the server decides. */
  detail?: 'auto' | 'low' | 'high' | undefined;
}

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Images that follow the content, in a user's message or in the output of a tool. */
  images?: readonly ModelImage[];
  tool_call_id?: string;
  tool_calls?: ModelToolCall[];
  name?: string;
}

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the tool's arguments. */
  parameters: object;
  /** Whether the arguments must match the schema exactly. It applies only if the server can enforce this. */
  strict?: boolean | undefined;
}

/** The tools that the model may or must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

export interface ModelRequest extends StatedParameters {
  /** Name of the model. Default: the installation's default model. */
  model?: string;
  messages: readonly ModelMessage[];
  tools?: readonly ModelTool[];
  /** The tools that the model may or must call. Default: the default of the model's server, `auto`. */
  toolChoice?: ToolChoice;
  /** Whether one answer may have several calls. Default: as the server decides. */
  parallelToolCalls?: boolean;
  /** JSON Schema of the output. The model's answer may violate the schema: validate it. */
  output?: { name: string; schema: object };
  /** Aborting it ends the call, also at the upstream. The reason of the signal is the error of the call. */
  signal?: AbortSignal;
  /** Idempotency key, which is sent upstream as `Idempotency-Key`. */
  idempotencyKey?: string;
}

export interface ModelUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Details that the server states; absent when the server states none. */
  prompt_tokens_details?: { cached_tokens: number } | undefined;
  completion_tokens_details?: { reasoning_tokens: number } | undefined;
}

/** The answer in OpenAI's own shape, for clients of that API. */
export interface ModelCompletion {
  id: string;
  object: string;
  /** Seconds since 1970; 0 from the offline model, whose answers depend on the request alone. */
  created: number;
  /** Name of the model at the upstream. */
  model: string;
  system_fingerprint: string;
  choices: unknown[];
  usage: ModelUsage;
}

export interface ModelAnswer {
  text: string;
  toolCalls: readonly ModelToolCall[];
  finishReason: string;
  refusal: string | null;
  /** Name of the model that answered, which may be a fallback. */
  model: string;
  /**
   * Usage of the call. The upstream counts it; when it sends no usage, the usage is estimated with the o200k tokenizer.
   */
  usage: ModelUsage;
  /** Cost in US dollars; null when the model's price is unknown. */
  costUsd: number | null;
  /** Whether the usage is an estimate, because the server sent no usage or the answer was cut off. */
  estimated: boolean;
  completion: ModelCompletion;
}

/** A request to turn texts into vectors. */
export interface EmbeddingRequest {
  /** Name of the model. Default: the installation's default model. */
  model?: string;
  texts: readonly string[];
  /** Length of the vectors. Default: the length that the model has. */
  dimensions?: number | undefined;
  /** Aborting it ends the call, also at the upstream. The reason of the signal is the error of the call. */
  signal?: AbortSignal;
}

export type EmbeddingUsage = Pick<ModelUsage, 'prompt_tokens'>;

/** A vector for each text, in the order of the texts, and the usage of the call. */
export interface Embeddings extends ModelUse {
  vectors: readonly (readonly number[])[];
}

/** Usage of a model call. */
export type ModelUse = Pick<ModelAnswer, 'model' | 'usage' | 'costUsd' | 'estimated'>;

export type ModelEvent = { type: 'text'; delta: string; model: string } | { type: 'answer'; answer: ModelAnswer };
