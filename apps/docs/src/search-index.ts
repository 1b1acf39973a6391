import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from './search-entry.js';
import { addressOf, anchorOf, plainText, type Page } from './page.js';

/** Maximum number of characters of a heading's text that are indexed. The beginning of the text is enough to find the heading. */
const MAX_TEXT = 1_500;

/** Returns an entry for each heading of a page. Code blocks and tables of fields are not indexed. */
function entriesOf(page: Page): SearchEntry[] {
  const prose = page.markdown.replaceAll(/```[^]*?```/g, '').replaceAll(/\| Field \|[^]*?(?=\n\n|$)/g, '');
  const [introduction = '', ...parts] = prose.split(/^#{2,3} /m);
  const first = { id: addressOf(page), page: page.title, heading: page.title, text: textOf(introduction) };
  const others = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const id = `${addressOf(page)}#${anchorOf(heading)}`;
    return { id, page: page.title, heading: plainText(heading), text: textOf(lines.join('\n')) };
  });
  return [first, ...others];
}

const textOf = (markdown: string) => plainText(markdown).slice(0, MAX_TEXT);

/** Builds the search index of all pages, as JSON. */
export function searchIndex(pages: readonly Page[]): string {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  const entries = new Map(pages.flatMap(entriesOf).map((entry) => [entry.id, entry]));
  index.addAll([...entries.values()]);
  return JSON.stringify(index);
}
