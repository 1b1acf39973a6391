import type { Options } from 'minisearch';

/** A heading that can be found. */
export interface SearchEntry {
  /** Id of the heading in the page's address. */
  id: string;
  page: string;
  heading: string;
  text: string;
}

/** Options for both writing and reading the index. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
