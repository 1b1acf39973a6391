import { imageTypeOf, readImage, type ImageAttachment } from './image-attachment.js';

/** A text file that is sent as part of a message. */
export interface TextAttachment {
  name: string;
  text: string;
}

export type Attachment = TextAttachment | ImageAttachment;

export const isImage = (file: Attachment): file is ImageAttachment => 'blob' in file;

/** Maximum number of characters of a message in the API. */
export const MOST_CHARACTERS = 200_000;
export const MOST_FILES = 10;
const MOST_BYTES = 4 * MOST_CHARACTERS;
/** Maximum size of a file in bytes; larger files are not read. */
const MOST_READ_BYTES = 50 * 1_048_576;

/** Reads a file as an image or as text, by its bytes. @throws Error when the file is neither, or is too large */
export async function readAttachment(file: Pick<File, 'name' | 'size' | 'arrayBuffer'>): Promise<Attachment> {
  const isTooLarge = new Error(`${file.name} is too large for a message.`);
  if (file.size > MOST_READ_BYTES) throw isTooLarge;
  const bytes = await file.arrayBuffer();
  const type = imageTypeOf(bytes);
  if (type !== undefined) return readImage(file, bytes, type);
  if (file.size > MOST_BYTES) throw isTooLarge;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return { name: file.name, text };
  } catch {
    // Bytes that cannot be decoded as text are refused by the error below.
  }
  throw new Error(
    `${file.name} is neither text nor a PNG, JPEG, WebP or GIF image. Only these can be sent to the agent.`,
  );
}

/** Makes the content of a message with its files. Each file is in a code block whose fence does not occur in the text of the file. */
export function contentWith(text: string, files: readonly TextAttachment[]): string {
  return [text.trim(), ...files.map(blockOf)].filter((part) => part !== '').join('\n\n');
}

function blockOf({ name, text }: TextAttachment): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `File ${JSON.stringify(name)}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
