import { randomUUID } from 'node:crypto';
import { decodeId, encodeId, idFor, newId, type IdPrefix } from './index.js';

const PREFIXES: IdPrefix[] = ['usr', 'ses', 'sk', 'ag', 'pl', 'ct', 'ms', 'fl', 'ctx', 'msg', 'key', 'cli', 'job'];
const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

describe('idFor', () => {
  it('is a UUIDv8: equal for equal texts in every process, different for different texts', () => {
    expect(idFor('context a')).toBe('b8a53c93-5ced-8e2e-a0b8-c11723cafb32');
    expect(idFor('context b')).not.toBe(idFor('context a'));
    const UUID_V8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (let n = 0; n < 200; n += 1) expect(idFor(`text ${n}`)).toMatch(UUID_V8);
  });
});

describe('encodeId and decodeId', () => {
  it.each(PREFIXES)('encode any UUID in 22 characters with the prefix %s', (prefix) => {
    for (const uuid of [LOWEST, HIGHEST, newId(), ...Array.from({ length: 200 }, randomUUID)]) {
      const id = encodeId(prefix, uuid);
      expect(id).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`));
      expect(decodeId(prefix, id)).toBe(uuid);
    }
  });

  it('keep the order of UUIDs', () => {
    const ids = Array.from({ length: 1_000 }, newId);
    expect(ids.toSorted()).toEqual(ids);
    const texts = ids.map((id) => encodeId('sk', id));
    expect(texts.toSorted()).toEqual(texts);
  });

  const id = encodeId('sk', newId());
  it.each([
    ['nothing', ''],
    ['the prefix alone', 'sk_'],
    ['another prefix', id.replace('sk_', 'ag_')],
    ['another prefix of the same length', id.replace('sk_', 'pl_')],
    ['no separator', id.replace('_', '0')],
    ['one character too few', id.slice(0, -1)],
    ['one character too many', `${id}0`],
    ['a blank before', ` ${id}`],
    ['a line end after', `${id.slice(0, -1)}\n`],
    ['a character outside the alphabet', `${id.slice(0, -1)}-`],
    ['a full-width digit', `${id.slice(0, -1)}１`],
    ['a value above 128 bits', `sk_${'z'.repeat(22)}`],
    ['a bare UUID', newId()],
    ['SQL', "sk_' OR '1'='1' -- 000000"],
  ])('refuse %s', (_case, text) => expect(decodeId('sk', text)).toBeUndefined());

  it('distinguish upper and lower case', () => {
    const upper = encodeId('sk', LOWEST).replace(/0$/, 'A');
    const lower = encodeId('sk', LOWEST).replace(/0$/, 'a');
    expect(decodeId('sk', upper)).not.toBe(decodeId('sk', lower));
    expect(decodeId('sk', 'SK_' + id.slice(3))).toBeUndefined();
  });

  it('refuse the first value that is too large for a UUID', () => {
    const highest = encodeId('sk', HIGHEST);
    const next = highest.slice(0, -1) + String.fromCharCode(highest.charCodeAt(highest.length - 1) + 1);
    expect(decodeId('sk', highest)).toBe(HIGHEST);
    expect(decodeId('sk', next)).toBeUndefined();
  });
});
