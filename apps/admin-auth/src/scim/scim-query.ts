import { isPrintable } from './scim-text.js';
import { invalid } from './scim-error.js';

/** The required value of each attribute: `<attribute> eq "<value>"`, joined by `and`. */
export type Filter = ReadonlyMap<string, string>;

export const MOST_RESULTS = 200;
const MOST_TERMS = 3;
const LONGEST = 1_000;

/**
 * A term of a filter: an attribute, `eq`, and a JSON string. The attribute may select values by their type (`emails[type eq
 * "work"].value`).
 */
const TERM = /\s*([a-z.]{1,50})(?:\[type eq "\w{1,20}"\](\.[a-z]{1,50}))?\s+eq\s+("(?:[^"\\]|\\.)*")\s*(?:(and)\s|$)/iy;

/** @throws AppError invalidFilter unless the filter consists of at most three terms `<one of attributes> eq "…"`, joined by `and`. */
export function parseFilter(text: string | undefined, attributes: readonly string[]): Filter {
  const terms = new Map<string, string>();
  if (text === undefined) return terms;
  const refused = invalid('filter', `must be one of ${attributes.join(', ')} eq "value"`, 'invalidFilter');
  if (text.length > LONGEST) throw refused;
  const term = new RegExp(TERM);
  for (let more = true; more;) {
    const [, name = '', sub = '', quoted = '', and] = term.exec(text) ?? [];
    const attribute = attributes.find((known) => known.toLowerCase() === `${name}${sub}`.toLowerCase());
    const value = parseText(quoted);
    if (attribute === undefined || value === undefined || terms.has(attribute) || terms.size === MOST_TERMS)
      throw refused;
    terms.set(attribute, value);
    more = and !== undefined;
  }
  return terms;
}

function parseText(quoted: string): string | undefined {
  try {
    const text = String(JSON.parse(quoted));
    return isPrintable(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

export interface ListQuery {
  filter: Filter;
  /** Index of the first result, counted from 1. */
  startIndex: number;
  count: number;
}
