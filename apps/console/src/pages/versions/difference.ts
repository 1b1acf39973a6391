import { diffLines } from 'diff';

export interface Line {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

export interface FieldDifference {
  field: string;
  lines: Line[];
}

/** Two texts are compared line by line if they have at most this number of characters together. Longer texts are slow to compare. */
const MOST_CHARACTERS = 100_000;
/** Number of unchanged lines shown around a change. */
const AROUND = 3;

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 2);

/** Returns the differing fields of two records, each with its differing lines. */
export function differencesOf(before: object, after: object): FieldDifference[] {
  const sides = [before, after].map((side) => new Map<string, unknown>(Object.entries(side)));
  const fields = new Set(sides.flatMap((side) => [...side.keys()]));
  return [...fields]
    .map((field) => ({ field, lines: linesBetween(textOf(sides[0]?.get(field)), textOf(sides[1]?.get(field))) }))
    .filter(({ lines }) => lines.some(({ kind }) => kind !== 'same'));
}

function linesOf(kind: Line['kind'], text: string): Line[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ kind, text: line }));
}

/** Ends the text with a line break; otherwise equal last lines could be reported as different. */
const ended = (text: string) => (text === '' ? '' : `${text}\n`);

function linesBetween(before: string, after: string): Line[] {
  if (before === after) return [];
  const isLong = before.length + after.length > MOST_CHARACTERS;
  const parts = isLong ? undefined : diffLines(ended(before), ended(after), { timeout: 1_000 });
  if (!parts) return [...(before ? linesOf('removed', before) : []), ...(after ? linesOf('added', after) : [])];
  return parts.flatMap(({ added, removed, value }, index) => {
    if (added) return linesOf('added', value);
    if (removed) return linesOf('removed', value);
    return shortened(linesOf('same', value), index > 0, index < parts.length - 1);
  });
}

/** Keeps only the unchanged lines near a change. */
function shortened(lines: Line[], hasBefore: boolean, hasAfter: boolean): Line[] {
  const [head, tail] = [hasBefore ? AROUND : 0, hasAfter ? AROUND : 0];
  if (lines.length <= head + tail + 1) return lines;
  const left = { kind: 'same', text: `… ${lines.length - head - tail} unchanged lines …` } as const;
  return [...lines.slice(0, head), left, ...(tail > 0 ? lines.slice(-tail) : [])];
}
