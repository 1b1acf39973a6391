import { Ajv } from 'ajv';
import fc from 'fast-check';
import { createInstance } from './instance.js';
import { textsMatching } from './pattern.js';

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 3, maxLength: 20 },
    age: { type: 'integer', minimum: 18, exclusiveMaximum: 100 },
    email: { type: 'string', format: 'email' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true },
  },
  required: ['name', 'age'],
  additionalProperties: false,
};

const schemas: [string, object][] = [
  ['an empty schema', {}],
  ['an object', person],
  ['a constant', { const: { a: [1] } }],
  ['a default that is valid', { type: 'integer', default: 7 }],
  ['a default that is not', { type: 'integer', default: 'seven' }],
  ['types', { type: ['null', 'string'] }],
  ['a long text', { type: 'string', minLength: 300 }],
  ['a short text', { type: 'string', maxLength: 2 }],
  ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}(-[a-f]+)?$' }],
  ['a pattern with lengths', { type: 'string', pattern: '^[a-z0-9-]+$', minLength: 12, maxLength: 30 }],
  ['a pattern made to be slow', { type: 'string', pattern: '^(a+)+$', minLength: 5 }],
  ['multiples', { type: 'integer', multipleOf: 7, minimum: 10, maximum: 15 }],
  ['a narrow range', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 }],
  ['negative numbers', { type: 'integer', maximum: -5 }],
  ['a fraction', { type: 'number', minimum: 0.2, maximum: 0.3 }],
  ['a tuple', { type: 'array', items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false }],
  ['contains', { type: 'array', contains: { const: 'x' }, items: { type: 'string' } }],
  ['unique integers', { type: 'array', items: { type: 'integer', minimum: 3 }, minItems: 6, uniqueItems: true }],
  ['unique values of an enum', { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true }],
  ['no items', { type: 'array', maxItems: 0 }],
  [
    'allOf',
    {
      allOf: [
        { type: 'object', required: ['a'] },
        { properties: { a: { type: 'integer', minimum: 3 } } },
        { $ref: '#/definitions/b' },
      ],
      definitions: { b: { required: ['b'], properties: { b: { type: 'boolean' } } } },
    },
  ],
  [
    'allOf on one property',
    {
      type: 'object',
      required: ['a'],
      allOf: [
        { properties: { a: { type: 'number', minimum: 4 } } },
        { properties: { a: { type: 'integer', maximum: 5 } } },
      ],
    },
  ],
  [
    'anyOf whose first branch cannot be',
    { anyOf: [false, { type: 'string', minLength: 5, maxLength: 2 }, { type: 'integer' }] },
  ],
  [
    'oneOf',
    {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
        { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
      ],
    },
  ],
  ['oneOf that overlaps', { type: 'integer', oneOf: [{ minimum: 0 }, { minimum: 10 }] }],
  ['not', { type: 'string', not: { const: 'sample' } }],
  [
    'a condition',
    {
      type: 'object',
      properties: { a: { enum: ['x', 'y'] } },
      required: ['a'],
      if: { properties: { a: { const: 'x' } } },
      then: { required: ['b'], properties: { b: { type: 'integer' } } },
    },
  ],
  ['dependencies', { type: 'object', properties: { a: { type: 'string' } }, dependencies: { a: ['b'] } }],
  ['a reference', { $ref: '#/definitions/person', definitions: { person } }],
  [
    'an escaped reference',
    {
      type: 'object',
      properties: { a: { $ref: '#/definitions/x~1y' } },
      required: ['a'],
      definitions: { 'x/y': { const: 1 } },
    },
  ],
  [
    'recursion',
    { type: 'object', properties: { value: { type: 'integer' }, next: { $ref: '#' } }, required: ['value'] },
  ],
  [
    'recursion that may end with null',
    { type: 'object', properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }, required: ['next'] },
  ],
  [
    'a tree',
    {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } },
          required: ['children'],
        },
      },
    },
  ],
  [
    'patternProperties',
    {
      type: 'object',
      patternProperties: { '^x-\\d+$': { type: 'integer' } },
      additionalProperties: false,
      minProperties: 1,
    },
  ],
  ['required without properties', { type: 'object', required: ['a', 'b'], additionalProperties: { type: 'integer' } }],
  ['minProperties', { type: 'object', minProperties: 3 }],
  ['propertyNames', { type: 'object', minProperties: 2, propertyNames: { pattern: '^[a-c]+$' } }],
  ['maxProperties', { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, maxProperties: 1 }],
  [
    'names of keywords as properties',
    {
      type: 'object',
      properties: { default: { $ref: '#/definitions/n' }, enum: { type: 'string' }, $id: { type: 'null' } },
      required: ['default', 'enum', '$id'],
      definitions: { n: { type: 'integer' } },
    },
  ],
  [
    'an identifier and a newer draft',
    { $id: 'https://example.com/x', $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' },
  ],
];

function without$schema(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$schema' && keyword !== '$id'));
}

describe('createInstance', () => {
  it.each(schemas)('returns a valid value for %s', (_, schema) => {
    const instance = createInstance(schema);
    expect([instance, ajv.validate(without$schema(schema), instance)]).toEqual([instance, true]);
    expect(createInstance(structuredClone(schema))).toEqual(instance);
  });

  it.each(['date-time', 'date', 'time', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid'])(
    'returns a text of the format %s',
    (format) => {
      expect(createInstance({ type: 'string', format })).not.toBe('sample');
    },
  );

  it('fills optional properties too, so that the answer has the whole shape', () => {
    expect(Object.keys(createInstance(person) as object)).toEqual(['name', 'age', 'email', 'tags']);
  });

  it.each<[string, object]>([
    ['no value satisfies', { type: 'integer', minimum: 2, maximum: 1 }],
    ['refers to a missing definition', { $ref: '#/definitions/missing' }],
    ['refers to itself', { $ref: '#' }],
    ['requires endless nesting', { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] }],
    ['has an unsupported pattern', { type: 'string', pattern: '^(?=a)b$' }],
    ['is not a JSON Schema', { type: 'unknown', properties: 3 }],
  ])('returns an empty object for a schema that %s', (_, schema) => {
    expect(createInstance(schema)).toEqual({});
  });

  it('needs less than three seconds of processor time, even for expensive schemas', () => {
    const branches = (depth: number): object =>
      depth === 0 ? { type: 'integer', minimum: 5, maximum: 4 } : { anyOf: [branches(depth - 1), branches(depth - 1)] };
    const chain = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `d${n}`,
        { anyOf: [{ $ref: `#/definitions/d${n + 1}` }, { $ref: `#/definitions/d${n + 1}` }] },
      ]),
    );
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`p${n}`, { type: 'string' }])),
    };
    const before = process.cpuUsage();
    for (const schema of [
      branches(8),
      { ...branches(1), $ref: '#/definitions/d0', definitions: { ...chain, d30: { type: 'string' } } },
      wide,
    ])
      createInstance(schema);
    // The processor time is measured, because it is independent of other processes.
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(3_000_000);
  });

  it('returns a valid value for random schemas', () => {
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom<object>(...schemas.slice(1, 20).map(([, leaf]) => leaf)),
        fc
          .tuple(fc.nat(20), fc.nat(20))
          .map(([a, b]) => ({ type: 'integer', minimum: Math.min(a, b), maximum: Math.max(a, b) })),
        fc
          .tuple(fc.nat(20), fc.nat(20))
          .map(([a, b]) => ({ type: 'string', minLength: Math.min(a, b), maxLength: Math.max(a, b) })),
        fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
        fc
          .tuple(
            fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('schema')),
            fc.subarray(['a', 'b', 'c', 'd']),
            fc.boolean(),
          )
          .map(([properties, required, additional]) => ({
            type: 'object',
            properties,
            required: required.filter((name) => additional || name in properties),
            additionalProperties: additional,
          })),
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      ),
    }));
    fc.assert(
      fc.property(schema, (generated) => ajv.validate(generated, createInstance(generated))),
      { numRuns: 150, seed: 1 },
    );
  });
});

describe('textsMatching', () => {
  it.each([
    '^a$',
    'a|b',
    '^[^a-z]+$',
    '^\\w+@\\w+\\.(com|org)$',
    '^(?:x|yy){2,3}$',
    '^\\u0041\\x42\\t$',
    '^[\\]\\\\-]{3}$',
    '^\\+?[1-9]\\d{1,14}$',
    '^.{5}$',
    '^(?<year>\\d{4})-\\d\\d$',
    '^\\S+\\s\\S+$',
    '^[a-z-]{2}$',
    '^$',
  ])('returns texts that match %s', (pattern) => {
    const texts = textsMatching(pattern);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toMatch(new RegExp(pattern));
  });

  it.each(['(?=a)', '(', '[', '\\', '\\1', '*', 'a{5000}', '(a{1000}){1000}', '\\p{L}'])(
    'returns no texts for %s',
    (pattern) => {
      expect(textsMatching(pattern)).toEqual([]);
    },
  );
});
