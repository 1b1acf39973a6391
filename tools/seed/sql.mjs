// @ts-check

/** An array of texts in SQL. @param {readonly string[]} texts */
export const textArray = (texts) => `ARRAY[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}]`;

/**
 * Numbers the rows `n` from 0 of a temporary table within each project, as `place`, and adds the table `<name>_count (project, rows)`: a
 * statement finds a record of a project by its place.
 *
 * @param {string} name
 * @param {string} select with the columns `n` and `project`
 */
export const numbered = (name, select) => `
  CREATE TEMP TABLE ${name} AS
  SELECT s.*, (row_number() OVER (PARTITION BY project ORDER BY n) - 1)::int AS place, (count(*) OVER (PARTITION BY project))::int AS of_project
    FROM (${select}) s;
  ANALYZE ${name};`;

/** A record's project: the larger one has three fifths. @param {string} number */
export const projectOf = (number) => `CASE WHEN (${number}) % 5 IN (0, 2, 4) THEN 'Core' ELSE 'Commerce' END`;

/**
 * Notes a person's changes for the audit log: `seed_changes (at, user_id, kind, actor, action, resource, project, detail)`.
 *
 * @param {string} select
 */
export const noteChanges = (select) =>
  `INSERT INTO seed_changes (at, user_id, actor, action, resource, project, detail) ${select};`;
