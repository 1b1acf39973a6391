import { invalidField } from '@millwright/errors';
import type { HistoryMessage } from '../runs/fit-history.js';
import { splitMessages } from '../runs/split-messages.js';

/**
 * The messages of an agent's conversation: instructions of the client stand before the user's message. `field` names the request's field.
 *
 * @throws AppError validation_error
 */
export function agentMessages(messages: readonly HistoryMessage[], field: 'messages' | 'input'): HistoryMessage[] {
  const { instructions, history, message, after } = splitMessages(messages);
  if (messages.some(({ images = [] }) => images.length > 0))
    throw invalidField(field, 'of an agent have no images: they are not supported');
  const isForeign = ({ role, tool_calls: calls }: HistoryMessage) => (role !== 'user' && role !== 'assistant') || calls;
  if (history.some(isForeign)) throw invalidField(field, 'of an agent are of the user and of the assistant only');
  if (message === undefined || message.trim() === '' || after.length > 0)
    throw invalidField(field, "must end with the user's message");
  return [
    ...history.filter(({ content }) => content !== ''),
    { role: 'user', content: [...instructions, message].filter((text) => text !== '').join('\n\n') },
  ];
}
