/**
 * Folds the case of a name by Unicode, as case-insensitive parsers do: the long s (ſ) becomes an s, and the Kelvin sign
 * becomes a k.
 */
export const foldCase = (name: string): string => name.toUpperCase().toLowerCase();

/**
 * Whether an object has one of the names in another letter case. Case-insensitive parsers read such a member as the
 * name, but this process does not, so the object is ambiguous.
 */
export function hasCaseVariant(value: object, names: readonly string[]): boolean {
  const folded = new Set(names.map(foldCase));
  return Object.keys(value).some((name) => !names.includes(name) && folded.has(foldCase(name)));
}
