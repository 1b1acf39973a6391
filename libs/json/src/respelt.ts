/** A name as parsers compare it that ignore the letter case: by Unicode, where the long s (ſ) is an s and the Kelvin sign a k. */
export const foldCase = (name: string): string => name.toUpperCase().toLowerCase();

/**
 * Whether an object has one of the names in another spelling, which parsers that ignore the letter case read as the name. What depends
 * on such a name has two meanings, of which this process reads one.
 */
export function hasRespelt(value: object, names: readonly string[]): boolean {
  const folded = new Set(names.map(foldCase));
  return Object.keys(value).some((name) => !names.includes(name) && folded.has(foldCase(name)));
}
