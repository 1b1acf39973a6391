import { randomBytes } from 'node:crypto';
import { parseConfig } from '@millwright/config';
import { z } from 'zod';
import { createSecretBox, parseSecretKey, secretsConfig, SecretUnreadable, type SecretKey } from './index.js';

const newKey = (id: string): SecretKey => ({ id, key: randomBytes(32) });
const [first, second] = [newKey('2026-11'), newKey('2026-12')];
const place = 'mcp_servers/1/headers';

describe('a sealed value', () => {
  const secretBox = createSecretBox([first]);

  it.each(['', 'Bearer x', 'ünïcödé 🔑', 'x'.repeat(100_000)])('is opened as the original value: %j', (plain) => {
    expect(secretBox.open(secretBox.seal(plain, place), place)).toBe(plain);
  });

  it('reveals neither the value nor whether two values are equal', () => {
    const [one, other] = [secretBox.seal('hunter2', place), secretBox.seal('hunter2', place)];
    expect(one).not.toBe(other);
    expect(Buffer.from(one.split('.')[2] ?? '', 'base64url').includes('hunter2')).toBe(false);
  });

  it('opens only with the table, row and field for which it was sealed', () => {
    expect(() => secretBox.open(secretBox.seal('x', place), 'mcp_servers/2/headers')).toThrow(SecretUnreadable);
  });

  it('does not open after any of its bits has changed', () => {
    const [format, id, encoded = ''] = secretBox.seal('x', place).split('.');
    const body = Buffer.from(encoded, 'base64url');
    for (let bit = 0; bit < body.length * 8; bit++) {
      const changed = Buffer.from(body);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => secretBox.open(`${format}.${id}.${changed.toString('base64url')}`, place)).toThrow(SecretUnreadable);
    }
  });

  it.each(['', 'x', 's1', 's1.2026-11', 's1.2026-11.', 's1.2026-11.AAAA', 's2.2026-11.AAAA', 's1.a.b.c'])(
    'is refused when it is %j',
    (text) => {
      expect(() => secretBox.open(text, place)).toThrow(SecretUnreadable);
    },
  );
});

describe('a key ring', () => {
  const [before, during, after] = [
    createSecretBox([first]),
    createSecretBox([second, first]),
    createSecretBox([second]),
  ];

  it('seals under its first key and opens under all its keys', () => {
    const old = before.seal('x', place);
    expect([during.open(old, place), during.isCurrent(old), before.isCurrent(old)]).toEqual(['x', false, true]);
    const fresh = during.seal('x', place);
    expect([after.open(fresh, place), during.isCurrent(fresh)]).toEqual(['x', true]);
  });

  it('throws an error that names the missing key', () => {
    expect(() => after.open(before.seal('x', place), place)).toThrow(
      'sealed under key 2026-11, which is not configured',
    );
  });

  it('does not open a value in which the id of its key was replaced by the id of another key', () => {
    const renamed = before.seal('x', place).replace('.2026-11.', '.2026-12.');
    expect(() => during.open(renamed, place)).toThrow(SecretUnreadable);
  });
});

describe('SECRETS_KEYS', () => {
  const load = (SECRETS_KEYS?: string) => parseConfig(z.object(secretsConfig), { SECRETS_KEYS }).SECRETS_KEYS;
  const entry = ({ id, key }: SecretKey, encoding: 'base64' | 'base64url' = 'base64') =>
    `${id}:${key.toString(encoding)}`;

  it('lists the keys in order', () => {
    expect(load(`${entry(second)}, ${entry(first, 'base64url')}`)).toEqual([second, first]);
    expect(parseSecretKey(entry(first))).toEqual(first);
  });

  const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64');
  it.each<[string, string | undefined, string]>([
    ['a missing value', undefined, 'is required'],
    ['an empty list', ',', 'must list a key'],
    ['a password', 'hunter2', 'must list id:key'],
    ['a short key', `a:${bytes(31)}`, 'must list id:key'],
    ['a long key', `a:${bytes(33)}`, 'must list id:key'],
    ['a blank in an id', `a b:${bytes(32)}`, 'must list id:key'],
    ['an id that is used twice', `a:${bytes(32)},a:${bytes(32)}`, 'must not use an id twice'],
  ])('refuses %s without repeating it', (_what, text, reason) => {
    expect(() => load(text)).toThrow(`SECRETS_KEYS: ${reason}`);
    const secrets = text?.split(/[:,]/).filter((part) => part.length > 3) ?? [];
    for (const secret of secrets) expect(() => load(text)).not.toThrow(secret);
  });
});
