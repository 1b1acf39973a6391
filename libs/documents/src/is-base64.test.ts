import { isBase64 } from './is-base64.js';

describe('isBase64', () => {
  it.each(['QQ==', 'QUI=', 'QUJD', 'QUJ', '+/+/'])('accepts %s', (text) => expect(isBase64(text)).toBe(true));

  it.each(['', '=', '==', 'QQ===', 'Q=Q=', 'QQ QQ', 'QQ\n', 'Q-_Q', 'data:,QQ=='])('refuses %j', (text) =>
    expect(isBase64(text)).toBe(false),
  );

  it('accepts a text of 64 MiB, and refuses a wrong character at either side of a chunk boundary and at the end of the text', () => {
    const text = 'A'.repeat(64 * 1_048_576);
    expect(isBase64(text)).toBe(true);
    expect([`${'A'.repeat(8_191)}*AAA`, `${'A'.repeat(8_192)}*`, `${text}*`].map(isBase64)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
