import { checkSchema } from './check-schema.js';
import { mergeReferences, propertyNames } from './merge-references.js';
import { patternCost } from './pattern.js';

const reasons = (schema: unknown) => checkSchema(schema).map(({ path, reason }) => `${path}: ${reason}`);
const nested = (depth: number): object => (depth === 0 ? {} : { not: nested(depth - 1) });

describe('checkSchema', () => {
  it('accepts ordinary schemas', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.com/order',
      title: 'Order',
      type: 'object',
      required: ['id'],
      additionalProperties: false,
      definitions: { line: { type: 'object', properties: { sku: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' } } } },
      properties: {
        id: { type: 'string', format: 'uuid' },
        lines: { type: 'array', items: { $ref: '#/definitions/line' }, maxItems: 50 },
        parent: { $ref: '#' },
        $ref: { type: 'string' },
        $id: { type: 'string' },
      },
      'x-note': 'unknown keywords are kept',
    };
    expect(checkSchema(schema)).toEqual([]);
    expect(checkSchema({})).toEqual([]);
  });

  it.each([[null], ['{}'], [[]], [true], [undefined], [7]])('refuses %j, which is not an object', (schema) => {
    expect(reasons(schema)).toEqual([': must be an object']);
  });

  it.each([
    [
      'a key that reaches the prototype',
      JSON.parse('{"properties":{"__proto__":{}}}'),
      'properties.__proto__: is not allowed as a name',
    ],
    ['a key named constructor', { enum: [{ constructor: 1 }] }, 'enum.0.constructor: is not allowed as a name'],
    ['a key named prototype', { prototype: 1 }, 'prototype: is not allowed as a name'],
    ['a value that is not JSON', { default: new Date(0) }, 'default: is not JSON'],
    ['a number that is not JSON', { minimum: NaN }, 'minimum: is not JSON'],
    ['a schema that is nested too deep', nested(32), ': is nested more than 32 deep'],
    [
      'a schema with too many values',
      { enum: Array.from({ length: 2000 }, (_, n) => n) },
      ': has more than 2000 values',
    ],
    ['a schema with too many bytes', { description: 'é'.repeat(33_000) }, ': is larger than 64 KiB'],
    [
      'another draft',
      { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      '$schema: must be "http://json-schema.org/draft-07/schema#"',
    ],
    ['an inner $id', { properties: { a: { $id: '#a' } } }, 'properties.a.$id: is allowed at the top only'],
    ['an asynchronous schema', { $async: true }, '$async: is not supported'],
    ['an unknown type', { properties: { a: { type: 'text' } } }, /^properties\.a\.type: must be/],
    ['a required that is not a list', { required: 'name' }, 'required: must be array'],
    ['a remote reference', { $ref: 'https://example.com/s.json' }, '$ref: must be local: "#" or "#/…"'],
    ['a relative reference', { items: { $ref: 'other.json#/a' } }, 'items.$ref: must be local: "#" or "#/…"'],
    ['an anchor', { $ref: '#name' }, '$ref: must be local: "#" or "#/…"'],
    ['a reference to nothing', { $ref: '#/definitions/a' }, '$ref: must point to a schema inside this one'],
    ['a reference into data', { $ref: '#/x/y', x: { y: {} } }, '$ref: must point to a schema inside this one'],
    ['a reference to itself', { $ref: '#' }, ': refers to itself without going into a part of the value'],
    [
      'a cycle of references',
      {
        $ref: '#/definitions/a',
        definitions: { a: { allOf: [{ $ref: '#/definitions/b' }] }, b: { $ref: '#/definitions/a' } },
      },
      /refers to itself/,
    ],
    ['a broken pattern', { pattern: '(' }, 'pattern: is not a valid regular expression (ECMA-262, Unicode mode)'],
    ['look-ahead', { pattern: '^(?=a)b' }, /^pattern: must be matchable in linear time/],
    ['look-behind', { pattern: '(?<=a)b' }, /^pattern: must be matchable in linear time/],
    ['a back-reference', { patternProperties: { '(a)\\1': {} } }, /^patternProperties.*linear time/],
    ['a named back-reference', { pattern: '(?<n>a)\\k<n>' }, /linear time/],
    ['a long pattern', { pattern: 'a'.repeat(513) }, 'pattern: is longer than 512 characters'],
    [
      'a short pattern that describes long texts',
      { pattern: '(a{1000}b{1000}){10}' },
      /^pattern: makes the patterns too expensive/,
    ],
  ])('refuses %s', (_name, schema, expected) => {
    const [first] = reasons(schema);
    if (typeof expected === 'string') expect(first).toBe(expected);
    else expect(first).toMatch(expected);
  });

  it('accepts a schema that refers to itself for the properties of the value', () => {
    expect(checkSchema({ properties: { left: { $ref: '#' }, right: { $ref: '#' } } })).toEqual([]);
  });

  it('accepts common patterns', () => {
    for (const pattern of [
      '^[a-zA-Z_]+$',
      '^\\d{3}-\\d{4}$',
      '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
      '^\\p{L}{1,200}$',
      '^https?:\\/\\/',
      '^\\u0041',
    ]) {
      expect(reasons({ pattern })).toEqual([]);
    }
  });

  it('returns at most 20 faults', () => {
    expect(checkSchema({ anyOf: Array.from({ length: 30 }, () => ({ $ref: 'x' })) })).toHaveLength(20);
  });
});

describe('patternCost', () => {
  it.each([
    ['abc', 43],
    ['a{10}', 50],
    ['(ab){10,20}', 120],
    ['((a{10}){10}){10}', 1260],
    ['[abc]{5}', 45],
    ['\\p{L}x', 102],
    ['\\{9\\}', 43],
  ])('returns for %s the cost %i', (pattern, cost) => {
    expect(patternCost(pattern)).toBe(cost);
  });
});

describe('mergeReferences', () => {
  const list = {
    $id: 'x',
    definitions: { one: { type: 'string' } },
    properties: { items: { type: 'array', items: { $ref: '#/definitions/one' } } },
  };
  const tree = { properties: { child: { $ref: '#' }, $ref: { type: 'string' } }, default: { $ref: '#/kept' } };

  it('returns the schema itself when nothing is referenced', () => {
    expect(mergeReferences(list, [])).toBe(list);
  });

  it('joins all schemas in allOf and adjusts their local references to the new places', () => {
    expect(mergeReferences(list, [tree])).toEqual({
      allOf: [
        {
          definitions: { one: { type: 'string' } },
          properties: { items: { type: 'array', items: { $ref: '#/allOf/0/definitions/one' } } },
        },
        { properties: { child: { $ref: '#/allOf/1' }, $ref: { type: 'string' } }, default: { $ref: '#/kept' } },
      ],
    });
    expect(checkSchema(mergeReferences(list, [tree]))).toEqual([]);
  });

  it('merges already merged schemas', () => {
    expect(checkSchema(mergeReferences(tree, [mergeReferences(list, [tree])]))).toEqual([]);
  });
});

describe('propertyNames', () => {
  it('finds the properties of the value itself, through allOf and references', () => {
    const base = {
      definitions: { d: { properties: { b: { properties: { inner: {} } } } } },
      allOf: [{ $ref: '#/definitions/d' }],
    };
    expect([...propertyNames(mergeReferences({ properties: { a: {} } }, [base]))].sort()).toEqual(['a', 'b']);
  });
});
