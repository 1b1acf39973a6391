import { foldCase } from './case-variants.js';

/** Facts about a JSON text, read without building its values. */
export interface JsonShape {
  /** Upper bound of the number of values in the text. The memory and the time of parsing depend on it. */
  values: number;
  /** Whether an object in the outer levels has a name twice, in any letter case. */
  isAmbiguous: boolean;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Reads the shape of a JSON text in one pass, in constant memory. When a name occurs twice, some parsers use the first
 * value and some the last, and some parsers ignore letter case. So a receiver may read an ambiguous text as another
 * message.
 *
 * @param text valid JSON; for another text the result has no meaning
 * @param levels the number of outer levels that are searched for repeated names
 */
export function jsonShapeOf(text: string, levels: number): JsonShape {
  const names: Set<string>[] = [];
  let [depth, values, isAmbiguous] = [0, 1, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (depth <= levels && !isAmbiguous && isName(text, end)) {
        const name = nameOf(text.slice(at, end));
        const known = (names[depth] ??= new Set());
        isAmbiguous = known.has(name);
        known.add(name);
      }
      at = end - 1;
    } else if (code === COMMA) values += 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      values += 1;
      if (depth <= levels) names[depth]?.clear();
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return { values, isAmbiguous };
}

/** Index after a string's closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (SPACES.has(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

function nameOf(quoted: string): string {
  if (!quoted.includes('\\')) return foldCase(quoted.slice(1, -1));
  try {
    return foldCase(String(JSON.parse(quoted)));
  } catch {
    return quoted;
  }
}
