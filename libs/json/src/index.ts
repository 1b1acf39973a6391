/** An object of a JSON value whose shape is unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects; false for `null` and arrays. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * JSON without whitespace, and with the keys of every object sorted by UTF-16 code unit. Equal values have equal bytes,
 * in whatever order their keys were. Accepts every result of `JSON.parse`; the nesting limit of bodies limits the
 * recursion.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

export { hasCaseVariant } from './case-variants.js';
export { jsonShapeOf, type JsonShape } from './shape.js';
