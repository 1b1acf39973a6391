import { AppError, invalidField } from '@millwright/errors';
import { isJsonObject } from '@millwright/json';
import { Composer, CST, isAlias, isScalar, Lexer, Parser, stringify, visit, type Document } from 'yaml';
import type { Skill } from './skills.contract.js';

/** Writes a skill as one file: YAML front matter between two lines of `---`, an empty line, the instructions, and a line end. */
export function writeSkillMd({ name, description, parameters, instructions }: SkillText): string {
  const front = {
    name,
    description,
    ...(Object.keys(parameters).length > 0 && { parameters }),
  };
  return `---\n${stringify(front, WRITING)}---\n\n${instructions}\n`;
}
type SkillText = Pick<Skill, 'name' | 'description' | 'parameters' | 'instructions'>;

// Quoted values are JSON strings on one line: no value contains a line of `---`, and every YAML reader reads the same value.
const WRITING = {
  lineWidth: 0,
  blockQuote: false,
  singleQuote: false,
  doubleQuotedAsJSON: true,
  aliasDuplicateObjects: false,
  compat: 'yaml-1.1',
} as const;

/** Maximum size of the front matter, in bytes. */
const MAX_FRONT_MATTER = 8_192;
/** Maximum depth of lists and mappings in brackets, and maximum number of lists and mappings that begin on one line. A skill needs three levels. */
const MAX_DEPTH = 8;
// The first line's terminator (LF or CRLF) applies to the whole file. `^` and `$` with the flag `m` would also match at other line
// separators.
const FRONT_MATTER =
  /^---[ \t]*(?<eol>\r?\n)(?<front>(?:[^]*?\n)??)---[ \t]*(?:\k<eol>|$)(?:\k<eol>)?(?<instructions>[^]*)$/;

/**
 * Reads the fields of a skill from a file in the form of `writeSkillMd`. The fields are not yet checked against the skill's contract.
 *
 * @throws AppError validation_error for an invalid file, with the name of the invalid part; payload_too_large for a front matter beyond 8 KiB.
 */
export function readSkillMd(text: string): Record<string, unknown> {
  const { eol = '', front, instructions = '' } = FRONT_MATTER.exec(text)?.groups ?? {};
  if (front === undefined) throw invalidField('front matter', 'must stand between two lines of ---');
  if (Buffer.byteLength(front) > MAX_FRONT_MATTER) throw new AppError('payload_too_large');
  return {
    ...readFrontMatter(front),
    instructions: instructions.slice(0, instructions.endsWith(eol) ? -eol.length : undefined),
  };
}

function readFrontMatter(text: string): Record<string, unknown> {
  requireShallow(text);
  const document = parseYaml(text);
  requirePlain(document);
  const value: unknown = document.toJS();
  if (!isJsonObject(value)) throw invalidField('front matter', 'must be a mapping');
  if ('instructions' in value) throw invalidField('instructions', 'must stand below the front matter');
  return value;
}

const notYaml = (position: number) => invalidField('front matter', `is not valid YAML at character ${position}`);

const BLOCK_INDICATORS: ReadonlySet<string | null> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);

/**
 * Refuses collections that are nested too deeply. The file is not parsed for this check, because the parser recurses for each level, and
 * some thousand levels exhaust the stack of the process. Nesting by indentation is not counted: each level makes the lines longer, so the
 * limit of the front matter's size bounds it.
 */
function requireShallow(text: string): void {
  const tooDeep = invalidField('front matter', `must not nest more than ${MAX_DEPTH} lists or mappings`);
  let position = 0;
  let brackets = 0;
  let onLine = 0;
  let previous = '';
  for (const token of new Lexer().lex(text)) {
    const type = previous === CST.SCALAR ? 'scalar' : CST.tokenType(token);
    previous = token;
    if (type === 'flow-seq-start' || type === 'flow-map-start') brackets += 1;
    else if (type === 'flow-seq-end' || type === 'flow-map-end') brackets -= 1;
    else if (type === 'newline') onLine = 0;
    else if (brackets === 0 && BLOCK_INDICATORS.has(type)) onLine += 1;
    if (brackets < 0) throw notYaml(position);
    if (brackets > MAX_DEPTH || onLine > MAX_DEPTH) throw tooDeep;
    position += CONTROL_TOKENS.has(token) ? 0 : token.length;
  }
}
/** Lexer tokens that contain no text of the file. */
const CONTROL_TOKENS: ReadonlySet<string> = new Set([CST.BOM, CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** Parses the first document of a text up to its first fault. */
function parseYaml(text: string): Document {
  // Keys are compared below, because the parser's own comparison takes quadratic time.
  const composer = new Composer({
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  // Parsing ends at the first fault, because the parser would collect all faults, up to one per character. A fault thrown within a
  // collection is reported again for each collection around it; the first report is kept.
  let first: AppError | undefined;
  Object.assign(composer, {
    onError(source: number | readonly number[] | { offset: number }) {
      const place = typeof source === 'number' || 'offset' in source ? source : (source[0] ?? 0);
      throw (first ??= notYaml(typeof place === 'number' ? place : place.offset));
    },
  });
  for (const document of composer.compose(new Parser().parse(text), true, text.length)) return document;
  throw new Error('A forced document is missing.');
}

/** Accepts only values that JSON can express: no anchors, aliases or tags. Each key must be a text and unique in its mapping. */
function requirePlain(document: Document): void {
  visit(document, {
    Node(_key, node) {
      if (isAlias(node) || node.anchor !== undefined)
        throw invalidField('front matter', 'must not use anchors or aliases');
      if (node.tag !== undefined) throw invalidField('front matter', 'must not use tags');
    },
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key) || typeof key.value !== 'string')
          throw invalidField('front matter', 'must have texts as keys');
        if (seen.has(key.value)) throw invalidField(key.value.slice(0, 200), 'must be given once');
        seen.add(key.value);
      }
    },
  });
}
