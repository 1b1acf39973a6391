import type { Completion } from './completion.js';
import type { ModelRequest } from './model.js';

/** One try at one model. Both throw whatever went wrong as it came; `failures.ts` says what it means. */
export interface Upstream {
  complete(request: ModelRequest, signal: AbortSignal): Promise<Completion>;
  /** Yields text as it comes and returns the whole. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, Completion, undefined>;
}
