// @ts-check

/** An array of texts in SQL. @param {readonly string[]} texts */
export const textArray = (texts) => `ARRAY[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}]`;

/** Numbers of rows of the temporary tables that {@link numbered} makes, by project. */
export const SIZES = 'CREATE TEMP TABLE seed_sizes (of_table text, of_project text, size int);';

/**
 * Makes a temporary table whose rows are numbered within each project, as `place` from 0, for {@link oneOf}.
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
 * Joins one record of a project from a {@link numbered} table. The place depends only on the row with the project, so that PostgreSQL can
 * use a hash join.
 *
 * @param {string} table
 * @param {string} alias
 * @param {string} record alias of the row with the project
 * @param {(size: string) => string} place below the size
 */
export const oneOf = (table, alias, record, place) => `
  JOIN seed_sizes ${alias}_size ON ${alias}_size.of_table = '${table}' AND ${alias}_size.of_project = ${record}.project
  JOIN ${table} ${alias} ON ${alias}.project = ${record}.project AND ${alias}.place = ${place(`${alias}_size.size`)}`;

/** A record's project: the larger project has three fifths of the records. @param {string} number */
export const projectOf = (number) => `CASE WHEN (${number}) % 5 IN (0, 2, 4) THEN 'Core' ELSE 'Commerce' END`;

/**
 * Notes a person's changes for the audit log: `seed_changes (at, user_id, kind, actor, action, resource, project, detail)`.
 *
 * @param {string} select
 */
export const noteChanges = (select) =>
  `INSERT INTO seed_changes (at, user_id, actor, action, resource, project, detail) ${select};`;
