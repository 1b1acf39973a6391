import { countMessages, IMAGE_TOKENS } from './count-tokens.js';
import type { ModelMessage } from './model.js';

type Text = Pick<ModelMessage, 'role' | 'content' | 'images'>;

/** The number of tokens of a context window that are reserved for the answer when the request sets no limit. */
export const answerShare = (size: number): number => Math.min(4_096, Math.floor(size / 4));

/** Upper bound of the tokens of messages: in every byte-pair encoding, a text has at most as many tokens as bytes. */
export const tokensAtMost = (messages: readonly Text[]): number =>
  messages.reduce(
    (sum, { role, content, images = [] }) => sum + Buffer.byteLength(role + content) + IMAGE_TOKENS * images.length + 3,
    3,
  );

/** Whether the messages need at most `limit` tokens. */
export async function fitsTokens(limit: number, messages: readonly Text[]): Promise<boolean> {
  return tokensAtMost(messages) <= limit || (await countMessages(messages, limit)) <= limit;
}

/** Groups a history into turns. A turn starts with a message of the user. The messages before the first message of the user are one turn, too. */
function turnsOf<Message extends { role: string }>(history: readonly Message[]): Message[][] {
  const turns: Message[][] = [];
  for (const message of history) {
    const current = turns.at(-1);
    if (message.role === 'user' || !current) turns.push([message]);
    else current.push(message);
  }
  return turns;
}

/**
 * Returns the newest whole turns of a conversation that fit into `room`, and the number of omitted older turns. Turns
 * are never split, because a model cannot use an answer without the message before it.
 *
 * @param sizeOf returns the size of a turn, in the unit of `room`; for a turn that is larger than `left`, it may return
 *   any number above `left`
 */
export async function newestTurns<Message extends { role: string }>(
  history: readonly Message[],
  room: number,
  sizeOf: (turn: readonly Message[], left: number) => number | Promise<number>,
): Promise<{ kept: Message[]; dropped: number }> {
  const turns = turnsOf(history);
  let dropped = turns.length;
  let left = room;
  for (const turn of turns.toReversed()) {
    left -= await sizeOf(turn, left);
    if (left < 0) break;
    dropped -= 1;
  }
  return { kept: turns.slice(dropped).flat(), dropped };
}
