import { isBase64 } from '@millwright/documents';
import { isPublicUrl } from '@millwright/egress';
import { invalidField } from '@millwright/errors';
import { MOST_IMAGES, type ModelImage } from '@millwright/models';

/** A part of a message: its text, or an image. */
export type TextOrImage = { text: string } | { image: ModelImage };

/** The content of a message or of an output of a tool: its text, and its images, which follow the text. */
export interface TextAndImages {
  content: string;
  images?: ModelImage[];
}

/**
 * Joins the parts of a message. When an image is between two texts, the content has `[image 1]`, `[image 2]` and so on at the places of all images,
 * so that the model can match texts and images. The content of a tool output always has these marks.
 */
export function textAndImages(parts: readonly TextOrImage[], isOutput = false): TextAndImages {
  const images = parts.flatMap((part) => ('image' in part ? [part.image] : []));
  const first = parts.findIndex((part) => 'text' in part);
  const last = parts.findLastIndex((part) => 'text' in part);
  const isMixed = isOutput || parts.some((part, index) => 'image' in part && index > first && index < last);
  let count = 0;
  const texts = parts.flatMap((part) => {
    if ('text' in part) return [part.text];
    count += 1;
    return isMixed ? [`[image ${count}]`] : [];
  });
  return { content: texts.join('\n'), ...(images.length > 0 && { images }) };
}

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,/;

/** Whether a text is the data URL of an image in base64. */
function isImageData(url: string): boolean {
  const [prefix] = IMAGE.exec(url) ?? [];
  return prefix !== undefined && isBase64(url.slice(prefix.length));
}

/** Maximum length of an address in characters. */
const ADDRESS_LENGTH = 4_096;

/**
 * Parses an image of a request. An address is not fetched here, because the model that is chosen later determines whether its server may
 * fetch the address.
 */
export function requireImage(
  url: string | null | undefined,
  detail: ModelImage['detail'] | undefined,
  field: string,
): TextOrImage {
  if (url === undefined || url === null) throw invalidField(field, 'is required');
  if (!isImageData(url) && !(url.length <= ADDRESS_LENGTH && isPublicUrl(url)))
    throw invalidField(
      field,
      `must be a data URL of a PNG, JPEG, GIF or WebP image in base64, or the https address of a public host, ${ADDRESS_LENGTH} characters at most`,
    );
  return { image: { url, ...(detail !== undefined && detail !== 'auto' && { detail }) } };
}

/** @throws AppError validation_error for `field` when the messages together have more images than are allowed in one request */
export function requireFewImages(messages: readonly { images?: readonly ModelImage[] }[], field: string): void {
  const count = messages.reduce((sum, { images = [] }) => sum + images.length, 0);
  if (count > MOST_IMAGES) throw invalidField(field, `has ${count} images: at most ${MOST_IMAGES} are allowed`);
}
