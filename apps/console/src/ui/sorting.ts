/** The order of a list: a field of the API, and the direction. */
export interface Sorting {
  field: string;
  order: 'asc' | 'desc';
}

/** Parses a sorting such as `name.asc`. */
export function sortingOf(text: string): Sorting {
  const [field = '', order] = text.split('.');
  return { field, order: order === 'asc' ? 'asc' : 'desc' };
}

export const sortingText = ({ field, order }: Sorting): string => `${field}.${order}`;

const isTime = (field: string) => /^(created|updated)/.test(field);

/**
 * Returns the order after a click on a column's heading. The first click sorts names from A and times from the latest; a second click
 * reverses the order.
 */
export function sortedBy(field: string, now: Sorting): Sorting {
  if (now.field === field) return { field, order: now.order === 'asc' ? 'desc' : 'asc' };
  return { field, order: isTime(field) ? 'desc' : 'asc' };
}
