/**
 * Makes a text safe for a terminal: control and format characters, which could move the cursor, or hide or reorder text, are
 * replaced by their JSON escapes. The value of JSON stays the same.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/** Escapes a text like `printable`, but keeps line breaks and tabs. */
export const printableLines = (text: string): string =>
  text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : printable(part)))
    .join('');

/** A list that is printed as a table of its rows or, with `--json`, as its whole value. */
export class Listing {
  readonly value: object;
  readonly rows: readonly object[];

  constructor(value: object, rows: readonly object[]) {
    this.value = value;
    this.rows = rows;
  }
}

/** Returns a result as text: a list as a table, if the terminal is wide enough. */
export function readable(value: object, columns: number): string {
  const list = value instanceof Listing ? value.rows : value;
  if (!Array.isArray(list)) return lines(list);
  const rows = list as object[];
  if (rows.length === 0) return 'none\n';
  return table(rows, columns) ?? rows.map(lines).join('\n');
}

/** Returns rows as a table; `undefined` when the table would be wider than the terminal, or a value is too long for a cell. */
function table(rows: readonly object[], columns: number): string | undefined {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => new Map(Object.entries(row).map(([name, value]) => [name, show(value)])));
  const widths = names.map((name) => Math.max(name.length, ...cells.map((row) => row.get(name)?.length ?? 1)));
  const width = widths.reduce((sum, one) => sum + one + GAP.length, -GAP.length);
  if (width > columns) return undefined;
  const line = (texts: readonly string[]) =>
    `${texts
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join(GAP)
      .trimEnd()}\n`;
  const title = line(names.map((name) => name.replaceAll('_', ' ').toUpperCase()));
  return title + cells.map((row) => line(names.map((name) => row.get(name) ?? '-'))).join('');
}
const GAP = '  ';

function lines(record: object): string {
  const entries = Object.entries(record);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  const indent = ' '.repeat(width + GAP.length);
  return entries
    .map(([name, value]) => `${name.padEnd(width)}${GAP}${showBlock(value).replaceAll('\n', `\n${indent}`)}\n`)
    .join('');
}

/** Returns a value as readable text: a text with its line breaks, and a list of more than three values with one line for each value. */
function showBlock(value: unknown): string {
  if (typeof value === 'string') return printableLines(value);
  if (!Array.isArray(value) || value.length <= 3) return show(value);
  return value.map(show).join('\n');
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(show).join(', ');
  if (value === null || value === undefined) return '-';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
