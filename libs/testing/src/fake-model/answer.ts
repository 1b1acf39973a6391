/** The fields of a chat completion request that tests read. */
export interface ModelRequestBody {
  model: string;
  messages: { role: string; content: unknown }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  [field: string]: unknown;
}

export interface ModelRequest {
  method: string;
  /** Path of the request with its query. */
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  /** Parsed body of the request; `{}` for a GET. */
  body: ModelRequestBody;
  /** Whether the client disconnected before the answer was complete. */
  aborted: boolean;
}

export interface ModelToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** The behaviour of the fake model for one request. When no field is set, the model answers "Hello from the fake model." */
export interface ModelBehaviour {
  content?: string | null;
  toolCalls?: ModelToolCall[];
  finishReason?: 'stop' | 'length' | 'tool_calls' | 'content_filter';
  refusal?: string;
  /** Status of the answer. Default: 200. With another status, the answer is `body`, or an error in OpenAI's form. */
  status?: number;
  /** Body that is sent as JSON instead of the completion. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Milliseconds before the answer begins. */
  delayMs?: number;
  /** Whether the model never answers. */
  hang?: boolean;
  /** Cuts the connection, either before the answer or after its first chunks or bytes. */
  reset?: boolean;
  /**
   * How much of the answer is sent before `reset` cuts the connection. For a stream: the number of chunks. The default is 1, a chunk
   * without text; each further chunk has a word. For a whole answer: the number of characters. By default nothing is sent, not even the
   * headers.
   */
  resetAfter?: number;
  /** Whether the answer has status 200 and a body that is not JSON; in a stream, a chunk that is not JSON. */
  garbage?: boolean;
  /** Milliseconds between the bytes of an answer, or the chunks of a stream. */
  trickleMs?: number;
}

/** The answer of the model: a text, a behaviour, or a function that chooses one of them by the request. */
export type ModelAnswer =
  string | ModelBehaviour | ((request: ModelRequest) => string | ModelBehaviour | Promise<string | ModelBehaviour>);

/** Returns the behaviour for a request. `answer` describes this behaviour. */
export async function behaviourFor(answer: ModelAnswer, request: ModelRequest): Promise<ModelBehaviour> {
  const chosen = typeof answer === 'function' ? await answer(request) : answer;
  return typeof chosen === 'string' ? { content: chosen } : chosen;
}
