import type { Completion } from './completion.js';
import type { UpstreamEmbeddings } from './embeddings.js';
import type { EmbeddingRequest, ModelRequest } from './model.js';
import type { Received } from './received.js';

/** One try at one model. All methods throw the original error, which `failures.ts` interprets. */
export interface Upstream {
  complete(request: ModelRequest, signal: AbortSignal, received: Received): Promise<Completion>;
  /** Yields text chunks and returns the completion. */
  stream(request: ModelRequest, signal: AbortSignal, received: Received): AsyncGenerator<string, Completion, undefined>;
  /** Makes vectors of texts; undefined for a model that only writes text. */
  embed?: (request: EmbeddingRequest, signal: AbortSignal) => Promise<UpstreamEmbeddings>;
}
