import type { ModelMessage } from '../model.js';

/** The form of a message with knowledge for an agent. */
const KNOWLEDGE = /^<knowledge (\w+)>\n\n([\s\S]*)\n\n<\/knowledge \1>$/;
/** The title of a passage, with its address when it has one. */
const PIECE = /^"([^\n]*?)"(?: \((https?:[^\s()]+)\))?:\n/;
const MAX_QUOTE_CHARACTERS = 300;
/** Minimum length of compared words, because shorter words are in every sentence. */
const MIN_WORD_CHARACTERS = 4;

export const isKnowledge = ({ role, content }: ModelMessage): boolean => role === 'user' && KNOWLEDGE.test(content);

const wordsOf = (text: string) =>
  new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length >= MIN_WORD_CHARACTERS));

/** The sentences of the knowledge. Each has the title of its passage, or a link to it. */
function sentencesOf({ content }: ModelMessage) {
  let source = '';
  return (KNOWLEDGE.exec(content)?.[2] ?? '').split('\n\n').flatMap((part) => {
    const [heading, title, url] = PIECE.exec(part) ?? [];
    if (title !== undefined) source = url === undefined ? `"${title}"` : `[${title.replaceAll(/[[\]]/g, '')}](${url})`;
    const text = part.slice(heading?.length ?? 0);
    return text.split(/(?<=[.!?])\s+|\n+/).map((sentence) => ({ source, sentence: sentence.trim() }));
  });
}

/**
 * Quotes the sentence of the knowledge that has the most words of the question.
 *
 * @returns undefined when no sentence has any of these words
 */
export function quoteKnowledge(messages: readonly ModelMessage[], question: string): string | undefined {
  const asked = wordsOf(question);
  const found = messages
    .filter(isKnowledge)
    .flatMap(sentencesOf)
    .map((found) => ({ ...found, common: [...wordsOf(found.sentence)].filter((word) => asked.has(word)).length }))
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common)[0];
  return found && `From ${found.source}: ${found.sentence.slice(0, MAX_QUOTE_CHARACTERS).toWellFormed()}`;
}
