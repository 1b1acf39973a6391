import { inspectTemplate, RenderedTextTooLong, renderTemplate, tokenNames } from '@millwright/catalog/template';
import { storableText } from '@millwright/db';
import { LONGEST_INPUT } from './trigger.js';

/** Placeholders that a template may contain. */
const NAMES: ReadonlySet<string> = new Set(['body', 'trigger', 'at']);

/** The reason why the text is not a valid trigger template; `undefined` for a valid template. */
export function templateFault(template: string): string | undefined {
  const isKnown = (name: string) => name === 'message' || NAMES.has(name.split('.', 1)[0] ?? '');
  const [first] = inspectTemplate(template, isKnown);
  return first && `line ${first.line}, column ${first.column}: ${first.reason}`;
}

/** Values that a template can insert into the input of a firing. */
export interface FiringFacts {
  /** Name of the trigger. */
  trigger: string;
  /** The scheduled time, or the time at which the post was received. */
  at: Date;
  /** The body of a post; undefined for a schedule. */
  body?: string | undefined;
}

/**
 * The message of a firing: `{{message}}` is the body's text, `{{body.a.b}}` a value in its JSON, `{{trigger}}` the name
 * of the trigger, and `{{at}}` the time. A value that the body does not contain becomes the empty text.
 *
 * @returns undefined when the message would be empty or longer than an agent accepts
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

/**
 * Limit of the nesting of JSON input. No path in a template can be this deep. Deeper JSON is treated as text, because serializing it needs a
 * deep stack.
 */
const MOST_LEVELS = 50;

const fits = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((one) => fits(one, levels - 1)));

/** Parses a body as JSON; returns the text if it is not JSON. */
function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return fits(value, MOST_LEVELS) ? value : body;
  } catch {
    return body;
  }
}
