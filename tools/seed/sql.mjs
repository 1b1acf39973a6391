// @ts-check

/** Returns an array of texts in SQL. @param {readonly string[]} texts */
export const textArray = (texts) => `ARRAY[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}]`;

/** SQL that makes the table with the number of rows in each project, for the temporary tables that {@link numbered} makes. */
export const SIZES = 'CREATE TEMP TABLE seed_sizes (of_table text, of_project text, size int);';

/**
 * Returns SQL that makes a temporary table whose rows are numbered within each project: `place` begins with 0. {@link oneOf} joins such a table.
 *
 * @param {string} name
 * @param {string} select with the columns `n` and `project`
 */
export const numbered = (name, select) => `
  CREATE TEMP TABLE ${name} AS
  SELECT s.*, (row_number() OVER (PARTITION BY project ORDER BY n) - 1)::int AS place
    FROM (${select}) s;
  INSERT INTO seed_sizes SELECT '${name}', project, count(*) FROM ${name} GROUP BY project;
  ANALYZE ${name}, seed_sizes;`;

/**
 * Returns SQL that joins one record of the same project from a {@link numbered} table to each row. The number of the joined record is computed from
 * the row alone, so that PostgreSQL can use a hash join.
 *
 * @param {string} table
 * @param {string} alias
 * @param {string} record alias of the row with the project
 * @param {(size: string) => string} place below the size
 */
export const oneOf = (table, alias, record, place) => `
  JOIN seed_sizes ${alias}_size ON ${alias}_size.of_table = '${table}' AND ${alias}_size.of_project = ${record}.project
  JOIN ${table} ${alias} ON ${alias}.project = ${record}.project AND ${alias}.place = ${place(`${alias}_size.size`)}`;

/** Returns SQL for the project of a record. Three fifths of the records are in the project Core. @param {string} number */
export const projectOf = (number) => `CASE WHEN (${number}) % 5 IN (0, 2, 4) THEN 'Core' ELSE 'Commerce' END`;

/**
 * Returns SQL that stores changes by people in the table `seed_changes (at, user_id, kind, actor, action, resource, project, detail)`, from which the
 * audit rows are made.
 *
 * @param {string} select
 */
export const noteChanges = (select) =>
  `INSERT INTO seed_changes (at, user_id, actor, action, resource, project, detail) ${select};`;
