/** SQL that selects the links `l` of the agent `$1`. */
export const linked = (table: string): string => `(SELECT * FROM ${table} WHERE agent_id = $1) l`;

/**
 * SQL of the links `l` to the records whose ids are in the parameter `ids`, such as `$1`. Use it for an unsaved or
 * deleted agent, which has no rows in the tables of links.
 */
export const named = (column: string, ids: string): string =>
  `unnest(${ids}::uuid[]) WITH ORDINALITY AS l (${column}, position)`;
