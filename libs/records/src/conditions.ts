/** A condition on the rows of a list. */
export interface Condition {
  /** Part of the name of the prepared statement. Omit it when every statement of the list has the condition. */
  name?: string;
  /** Builds SQL with the placeholder of the value. */
  sql: (parameter: string) => string;
  /** Value of the placeholder. A condition without a value has no placeholder. */
  value?: unknown;
}

export const equals = (column: string, value: unknown, name?: string): Condition => ({
  ...(name !== undefined && { name }),
  sql: (parameter) => `${column} = ${parameter}`,
  value,
});

/** Rows with the text anywhere in one of the columns, case-insensitive. */
export const contains = (columns: readonly string[], text: string): Condition => ({
  name: 'search',
  sql: (parameter) => `(${columns.map((column) => `${column} ILIKE ${parameter}`).join(' OR ')})`,
  value: `%${escapeLike(text)}%`,
});

/** Rows whose column starts with the text, case-insensitive. */
export const startsWith = (column: string, text: string): Condition => ({
  name: 'prefix',
  sql: (parameter) => `${column} ILIKE ${parameter}`,
  value: `${escapeLike(text)}%`,
});

/** Rows that have all of these tags, which are separated by commas. Without a list there is no condition. */
export function hasTags(column: string, list: string | undefined): Condition[] {
  const tags = list?.split(',').flatMap((tag) => tag.trim() || []) ?? [];
  return tags.length === 0 ? [] : [{ name: 'tags', sql: (wanted) => `${column} @> ${wanted}`, value: tags }];
}

/** Escapes the text as a LIKE pattern that matches only the text. */
const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
