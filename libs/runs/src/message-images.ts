import { createHash } from 'node:crypto';
import { isStorable, newId } from '@millwright/db';
import { IMAGE_PIXELS, IMAGE_SIDE, inspectImage, type ImageFailure, type ImageType } from '@millwright/documents';
import { invalidField } from '@millwright/errors';

/** Maximum size of all images of one message together. In base64, they fit into a large body. */
export const IMAGES_BYTES = 5 * 1_048_576;

/** The stored data of an image, without its bytes. */
export interface MessageImage {
  /** Row id of the image. */
  id: string;
  name: string;
  content_type: ImageType;
  /** Size in bytes. */
  size: number;
  width: number;
  height: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string;
}

/** An image that arrives with a message and was checked. */
export interface NewImage extends MessageImage {
  bytes: Uint8Array<ArrayBuffer>;
}

/** An image of a new message: either a new image, or the id of an image in an earlier message of the conversation. */
export type SentImage = NewImage | { keptId: string };

const FAILURES: Readonly<Record<ImageFailure, string>> = {
  unsupported: 'must be a PNG, JPEG, WebP or GIF image: its bytes are another format, whatever its name says',
  damaged: 'cannot be read: the image is damaged or incomplete',
  too_many_pixels: `has too many pixels: at most ${IMAGE_SIDE.toLocaleString('en')} on a side and ${IMAGE_PIXELS / 1_000_000} million in all; scale it down`,
};

const NAMES: Readonly<Record<ImageType, string>> = {
  'image/png': 'image.png',
  'image/jpeg': 'image.jpg',
  'image/webp': 'image.webp',
  'image/gif': 'image.gif',
};

/** Control characters, characters that change the direction of text, and characters that separate folders. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069/\\]/gu;
const NAME_LENGTH = 255;

/** Checks an image by its bytes. @throws AppError validation_error for bytes that are not a supported image; the error names `field` */
export function requireImage(bytes: Uint8Array<ArrayBuffer>, name: string | undefined, field: string): NewImage {
  const found = inspectImage(bytes);
  if ('failure' in found) throw invalidField(field, FAILURES[found.failure]);
  const { type, width, height } = found;
  const label =
    name === undefined || !isStorable(name)
      ? ''
      : name.replace(UNSAFE, ' ').trim().slice(0, NAME_LENGTH).toWellFormed();
  return {
    ...{ id: newId(), name: label || NAMES[type], content_type: type, size: bytes.length, width, height },
    ...{ sha256: createHash('sha256').update(bytes).digest('hex'), bytes },
  };
}

/** @throws AppError validation_error when the images of a message are too large together */
export function requireFitting(images: readonly Pick<MessageImage, 'size'>[], field: string): void {
  const size = images.reduce((sum, image) => sum + image.size, 0);
  if (size > IMAGES_BYTES)
    throw invalidField(
      field,
      `has ${(size / 1_048_576).toFixed(1)} MiB: at most ${IMAGES_BYTES / 1_048_576} MiB together; scale them down`,
    );
}

export const isNew = (image: SentImage): image is NewImage => 'bytes' in image;

/** An image in the form in which its message stores it. */
export const recordOf = ({ id, name, content_type, size, width, height, sha256 }: MessageImage): MessageImage => ({
  ...{ id, name, content_type, size, width, height, sha256 },
});

/** The columns of a message with these images. */
export const imageColumns = (images: readonly MessageImage[]): { images?: MessageImage[]; image_bytes?: number } =>
  images.length === 0
    ? {}
    : { images: images.map(recordOf), image_bytes: images.reduce((sum, { size }) => sum + size, 0) };

/** Maximum number of images of one message. */
export const MOST_MESSAGE_IMAGES = 10;

/** The error for a message with images when the model reads no images. */
export const unreadImages = (model: string, field = 'images') =>
  invalidField(
    field,
    `are not read by this agent's model ${model}: send the message without images, choose a model that reads images for the agent, or have an admin set \`images\` of the model`,
  );
