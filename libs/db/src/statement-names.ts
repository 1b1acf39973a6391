/** Names of prepared statements. */
export interface StatementNames {
  /** Returns the name under which a connection prepares this text, or undefined for a text that is not prepared. */
  of(text: string): string | undefined;
}

const PREFIX = 'statement-';

/** Whether a name does not describe its statement. */
export const isGenerated = (name: string): boolean => name === '' || name.startsWith(PREFIX);

/**
 * Maximum number of texts with a name. Each connection of the server keeps a plan for each of them, of 10 to 200 kB:
 * about 6 MB for all of them.
 */
const MOST_NAMES = 128;
/** Number of times that a text is sent before it gets a name. */
const UNNAMED_USES = 4;
/** Maximum number of texts whose uses are counted. */
const MOST_COUNTED = 1_024;
/** Maximum length of a text with a name, in characters. Longer texts contain lists, which are rarely equal. */
const LONGEST_TEXT = 16_384;

/**
 * Assigns names to texts that are sent repeatedly, so that the server parses and plans each of them once per connection.
 *
 * A text that selects all columns of a table by `*` gets no name: after a migration that adds a column, the server refuses the prepared
 * statement. `count(*)` has no such effect.
 */
export function createStatementNames(most = MOST_NAMES): StatementNames {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  return {
    of(text) {
      const known = names.get(text);
      if (known !== undefined || names.size >= most || text.length > LONGEST_TEXT) return known;
      const used = uses.get(text) ?? 0;
      if (used < UNNAMED_USES) {
        if (uses.size >= MOST_COUNTED) uses.clear();
        uses.set(text, used + 1);
        return undefined;
      }
      if (selectsAllColumns(text)) return undefined;
      uses.delete(text);
      const name = `${PREFIX}${names.size + 1}`;
      names.set(text, name);
      return name;
    },
  };
}

const selectsAllColumns = (text: string): boolean => text.replaceAll('count(*)', '').includes('*');
