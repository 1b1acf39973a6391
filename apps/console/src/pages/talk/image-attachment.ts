/** Maximum size of all images of a message together, in bytes. */
export const MOST_IMAGE_BYTES = 5 * 1_048_576;

/** An image that is sent with a message. */
export interface ImageAttachment {
  name: string;
  /** The bytes that are sent. */
  blob: Blob;
  /** Object URL of the image, for a preview in this page. */
  url: string;
}

const SIGNATURES: readonly (readonly [type: string, begins: (text: string) => boolean])[] = [
  ['image/png', (text) => text.startsWith('\u0089PNG\r\n\u001a\n')],
  ['image/jpeg', (text) => text.startsWith('\u00ff\u00d8\u00ff')],
  ['image/gif', (text) => /^GIF8[79]a/.test(text)],
  ['image/webp', (text) => text.startsWith('RIFF') && text.startsWith('WEBP', 8)],
];

/** Returns the type of an image by its first bytes, whatever its name; undefined for all other bytes. */
export function imageTypeOf(bytes: ArrayBuffer): string | undefined {
  const text = String.fromCharCode(...new Uint8Array(bytes.slice(0, 12)));
  return SIGNATURES.find(([, begins]) => begins(text))?.[0];
}

/** Maximum width and height in pixels. Larger images are scaled down, because models use no more pixels and smaller images are sent faster. */
const MOST_SIDE = 2_048;
const FINE_BYTES = 1_048_576;
const QUALITY = 0.85;

/** Prepares an image for a message. @throws Error when the image cannot be shown, or is too large */
export async function readImage(file: Pick<File, 'name'>, bytes: ArrayBuffer, type: string): Promise<ImageAttachment> {
  const original = new Blob([bytes], { type });
  const picture = await createImageBitmap(original).catch(() => {
    throw new Error(`${file.name} cannot be shown: the image is damaged or incomplete.`);
  });
  const blob = await scaled(picture, original).finally(() => picture.close());
  if (blob.size > MOST_IMAGE_BYTES) throw new Error(`${file.name} is too large for a message.`);
  return { name: file.name, blob, url: URL.createObjectURL(blob) };
}

/** Scales an image down to sides of at most 2,048 pixels. Small images and animations stay unchanged. */
async function scaled(picture: ImageBitmap, original: Blob): Promise<Blob> {
  const { width, height } = picture;
  const scale = MOST_SIDE / Math.max(width, height);
  if (original.type === 'image/gif' || (scale >= 1 && original.size <= FINE_BYTES)) return original;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * Math.min(1, scale)));
  canvas.height = Math.max(1, Math.round(height * Math.min(1, scale)));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  // A PNG is converted to WebP, because it may have transparent pixels, which JPEG does not support.
  const type = original.type === 'image/png' ? 'image/webp' : original.type;
  const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  return smaller && smaller.size < original.size ? smaller : original;
}

/** The image in the form that the API accepts. */
export async function imageBody({ name, blob }: ImageAttachment): Promise<{ data: string; name: string }> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const parts: string[] = [];
  // Converts the bytes in parts, because each byte is an argument of the call, and the number of arguments is limited.
  for (let at = 0; at < bytes.length; at += 32_768) parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return { data: btoa(parts.join('')), name: name.slice(0, 255) };
}
