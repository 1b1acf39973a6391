import type { Schema } from './document.js';

export interface Field {
  /** Name of the field with its path, such as `parameters.*.type` or `items[].id`. */
  name: string;
  type: string;
  required: boolean;
  /** Bounds, allowed values and default, each a phrase. */
  limits: string[];
  description: string;
}

const MAX_DEPTH = 6;

/** The fields of an object's schema, with dotted names for nested fields. */
export function fieldsOf(schema: Schema, prefix = '', depth = 0): Field[] {
  if (depth > MAX_DEPTH) return [];
  const { properties = {}, required = [], additionalProperties } = schema;
  const named = Object.entries(properties).flatMap(([name, property]) =>
    field(`${prefix}${name}`, property, required.includes(name), depth),
  );
  const others =
    typeof additionalProperties === 'object' ? field(`${prefix}*`, additionalProperties, false, depth) : [];
  return [...named, ...others];
}

function field(name: string, schema: Schema, required: boolean, depth: number): Field[] {
  const own = { name, type: typeOf(schema), required, limits: limitsOf(schema), description: schema.description ?? '' };
  return [own, ...variantsOf(schema).flatMap((variant) => nested(name, variant, depth))];
}

function nested(name: string, schema: Schema, depth: number): Field[] {
  if (schema.items) return variantsOf(schema.items).flatMap((item) => fieldsOf(item, `${name}[].`, depth + 1));
  return fieldsOf(schema, `${name}.`, depth + 1);
}

const variantsOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? [schema];

/** Describes a type in words: `string`, `array of integer`, `string or null`. */
export function typeOf(schema: Schema): string {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return [...new Set(variants.map(typeOf))].join(' or ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array') return schema.items ? `array of ${typeOf(schema.items)}` : 'array';
  if (schema.type) return schema.type;
  if (schema.const !== undefined) return typeof schema.const;
  if (schema.enum)
    return [...new Set(schema.enum.map((value) => (value === null ? 'null' : typeof value)))].join(' or ');
  return 'any';
}

/** The values that a schema accepts, as phrases such as `1 to 200 characters`, `one of asc, desc` and `default 20`. */
export function limitsOf(schema: Schema): string[] {
  const variants = schema.anyOf ?? schema.oneOf;
  const inner = variants
    ? variants.flatMap(limitsOf)
    : schema.items
      ? limitsOf(schema.items).map((limit) => `each ${limit}`)
      : [];
  return [
    ...[
      range(schema.minLength, schema.maxLength, 'characters'),
      range(schema.minItems, schema.maxItems, 'entries'),
      range(schema.minimum, schema.maximum, ''),
      schema.exclusiveMinimum === undefined ? '' : `above ${schema.exclusiveMinimum}`,
      schema.exclusiveMaximum === undefined ? '' : `below ${schema.exclusiveMaximum}`,
      schema.enum ? `one of ${schema.enum.map(String).join(', ')}` : '',
      schema.const === undefined ? '' : `always ${JSON.stringify(schema.const)}`,
      schema.format ? `format ${schema.format}` : '',
      // A format already describes its pattern.
      schema.pattern && !schema.format ? `matches ${schema.pattern}` : '',
    ].filter((limit) => limit !== ''),
    ...new Set(inner),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const text = [
    min !== undefined && max !== undefined && min > 0 ? `${min} to ${max}` : '',
    min !== undefined && max === undefined && min > 0 ? `at least ${min}` : '',
    max !== undefined && (min === undefined || min <= 0) ? `at most ${max}` : '',
  ].join('');
  return text && unit ? `${text} ${unit}` : text;
}

/** The smallest value that a schema accepts, as an example. */
export function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants?.[0]) return exampleOf(variants[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return exampleObject(schema);
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}));
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (schema.format === 'uuid') return '018f0000-0000-7000-8000-000000000000';
  if (schema.format === 'email') return 'ada@example.com';
  if (schema.format === 'uri') return 'https://example.com';
  return 'text'.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength);
}

/** An example of an object: its required fields, or its first field when none is required. */
function exampleObject({ properties = {}, required = [] }: Schema): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {})]));
}
