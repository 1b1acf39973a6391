import { canonicalJson } from '@millwright/json';

export interface RenderValues {
  message: string | undefined;
  /** The turns of the conversation, oldest first. */
  history: readonly { role: string; content: string }[];
  referencedContent: string | undefined;
  structuredData: Readonly<Record<string, unknown>>;
  /** Contents of the blocks, by prefix. */
  blocks: ReadonlyMap<string, string>;
  /** Names of the properties that the schema of the input defines. No other part of `structuredData` is inserted. */
  inputProperties: ReadonlySet<string>;
}

export interface RenderedPart {
  text: string;
  /** Names of the tokens found, in order, without repetition. */
  tokens: string[];
  /** One warning for each name without a value. */
  warnings: string[];
}

/** Limit of a rendered text, in UTF-16 units. Without it, thousands of tokens that each insert a megabyte would use up the memory. */
export const LONGEST_RENDERED_TEXT = 4 * 1024 * 1024;

/** Error for a text that would exceed `LONGEST_RENDERED_TEXT` UTF-16 units. */
export class RenderedTextTooLong extends Error {
  constructor() {
    super(`The rendered text is longer than ${LONGEST_RENDERED_TEXT} characters`);
    this.name = 'RenderedTextTooLong';
  }
}

/** Matches `\{{`, or a token with its name. No two matches can begin in the same `{{`, so matching is linear. */
export const TOKEN = /\\\{\{|\{\{[ \t]*([A-Za-z_][A-Za-z0-9_.]*)[ \t]*\}\}/g;

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function ownMember(value: unknown, key: string): unknown {
  if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
  return Array.isArray(value) && key === 'length' ? undefined : value[key];
}

function inputValue(name: string, { structuredData, inputProperties }: RenderValues): unknown {
  if (inputProperties.has(name)) {
    const value = ownMember(structuredData, name);
    if (value !== undefined) return value;
  }
  const path = name.split('.');
  if (path[0] === undefined || !inputProperties.has(path[0])) return undefined;
  return path.reduce<unknown>(ownMember, structuredData);
}

function builtInValue(name: string, { message, history, referencedContent }: RenderValues): string | undefined {
  switch (name) {
    case 'message':
      return message;
    case 'conversation.history':
      return history.map(({ role, content }) => `${role}: ${content}`).join('\n');
    case 'referenced_content':
      return referencedContent;
    default:
      return undefined;
  }
}

/** Returns the source that fills a token with this name; `undefined` when no source has the name. */
export function sourceOf(
  name: string,
  { inputProperties, blocks }: Pick<RenderValues, 'inputProperties' | 'blocks'>,
): 'built_in' | 'input' | 'block' | undefined {
  if (BUILT_IN.has(name)) return 'built_in';
  if (isProperty(name, inputProperties)) return 'input';
  return blocks.has(name) ? 'block' : undefined;
}

/** Returns the first value found: first among built-in values, then in the input, then among blocks. */
function textOf(name: string, values: RenderValues): string | undefined {
  const builtIn = builtInValue(name, values);
  if (builtIn !== undefined) return builtIn;
  const value = inputValue(name, values);
  if (value === undefined) return values.blocks.get(name);
  return typeof value === 'string' ? value : canonicalJson(value);
}

/** Returns the prefixes of the blocks that a template inserts if they exist. These are the names of tokens that have no other value. */
export function neededPrefixes(
  templates: Readonly<Record<'static' | 'state' | 'dynamic', string>>,
  given: Omit<RenderValues, 'history' | 'blocks'>,
): string[] {
  const values = { ...given, history: [], blocks: new Map<string, string>() };
  return possiblePrefixes(templates).filter((name) => textOf(name, values) === undefined);
}

const BUILT_IN: ReadonlySet<string> = new Set(['message', 'conversation.history', 'referenced_content']);

/** Whether a name such as `a.b` reads the input property `a`. */
function isProperty(name: string, inputProperties: ReadonlySet<string>): boolean {
  const [head = name] = name.split('.', 1);
  return inputProperties.has(name) || inputProperties.has(head);
}

function warningFor(name: string, values: RenderValues): string {
  return BUILT_IN.has(name) || isProperty(name, values.inputProperties)
    ? `No value for {{${name}}}: it was left unchanged.`
    : `{{${name}}} is not defined and was left unchanged.`;
}

/**
 * Fills the tokens of a template in one pass: inserted text is never expanded again. A token without a value stays
 * unchanged and is named in the warnings; `\{{` becomes `{{`. Equal arguments give an equal text. The time is linear in
 * the length of the text.
 *
 * @throws RenderedTextTooLong when the result would exceed `LONGEST_RENDERED_TEXT`
 */
export function renderTemplate(template: string, values: RenderValues): RenderedPart {
  const texts = new Map<string, string | undefined>();
  let length = template.length;
  const text = template.replace(TOKEN, (match, name: string | undefined) => {
    if (name === undefined) return '{{';
    if (!texts.has(name)) texts.set(name, textOf(name, values));
    const inserted = texts.get(name) ?? match;
    length += inserted.length - match.length;
    if (length > LONGEST_RENDERED_TEXT) throw new RenderedTextTooLong();
    return inserted;
  });
  const tokens = [...texts.keys()];
  const unfilled = tokens.filter((name) => texts.get(name) === undefined);
  return { text, tokens, warnings: unfilled.map((name) => warningFor(name, values)) };
}

/** Returns the names of the tokens in a template, in order, without repetition. */
export function tokenNames(template: string): string[] {
  const names = new Set<string>();
  for (const [, name] of template.matchAll(TOKEN)) if (name !== undefined) names.add(name);
  return [...names];
}

/** Returns the names of tokens in the templates that can be the prefix of a block. */
export function possiblePrefixes(templates: Readonly<Record<'static' | 'state' | 'dynamic', string>>): string[] {
  const names = [templates.static, templates.state, templates.dynamic].flatMap(tokenNames);
  return [...new Set(names)].filter((name) => /^[a-zA-Z_]{1,100}$/.test(name));
}

/** Returns the number of tokens of this name in a template. */
export function tokensNamed(wanted: string, template: string): number {
  let count = 0;
  for (const [, name] of template.matchAll(TOKEN)) if (name === wanted) count += 1;
  return count;
}
