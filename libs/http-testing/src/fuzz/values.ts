import fc from 'fast-check';
import type { Schema } from '@millwright/http/reference';

/** A placeholder for an id from an earlier answer. It is replaced when the request is sent. */
export const knownId = (kind: string): fc.Arbitrary<string> => fc.nat({ max: 999 }).map((n) => `@known:${kind}:${n}@`);
export const KNOWN_ID = /@known:(\w*):(\d+)@/g;

/** Maximum length of generated texts. Longer texts cost time and find nothing; `hostileValue` tests longer texts. */
const LENGTH = 40;

/** Generates values that a schema accepts. */
export function validValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.examples) return fc.constantFrom(...schema.examples);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return fc.oneof(...variants.map((variant) => validValue(variant, name)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return validObject(schema);
    case 'array': {
      if (name === 'reference')
        return fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(knownId(name), { maxLength: 2 }));
      const bounds = {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
      };
      return fc.array(validValue(schema.items ?? {}, name), bounds);
    }
    case 'string':
      return validText(schema, name);
    case 'integer':
      if (name === 'version') return fc.integer({ min: 1, max: 3 });
      return fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 1_000, 2_147_483_647) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function validObject({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<object> {
  const values = Object.entries(properties).map(([name, property]) => [name, validValue(property, name)] as const);
  const named = fc.record(Object.fromEntries(values), { requiredKeys: required, noNullPrototype: true });
  if (typeof additionalProperties !== 'object') return named;
  const keys = fc.stringMatching(/^[a-z_]{1,8}$/);
  return fc
    .tuple(named, fc.dictionary(keys, validValue(additionalProperties), { maxKeys: 3, noNullPrototype: true }))
    .map(([own, others]) => ({ ...others, ...own }));
}

function validText(schema: Schema, name: string): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = LENGTH, pattern, format } = schema;
  if (/(^|_)ids?$/.test(name)) return knownId(name.replace(/_ids?$/, ''));
  if (format === 'uuid') return fc.oneof(knownId(name), fc.uuid());
  if (format === 'email' || name === 'email') return fc.nat().map((n) => `fuzz-${n}@example.com`);
  if (format === 'uri') return fc.constantFrom('https://example.com/', 'http://127.0.0.1:1/');
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  // The limit LENGTH does not apply here, because a pattern may require a longer text.
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern), schema.maxLength === undefined ? {} : { maxLength });
  const text = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, LENGTH)) });
  // Generates mostly new values, because names have to be unique.
  return minLength > 0
    ? fc.oneof({ weight: 3, arbitrary: fc.uuid().map((id) => id.slice(0, maxLength)) }, { weight: 1, arbitrary: text })
    : text;
}

const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => [inner], 1);

/** Values that no field expects. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\0',
    '\ud800',
    'x'.repeat(300),
    'x'.repeat(200_001),
    "' OR 1=1 --",
    '%',
    '\\',
    '../..',
    '${7*7}',
    '{{x}}',
    '<b>',
    0,
    -1,
    -0,
    1.5,
    1e308,
    2 ** 53,
    Number.MIN_SAFE_INTEGER,
    true,
    [],
    {},
    [[]],
    [null],
    { a: { b: {} } },
    nested(70),
    Object.fromEntries([['__proto__', 1]]),
    Object.fromEntries([['constructor', { prototype: 1 }]]),
    { $ref: '#' },
    { $gt: '' },
    { type: 'string', pattern: '(a+)+$' },
    Array.from({ length: 200 }, (_, n) => n),
    '1970-01-01',
    'sk_0000000000000000000000',
    'http://[::1]/',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** Generates a value with one change: a field is removed, replaced or added. */
export function nearlyValid(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const added = fc.constantFrom('colour', 'id', 'created_at', '__proto__', 'constructor', 'x'.repeat(300), '');
  const change = fc.oneof(
    fc.record({ kind: fc.constant('drop' as const), place: fc.nat() }),
    fc.record({ kind: fc.constant('replace' as const), place: fc.nat(), by: hostileValue }),
    fc.record({ kind: fc.constant('add' as const), place: fc.nat(), name: added, by: hostileValue }),
  );
  return fc.tuple(value, change).map(([whole, { kind, place, ...rest }]) => {
    const copy = structuredClone(whole);
    const holders = containersOf(copy);
    const holder = holders[place % Math.max(holders.length, 1)];
    if (!holder) return 'by' in rest ? rest.by : copy;
    const keys = Object.keys(holder);
    const key = keys[place % Math.max(keys.length, 1)] ?? 'x';
    if (kind === 'drop') Reflect.deleteProperty(holder, key);
    else define(holder, kind === 'add' && 'name' in rest ? rest.name : key, 'by' in rest ? rest.by : null);
    return copy;
  });
}

/** Defines an own property, even a property with the name `__proto__`. */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

function containersOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersOf)];
}
