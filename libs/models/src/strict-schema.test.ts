import { Ajv } from 'ajv';
import { toStrictSchema } from './strict-schema.js';

const ajv = new Ajv({ strict: false, validateFormats: false });

const address = {
  type: 'object',
  properties: { city: { type: 'string' }, zip: { type: 'string', pattern: '^\\d+$' } },
  required: ['city'],
};

describe('toStrictSchema', () => {
  it('forbids additional properties, requires every property and drops keywords that do not affect validity', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      title: 'T',
      properties: { a: { type: 'string', default: 'x' } },
      required: ['a'],
    };
    const strict = toStrictSchema(schema);
    expect(strict).toMatchObject({
      exact: true,
      schema: {
        type: 'object',
        title: 'T',
        properties: { a: { type: 'string' } },
        required: ['a'],
        additionalProperties: false,
      },
    });
    expect(JSON.stringify(strict?.schema)).not.toContain('default');
  });

  it.each<[string, object, unknown, unknown]>([
    ['an optional property', address, { city: 'x', zip: null }, { city: 'x' }],
    ['an optional property that the answer contains', address, { city: 'x', zip: '1' }, { city: 'x', zip: '1' }],
    [
      'a null that the schema allows',
      { type: 'object', properties: { a: { type: ['string', 'null'] } } },
      { a: null },
      { a: null },
    ],
    ['an enum with null', { type: 'object', properties: { a: { enum: ['x', null] } } }, { a: null }, { a: null }],
    ['an enum without null', { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } }, { a: null }, {}],
    [
      'optional properties in items',
      { type: 'object', properties: { list: { type: 'array', items: address } }, required: ['list'] },
      { list: [{ city: 'x', zip: null }] },
      { list: [{ city: 'x' }] },
    ],
    [
      'a reference',
      { type: 'object', properties: { home: { $ref: '#/$defs/address' } }, $defs: { address } },
      { home: { city: 'x', zip: null } },
      { home: { city: 'x' } },
    ],
    [
      'an optional reference',
      { type: 'object', properties: { home: { $ref: '#/definitions/address' } }, definitions: { address } },
      { home: null },
      {},
    ],
    [
      'a union with null',
      {
        type: 'object',
        properties: { home: { anyOf: [{ $ref: '#/$defs/address' }, { type: 'null' }] } },
        required: ['home'],
        $defs: { address },
      },
      { home: { city: 'x', zip: null } },
      { home: { city: 'x' } },
    ],
    ['recursion', { type: 'object', properties: { next: { $ref: '#' } } }, { next: { next: null } }, { next: {} }],
  ])('converts an answer so that it fits the original schema: %s', (_, schema, answer, meant) => {
    const strict = toStrictSchema(schema);
    expect(ajv.validate(strict?.schema ?? false, answer)).toBe(true);
    const restored: unknown = JSON.parse(strict?.restore(JSON.stringify(answer)) ?? '');
    expect(restored).toEqual(meant);
    expect(ajv.validate(schema, restored)).toBe(true);
  });

  it('does not change an answer that is not JSON', () => {
    expect(toStrictSchema(address)?.restore('{"city":')).toBe('{"city":');
  });

  const property = (schema: unknown) => ({ type: 'object', properties: { a: schema }, required: ['a'] });
  it.each<[string, object]>([
    ['is not an object', { type: 'string' }],
    ['has no type', { properties: {} }],
    ['allows additional properties', { type: 'object', properties: {}, additionalProperties: true }],
    ['has a property that lists no properties', property({ type: 'object' })],
    ['has a map as a property', property({ type: 'object', properties: {}, additionalProperties: { type: 'string' } })],
    ['limits lengths', property({ type: 'string', minLength: 1 })],
    ['uses oneOf', property({ oneOf: [{ type: 'string' }] })],
    ['uses allOf', property({ allOf: [{ type: 'string' }] })],
    ['uses not', property({ type: 'string', not: { const: 'x' } })],
    ['uses an unknown format', property({ type: 'string', format: 'uri' })],
    ['allows any items of a list', property({ type: 'array' })],
    ['has a tuple', property({ type: 'array', items: [{ type: 'string' }] })],
    ['allows any value of a property', property({})],
    ['has a boolean as the schema of a property', property(true)],
    ['requires an unlisted property', { type: 'object', properties: {}, required: ['a'] }],
    ['refers to another document', property({ $ref: 'https://example.com/x' })],
    ['refers to a missing definition', property({ $ref: '#/$defs/x' })],
    [
      'has a definition that only refers to itself',
      { ...property({ $ref: '#/$defs/x' }), $defs: { x: { $ref: '#/$defs/x' } } },
    ],
    ['has optional properties in one of several branches', property({ anyOf: [address, { type: 'string' }] })],
    [
      'is too deep',
      Array.from({ length: 12 }).reduce<object>((inner) => property(inner), property({ type: 'string' })),
    ],
  ])('returns undefined when the schema %s', (_, schema) => {
    expect(toStrictSchema(schema)).toBeUndefined();
  });
});
