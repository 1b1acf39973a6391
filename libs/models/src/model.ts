/** US dollars for a million tokens. */
export interface ModelPrices {
  input: number;
  output: number;
}

/** What models cost now; undefined for one whose price is unknown. */
export type PriceOf = (model: string) => ModelPrices | undefined;

/** A configured model of this installation. */
export interface ModelDefinition {
  /** Name in requests and records. */
  name: string;
  /** Base address of an OpenAI-compatible API, `/v1` included; null for the built-in offline model. */
  endpoint: string | null;
  /** Name at the endpoint. Default: `name`. */
  upstreamName?: string;
  apiKey?: string;
  /** Tokens. */
  contextWindow: number;
  /** The most tokens of one answer; undefined: not known. */
  maxOutput?: number | undefined;
  /** USD for a million tokens. Without prices the costs are unknown, not 0. */
  prices?: ModelPrices | undefined;
  /** Names of the models to call, in order, when this one cannot answer. */
  fallbacks: readonly string[];
  /** Time for a whole call: retries, fallbacks and the body included. */
  timeoutMs: number;
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON text of the model, not validated. */
  arguments: string;
}

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  tool_call_id?: string;
  tool_calls?: ModelToolCall[];
  name?: string;
}

export interface ModelTool {
  name: string;
  description: string;
  /** A JSON Schema. */
  parameters: object;
}

export interface ModelRequest {
  /** Default: the installation's default model. */
  model?: string;
  messages: readonly ModelMessage[];
  tools?: readonly ModelTool[];
  /** JSON Schema of the output. The model may still answer something else: validate. */
  output?: { name: string; schema: object };
  /** Ends the call, also upstream. Its reason is the error of the call. */
  signal?: AbortSignal;
  /** Sent upstream as `Idempotency-Key`. */
  idempotencyKey?: string;
  temperature?: number;
  maxTokens?: number;
}

export interface ModelUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Details are the server's own; absent when it states none. */
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
  /** The name of the model that answered: a fallback's when one did. */
  model: string;
  /** Counted by the upstream; estimated with the o200k tokenizer if it sends none. */
  usage: ModelUsage;
  /** null when the model's price is unknown. */
  costUsd: number | null;
  /** Whether the usage is our estimate: the server sent none, or the answer was cut off. */
  estimated: boolean;
  completion: ModelCompletion;
}

/** What a call of a model used. */
export type ModelUse = Pick<ModelAnswer, 'model' | 'usage' | 'costUsd' | 'estimated'>;

export type ModelEvent = { type: 'text'; delta: string; model: string } | { type: 'answer'; answer: ModelAnswer };
