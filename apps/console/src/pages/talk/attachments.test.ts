import { contentWith, readAttachment } from './attachments.js';

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

  it('fences a file with more backticks than it contains, so that its text cannot end the block', () => {
    expect(contentWith('', [{ name: 'x.md', text: '````\ncode\n````' }])).toBe(
      'File "x.md":\n`````\n````\ncode\n````\n`````',
    );
  });
});

describe('readAttachment', () => {
  it('reads text, and refuses bytes that are no text and files too large for a message', async () => {
    expect(await readAttachment(file('a.txt', 'grüße'))).toEqual({ name: 'a.txt', text: 'grüße' });
    await expect(readAttachment(file('a.png', new Uint8Array([0x89, 0x50, 0xff])))).rejects.toThrow('not a text file');
    await expect(readAttachment(file('nul', 'a\0b'))).rejects.toThrow('not a text file');
    await expect(readAttachment(file('big.txt', 'x'.repeat(800_001)))).rejects.toThrow('too large');
  });
});
