import { isJsonObject } from '@millwright/json';

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
