import { setImmediate } from 'node:timers/promises';

/** Keys are byte strings: one character for each byte of UTF-8. */
export type Bytes = string;

export const bytesOf = (text: string): Bytes => Buffer.from(text, 'utf8').toString('latin1');

export interface Vocabulary {
  ranks: ReadonlyMap<Bytes, number>;
  /** Splits a text into pieces, which are merged separately. */
  split: RegExp;
}

/** Number of tokens that are loaded before the function yields to other requests. */
const TOKENS_AT_ONCE = 4_000;

export async function loadVocabulary(): Promise<Vocabulary> {
  const [{ default: inOrder }, { O200K_TOKEN_SPLIT_REGEX: split }] = await Promise.all([
    import('gpt-tokenizer/bpeRanks/o200k_base'),
    import('gpt-tokenizer/encodingParams/constants'),
  ]);
  const ranks = new Map<Bytes, number>();
  for (const [rank, token] of inOrder.entries()) {
    ranks.set(typeof token === 'string' ? bytesOf(token) : Buffer.from(token).toString('latin1'), rank);
    if (rank % TOKENS_AT_ONCE === 0) await setImmediate();
  }
  return { ranks, split };
}
