/** Names of prepared statements. */
export interface StatementNames {
  /** Returns the name under which a connection prepares this text, or undefined for a text that is not prepared. */
  of(text: string): string | undefined;
}

const PREFIX = 'statement-';

/** Whether a name does not describe its statement. */
export const isGenerated = (name: string): boolean => name === '' || name.startsWith(PREFIX);

/** Maximum number of texts with a name. Each connection of the server keeps a plan for each of them. */
const MOST_NAMES = 256;
/** Maximum number of remembered texts that were sent once. */
const MOST_SEEN = 1_024;

/**
 * Gives names to the texts that are sent at least twice, so that the server parses and plans each of them once per connection.
 *
 * A text that selects all columns of a table by `*` gets no name: after a migration that adds a column, the server refuses the prepared
 * statement. `count(*)` has no such effect.
 */
export function createStatementNames(most = MOST_NAMES): StatementNames {
  const names = new Map<string, string | undefined>();
  const seen = new Set<string>();
  return {
    of(text) {
      const known = names.get(text);
      if (known !== undefined || names.size >= most) return known;
      if (!seen.has(text)) {
        if (seen.size >= MOST_SEEN) seen.clear();
        seen.add(text);
        return undefined;
      }
      if (selectsAllColumns(text)) return undefined;
      seen.delete(text);
      const name = `${PREFIX}${names.size + 1}`;
      names.set(text, name);
      return name;
    },
  };
}

const selectsAllColumns = (text: string): boolean => text.replaceAll('count(*)', '').includes('*');
