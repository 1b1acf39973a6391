import { printable } from './readable.js';

const ESC = String.fromCharCode(0x1b);
const CSI = String.fromCharCode(0x9b);

describe('printable', () => {
  it.each([
    ['an escape sequence', `${ESC}[2J`, '\\u001b[2J'],
    ['a C1 control', `${CSI}31m`, '\\u009b31m'],
    ['a line break', 'a\nb\r', 'a\\u000ab\\u000d'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a change of direction', 'gpj\u202egnp.exe', 'gpj\\u202egnp.exe'],
    ['letters of any script', 'Zoë 李 مدير 👩', 'Zoë 李 مدير 👩'],
  ])('escapes %s', (_case, text, expected) => expect(printable(text)).toBe(expected));

  it('keeps JSON valid and its value unchanged', () => {
    const value = { name: `${CSI}x${ESC}\u202e` };
    const text = printable(JSON.stringify(value));
    expect(text).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(text)).toEqual(value);
  });
});
