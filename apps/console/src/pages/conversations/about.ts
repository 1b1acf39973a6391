import type { Conversation, Message } from '../../api/prompt-records.js';

const LONGEST_BEGINNING = 160;

/** The description, or the beginning of the first message. */
export function beginningOf({ metadata: { description }, message }: Conversation): string {
  const text = description || (message[0]?.content ?? '');
  return text.length > LONGEST_BEGINNING ? `${text.slice(0, LONGEST_BEGINNING).toWellFormed()}…` : text;
}

/** Returns the names of the models that answered. */
export function modelsOf({ message }: Pick<Conversation, 'message'>): string {
  const answers = message.filter(({ role, model }) => role === 'assistant' && model !== '');
  return [...new Set(answers.map(({ model }) => model))].join(', ');
}

/** Time of a message in ISO 8601. */
export const timeOf = ({ metadata: { created } }: Pick<Message, 'metadata'>): string => `${created.replace(' ', 'T')}Z`;

/** Whether a message is a JSON object or array. Answers of prompts with an output schema are JSON. */
export function isJson(content: string): boolean {
  if (!/^\s*[[{]/.test(content)) return false;
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}
