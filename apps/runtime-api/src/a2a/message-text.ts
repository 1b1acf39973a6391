import { Role, type Message, type Part, type SendMessageRequest } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { isStorable } from '@millwright/db';
import { IMAGE_TYPES } from '@millwright/documents';
import {
  MOST_MESSAGE_IMAGES,
  requireFitting,
  requireImage,
  type MessageImage,
  type NewImage,
} from '@millwright/runs/message-images';
import { messageFields } from '../conversations/new-message.js';
import { MEDIA_TYPE } from '../agents/a2a-interfaces.js';

const malformed = (field: string, reason: string) => new RequestMalformedError(`${field}: ${reason}`);

/** Returns the request's message. Does not check the content of the parts. @throws A2AError when a field or the requested output is invalid */
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

/** Reads the text and the images of a message. @throws A2AError for an invalid part; AppError validation_error for an invalid or too large image */
export function contentOf({ parts }: Message): { content: string; images: NewImage[] } {
  const images = parts.flatMap((part, index) => (isText(part) ? [] : [partImage(part, index)]));
  if (images.length > MOST_MESSAGE_IMAGES)
    throw malformed('message.parts', `have ${images.length} images: at most ${MOST_MESSAGE_IMAGES} are allowed`);
  requireFitting(images, 'message.parts');
  const text = parts.flatMap((part, index) => (isText(part) ? [partText(part, index)] : [])).join('\n');
  const { success, data, error } = messageFields.content.safeParse(text);
  if (!success || (data.trim() === '' && images.length === 0))
    throw malformed('message.parts', error?.issues[0]?.code === 'too_big' ? 'are too long' : 'must not be empty');
  return { content: data, images };
}

/**
 * Returns the parts of a message in the form in which they are stored. When guards changed the text, the changed text replaces all text parts. Images
 * are replaced by their addresses, which all readers of the conversation can open.
 */
export function storedParts(
  { parts }: Message,
  sent: string,
  stored: string,
  images: readonly MessageImage[],
  addressOf: (image: MessageImage) => string,
): Part[] {
  const texts = parts.filter(isText);
  const kept =
    stored === sent
      ? texts
      : texts.slice(0, 1).map((part): Part => ({ ...part, content: { $case: 'text', value: stored } }));
  const shown = images.map((image): Part => ({
    content: { $case: 'url', value: addressOf(image) },
    filename: image.name,
    mediaType: image.content_type,
    metadata: undefined,
  }));
  return [...kept, ...shown];
}

/** @throws A2AError unless the number is whole and not negative, or undefined */
export function requireCount(count: number | undefined, field: string): void {
  if (count !== undefined && (!Number.isInteger(count) || count < 0))
    throw malformed(field, 'must be a whole number from 0');
}

const isText = ({ content }: Part): boolean => content === undefined || content.$case === 'text';

const READ = `agents read ${MEDIA_TYPE}, and ${IMAGE_TYPES.join(', ')} where their model reads images`;

function partText({ content, mediaType }: Part, index: number): string {
  const field = `message.parts[${index}]`;
  if (content?.$case !== 'text') throw malformed(field, 'must have a text or an image');
  if (!(mediaType === '' || takesText(mediaType))) throw new ContentTypeNotSupportedError(`${field}: ${READ}.`);
  if (!isStorable(content.value)) throw malformed(field, 'must be well-formed text');
  return content.value;
}

/** Media types of files that clients send without a media type. */
const UNKNOWN_TYPES = ['', '*/*', 'application/octet-stream'];

/** Reads the image of a part that contains bytes. Refuses a part with an address, because fetching the image could reach any server. */
function partImage({ content, mediaType, filename }: Part, index: number): NewImage {
  const field = `message.parts[${index}]`;
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (content?.$case === 'url' && type.startsWith('image/'))
    throw new ContentTypeNotSupportedError(
      `${field}: addresses of images are not fetched. Send the bytes of the image.`,
    );
  if (content?.$case !== 'raw' || !(type.startsWith('image/') || UNKNOWN_TYPES.includes(type)))
    throw new ContentTypeNotSupportedError(`${field}: ${READ}.`);
  return requireImage(new Uint8Array(content.value), filename || undefined, field);
}

/** Whether a media type means text. Some cards and clients of 0.3 use `text` instead of `text/plain`. */
const takesText = (mediaType: string) =>
  ['text', 'text/*', '*/*', MEDIA_TYPE, 'text/markdown'].includes(mediaType.split(';')[0]?.trim().toLowerCase() ?? '');
