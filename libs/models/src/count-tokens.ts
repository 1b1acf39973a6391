import { setImmediate } from 'node:timers/promises';
import type { ModelMessage } from './model.js';

/**
 * gpt-tokenizer's vocabulary and split rule with a merge of our own: the library's decodes every candidate pair, takes
 * the square of a piece's length without bound (minutes for 1 MB of one letter), and caches slices that keep the bodies
 * they were cut from alive.
 */

/** Keys are byte strings: one character for each byte of UTF-8. */
type Bytes = string;

const bytesOf = (text: string): Bytes => Buffer.from(text, 'utf8').toString('latin1');

interface Vocabulary {
  ranks: ReadonlyMap<Bytes, number>;
  /** Cuts a text into pieces that are merged each for itself. */
  split: RegExp;
}

/** All 200,000 take a fifth of a second: others have their turn in between. */
const TOKENS_AT_ONCE = 4_000;

async function loadVocabulary(): Promise<Vocabulary> {
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

let loaded: Promise<Vocabulary> | undefined;
/** At first use: it costs some 90 MB, which an idle process would have for nothing. */
const vocabulary = () => (loaded ??= loadVocabulary());

/** Merging takes the square of the length; prose, code and Chinese sentences have no piece this long. */
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

function countPiece(ranks: Vocabulary['ranks'], piece: string): number {
  const bytes = bytesOf(piece);
  return ranks.has(bytes) ? 1 : mergedCount(ranks, bytes);
}

function countAnyPiece(ranks: Vocabulary['ranks'], piece: string): number {
  if (piece.length <= LONGEST_PIECE) return countPiece(ranks, piece);
  let tokens = 0;
  for (const [part] of piece.matchAll(SHORT_PIECES)) tokens += countPiece(ranks, part);
  return tokens;
}

/** Work between two turns of other requests, in pieces: a few milliseconds. */
const PIECES_PER_TURN = 1_024;

/**
 * The number of o200k tokens in `text`, counted without holding up the process however long the text is; `<|endoftext|>`
 * and its like count as the ordinary text they are. Exact unless the text has an unbroken run (one word, one row of
 * punctuation or blanks) of more than 256 characters: such a run is counted in parts, each at most a token or two too many.
 */
export async function countTokens(text: string): Promise<number> {
  const { ranks, split } = await vocabulary();
  let tokens = 0;
  let pieces = 0;
  for (const [piece] of text.matchAll(split)) {
    tokens += countAnyPiece(ranks, piece);
    // Merging takes the square of a piece's length: sixty characters are as much work as sixteen words.
    pieces += 1 + Math.min(piece.length, LONGEST_PIECE) ** 2 / 256 + Math.floor(piece.length / LONGEST_PIECE) * 64;
    if (pieces < PIECES_PER_TURN) continue;
    pieces = 0;
    await setImmediate();
  }
  return tokens;
}

/** OpenAI's own rule of thumb: three tokens frame each message, and three begin the answer. */
export async function countMessages(messages: readonly Pick<ModelMessage, 'role' | 'content'>[]): Promise<number> {
  let tokens = 3;
  for (const { role, content } of messages) tokens += 3 + (await countTokens(role + content));
  return tokens;
}
