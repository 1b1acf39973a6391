import { listAddress, nextPart } from '@millwright/records';

interface Listed {
  total: number;
  /** Items that the answer contains. */
  items: readonly unknown[];
  /** Whether the page has further items, which did not fit into the answer. */
  cut: boolean;
}

/** Returns the headers of a list: the total, and the links to other pages (RFC 8288). They are not in the body, which is a bare array. */
export function listHeaders(
  path: string,
  {
    skip,
    ...query
  }: Readonly<Record<string, string | number | undefined>> & { page: number; limit: number; skip?: number | undefined },
  { total, items, cut }: Listed,
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / query.limit));
  const at = (place: { page: number; skip?: number }, rel: string) =>
    `<${listAddress(path, { ...query, ...place })}>; rel="${rel}"`;
  const links = [at({ page: 1 }, 'first'), at({ page: last }, 'last')];
  if (query.page > 1) links.push(at({ page: Math.min(query.page - 1, last) }, 'prev'));
  const next = nextPart({ page: query.page, size: query.limit, skip, items: items.length, cut, total });
  if (next) links.push(at(next, 'next'));
  return { 'X-Total-Count': String(total), Link: links.join(', ') };
}
