import type { ModelMessage } from './model.js';

/** Loaded at first use: its table costs memory and start-up time that many processes never need. */
const tokenizer = () => import('gpt-tokenizer/encoding/o200k_base');

/** Users may write `<|endoftext|>`; it is text like any other. */
const asPlainText = { disallowedSpecial: new Set<string>() };

export async function countTokens(text: string): Promise<number> {
  return (await tokenizer()).countTokens(text, asPlainText);
}

/** OpenAI's own rule of thumb: three tokens frame each message, and three begin the answer. */
export async function countMessages(messages: readonly ModelMessage[]): Promise<number> {
  const counts = await Promise.all(messages.map(({ role, content }) => countTokens(role + content)));
  return counts.reduce((sum, count) => sum + count + 3, 3);
}
