import type { Completion } from './completion.js';
import type { UpstreamEmbeddings } from './embeddings.js';
import type { EmbeddingRequest, ModelRequest, ModelUsage } from './model.js';

/** The received part of an answer, which may be cut off. The upstream updates it while the answer arrives. */
export interface Received {
  /** Whether the headers of an answer have arrived, after which the model generates. */
  began: boolean;
  /** Parts of a stream. */
  chunks: number;
  /** The model's output: text, a refusal and tool calls. */
  written: string;
  /** The server's last count. */
  usage: ModelUsage | undefined;
}

export const nothingReceived = (): Received => ({ began: false, chunks: 0, written: '', usage: undefined });

/** One try at one model. Both methods throw the original error; `failures.ts` interprets it. */
export interface Upstream {
  complete(request: ModelRequest, signal: AbortSignal, received: Received): Promise<Completion>;
  /** Yields text chunks and returns the completion. */
  stream(request: ModelRequest, signal: AbortSignal, received: Received): AsyncGenerator<string, Completion, undefined>;
  /** Left out by a model that only writes text. */
  embed?: (request: EmbeddingRequest, signal: AbortSignal) => Promise<UpstreamEmbeddings>;
}
