import type { Completion } from './completion.js';
import type { ModelRequest, ModelUsage } from './model.js';

/** What has arrived of an answer, which may break off. The upstream writes it while the answer arrives. */
export interface Received {
  /** Whether the head of an answer has arrived: from then on the model works. */
  began: boolean;
  /** Parts of a stream. */
  chunks: number;
  /** What the model wrote: text, a refusal and calls of tools. */
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
}
