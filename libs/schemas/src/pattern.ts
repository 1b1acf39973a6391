import { RE2JS } from 're2js';

export const LONGEST_PATTERN = 512;

/** Limit of the cost of compiling. A unit takes about a microsecond. */
export const PATTERN_BUDGET = 20_000;

/** Cost of a Unicode property class, in instructions. */
const UNICODE_CLASS_COST = 60;

const PIECE = /\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(|\)|\{(\d+)(?:(,)(\d*))?\}|[^]/gsu;

/** Cost of the smallest pattern, in instructions. */
const PATTERN_COST = 40;

/** Cost of compiling a pattern: about its number of instructions with repetitions expanded. */
export function patternCost(pattern: string): number {
  const outer: number[] = [];
  let total = 0;
  let last = 0;
  let classes = 0;
  for (const [piece, least, , most] of pattern.matchAll(PIECE)) {
    if (piece === '(') {
      outer.push(total);
      total = 0;
      last = 0;
    } else if (piece === ')') {
      last = total + 2;
      total = (outer.pop() ?? 0) + last;
    } else if (least === undefined) {
      classes += (piece.match(/\\[pP]/g) ?? []).length;
      last = 1;
      total += last;
    } else {
      const repeated = last * Math.max(Number(least), Number(most ?? 0), 1);
      total += repeated - last;
      last = repeated;
    }
  }
  return PATTERN_COST + total + classes * UNICODE_CLASS_COST;
}

/** Compiles a pattern to a linear-time matcher. Throws when the pattern needs backtracking. */
export function compilePattern(pattern: string): { test(text: string): boolean } {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/** Whether a pattern has `\k` outside a class, which re2js reads as a letter. */
const hasNamedBackReference = (pattern: string) =>
  Array.from(pattern.matchAll(/\\./gsu)).some(([escape]) => escape === '\\k');

function compiles(compile: () => unknown): boolean {
  try {
    compile();
    return true;
  } catch {
    return false;
  }
}

/** The reason why a pattern cannot be used, or undefined. The caller limits its cost. */
export function patternFault(pattern: string): string | undefined {
  if (!compiles(() => new RegExp(pattern, 'u'))) return 'is not a valid regular expression (ECMA-262, Unicode mode)';
  if (hasNamedBackReference(pattern) || !compiles(() => compilePattern(pattern))) {
    return 'must be matchable in linear time: look-around, back-references and repeats above 1000 are not supported';
  }
  return undefined;
}
