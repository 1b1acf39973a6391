import { countMessages } from './count-tokens.js';
import type { ModelMessage } from './model.js';

type Text = Pick<ModelMessage, 'role' | 'content'>;

/** Tokens of a window that are kept for the answer when nothing says how long it may be. */
export const answerShare = (size: number): number => Math.min(4_096, Math.floor(size / 4));

/** No byte-pair encoding makes more tokens of a text than it has bytes. */
export const tokensAtMost = (messages: readonly Text[]): number =>
  messages.reduce((sum, { role, content }) => sum + Buffer.byteLength(role + content) + 3, 3);

/** How many tokens the messages need when that is more than `limit`; `undefined` when they fit. */
export async function tokensBeyond(limit: number, messages: readonly Text[]): Promise<number | undefined> {
  if (tokensAtMost(messages) <= limit) return undefined;
  const tokens = await countMessages(messages);
  return tokens <= limit ? undefined : tokens;
}
