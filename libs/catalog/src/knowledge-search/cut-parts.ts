/**
 * Length of a part of a text, in characters. A passage has about the same length. Every embedding model can read such a
 * part completely.
 */
const PART_CHARACTERS = 1_500;
/**
 * Limit of the parts of a text. The longest content item has fewer parts, because every part except the last has at least a third of
 * `PART_CHARACTERS`.
 */
export const MOST_PARTS = 1_000;

/**
 * Divides a text into parts, each of which gets a vector. A part ends after a sentence or a word where possible. The
 * same text always gives the same parts.
 */
export function cutParts(text: string): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > PART_CHARACTERS && parts.length < MOST_PARTS) {
    const start = rest.slice(0, PART_CHARACTERS);
    const sentence = Math.max(start.lastIndexOf('\n'), ...['. ', '? ', '! '].map((end) => start.lastIndexOf(end)));
    const word = start.lastIndexOf(' ');
    const least = PART_CHARACTERS / 3;
    const end = sentence > least ? sentence + 1 : word > least ? word : PART_CHARACTERS;
    parts.push(rest.slice(0, end).toWellFormed().trim());
    rest = rest.slice(end).trimStart();
  }
  if (rest !== '' && parts.length < MOST_PARTS) parts.push(rest.toWellFormed());
  return parts;
}

/** Returns the part of a text with this number, together with the part before it and the part after it. */
export const aroundPart = (text: string, part: number): string =>
  cutParts(text)
    .slice(Math.max(0, part - 2), part + 1)
    .join(' ');
