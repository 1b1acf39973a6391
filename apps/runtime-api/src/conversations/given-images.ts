import { decodeId } from '@millwright/db';
import { isBase64 } from '@millwright/documents';
import { invalidField } from '@millwright/errors';
import { requireFitting, requireImage, isNew, type SentImage } from '@millwright/runs/message-images';
import type { GivenImage } from './new-message.js';

/** Reads the images in a request's body. @throws AppError validation_error when an image is invalid; the error names the field of the first fault */
export function readGivenImages(
  images: readonly GivenImage[] | undefined,
  contextId: string | undefined,
): SentImage[] | undefined {
  if (!images?.length) return undefined;
  const sent = images.map((image, index): SentImage => {
    const field = `images.${index}`;
    if ('id' in image) {
      const keptId = decodeId('img', image.id);
      if (contextId === undefined) throw invalidField(`${field}.id`, 'needs context_id: the conversation of the image');
      if (keptId === undefined) throw invalidField(`${field}.id`, 'is not an image of this conversation');
      return { keptId };
    }
    if (!isBase64(image.data)) throw invalidField(`${field}.data`, 'must be base64, without a prefix');
    // Copies the bytes, because a small Buffer is a part of a larger one, which would stay in memory as long as the image.
    return requireImage(new Uint8Array(Buffer.from(image.data, 'base64')), image.name, `${field}.data`);
  });
  requireFitting(sent.filter(isNew), 'images');
  return sent;
}
