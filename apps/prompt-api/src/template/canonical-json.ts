/**
 * JSON with the keys of every object sorted by UTF-16 code unit and no blanks: equal values give equal bytes, whatever
 * order their keys arrived in. Takes what `JSON.parse` can return; recursion is bounded by the body's nesting limit.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const record = value as Readonly<Record<string, unknown>>;
  const members = Object.keys(record).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`).join(',')}}`;
}
