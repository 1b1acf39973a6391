import type { Conversation, Message } from '../../api/prompt-records.js';

const LONGEST_BEGINNING = 160;

/** What it is called. */
export const titleOf = ({ metadata: { title } }: Pick<Conversation, 'metadata'>): string => title || 'Untitled';

/** What it is about: its description, or how its first message begins. */
export function beginningOf({ metadata: { description }, message }: Conversation): string {
  const text = description || (message[0]?.content ?? '');
  return text.length > LONGEST_BEGINNING ? `${text.slice(0, LONGEST_BEGINNING).toWellFormed()}…` : text;
}

/** The models that answered in it. */
export function modelsOf({ message }: Pick<Conversation, 'message'>): string {
  const answers = message.filter(({ role, model }) => role === 'assistant' && model !== '');
  return [...new Set(answers.map(({ model }) => model))].join(', ');
}

/** When a message was written, as machines read it. */
export const timeOf = ({ metadata: { created } }: Pick<Message, 'metadata'>): string => `${created.replace(' ', 'T')}Z`;
