import { crc32 } from 'node:zlib';

/** Types of images that models read. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/**
 * Limits of an image's size in pixels: sizes that the providers of models read, and that a browser shows without
 * difficulty.
 */
export const IMAGE_SIDE = 8_000;
export const IMAGE_PIXELS = 40_000_000;

/** Reasons why bytes are not a usable image. */
export type ImageFailure = 'unsupported' | 'damaged' | 'too_many_pixels';

export interface InspectedImage {
  type: ImageType;
  width: number;
  height: number;
}

class Damaged extends Error {}

/**
 * Reads the type and size of an image from its bytes, whatever its name and declared type are. The structure is read up
 * to its end, so that a cut-off image is found. Pixels are not decoded.
 */
export function inspectImage(bytes: Uint8Array): InspectedImage | { failure: ImageFailure } {
  const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = FORMATS.find(({ begins }) => begins(image));
  if (!format) return { failure: 'unsupported' };
  try {
    const { width, height } = format.sizeOf(image);
    if (width < 1 || height < 1) return { failure: 'damaged' };
    if (Math.max(width, height) > IMAGE_SIDE || width * height > IMAGE_PIXELS) return { failure: 'too_many_pixels' };
    return { type: format.type, width, height };
  } catch (error) {
    // A read beyond the end of the bytes throws a RangeError.
    if (error instanceof Damaged || error instanceof RangeError) return { failure: 'damaged' };
    throw error;
  }
}

interface Size {
  width: number;
  height: number;
}

interface Format {
  type: ImageType;
  begins: (image: Buffer) => boolean;
  /** Reads the size of an image. @throws Damaged, or RangeError for a read beyond the end, when the image is damaged */
  sizeOf: (image: Buffer) => Size;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Number of bytes of a chunk's length, type and checksum. */
const PNG_FRAME = 12;

/** Reads the chunks of a PNG with their checksums, up to the last chunk (W3C PNG §5). */
function sizeOfPng(image: Buffer): Size {
  let size: Size | undefined;
  let hasPixels = false;
  for (let at = PNG_SIGNATURE.length; ;) {
    const length = image.readUInt32BE(at);
    const type = image.toString('latin1', at + 4, at + 8);
    const end = at + PNG_FRAME + length;
    if (image.readUInt32BE(end - 4) !== crc32(image.subarray(at + 4, end - 4))) throw new Damaged();
    if (size === undefined) {
      if (type !== 'IHDR') throw new Damaged();
      size = { width: image.readUInt32BE(at + 8), height: image.readUInt32BE(at + 12) };
    }
    hasPixels ||= type === 'IDAT' && length > 0;
    if (type === 'IEND') break;
    at = end;
  }
  if (!hasPixels) throw new Damaged();
  return size;
}

/** Markers of a JPEG that begin a frame. C4, C8 and CC have other meanings (ITU T.81 §B.1.1.3). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers that have no segment. */
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Reads the segments of a JPEG up to its first scan, and checks that its end exists (ITU T.81 §B). */
function sizeOfJpeg(image: Buffer): Size {
  let size: Size | undefined;
  for (let at = 2; ;) {
    if (image.readUInt8(at) !== 0xff) throw new Damaged();
    const marker = image.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1; // fill bytes may precede a marker
      continue;
    }
    if (isAlone(marker)) {
      at += 2;
      continue;
    }
    const length = image.readUInt16BE(at + 2);
    if (length < 2) throw new Damaged();
    if (isFrame(marker)) size ??= { height: image.readUInt16BE(at + 5), width: image.readUInt16BE(at + 7) };
    at += 2 + length;
    if (marker === START_OF_SCAN) {
      if (size === undefined || image.indexOf(END_OF_IMAGE, at) === -1) throw new Damaged();
      return size;
    }
  }
}

/** Reads the blocks of a GIF up to its trailer (GIF89a, appendix A). */
function sizeOfGif(image: Buffer): Size {
  const tableBytes = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1));
  const skipBlocks = (from: number) => {
    let at = from;
    for (let length = image.readUInt8(at); length > 0; length = image.readUInt8(at)) at += 1 + length;
    return at + 1;
  };
  const size = { width: image.readUInt16LE(6), height: image.readUInt16LE(8) };
  let hasPixels = false;
  for (let at = 13 + tableBytes(image.readUInt8(10)); ;) {
    const block = image.readUInt8(at);
    if (block === 0x3b) break;
    if (block === 0x21) at = skipBlocks(at + 2);
    else if (block === 0x2c) {
      at = skipBlocks(at + 11 + tableBytes(image.readUInt8(at + 9)));
      hasPixels = true;
    } else throw new Damaged();
  }
  if (!hasPixels) throw new Damaged();
  return size;
}

/** Reads the chunks of a WebP (RFC 9649 §2.3 to §2.7). */
function sizeOfWebp(image: Buffer): Size {
  const end = 8 + image.readUInt32LE(4);
  if (end > image.length) throw new Damaged();
  let size: Size | undefined;
  let hasPixels = false;
  for (let at = 12; at < end;) {
    const type = image.toString('latin1', at, at + 4);
    const length = image.readUInt32LE(at + 4);
    const data = at + 8;
    if (data + length > end) throw new Damaged();
    size ??= sizeOfChunk(image, type, data);
    hasPixels ||= ['VP8 ', 'VP8L', 'ANMF'].includes(type);
    at = data + length + (length % 2);
  }
  if (!size || !hasPixels) throw new Damaged();
  return size;
}

function sizeOfChunk(image: Buffer, type: string, data: number): Size | undefined {
  switch (type) {
    case 'VP8X':
      return { width: 1 + image.readUIntLE(data + 4, 3), height: 1 + image.readUIntLE(data + 7, 3) };
    case 'VP8 ':
      if (image.readUIntBE(data + 3, 3) !== 0x9d012a) throw new Damaged();
      return { width: image.readUInt16LE(data + 6) & 0x3fff, height: image.readUInt16LE(data + 8) & 0x3fff };
    case 'VP8L': {
      if (image.readUInt8(data) !== 0x2f) throw new Damaged();
      const bits = image.readUInt32LE(data + 1);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    default:
      return undefined;
  }
}

const startsWith = (text: string, at = 0) => {
  const expected = Buffer.from(text, 'latin1');
  return (image: Buffer) => image.subarray(at, at + expected.length).equals(expected);
};
const isRiff = startsWith('RIFF');
const isWebp = startsWith('WEBP', 8);

const FORMATS: readonly Format[] = [
  { type: 'image/png', begins: startsWith(PNG_SIGNATURE.toString('latin1')), sizeOf: sizeOfPng },
  { type: 'image/jpeg', begins: startsWith('\u00ff\u00d8\u00ff'), sizeOf: sizeOfJpeg },
  { type: 'image/gif', begins: (image) => /^GIF8[79]a$/.test(image.toString('latin1', 0, 6)), sizeOf: sizeOfGif },
  { type: 'image/webp', begins: (image) => isRiff(image) && isWebp(image), sizeOf: sizeOfWebp },
];
