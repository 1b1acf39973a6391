import { invalidField } from '@millwright/errors';
import type { ModelImage } from '@millwright/models';
import { MOST_MESSAGE_IMAGES, requireFitting, requireImage, type NewImage } from '@millwright/runs/message-images';
import type { HistoryMessage } from '../runs/fit-history.js';
import { splitMessages } from '../runs/split-messages.js';

/** A message of the conversation with an agent, with its checked images. */
export interface AgentMessage extends Omit<HistoryMessage, 'images'> {
  images?: readonly NewImage[];
}

/**
 * Converts a client's messages to messages for an agent. Instructions of the client become the beginning of the user's last message.
 *
 * @throws AppError validation_error with the field `field`, for messages that an agent does not support
 */
export function agentMessages(messages: readonly HistoryMessage[], field: 'messages' | 'input'): AgentMessage[] {
  const { instructions, history, message, images, after } = splitMessages(messages);
  const isForeign = ({ role, tool_calls: calls }: HistoryMessage) => (role !== 'user' && role !== 'assistant') || calls;
  if (history.some(isForeign)) throw invalidField(field, 'of an agent are of the user and of the assistant only');
  if (history.some(({ role, images: own = [] }) => role === 'assistant' && own.length > 0))
    throw invalidField(field, 'of an agent have images of the user only');
  if (message === undefined || (message.trim() === '' && images.length === 0) || after.length > 0)
    throw invalidField(field, "must end with the user's message");
  return [
    ...history
      .filter(({ content, images: own = [] }) => content !== '' || own.length > 0)
      .map(({ images: own = [], ...one }) => ({ ...one, ...checked(own, field) })),
    {
      role: 'user',
      content: [...instructions, message].filter((text) => text !== '').join('\n\n'),
      ...checked(images, field),
    },
  ];
}

const DATA = /^data:[^,]*;base64,/;

/**
 * Checks the images of one message by their bytes. @throws AppError validation_error for too many images, for an address, and for an invalid image
 */
function checked(images: readonly ModelImage[], field: string): { images?: NewImage[] } {
  if (images.length === 0) return {};
  if (images.length > MOST_MESSAGE_IMAGES)
    throw invalidField(field, `has a message with ${images.length} images: at most ${MOST_MESSAGE_IMAGES} are allowed`);
  const known = images.map(({ url }) => {
    if (!DATA.test(url))
      throw invalidField(field, 'of an agent have images as data URLs only: addresses are not fetched');
    return requireImage(new Uint8Array(Buffer.from(url.replace(DATA, ''), 'base64')), undefined, field);
  });
  requireFitting(known, field);
  return { images: known };
}
