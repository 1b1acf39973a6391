import { isPrintable } from './scim-text.js';
import { invalid } from './scim-error.js';

/** `<attribute> eq "<value>"`, the one filter that provisioning needs. */
export interface Filter {
  attribute: string;
  value: string;
}

export interface ListQuery {
  filter: Filter | undefined;
  /** From 1. */
  startIndex: number;
  count: number;
}

const FILTER = /^\s*([a-z.]{1,50})\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;
export const MOST_RESULTS = 200;

/** @throws ScimError invalidFilter for another filter than `<one of attributes> eq "…"`. */
function parseFilter(text: unknown, attributes: readonly string[]): Filter | undefined {
  if (text === undefined) return undefined;
  const [, name = '', quoted = ''] = (typeof text === 'string' && text.length <= 1_000 && FILTER.exec(text)) || [];
  const attribute = attributes.find((known) => known.toLowerCase() === name.toLowerCase());
  if (attribute === undefined)
    throw invalid(`The filter must be one of ${attributes.join(', ')} eq "value".`, 'invalidFilter');
  const value = parseText(quoted);
  if (value === undefined)
    throw invalid('The value of the filter is not a JSON string of printable text.', 'invalidFilter');
  return { attribute, value };
}

function parseText(quoted: string): string | undefined {
  try {
    const text = String(JSON.parse(quoted));
    return isPrintable(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function whole(value: unknown, least: number, missing: number): number {
  if (value === undefined) return missing;
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value))
    throw invalid('startIndex and count must be whole numbers.');
  // RFC 7644 §3.4.2.4: a lower value counts as the least one.
  return Math.max(least, Number(value));
}

export function parseListQuery(query: Readonly<Record<string, unknown>>, attributes: readonly string[]): ListQuery {
  return {
    filter: parseFilter(query['filter'], attributes),
    startIndex: whole(query['startIndex'], 1, 1),
    count: Math.min(MOST_RESULTS, whole(query['count'], 0, 100)),
  };
}
