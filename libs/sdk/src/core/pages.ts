import type { Query } from './transport.js';

/** How a list continues: by the number of a page, by offset, or by cursor. */
export type Paging = 'page' | 'offset' | 'cursor';

export type LoadPage = (query: Query) => Promise<unknown>;

/**
 * A list: `for await` reads all of its records, page by page. `page()` reads one page as the service sends it, and `all()` collects
 * the records, at most `most` of them.
 */
export class Pages<Item, Page> implements AsyncIterable<Item> {
  readonly #load: LoadPage;
  readonly #paging: Paging;
  readonly #query: Query;

  constructor(load: LoadPage, paging: Paging, query: Query) {
    this.#load = load;
    this.#paging = paging;
    this.#query = query;
  }

  /** Reads one page: the page that the query selects, or the first page. */
  async page(): Promise<Page> {
    return (await this.#load(this.#query)) as Page;
  }

  async all(most = 10_000): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) {
      if (items.length >= most) break;
      items.push(item);
    }
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    let query: Query | undefined = this.#query;
    while (query) {
      const page = await this.#load(query);
      const items = itemsOf(page) as Item[];
      yield* items;
      query = this.#next(query, page, items.length);
    }
  }

  #next(query: Query, page: unknown, count: number): Query | undefined {
    if (this.#paging === 'cursor') {
      const { next_cursor: cursor } = page as { next_cursor?: string | null };
      return cursor ? { ...query, cursor } : undefined;
    }
    const { total, page: number = 1, per_page: size, offset = 0 } = page as PageFacts;
    const read = this.#paging === 'offset' ? offset + count : size === undefined ? 0 : number * size;
    if (count === 0 || (total !== undefined && read >= total)) return undefined;
    if (this.#paging === 'page') return { ...query, page: Number(query['page'] ?? 1) + 1 };
    return { ...query, offset: Number(query['offset'] ?? 0) + count };
  }
}

/** The fields of a page that state its place in the list. Pages of the prompt API have no such fields, so their lists end with an empty page. */
interface PageFacts {
  total?: number;
  page?: number;
  per_page?: number;
  offset?: number;
}

/** Returns the records of a page. The page is an array, or an object whose first array contains the records. */
function itemsOf(page: unknown): unknown[] {
  if (Array.isArray(page)) return page;
  return Object.values(page as object).find((value): value is unknown[] => Array.isArray(value)) ?? [];
}
