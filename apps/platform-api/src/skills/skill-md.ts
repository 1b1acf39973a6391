import { AppError, invalidField } from '@millwright/errors';
import { isAlias, isScalar, parseDocument, stringify, visit, type Document } from 'yaml';
import type { Skill } from './skills.contract.js';

/** A skill as one file: YAML front matter between two lines of `---`, an empty line, the instructions, a line's end. */
export function writeSkillMd({ name, description, parameters, instructions }: SkillText): string {
  const front = { name, description, ...(Object.keys(parameters).length > 0 && { parameters }) };
  return `---\n${stringify(front, WRITING)}---\n\n${instructions}\n`;
}
type SkillText = Pick<Skill, 'name' | 'description' | 'parameters' | 'instructions'>;

// What is quoted is quoted as in JSON, on one line: so no value holds a line of `---`, and any reader of YAML takes the same.
const WRITING = {
  lineWidth: 0,
  blockQuote: false,
  singleQuote: false,
  doubleQuotedAsJSON: true,
  aliasDuplicateObjects: false,
  compat: 'yaml-1.1',
} as const;

/** A parser of YAML takes a tenth of a second for this much at worst. */
const MAX_FRONT_MATTER = 65_536;
// The first line's end is the file's. Only LF ends lines: `^` and `$` of the flag `m` know others.
const FRONT_MATTER =
  /^---[ \t]*(?<eol>\r?\n)(?<front>(?:[^]*?\n)??)---[ \t]*(?:\k<eol>|$)(?:\k<eol>)?(?<instructions>[^]*)$/;

/**
 * The fields of a skill that a file in the form of `writeSkillMd` holds, not yet checked against the skill's contract.
 *
 * @throws AppError validation_error naming what of the file is at fault, payload_too_large for a front matter beyond 64 KiB.
 */
export function readSkillMd(text: string): Record<string, unknown> {
  const { eol = '', front, instructions = '' } = FRONT_MATTER.exec(text)?.groups ?? {};
  if (front === undefined) throw invalidField('front matter', 'must stand between two lines of ---');
  if (front.length > MAX_FRONT_MATTER) throw new AppError('payload_too_large');
  return {
    ...readFrontMatter(front),
    instructions: instructions.slice(0, instructions.endsWith(eol) ? -eol.length : undefined),
  };
}

function readFrontMatter(text: string): Record<string, unknown> {
  // Keys are compared below: the parser's own comparison takes time that grows with their square.
  const document = parseDocument(text, { schema: 'core', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw invalidField('front matter', `is not valid YAML at character ${fault.pos[0]}`);
  requirePlain(document);
  const value: unknown = document.toJS();
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidField('front matter', 'must be a mapping');
  if ('instructions' in value) throw invalidField('instructions', 'must stand below the front matter');
  return value as Record<string, unknown>;
}

/** Nothing but JSON's values: no anchors or aliases, no tags, no key that is missing its name or given twice. */
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
