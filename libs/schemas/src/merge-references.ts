import { isJsonObject, type JsonObject } from '@millwright/json';
import { localPointer, mapSchema, pointerTo, walkSchema, withoutKeywords } from './walk-schema.js';

/** Rewrites the references of a schema that becomes the member `index` of `allOf`. */
function asPart(schema: JsonObject, index: number): JsonObject {
  return mapSchema(withoutKeywords(schema, '$schema', '$id'), (part) =>
    typeof part.$ref === 'string' && localPointer(part.$ref) !== undefined
      ? { ...part, $ref: `#/allOf/${index}${part.$ref.slice(1)}` }
      : part,
  );
}

/**
 * Merges `schema` and all schemas in `referenced` into one schema with the requirements of all of them. The result
 * needs no other schema, and local references keep the meaning that they had in their own schema. Returns `schema`
 * itself when there are no referenced schemas.
 */
export function mergeReferences(schema: object, referenced: readonly object[]): object {
  if (referenced.length === 0) return schema;
  return { allOf: [schema, ...referenced].map((part, index) => asPart(part as JsonObject, index)) };
}

/**
 * Names of the properties that a schema defines for its own value, including those defined by `allOf`, similar keywords
 * and local references.
 */
export function propertyNames(schema: object): Set<string> {
  const parts = new Map([...walkSchema(schema as JsonObject)].map((part) => [pointerTo(part.path), part]));
  const names = new Set<string>();
  const seen = new Set<string>();
  const visit = (pointer: string) => {
    const part = parts.get(pointer);
    if (!part || seen.has(pointer)) return;
    seen.add(pointer);
    const { properties, $ref } = part.schema;
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    if (typeof $ref === 'string') visit(localPointer($ref) ?? pointer);
    for (const { keyword, path } of part.children) {
      if (['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependencies'].includes(keyword)) visit(pointerTo(path));
    }
  };
  visit('');
  return names;
}
