/** An object of a JSON value whose shape is unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects, which neither `null` nor an array is. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * JSON with the keys of every object sorted by UTF-16 code unit and no blanks: equal values give equal bytes, whatever
 * order their keys arrived in. Takes what `JSON.parse` can return; recursion is bounded by the body's nesting limit.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

export { hasRespelt } from './respelt.js';
export { jsonShapeOf, type JsonShape } from './shape.js';
