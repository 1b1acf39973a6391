import { isJsonObject, type JsonObject } from '@millwright/json';
/** The keywords whose value is a schema in draft-07. Every other value in a schema is data. */
const ONE = ['additionalItems', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'];
const LIST = ['allOf', 'anyOf', 'oneOf', 'items'];
const NAMED = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies'];

/** The applicators whose schemas apply to the same value as the schema around them. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependencies'];

export type SchemaPath = readonly string[];

export interface Subschema {
  schema: JsonObject;
  path: SchemaPath;
  /** The schemas directly inside the schema. Boolean schemas are left out. */
  children: readonly { keyword: string; path: SchemaPath; schema: JsonObject }[];
}

export const isInPlace = (keyword: string): boolean => IN_PLACE.includes(keyword);

function membersOf(keyword: string, value: unknown): [SchemaPath, unknown][] {
  if (ONE.includes(keyword)) return [[[keyword], value]];
  if (LIST.includes(keyword) && Array.isArray(value)) {
    return value.map((member, index) => [[keyword, String(index)], member]);
  }
  if (keyword === 'items') return [[[keyword], value]];
  if (NAMED.includes(keyword) && isJsonObject(value)) {
    return Object.entries(value).map(([name, member]) => [[keyword, name], member]);
  }
  return [];
}

function childrenOf(schema: JsonObject, path: SchemaPath): Subschema['children'] {
  return Object.entries(schema).flatMap(([keyword, value]) =>
    membersOf(keyword, value).flatMap(([step, member]) =>
      isJsonObject(member) ? [{ keyword, path: [...path, ...step], schema: member }] : [],
    ),
  );
}

/** A schema and every schema inside it, the outer schemas first. `$ref` is not followed. */
export function* walkSchema(schema: JsonObject, path: SchemaPath = []): Generator<Subschema> {
  const children = childrenOf(schema, path);
  yield { schema, path, children };
  for (const child of children) yield* walkSchema(child.schema, child.path);
}

/** A copy of the schema. `change` is applied first to every schema inside it, and then to the copy itself. */
export function mapSchema(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const mapped = (value: unknown) => (isJsonObject(value) ? mapSchema(value, change) : value);
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (LIST.includes(keyword) && Array.isArray(value)) return [keyword, value.map(mapped)];
    if (ONE.includes(keyword) || keyword === 'items') return [keyword, mapped(value)];
    if (!NAMED.includes(keyword) || !isJsonObject(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member)]))];
  });
  return change(Object.fromEntries(entries));
}

/** Copies a schema without the given keywords. */
export const withoutKeywords = (schema: JsonObject, ...keywords: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

const encodePointer = (path: SchemaPath) => path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`);

/** Formats a path as JSON Pointer (RFC 6901). */
export const pointerTo = (path: SchemaPath): string => encodePointer(path).join('');

/** The JSON Pointer in a local `$ref`, or undefined for any other reference. */
export function localPointer(ref: string): string | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(ref.slice(1));
  } catch {
    return undefined;
  }
}
