import { Role, type Message, type Part, type SendMessageRequest } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { isStorable } from '@millwright/db';
import { NewMessage } from '../conversations/new-message.js';
import { MEDIA_TYPE } from '../agents/a2a-interfaces.js';

const malformed = (field: string, reason: string) => new RequestMalformedError(`${field}: ${reason}`);

/** A message that can be sent to an agent. @throws A2AError */
export function requireMessage({ message, configuration }: SendMessageRequest): Message {
  if (!message) throw malformed('message', 'is required');
  if (message.messageId === '') throw malformed('message.messageId', 'is required');
  if (message.role !== Role.ROLE_USER) throw malformed('message.role', 'must be that of a user');
  if (message.parts.length === 0) throw malformed('message.parts', 'must not be empty');
  const { historyLength, acceptedOutputModes = [] } = configuration ?? {};
  requireCount(historyLength, 'configuration.historyLength');
  if (acceptedOutputModes.length > 0 && !acceptedOutputModes.some(takesText)) {
    throw new ContentTypeNotSupportedError(`Agents answer with ${MEDIA_TYPE} only.`);
  }
  return message;
}

/** The text of a message's parts. @throws A2AError */
export function textOf({ parts }: Message): string {
  const { success, data, error } = NewMessage.shape.content.safeParse(parts.map(partText).join('\n'));
  if (!success)
    throw malformed('message.parts', error.issues[0]?.code === 'too_big' ? 'are too long' : 'must not be empty');
  return data;
}

/** Replaces a message's parts by its first part with this text, which was changed before it is stored. */
export const asOnePart = ({ parts }: Message, text: string): Part[] =>
  parts.slice(0, 1).map((part) => ({ ...part, content: { $case: 'text', value: text } }));

/** @throws A2AError */
export function requireCount(count: number | undefined, field: string): void {
  if (count !== undefined && (!Number.isInteger(count) || count < 0))
    throw malformed(field, 'must be a whole number from 0');
}

function partText({ content, mediaType }: Part, index: number): string {
  const field = `message.parts[${index}]`;
  if (!content) throw malformed(field, 'must have a text');
  if (content.$case !== 'text' || !(mediaType === '' || takesText(mediaType))) {
    throw new ContentTypeNotSupportedError(`${field}: agents read ${MEDIA_TYPE} only.`);
  }
  if (!isStorable(content.value)) throw malformed(field, 'must be well-formed text');
  return content.value;
}

/** Some cards and clients of 0.3 call the type `text`. */
const takesText = (mediaType: string) =>
  ['text', 'text/*', '*/*', MEDIA_TYPE, 'text/markdown'].includes(mediaType.split(';')[0]?.trim().toLowerCase() ?? '');
