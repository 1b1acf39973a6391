import { isJsonObject } from '@millwright/json';
import { createCheck, type Schema } from './schema-check.js';
import { textsMatching } from './pattern.js';

/**
 * Limits, in this order: the number of candidate values for one schema, the depth of optional and of required parts, and the steps of work
 * for the whole schema.
 */
const maxCandidates = 8;
const comfortableDepth = 4;
const maxDepth = 24;
const maxSteps = 4_000;

const sampleByFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'sample@example.com',
  'idn-email': 'sample@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/sample',
  'iri-reference': '/sample',
  'uri-template': '/sample/{id}',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/sample',
  'relative-json-pointer': '0',
  regex: '.*',
  byte: 'c2FtcGxl',
};

const typeByKeyword: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'propertyNames']],
  ['array', ['items', 'minItems', 'maxItems', 'contains', 'uniqueItems', 'prefixItems']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

const scalars = new Set<unknown>(['string', 'integer', 'number', 'boolean', 'null']);
const plainKeywords = new Set(['type', 'title', 'description', '$comment']);

/** Whether every generated value is valid in any case, so that the expensive compilation of a check is not needed. */
const isPlain = (schema: Schema) =>
  scalars.has(schema.type) && Object.keys(schema).every((keyword) => plainKeywords.has(keyword));

const numberOr = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise);
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const asMap = (value: unknown): Schema => (isJsonObject(value) ? value : {});

function typesOf(schema: Schema): unknown[] {
  if (Array.isArray(schema.type)) return schema.type;
  if (schema.type !== undefined) return [schema.type];
  return [typeByKeyword.find(([, keywords]) => keywords.some((keyword) => keyword in schema))?.[0] ?? 'string'];
}

function strings(schema: Schema): string[] {
  const min = numberOr(schema.minLength, 0);
  const max = numberOr(schema.maxLength, Infinity);
  const fit = (text: string) => (max < text.length ? text.slice(0, max) : text.padEnd(Math.min(min, 65_536), '.'));
  if (typeof schema.pattern === 'string') {
    return textsMatching(schema.pattern).filter(({ length }) => length >= min && length <= max);
  }
  const sample = sampleByFormat[String(schema.format)];
  if (sample !== undefined) return [sample];
  return [
    fit('sample'),
    ...Array.from({ length: maxCandidates - 1 }, (_, index) => fit(`${index + 2}`.padEnd(2, '.'))),
  ];
}

/** Numbers that the schema allows, near 1 if possible. */
function numbers(schema: Schema, whole: boolean): number[] {
  const above = Math.max(numberOr(schema.minimum, -Infinity), numberOr(schema.exclusiveMinimum, -Infinity));
  const below = Math.min(numberOr(schema.maximum, Infinity), numberOr(schema.exclusiveMaximum, Infinity));
  const given = numberOr(schema.multipleOf, 1);
  // Between bounds that are closer than 1 there may be no multiple of 1, and a `number` need not be a multiple of 1.
  const step = whole && !Number.isInteger(given) ? 1 : given;
  const start = Number.isFinite(above)
    ? Math.ceil(above / step) * step
    : Math.min(step, Math.floor(below / step) * step);
  const steps = Array.from({ length: maxCandidates }, (_, index) => start + index * step);
  const near = above <= step && step <= below ? [step] : [];
  const between = whole || !Number.isFinite(above) || !Number.isFinite(below) ? [] : [(above + below) / 2];
  return [...near, ...steps, ...between, ...steps.map((value) => 2 * start - value)];
}

/** Merges, as far as possible, two schemas that a value must both satisfy. Values of the merged schema are checked afterwards. */
function merge(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...one, ...other };
  for (const [keyword, pick] of [
    ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
      (name) => [name, Math.max] as const,
    ),
    ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
      (name) => [name, Math.min] as const,
    ),
  ]) {
    const [left, right] = [one[keyword], other[keyword]];
    if (typeof left === 'number' && typeof right === 'number') merged[keyword] = pick(left, right);
  }
  if ('properties' in one && 'properties' in other) {
    const properties: Record<string, unknown> = { ...asMap(one.properties) };
    for (const [name, member] of Object.entries(asMap(other.properties))) {
      const present = properties[name];
      properties[name] = isJsonObject(present) && isJsonObject(member) ? { allOf: [present, member] } : member;
    }
    merged.properties = properties;
  }
  if ('required' in one && 'required' in other) merged.required = [...asList(one.required), ...asList(other.required)];
  if ('allOf' in one && 'allOf' in other) merged.allOf = [...asList(one.allOf), ...asList(other.allOf)];
  if ('type' in one && 'type' in other) {
    const common = typesOf(one).filter((type) =>
      typesOf(other).some((t) => t === type || (t === 'number' && type === 'integer')),
    );
    merged.type =
      common.length > 0
        ? common
        : typesOf(other).filter((type) => type === 'integer' && typesOf(one).includes('number'));
  }
  if (Array.isArray(one.enum) && Array.isArray(other.enum)) {
    const texts = new Set(other.enum.map((value) => JSON.stringify(value)));
    merged.enum = one.enum.filter((value) => texts.has(JSON.stringify(value)));
  }
  return merged;
}

function resolve(root: object, ref: string): unknown {
  if (!ref.startsWith('#')) return false;
  const parts = decodeURIComponent(ref.slice(1)).split('/').slice(1);
  return parts.reduce<unknown>((current, part) => {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof current === 'object' && current !== null && Object.hasOwn(current, key)
      ? Reflect.get(current, key)
      : false;
  }, root);
}

function createFiller(root: object) {
  const accepts = createCheck(root);
  let steps = 0;

  /** Returns valid values, those with the most content first; an empty list when none was found. */
  function fill(schema: unknown, depth: number): unknown[] {
    steps += 1;
    if (schema === true) return ['sample'];
    if (!isJsonObject(schema) || depth > maxDepth || steps > maxSteps) return [];
    const found: unknown[] = [];
    for (const value of candidates(schema, depth)) {
      if (isPlain(schema) || accepts(schema, value)) found.push(value);
      if (found.length === maxCandidates) break;
    }
    return found;
  }

  function* candidates(schema: Schema, depth: number): Generator<unknown, void, undefined> {
    if (typeof schema.$ref === 'string') return yield* fill(resolve(root, schema.$ref), depth + 1);
    if ('const' in schema) return yield schema.const;
    if ('default' in schema) yield schema.default;
    yield* asList(schema.examples);
    if (Array.isArray(schema.enum)) return yield* asList(schema.enum);
    const { allOf, anyOf, oneOf, if: condition, then: consequence, else: alternative, ...base } = schema;
    const expanded = expand(base, allOf, depth);
    if (anyOf || oneOf) {
      for (const branch of [...asList(anyOf), ...asList(oneOf)]) yield* fillMerged(expanded, branch, depth);
      return;
    }
    if (condition !== undefined) {
      yield* fillMerged(merge(expanded, asMap(condition)), consequence ?? true, depth);
      yield* fillMerged(expanded, alternative ?? true, depth);
      return;
    }
    if (allOf) return yield* fill(expanded, depth + 1);
    for (const type of typesOf(schema)) yield* ofType(type, schema, depth);
  }

  function expand(base: Schema, parts: unknown, depth: number): Schema {
    return asList(parts).reduce<Schema>((merged, part) => merge(merged, dereferenced(part, depth)), base);
  }

  function dereferenced(schema: unknown, depth: number): Schema {
    if (!isJsonObject(schema)) return schema === false ? { not: {} } : {};
    if (typeof schema.$ref !== 'string' || depth > maxDepth) return schema;
    return dereferenced(resolve(root, schema.$ref), depth + 1);
  }

  function fillMerged(base: Schema, branch: unknown, depth: number): unknown[] {
    return fill(merge(base, dereferenced(branch, depth)), depth + 1).slice(0, 3);
  }

  function* ofType(type: unknown, schema: Schema, depth: number): Generator<unknown, void, undefined> {
    if (type === 'null') yield null;
    if (type === 'boolean') yield* [true, false];
    if (type === 'string') yield* strings(schema);
    if (type === 'integer' || type === 'number') yield* numbers(schema, type === 'integer');
    if (type === 'array') yield* arrays(schema, depth);
    if (type === 'object') yield* objects(schema, depth);
  }

  function* arrays(schema: Schema, depth: number): Generator<unknown, void, undefined> {
    const tuple = Array.isArray(schema.items) ? asList(schema.items) : asList(schema.prefixItems);
    const rest = Array.isArray(schema.items) ? (schema.additionalItems ?? true) : (schema.items ?? true);
    const min = numberOr(schema.minItems, 0);
    const required = schema.contains === undefined ? [] : fill(schema.contains, depth + 1).slice(0, 1);
    const itemValues = new Map<unknown, unknown[]>();
    const valuesOf = (item: unknown): unknown[] => {
      const known = itemValues.get(item) ?? fill(item, depth + 1);
      itemValues.set(item, known);
      return known;
    };
    const comfortable = depth > comfortableDepth ? min : Math.max(min, tuple.length, 1);
    for (const length of new Set([Math.min(comfortable, numberOr(schema.maxItems, Infinity)), min])) {
      const items = Array.from({ length: Math.min(length, 1_000) }, (_, index): unknown => {
        if (index < required.length) return required[index];
        const values = valuesOf(tuple[index] ?? rest);
        return values[schema.uniqueItems === true ? index % values.length : 0];
      });
      if (!items.includes(undefined)) yield items;
    }
  }

  /** The schema of a property that the value needs, although `properties` does not list it. */
  function unlistedSchema(schema: Schema, name: string): unknown {
    const matching = Object.entries(asMap(schema.patternProperties)).filter(([pattern]) =>
      accepts({ type: 'string', pattern }, name),
    );
    return matching[0]?.[1] ?? schema.additionalProperties ?? true;
  }

  function* objects(schema: Schema, depth: number): Generator<unknown, void, undefined> {
    const properties = asMap(schema.properties);
    const required = [...new Set(asList(schema.required).map(String))];
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    const schemaOf = (name: string) =>
      Object.hasOwn(properties, name) ? properties[name] : unlistedSchema(schema, name);
    const members: [string, unknown][] = [];
    for (const name of required) {
      const [value] = fill(schemaOf(name), depth + 1);
      if (value === undefined) return;
      members.push([name, value]);
    }
    const wanted: [string, unknown][] = [];
    for (const name of depth > comfortableDepth ? [] : optional) {
      const [value] = fill(schemaOf(name), depth + 1);
      if (value !== undefined) wanted.push([name, value]);
    }
    const room = Math.max(0, numberOr(schema.maxProperties, Infinity) - members.length);
    yield Object.fromEntries([
      ...members,
      ...wanted.slice(0, room),
      ...padding(schema, members.length + wanted.length, depth),
    ]);
    yield Object.fromEntries([...members, ...padding(schema, members.length, depth)]);
    for (const kept of wanted) yield Object.fromEntries([...members, kept]);
  }

  function padding(schema: Schema, present: number, depth: number): [string, unknown][] {
    const missing = Math.min(numberOr(schema.minProperties, 0) - present, 1_000);
    if (missing <= 0) return [];
    const names = isJsonObject(schema.propertyNames) ? fill(schema.propertyNames, depth + 1).map(String) : [];
    const patterned = Object.keys(asMap(schema.patternProperties)).flatMap(textsMatching);
    const invented = Array.from({ length: missing }, (_, index) => `sample${index + 1}`);
    return [...names, ...patterned, ...invented].slice(0, missing).flatMap((name): [string, unknown][] => {
      const [value] = fill(unlistedSchema(schema, name), depth + 1);
      return value === undefined ? [] : [[name, value]];
    });
  }

  return fill;
}

/**
 * Creates a value that is valid against a JSON Schema (draft-07 with local references only). The same schema always leads to the same
 * value. Returns an empty object when it finds no valid value.
 */
export function createInstance(schema: object): unknown {
  const [instance = {}] = createFiller(schema)(schema, 0);
  return instance;
}
