import { GIF_IMAGE, JPEG_IMAGE, LOSSLESS_WEBP_IMAGE, pngImage, pngOf, WEBP_IMAGE } from '@millwright/testing/images';
import { IMAGE_SIDE, inspectImage } from './inspect-image.js';

const IMAGES: [name: string, bytes: Buffer, expected: object][] = [
  ['a PNG', pngImage(12, 8), { type: 'image/png', width: 12, height: 8 }],
  ['a JPEG', JPEG_IMAGE, { type: 'image/jpeg', width: 12, height: 8 }],
  ['a GIF', GIF_IMAGE, { type: 'image/gif', width: 1, height: 1 }],
  ['a WebP', WEBP_IMAGE, { type: 'image/webp', width: 12, height: 8 }],
  ['a lossless WebP', LOSSLESS_WEBP_IMAGE, { type: 'image/webp', width: 12, height: 8 }],
];

/** Returns the image chunk of a WebP alone, without the extended header. */
function simpleWebp(extended: Buffer, type: string): Buffer {
  const chunk = extended.subarray(extended.indexOf(type, 12, 'latin1'));
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  header.writeUInt32LE(4 + chunk.length, 4);
  return Buffer.concat([header, chunk]);
}

const header = (width: number, height: number) => {
  const bytes = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  return bytes;
};
const pixels = Buffer.from([1]);
const nothing = Buffer.alloc(0);

describe('inspectImage', () => {
  it.each(IMAGES)('reads the type and the size of %s from its bytes', (_name, bytes, expected) => {
    expect(inspectImage(bytes)).toEqual(expected);
  });

  it('reads a WebP without an extended header, in both encodings', () => {
    const size = { type: 'image/webp', width: 12, height: 8 };
    expect(inspectImage(simpleWebp(WEBP_IMAGE, 'VP8 '))).toEqual(size);
    expect(inspectImage(simpleWebp(LOSSLESS_WEBP_IMAGE, 'VP8L'))).toEqual(size);
  });

  it('reads an image that is a part of a larger buffer', () => {
    const image = pngImage(3, 2);
    const within = Buffer.concat([Buffer.from('before'), image, Buffer.from('after')]);
    expect(inspectImage(within.subarray(6, 6 + image.length))).toEqual({ type: 'image/png', width: 3, height: 2 });
  });

  it.each(IMAGES)('reports %s as damaged wherever it was cut', (_name, bytes) => {
    const faults = [];
    for (let length = 16; length < bytes.length; length += 1) {
      const found = inspectImage(bytes.subarray(0, length));
      if (!('failure' in found) || found.failure !== 'damaged') faults.push(length);
    }
    expect(faults).toEqual([]);
  });

  it('reports a PNG as damaged when a byte was changed', () => {
    const image = pngImage(12, 8);
    for (let at = 8; at < image.length; at += 1) {
      const changed = Buffer.from(image);
      changed.writeUInt8(image.readUInt8(at) ^ 1, at);
      expect(inspectImage(changed)).toEqual({ failure: 'damaged' });
    }
  });

  it('refuses text, HTML, SVG, other formats and an empty file as unsupported', () => {
    const others = [
      '',
      'Hello',
      '<!doctype html><script>alert(1)</script>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '%PDF-1.7',
    ];
    for (const text of others) expect(inspectImage(Buffer.from(text))).toEqual({ failure: 'unsupported' });
    expect(inspectImage(Buffer.from('RIFF\x04\0\0\0WAVE', 'latin1'))).toEqual({ failure: 'unsupported' });
  });

  it('reports images without pixels or without a size as damaged', () => {
    expect(
      inspectImage(
        pngOf([
          ['IHDR', header(2, 2)],
          ['IEND', nothing],
        ]),
      ),
    ).toEqual({ failure: 'damaged' });
    expect(
      inspectImage(
        pngOf([
          ['IDAT', pixels],
          ['IEND', nothing],
        ]),
      ),
    ).toEqual({ failure: 'damaged' });
    expect(
      inspectImage(
        pngOf([
          ['IHDR', header(0, 2)],
          ['IDAT', pixels],
          ['IEND', nothing],
        ]),
      ),
    ).toEqual({ failure: 'damaged' });
    expect(inspectImage(Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'))).toEqual({ failure: 'damaged' });
    expect(inspectImage(Buffer.from([0xff, 0xd8, 0xff, 0xd9]))).toEqual({ failure: 'damaged' });
    expect(inspectImage(Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'))).toEqual({ failure: 'damaged' });
  });

  it('refuses more pixels than browsers and models read, whatever the size in bytes', () => {
    const png = (width: number, height: number) =>
      pngOf([
        ['IHDR', header(width, height)],
        ['IDAT', pixels],
        ['IEND', nothing],
      ]);
    expect(inspectImage(png(IMAGE_SIDE, 5_000))).toMatchObject({ width: IMAGE_SIDE });
    expect(inspectImage(png(IMAGE_SIDE + 1, 1))).toEqual({ failure: 'too_many_pixels' });
    expect(inspectImage(png(1, IMAGE_SIDE + 1))).toEqual({ failure: 'too_many_pixels' });
    expect(inspectImage(png(IMAGE_SIDE, 5_001))).toEqual({ failure: 'too_many_pixels' });
    expect(inspectImage(png(0xffffffff, 0xffffffff))).toEqual({ failure: 'too_many_pixels' });
  });
});
