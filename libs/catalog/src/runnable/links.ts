/** SQL that selects the links `l` of the agent `$1`. */
export const linked = (table: string): string => `(SELECT * FROM ${table} WHERE agent_id = $1) l`;

/** SQL of the links `l` of an agent without links to the records in the parameter `ids`, such as `$1`. */
export const named = (column: string, ids: string): string =>
  `unnest(${ids}::uuid[]) WITH ORDINALITY AS l (${column}, position)`;
