import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  hashSecret,
  newClientId,
  newKey,
  newOneTimeToken,
  newOpaqueSecret,
  parseKey,
  secretMatches,
} from './secrets.js';

describe('newKey and parseKey', () => {
  it.each([
    ['api_key', /^mw_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/],
    ['pat', /^mw_pat_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/],
  ] as const)('create a key of kind %s, and read its public id and its secret from its text', (kind, format) => {
    for (let n = 0; n < 100; n++) {
      const { text, publicId, secret } = newKey(kind);
      expect(text).toMatch(format);
      expect(parseKey(kind, text)).toEqual({ publicId, secret });
    }
  });

  it('create a different key each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newKey('api_key').secret)).size).toBe(1_000);
  });

  it('refuse a key with one changed character', () => {
    const { text } = newKey('api_key');
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === 'x' ? 'y' : 'x';
      expect(parseKey('api_key', text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
    }
  });

  const { text } = newKey('api_key');
  it.each([
    ['an empty text', ''],
    ['the prefix alone', 'mw_live_'],
    ['a PAT', newKey('pat').text],
    ['a text that is too short', text.slice(0, -1)],
    ['a text that is too long', `${text}0`],
    ['a line end after the key', `${text}\n`],
    ['a blank before the key', ` ${text}`],
    ['an upper-case prefix', text.replace('mw_live_', 'MW_LIVE_')],
    ['a key without its checksum', text.slice(0, -6)],
    ['a character outside the alphabet', `${text.slice(0, 30)}!${text.slice(31)}`],
  ])('refuse %s', (_case, wrong) => expect(parseKey('api_key', wrong)).toBeUndefined());

  it('refuse any random text after the prefix mw_live_', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 100 }),
        (any) => parseKey('api_key', `mw_live_${any}`) === undefined,
      ),
    );
  });
});

describe('secrets', () => {
  it('match only their own hash', () => {
    const secret = newOpaqueSecret('mw_secret_');
    expect(hashSecret(secret)).toEqual(createHash('sha256').update(secret).digest());
    expect(secretMatches(secret, hashSecret(secret))).toBe(true);
    expect(secretMatches(secret, new Uint8Array(hashSecret(secret)))).toBe(true);
    for (const wrong of ['', `${secret} `, secret.slice(1), secret.toLowerCase()])
      expect(secretMatches(wrong, hashSecret(secret))).toBe(false);
    for (const hash of [Buffer.alloc(0), Buffer.alloc(31), Buffer.alloc(32), Buffer.alloc(33)])
      expect(secretMatches(secret, hash)).toBe(false);
  });

  it('have 256 bits, whatever their kind', () => {
    expect(newOneTimeToken()).toMatch(/^[0-9a-f]{64}$/);
    expect(newOpaqueSecret('mw_refresh_')).toMatch(/^mw_refresh_[0-9A-Za-z]{43}$/);
    expect(newClientId()).toMatch(/^mw_client_[0-9A-Za-z]{22}$/);
  });
});
