import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em' | 'del'; content: Inline[] }
  | { kind: 'link'; href: string; content: Inline[] }
  | { kind: 'break' };

export interface Cell {
  align: 'left' | 'center' | 'right' | null;
  content: Inline[];
}

export type Block =
  | { kind: 'paragraph' | 'heading'; content: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'quote'; content: Block[] }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'table'; head: Cell[]; rows: Cell[][] }
  | { kind: 'rule' };

/** Limit of the characters parsed as Markdown; the rest of a longer text stays plain. */
const MOST_CHARACTERS = 100_000;
/** Limit of the nesting of quotes and lists; deeper quotes and lists stay plain text. */
const MOST_DEPTH = 12;
/**
 * Maximum number of characters of a paragraph, heading or cell that is parsed for emphasis and links. The parser's work grows with the square
 * of this number.
 */
const MOST_INLINE_CHARACTERS = 10_000;
/** Matches a line that begins with 20 or more marks of quotes and lists. Many more marks would exhaust the stack of the parser. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){20}/m;

/**
 * Addresses that a text may link to. Relative addresses are excluded: their base address depends on the page that shows the
 * text.
 */
const SAFE = /^(?:https?:\/\/|mailto:)/i;

/** Lexer whose work for each paragraph is bounded; a paragraph beyond the bound stays plain text. */
class BoundedLexer extends Lexer {
  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (text.length <= MOST_INLINE_CHARACTERS) return super.inlineTokens(text, tokens);
    tokens.push({ type: 'text', raw: text, text, escaped: false });
    return tokens;
  }
}

/**
 * Parses GitHub-flavoured Markdown into a tree of bounded depth. HTML stays text, images become links, and links other than web
 * and mail addresses stay text.
 */
export function parseMarkdown(text: string): Block[] {
  const read = text.slice(0, MOST_CHARACTERS);
  const rest = text.slice(MOST_CHARACTERS);
  const blocks = TOO_DEEP.test(read) ? [plain(read)] : blocksOf(new BoundedLexer({ gfm: true }).lex(read), MOST_DEPTH);
  return rest === '' ? blocks : [...blocks, plain(rest)];
}

const plain = (text: string): Block => ({ kind: 'paragraph', content: [{ kind: 'text', text }] });

const blocksOf = (tokens: readonly Token[], depth: number): Block[] => tokens.flatMap((token) => blockOf(token, depth));

function blockOf(token: Token, depth: number): Block[] {
  if (depth === 0) return [plain(token.raw)];
  const known = token as MarkedToken;
  switch (known.type) {
    case 'space':
    case 'def':
      return [];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'heading':
      return [{ kind: 'heading', content: inlinesOf(known.tokens) }];
    case 'code':
      return [{ kind: 'code', language: /^\S{0,40}/.exec(known.lang ?? '')?.[0] ?? '', text: known.text }];
    case 'blockquote':
      return [{ kind: 'quote', content: blocksOf(known.tokens, depth - 1) }];
    case 'list': {
      const start = known.ordered ? Number(known.start) : undefined;
      return [{ kind: 'list', start, items: known.items.map((item) => itemOf(item, depth - 1)) }];
    }
    case 'table': {
      const { header, rows } = known;
      const cellOf = ({ align, tokens }: Tokens.TableCell): Cell => ({ align, content: inlinesOf(tokens) });
      return [{ kind: 'table', head: header.map(cellOf), rows: rows.map((row) => row.map(cellOf)) }];
    }
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', content: inlinesOf(known.tokens ?? [known]) }];
    default:
      return [plain(token.raw)];
  }
}

const BOXES = { true: '☑ ', false: '☐ ' } as const;

function itemOf({ tokens, task, checked }: Tokens.ListItem, depth: number): Block[] {
  const blocks = blocksOf(
    tokens.filter(({ type }) => type !== 'checkbox'),
    depth,
  );
  if (!task) return blocks;
  const [first, ...others] = blocks;
  const box: Inline = { kind: 'text', text: BOXES[checked ? 'true' : 'false'] };
  return first?.kind === 'paragraph'
    ? [{ ...first, content: [box, ...first.content] }, ...others]
    : [{ kind: 'paragraph', content: [box] }, ...blocks];
}

const inlinesOf = (tokens: readonly Token[]): Inline[] => tokens.flatMap((token) => inlineOf(token, MOST_DEPTH));

function inlineOf(token: Token, depth: number): Inline[] {
  const raw: Inline = { kind: 'text', text: token.raw };
  if (depth === 0) return [raw];
  const known = token as MarkedToken;
  const inside = (tokens: readonly Token[]) => tokens.flatMap((one) => inlineOf(one, depth - 1));
  switch (known.type) {
    case 'checkbox':
      return [];
    case 'br':
      return [{ kind: 'break' }];
    case 'codespan':
      return [{ kind: 'code', text: known.text }];
    case 'escape':
      return [{ kind: 'text', text: known.text }];
    case 'strong':
    case 'em':
    case 'del':
      return [{ kind: known.type, content: inside(known.tokens) }];
    case 'link':
      return SAFE.test(known.href) ? [{ kind: 'link', href: known.href, content: inside(known.tokens) }] : [raw];
    case 'image': {
      const { href, text } = known;
      return SAFE.test(href) ? [{ kind: 'link', href, content: [{ kind: 'text', text: text || href }] }] : [raw];
    }
    case 'text':
      return known.tokens ? inside(known.tokens) : [{ kind: 'text', text: decoded(known.text) }];
    default:
      return [raw];
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;

/** Replaces the character references that models commonly write; others stay unchanged. */
const decoded = (text: string): string =>
  text.replace(ENTITY, (whole, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
