import { diffLines } from 'diff';

export interface Line {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

export interface FieldDifference {
  field: string;
  lines: Line[];
}

/** Beyond this nobody reads line by line, and finding the difference takes long. */
const MOST_CHARACTERS = 100_000;
/** Unchanged lines that are shown around changed ones. */
const AROUND = 3;

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 2);

/** Where two records differ, field by field and line by line. */
export function differencesOf(before: object, after: object): FieldDifference[] {
  const sides = [before, after] as Record<string, unknown>[];
  const fields = [...new Set(sides.flatMap((side) => Object.keys(side)))];
  return fields
    .map((field) => ({ field, lines: linesBetween(textOf(sides[0]?.[field]), textOf(sides[1]?.[field])) }))
    .filter(({ lines }) => lines.some(({ kind }) => kind !== 'same'));
}

function linesOf(kind: Line['kind'], text: string): Line[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ kind, text: line }));
}

/** A last line without its end would differ from the same line with one. */
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

/** Unchanged lines, without those far from a change. */
function shortened(lines: Line[], hasBefore: boolean, hasAfter: boolean): Line[] {
  const [head, tail] = [hasBefore ? AROUND : 0, hasAfter ? AROUND : 0];
  if (lines.length <= head + tail + 1) return lines;
  const left = { kind: 'same', text: `… ${lines.length - head - tail} unchanged lines …` } as const;
  return [...lines.slice(0, head), left, ...(tail > 0 ? lines.slice(-tail) : [])];
}
