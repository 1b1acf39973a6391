import { setImmediate } from 'node:timers/promises';
import { bytesOf, loadVocabulary, type Bytes, type Vocabulary } from './load-vocabulary.js';
import type { ModelMessage } from './model.js';

/**
 * Counts tokens with our own code for merging pairs, and with the vocabulary and the split rule of gpt-tokenizer. The library's own
 * function is not used: it decodes every candidate pair, needs minutes for 1 MB of one letter because its time is quadratic in the length
 * of a piece, and caches slices that keep whole bodies in memory.
 */

let loaded: Promise<Vocabulary> | undefined;
/** Loads the vocabulary at the first use, because it needs about 90 MB. */
const vocabulary = () => (loaded ??= loadVocabulary());

/**
 * Limit of the length of a piece that is merged as a whole, because merging takes quadratic time. Prose, code and
 * Chinese sentences have no piece this long.
 */
const LONGEST_PIECE = 256;
const SHORT_PIECES = /[^]{1,256}/gu;

const NOT_A_TOKEN = 0x7fffffff;

/** Byte-pair encoding: joins the neighbours of the lowest rank until no two neighbours form a token. */
function mergedCount(ranks: Vocabulary['ranks'], piece: Bytes): number {
  let parts = piece.length;
  const starts = Int32Array.from({ length: parts + 1 }, (_, index) => index);
  const rankOfPair = (index: number) =>
    index + 2 > parts ? NOT_A_TOKEN : (ranks.get(piece.slice(starts[index], starts[index + 2])) ?? NOT_A_TOKEN);
  const pairRanks = Int32Array.from({ length: parts }, (_, index) => rankOfPair(index));
  for (;;) {
    let lowest = NOT_A_TOKEN;
    let at = -1;
    for (let index = 0; index < parts; index += 1) {
      const rank = pairRanks[index] as number;
      if (rank < lowest) {
        lowest = rank;
        at = index;
      }
    }
    if (at < 0) return parts;
    starts.copyWithin(at + 1, at + 2);
    pairRanks.copyWithin(at, at + 1);
    parts -= 1;
    pairRanks[at] = rankOfPair(at);
    if (at > 0) pairRanks[at - 1] = rankOfPair(at - 1);
  }
}

/** Splits the text into pieces, and splits each piece that is longer than `LONGEST_PIECE` into parts. */
function* partsOf(text: string, split: RegExp): Generator<Bytes, void, undefined> {
  for (const [piece] of text.matchAll(split)) {
    if (piece.length <= LONGEST_PIECE) yield bytesOf(piece);
    else for (const [part] of piece.matchAll(SHORT_PIECES)) yield bytesOf(part);
  }
}

/** Units of work after which the function yields to the event loop. They take one or two milliseconds. A part of 256 letters costs 257 units. */
const WORK_PER_TURN = 1_024;
/**
 * Units of work of a part. Merging takes time that is quadratic in the length of the part: sixty letters cost as much
 * as sixteen words.
 */
const workOf = (part: Bytes): number => 1 + part.length ** 2 / 256;

/** Length of o200k's longest token, in bytes: 128 spaces. */
const LONGEST_TOKEN = 128;

/** Returns a lower bound of the number of tokens of a text. */
const tokensAtLeast = (text: string): number => Math.ceil(text.length / LONGEST_TOKEN);

/**
 * The number of o200k tokens in `text`. Counting never blocks the process, however long the text or a word is. `<|endoftext|>` and similar
 * texts count as ordinary text. The number is exact unless the text has an unbroken sequence (one word, one row of punctuation or blanks)
 * of more than 256 characters. Such a sequence is counted in parts, which adds at most one or two tokens for each part.
 *
 * @param limit counting stops beyond it: the result is then some number above the limit.
 */
export async function countTokens(text: string, limit = Infinity): Promise<number> {
  const least = tokensAtLeast(text);
  if (least > limit) return least;
  const { ranks, split } = await vocabulary();
  let tokens = 0;
  let work = 0;
  for (const part of partsOf(text, split)) {
    tokens += ranks.has(part) ? 1 : mergedCount(ranks, part);
    if (tokens > limit) return tokens;
    work += workOf(part);
    if (work < WORK_PER_TURN) continue;
    work = 0;
    await setImmediate();
  }
  return tokens;
}

/**
 * Tokens of an image. The size in pixels is unknown, so this is the most that providers count for an image in their
 * ordinary resolution.
 */
export const IMAGE_TOKENS = 1_600;

/**
 * Counts the tokens of messages by OpenAI's own rule of thumb: three tokens frame each message, and three begin the
 * answer.
 *
 * @param limit counting stops beyond it: the result is then some number above the limit.
 */
export async function countMessages(
  messages: readonly Pick<ModelMessage, 'role' | 'content' | 'images'>[],
  limit = Infinity,
): Promise<number> {
  let tokens = 3 + 3 * messages.length;
  for (const { role, content, images = [] } of messages) {
    tokens += IMAGE_TOKENS * images.length;
    if (tokens > limit) return tokens;
    tokens += await countTokens(role + content, limit - tokens);
  }
  return tokens;
}
