import type { Completion } from './completion.js';
import type { ModelRequest } from './model.js';

/** One try at one model. Both methods throw the original error; `failures.ts` interprets it. */
export interface Upstream {
  complete(request: ModelRequest, signal: AbortSignal): Promise<Completion>;
  /** Yields text chunks and returns the completion. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, Completion, undefined>;
}
