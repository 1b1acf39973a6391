import { z } from 'zod';

/** The schema of a whole number in a query or path. Values arrive there as text. */
export const wholeNumber = (min: number, max: number) => z.coerce.number().pipe(z.int().min(min).max(max));

export const pageNumber = wholeNumber(1, 10_000_000).default(1);
export const pageSize = wholeNumber(1, 100).default(20);
/** Number of items at the start of the page that earlier answers have already contained. Pages of long items are sent in parts. */
export const skippedItems = wholeNumber(0, 99)
  .optional()
  .meta({ description: 'Items of the page to leave out; the `Link` of a page that is answered in parts has it' });
export const sortDirection = z.enum(['asc', 'desc']).default('desc');
export const searchText = z.string().max(200).optional();
export const tagList = z
  .string()
  .max(1_000)
  .optional()
  .meta({ description: 'Comma-separated; records that have all of these tags' });

/** Returns the number of rows before the page. */
export const offsetOf = (page: number, size: number): number => (page - 1) * size;

/** Offset and number of rows of a part of a page: the part that follows the first `skip` items. */
export const partOf = (page: number, size: number, skip = 0) => ({
  offset: offsetOf(page, size) + skip,
  limit: Math.max(0, size - skip),
});

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Builds the address of a list with its query. */
export function listAddress(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${path}?${new URLSearchParams(given).toString()}`;
}

interface Part {
  page: number;
  /** Number of items of a full page. */
  size: number;
  skip?: number | undefined;
  /** Number of items in the answer. */
  items: number;
  /** Whether the page has more items than the answer. */
  cut: boolean;
  total: number;
}

/** Query parameters for the next answer: the rest of the page, or the next page. `undefined` after the last page. */
export function nextPart({
  page,
  size,
  skip = 0,
  items,
  cut,
  total,
}: Part): { page: number; skip?: number } | undefined {
  if (cut) return { page, skip: skip + items };
  return page * size < total ? { page: page + 1 } : undefined;
}
