/** Folds a name's case by Unicode, like case-insensitive parsers: the long s (ſ) becomes an s and the Kelvin sign a k. */
export const foldCase = (name: string): string => name.toUpperCase().toLowerCase();

/**
 * Whether an object has one of the names in another letter case. Case-insensitive parsers read that member as the name and this
 * process does not, so such an object is ambiguous.
 */
export function hasCaseVariant(value: object, names: readonly string[]): boolean {
  const folded = new Set(names.map(foldCase));
  return Object.keys(value).some((name) => !names.includes(name) && folded.has(foldCase(name)));
}
