import type { ModelUsage } from './model.js';

/** The received part of an answer, which may be cut off. The upstream updates it while the answer arrives. */
export interface Received {
  /** Whether the headers of an answer have arrived. From then on, the model generates the answer. */
  began: boolean;
  /** Number of chunks received. */
  chunks: number;
  /** The model's output: text, a refusal and tool calls. */
  written: string;
  /** Usage as the server last reported it. */
  usage: ModelUsage | undefined;
}

export const nothingReceived = (): Received => ({ began: false, chunks: 0, written: '', usage: undefined });
