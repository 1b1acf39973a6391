import { checkSchema } from './check-schema.js';
import { toDraft07 } from './to-draft-07.js';

const $schema = 'https://json-schema.org/draft/2020-12/schema';

describe('a schema of JSON Schema 2020-12', () => {
  it.each([
    ['objects', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, undefined],
    [
      'definitions',
      { $ref: '#/$defs/node', $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } } },
      undefined,
    ],
    [
      'tuples',
      { prefixItems: [{ type: 'string' }, { prefixItems: [{ type: 'null' }] }], items: false },
      { items: [{ type: 'string' }, { items: [{ type: 'null' }] }], additionalItems: false },
    ],
    ['lists', { items: { prefixItems: [{}] } }, { items: { items: [{}] } }],
    [
      'dependencies',
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { items: { prefixItems: [true] } } } },
      { dependencies: { a: ['b'], c: { items: { items: [true] } } } },
    ],
  ])('is translated to draft-07: %s', (_name, schema, expected) => {
    const translated = toDraft07({ $schema, ...schema });
    expect(translated).toEqual(expected ?? schema);
    expect(checkSchema(translated)).toEqual([]);
  });

  it.each(['$dynamicRef', '$anchor', 'unevaluatedProperties', 'unevaluatedItems'])(
    'has no translation when it contains %s',
    (name) => {
      expect(toDraft07({ $schema, properties: { a: { [name]: false } } })).toEqual({ untranslatable: name });
    },
  );
});

describe('a schema of another draft', () => {
  it.each([{}, { $schema: 'http://json-schema.org/draft-07/schema#' }, { $schema: 'https://other.example' }])(
    'is not changed: %j',
    (schema) => {
      expect(toDraft07({ ...schema, prefixItems: [{}] })).toEqual({ ...schema, prefixItems: [{}] });
    },
  );
});
