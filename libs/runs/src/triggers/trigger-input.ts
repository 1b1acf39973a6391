import { inspectTemplate, RenderedTextTooLong, renderTemplate, tokenNames } from '@millwright/catalog/template';
import { storableText } from '@millwright/db';
import { LONGEST_INPUT } from './trigger.js';

/** What a template may name. */
const NAMES: ReadonlySet<string> = new Set(['body', 'trigger', 'at']);

/** Why the text is no template of a trigger; `undefined` when it is one. */
export function templateFault(template: string): string | undefined {
  const isKnown = (name: string) => name === 'message' || NAMES.has(name.split('.', 1)[0] ?? '');
  const [first] = inspectTemplate(template, isKnown);
  return first && `line ${first.line}, column ${first.column}: ${first.reason}`;
}

/** What fires a trigger. */
export interface FiringFacts {
  /** The trigger's name. */
  trigger: string;
  /** The scheduled time, or when the post was received. */
  at: Date;
  /** The body of a post; none for a schedule. */
  body?: string | undefined;
}

/**
 * The message of a firing: `{{message}}` is the body's text, `{{body.a.b}}` a value in its JSON, `{{trigger}}` the name, `{{at}}` the
 * time. What the body does not have becomes nothing.
 *
 * @returns undefined when the message would be empty or longer than an agent takes
 */
export function renderInput(template: string, { trigger, at, body }: FiringFacts): string | undefined {
  const structuredData: Record<string, unknown> = { trigger, at: at.toISOString(), body: body && parsed(body) };
  const blocks = new Map(tokenNames(template).map((name) => [name, '']));
  try {
    const values = { message: body ?? '', history: [], referencedContent: undefined, structuredData };
    const { text } = renderTemplate(template, { ...values, blocks, inputProperties: NAMES });
    const stored = storableText(text);
    return stored.trim() === '' || stored.length > LONGEST_INPUT ? undefined : stored;
  } catch (error) {
    if (error instanceof RenderedTextTooLong) return undefined;
    throw error;
  }
}

/** More levels than a template reaches into. Deeper JSON is a text: writing it again would need a stack of its depth. */
const MOST_LEVELS = 50;

const fits = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((one) => fits(one, levels - 1)));

/** The JSON of a body, or its text. */
function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return fits(value, MOST_LEVELS) ? value : body;
  } catch {
    return body;
  }
}
