import { GIF_IMAGE, JPEG_IMAGE, pngImage, WEBP_IMAGE } from '@millwright/testing/images';
import { contentWith, readAttachment } from './attachments.js';
import { imageTypeOf } from './image-attachment.js';

const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => new File([content], name);

describe('contentWith', () => {
  it('appends the files to the text, each in a separate block', () => {
    const files = [
      { name: 'a.txt', text: 'one\n' },
      { name: 'b "c".md', text: 'two' },
    ];
    expect(contentWith(' Compare. ', files)).toBe(
      'Compare.\n\nFile "a.txt":\n```\none\n```\n\nFile "b \\"c\\".md":\n```\ntwo\n```',
    );
    expect(contentWith('', [])).toBe('');
  });

  it('fences a file with more backticks than the file contains, so that its text cannot end the block', () => {
    expect(contentWith('', [{ name: 'x.md', text: '````\ncode\n````' }])).toBe(
      'File "x.md":\n`````\n````\ncode\n````\n`````',
    );
  });
});

describe('readAttachment', () => {
  it('returns the text of a text file, and rejects for other bytes and for files that are too large for a message', async () => {
    expect(await readAttachment(file('a.txt', 'grüße'))).toEqual({ name: 'a.txt', text: 'grüße' });
    const isNeither = 'neither text nor a PNG, JPEG, WebP or GIF image';
    await expect(readAttachment(file('a.png', new Uint8Array([0x89, 0x50, 0xff])))).rejects.toThrow(isNeither);
    await expect(readAttachment(file('nul', 'a\0b'))).rejects.toThrow(isNeither);
    await expect(readAttachment(file('big.txt', 'x'.repeat(800_001)))).rejects.toThrow('too large');
    // This file has the name of an image, but contains text. It is read as text, because only the bytes count.
    expect(await readAttachment(file('page.png', '<p>Hi</p>'))).toEqual({ name: 'page.png', text: '<p>Hi</p>' });
  });
});

describe('imageTypeOf', () => {
  const typeOf = (bytes: Uint8Array) => imageTypeOf(new Uint8Array(bytes).buffer);

  it('recognizes images by their first bytes', () => {
    expect([pngImage(1, 1), JPEG_IMAGE, GIF_IMAGE, WEBP_IMAGE].map(typeOf)).toEqual([
      'image/png',
      'image/jpeg',
      'image/gif',
      'image/webp',
    ]);
  });

  it('does not recognize other bytes as an image', () => {
    for (const text of ['', '<svg/>', 'RIFF0000WAVE', 'GIF', '%PDF-1.7'])
      expect(typeOf(new TextEncoder().encode(text))).toBeUndefined();
  });
});
