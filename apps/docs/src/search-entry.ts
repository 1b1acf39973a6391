import type { Options } from 'minisearch';

/** A heading that can be found. */
export interface SearchEntry {
  /** Address of the heading: the address of its page and, unless the heading is the title of the page, an anchor. */
  id: string;
  page: string;
  heading: string;
  text: string;
}

/** Options with which the index is both written and read. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
