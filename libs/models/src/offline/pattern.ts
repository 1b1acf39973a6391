/**
 * Finds texts that match a regular expression, for the part of the language that schemas use: literals, classes,
 * groups, alternatives, quantifiers and anchors. The expression is never executed, so no pattern can take long.
 */

/** Writes one text. A larger `size` leads to longer texts and other alternatives. */
type Writer = (size: number) => string;

class Unsupported extends Error {}

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
/** The order in which characters are tried: common readable characters come first. */
const preferred = ['a', 'A', '0', '_', '-', ...printable];
const longest = 2_000;

const classEscapes: Readonly<Record<string, (char: string) => boolean>> = {
  d: (char) => /[0-9]/.test(char),
  D: (char) => /[^0-9]/.test(char),
  w: (char) => /[A-Za-z0-9_]/.test(char),
  W: (char) => /[^A-Za-z0-9_]/.test(char),
  s: (char) => /\s/.test(char),
  S: (char) => /\S/.test(char),
};

const controlEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0' };

function createParser(source: string) {
  let at = 0;
  const peek = () => source[at];
  const take = (): string => {
    const char = source[at];
    if (char === undefined) throw new Unsupported();
    at += 1;
    return char;
  };
  const skip = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };

  function codePoint(digits: number): string {
    const hex = source.slice(at, at + digits);
    if (!/^[0-9a-f]+$/i.test(hex)) throw new Unsupported();
    at += digits;
    return String.fromCharCode(parseInt(hex, 16));
  }

  function escapedChar(char: string): string {
    if (char === 'x') return codePoint(2);
    if (char === 'u') return codePoint(4);
    if (/[1-9bBkpPc]/.test(char)) throw new Unsupported();
    return controlEscapes[char] ?? char;
  }

  function parseClassMember(): (char: string) => boolean {
    const first = take();
    const escape = first === '\\' ? take() : undefined;
    if (escape && classEscapes[escape]) return classEscapes[escape];
    const low = escape ? escapedChar(escape) : first;
    if (peek() !== '-' || source[at + 1] === ']') return (char) => char === low;
    take();
    const end = take();
    const high = end === '\\' ? escapedChar(take()) : end;
    return (char) => char >= low && char <= high;
  }

  function parseClass(): Writer {
    const negated = skip('^');
    const members: ((char: string) => boolean)[] = [];
    const start = at;
    while (!skip(']')) members.push(parseClassMember());
    const outside = Array.from(source.slice(start, at));
    const matching = [...preferred, ...outside].filter((char) => members.some((has) => has(char)) !== negated);
    return oneOf([...new Set(matching)]);
  }

  function oneOf(chars: readonly string[]): Writer {
    if (chars.length === 0) throw new Unsupported();
    return (size) => chars[size % Math.min(chars.length, 5)] ?? '';
  }

  function parseGroup(): Writer {
    if (skip('?:') || !skip('?')) return parseRest();
    const named = /^<[A-Za-z_]\w*>/.exec(source.slice(at));
    if (!named) throw new Unsupported();
    at += named[0].length;
    return parseRest();
  }

  function parseRest(): Writer {
    const inner = parseAlternatives();
    if (!skip(')')) throw new Unsupported();
    return inner;
  }

  function parseAtom(): Writer {
    const char = take();
    if (char === '(') return parseGroup();
    if (char === '[') return parseClass();
    if (char === '.') return oneOf(preferred);
    if (char === '^' || char === '$') return () => '';
    if (/[*+?)]/.test(char)) throw new Unsupported();
    if (char !== '\\') return () => char;
    const escape = take();
    const members = classEscapes[escape];
    if (members) return oneOf([...preferred, '\n'].filter(members));
    const literal = escapedChar(escape);
    return () => literal;
  }

  function parseQuantifier(): [min: number, max: number] {
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(source.slice(at));
    if (counted) at += counted[0].length;
    const range: [number, number] = counted
      ? [Number(counted[1]), counted[2] === undefined ? Number(counted[1]) : Number(counted[3] || Infinity)]
      : skip('*')
        ? [0, Infinity]
        : skip('+')
          ? [1, Infinity]
          : skip('?')
            ? [0, 1]
            : [1, 1];
    skip('?');
    return range;
  }

  function parseSequence(): Writer {
    const parts: Writer[] = [];
    while (at < source.length && peek() !== '|' && peek() !== ')') {
      const atom = parseAtom();
      const [min, max] = parseQuantifier();
      parts.push((size) => {
        const times = Math.min(max, min + size);
        const text = times > longest ? '' : atom(size).repeat(times);
        if (times > longest || text.length > longest) throw new Unsupported();
        return text;
      });
    }
    return (size) => parts.map((part) => part(size)).join('');
  }

  function parseAlternatives(): Writer {
    const alternatives = [parseSequence()];
    while (skip('|')) alternatives.push(parseSequence());
    return (size) => alternatives[size % alternatives.length]?.(size) ?? '';
  }

  return () => {
    const writer = parseAlternatives();
    if (at < source.length) throw new Unsupported();
    return writer;
  };
}

const sizes = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64];

/** Returns texts that match a pattern, short texts first; none for a pattern with unknown syntax. */
export function textsMatching(pattern: string): string[] {
  try {
    const write = createParser(pattern)();
    return [...new Set(sizes.flatMap((size) => attempt(() => write(size))))];
  } catch (error) {
    if (error instanceof Unsupported) return [];
    throw error;
  }
}

function attempt(write: () => string): string[] {
  try {
    return [write()];
  } catch (error) {
    if (error instanceof Unsupported) return [];
    throw error;
  }
}
