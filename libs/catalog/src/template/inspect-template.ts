import { TOKEN } from './render-template.js';

/** A place in a template that probably does not render as the author intends. */
export interface TemplateFinding {
  /** Line of the finding, counted from 1. */
  line: number;
  /** Column of the finding, counted from 1 in UTF-16 units. */
  column: number;
  reason: string;
}

/** Maximum number of findings. A longer list does not help an author, and takes time. */
export const MOST_FINDINGS = 50;
/** Maximum number of characters that a finding quotes from between the braces. */
const LONGEST_QUOTE = 40;

/**
 * Finds each `{{` that begins no token, and each token with an unknown name. Both stay unchanged when the template is
 * rendered.
 */
export function inspectTemplate(template: string, isKnown: (name: string) => boolean): TemplateFinding[] {
  const findings: TemplateFinding[] = [];
  const place = createPlace(template);
  const add = (at: number, reason: string) => {
    if (findings.length < MOST_FINDINGS) findings.push({ ...place(at), reason });
  };
  let from = 0;
  const inspectGap = (until: number) => {
    while (findings.length < MOST_FINDINGS) {
      const at = template.indexOf('{{', from);
      if (at === -1 || at + 2 > until) return;
      add(at, reasonAt(template, at));
      from = at + 2;
      while (template[from] === '{' && from < until) from += 1;
    }
  };
  for (const match of template.matchAll(TOKEN)) {
    if (findings.length >= MOST_FINDINGS) break;
    inspectGap(match.index);
    const [text, name] = match;
    if (name !== undefined && !isKnown(name)) {
      add(match.index, `Unknown variable {{${name}}}. It will be sent as plain text.`);
    }
    from = match.index + text.length;
  }
  inspectGap(template.length);
  return findings;
}

function reasonAt(template: string, at: number): string {
  const close = template.indexOf('}}', at + 2);
  const next = template.indexOf('{{', at + 2);
  if (close === -1 || (next !== -1 && next < close)) {
    return String.raw`"{{" is never closed. Use \{{ for literal braces.`;
  }
  const quote = template.slice(at + 2, close).trim();
  const short = quote.length > LONGEST_QUOTE ? `${quote.slice(0, LONGEST_QUOTE).toWellFormed()}…` : quote;
  return `"${short}" is no name: a name has letters, digits, "_" and ".", and does not begin with a digit or ".".`;
}

/** Converts ascending offsets in a text into lines and columns. */
function createPlace(text: string): (at: number) => Omit<TemplateFinding, 'reason'> {
  let line = 1;
  let begin = 0;
  return (at) => {
    for (let end = text.indexOf('\n', begin); end !== -1 && end < at; end = text.indexOf('\n', begin)) {
      line += 1;
      begin = end + 1;
    }
    return { line, column: at - begin + 1 };
  };
}
