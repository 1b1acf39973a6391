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

/** The behaviour of the fake model for one request. Without any field it answers "Hello from the fake model." */
export interface ModelBehaviour {
  content?: string | null;
  toolCalls?: ModelToolCall[];
  finishReason?: 'stop' | 'length' | 'tool_calls' | 'content_filter';
  refusal?: string;
  /** Status of the answer; default 200. Another status is answered with `body`, or an error in OpenAI's form. */
  status?: number;
  /** Body that replaces the completion, as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Milliseconds before the answer begins. */
  delayMs?: number;
  /** Whether the model never answers. */
  hang?: boolean;
  /** Cuts the connection: before the answer, or after its first chunks or bytes. */
  reset?: boolean;
  /**
   * The part that is sent before `reset` cuts the connection. For a stream, the number of chunks: by default 1, without a text;
   * each further one has a word. For a whole answer, the number of characters: by default nothing is sent, not even the
   * headers.
   */
  resetAfter?: number;
  /** Whether the answer has status 200 and a body that is not JSON; in a stream, a chunk that is not JSON. */
  garbage?: boolean;
  /** Milliseconds between the bytes of an answer, or the chunks of a stream. */
  trickleMs?: number;
}

/** A text to answer with, a behaviour, or a function that chooses by request. */
export type ModelAnswer =
  string | ModelBehaviour | ((request: ModelRequest) => string | ModelBehaviour | Promise<string | ModelBehaviour>);

/** The behaviour that an answer describes for a request. */
export async function behaviourFor(answer: ModelAnswer, request: ModelRequest): Promise<ModelBehaviour> {
  const chosen = typeof answer === 'function' ? await answer(request) : answer;
  return typeof chosen === 'string' ? { content: chosen } : chosen;
}
