import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from '../search-entry.js';

/** Maximum number of results shown. */
const MOST_RESULTS = 12;

const search = document.querySelector<HTMLElement>('search');
const input = search?.querySelector('input');
const results = search?.querySelector('ol');
if (search && input && results) {
  search.hidden = false;
  startSearch(search.dataset['index'] ?? '', input, results);
}

function startSearch(address: string, input: HTMLInputElement, results: HTMLOListElement): void {
  let index: Promise<MiniSearch<SearchEntry>> | undefined;

  async function load(): Promise<MiniSearch<SearchEntry>> {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`the search index was answered ${answer.status}`);
    return MiniSearch.loadJSON<SearchEntry>(await answer.text(), SEARCH_OPTIONS);
  }

  async function show(): Promise<void> {
    const words = input.value.trim();
    if (words === '') {
      results.replaceChildren();
      return;
    }
    try {
      const found = (await (index ??= load())).search(words).slice(0, MOST_RESULTS);
      // The input has changed during the search, so these results are not shown.
      if (input.value.trim() !== words) return;
      results.replaceChildren(...(found.length > 0 ? found.map(resultItem) : [textItem(`No page about "${words}".`)]));
    } catch {
      index = undefined;
      results.replaceChildren(textItem('The search could not be loaded. Type again to retry.'));
    }
  }

  input.addEventListener('focus', () => void (index ??= load()).catch(() => (index = undefined)));
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') results.querySelector('a')?.click();
    if (event.key === 'ArrowDown') results.querySelector('a')?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null;
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === 'Escape') {
      input.value = '';
      results.replaceChildren();
    }
  });
}

function resultItem(entry: Record<string, unknown>): HTMLLIElement {
  const { id, page, heading } = entry as unknown as SearchEntry;
  const link = document.createElement('a');
  link.href = id;
  link.textContent = heading;
  const item = document.createElement('li');
  item.append(link);
  if (page !== heading) {
    const place = document.createElement('span');
    place.textContent = page;
    item.append(place);
  }
  return item;
}

function textItem(text: string): HTMLLIElement {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}
