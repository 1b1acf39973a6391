import { isJsonObject, type JsonObject } from '@millwright/json';
import { mapSchema, walkSchema, withoutKeywords } from './walk-schema.js';

const DRAFT_2020_12 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
/** Keywords of 2020-12 without an equivalent in draft-07. */
const UNTRANSLATABLE = ['$dynamicRef', '$anchor', '$dynamicAnchor', 'unevaluatedItems', 'unevaluatedProperties'];

/**
 * Translates a JSON Schema 2020-12, as written by zod 4 and Pydantic, to draft-07. Returns a schema of another draft unchanged.
 *
 * @returns the translation, or the keyword that cannot be translated
 */
export function toDraft07(schema: JsonObject): JsonObject | { untranslatable: string } {
  if (typeof schema.$schema !== 'string' || !DRAFT_2020_12.test(schema.$schema)) return schema;
  const translated = mapSchema(withoutKeywords(schema, '$schema'), translate);
  for (const { schema: part } of walkSchema(translated)) {
    const keyword = UNTRANSLATABLE.find((name) => name in part);
    if (keyword !== undefined) return { untranslatable: keyword };
  }
  return translated;
}

/** Translates one schema and its subschemas, except under keywords that only 2020-12 has. */
function translate(schema: JsonObject): JsonObject {
  const { prefixItems, items, dependentRequired, dependentSchemas, ...rest } = schema;
  return {
    ...rest,
    ...(Array.isArray(prefixItems)
      ? { items: prefixItems.map(inside), ...(items !== undefined && { additionalItems: items }) }
      : items !== undefined && { items }),
    ...((isJsonObject(dependentRequired) || isJsonObject(dependentSchemas)) && {
      dependencies: { ...asObject(rest['dependencies']), ...asObject(dependentRequired), ...mapped(dependentSchemas) },
    }),
  };
}

const inside = (value: unknown) => (isJsonObject(value) ? mapSchema(value, translate) : value);
const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const mapped = (schemas: unknown): JsonObject =>
  Object.fromEntries(Object.entries(asObject(schemas)).map(([name, schema]) => [name, inside(schema)]));
