export interface Stretch {
  text: string;
  isMatch: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Minimum length of a searched word that also matches longer words with the same beginning. Shorter words match only the same word. */
const SHORTEST_STEM = 3;
/** Maximum number of letters at a word's end that count as an inflection: "mill", "mills", "milling". */
const LONGEST_ENDING = 2;

/** Splits a text at the words that the search probably matched; the search does not report its matches. */
export function stretchesOf(text: string, query: string): Stretch[] {
  const terms = (query.toLowerCase().match(WORD) ?? []).map(stemOf);
  const stretches: Stretch[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!terms.some((isOf) => isOf(word.toLowerCase()))) continue;
    if (index > end) stretches.push({ text: text.slice(end, index), isMatch: false });
    stretches.push({ text: word, isMatch: true });
    end = index + word.length;
  }
  if (end < text.length) stretches.push({ text: text.slice(end), isMatch: false });
  return stretches;
}

function stemOf(term: string): (word: string) => boolean {
  if (term.length < SHORTEST_STEM) return (word) => word === term;
  const stem = term.slice(0, Math.max(SHORTEST_STEM, term.length - LONGEST_ENDING));
  return (word) => word.startsWith(term) || (word.startsWith(stem) && word.length <= term.length + LONGEST_ENDING);
}

/** Adds "…" to a snippet where its text is cut off. The fragments in a snippet are already joined by "…". */
export function snippetOf(snippet: string, body: string): string {
  const [first = '', last = ''] = [snippet.split(' … ')[0], snippet.split(' … ').at(-1)];
  const before = body.trimStart().startsWith(first.trimStart()) ? '' : '… ';
  const after = body
    .trimEnd()
    .replace(/\p{P}+$/u, '')
    .endsWith(last.trimEnd().replace(/\p{P}+$/u, ''))
    ? ''
    : ' …';
  return `${before}${snippet.trim()}${after}`;
}
