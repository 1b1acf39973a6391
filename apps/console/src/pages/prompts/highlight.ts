import type { Finding, TokenSource } from '../../api/prompt-records.js';

/** A part of a template. Only text in braces has a `kind`. */
export interface Stretch {
  text: string;
  kind?: 'literal' | 'token' | 'unknown';
}

/** Maximum length of the marked text, in characters: marking longer templates would slow down typing. */
export const LONGEST_MARKED = 100_000;

const BRACES = /\\\{\{|\{\{[ \t]*([\w.]+)[ \t]*\}\}/g;

/**
 * Splits a template at its tokens and at the braces that the server reported as faulty. The server's last answer states the
 * source of each token; before the first answer, every token is shown as known.
 */
export function stretchesOf(
  template: string,
  sources: ReadonlyMap<string, TokenSource>,
  findings: readonly Pick<Finding, 'line' | 'column'>[] = [],
): Stretch[] {
  if (template.length > LONGEST_MARKED) return [{ text: template }];
  const bare = findings.map((finding) => offsetOf(template, finding));
  const stretches: Stretch[] = [];
  const addBetween = (from: number, until: number) => {
    let at = from;
    for (const place of bare) {
      // The text may have changed since the server's answer: skip positions that no longer match.
      if (place < at || place + 2 > until || !template.startsWith('{{', place)) continue;
      if (place > at) stretches.push({ text: template.slice(at, place) });
      stretches.push({ text: '{{', kind: 'unknown' });
      at = place + 2;
    }
    if (until > at) stretches.push({ text: template.slice(at, until) });
  };
  let from = 0;
  for (const match of template.matchAll(BRACES)) {
    addBetween(from, match.index);
    const [text, name] = match;
    stretches.push({
      text,
      kind: name === undefined ? 'literal' : sources.get(name) === null ? 'unknown' : 'token',
    });
    from = match.index + text.length;
  }
  addBetween(from, template.length);
  return stretches;
}

/** Returns the offset of a finding in the text. */
export function offsetOf(template: string, { line, column }: Pick<Finding, 'line' | 'column'>): number {
  const before = template.split('\n').slice(0, line - 1);
  return Math.min(template.length, before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1);
}
