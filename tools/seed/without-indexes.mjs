// @ts-check

/** Tables that have nearly all rows of a seed. */
const TABLES = [
  'governance_decisions',
  'job_runs',
  'runs',
  'run_steps',
  'run_events',
  'usage_events',
  'context_messages',
];

/**
 * SQL that selects the indexes to drop. Unique indexes are not dropped, because inserts and references need them. Indexes of partitions are not
 * listed, because they are dropped and made with the index of their table.
 */
const INDEXES = `
  SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition FROM pg_index
   WHERE indrelid = ANY ($1::text[]::regclass[]) AND NOT indisunique ORDER BY 1`;

/**
 * Drops indexes of the largest tables, inserts the rows, and makes the indexes again. This takes a fraction of the time, because the rows are not in
 * the order of the keys of many indexes. Do not use the function on a database in use, because the indexes are missing while it runs.
 *
 * @template Result
 * @param {import('pg').Client} client
 * @param {(line: string) => void} say
 * @param {() => Promise<Result>} insert
 * @returns {Promise<Result>}
 */
export async function withoutIndexes(client, say, insert) {
  const { rows } = await client.query(INDEXES, [TABLES]);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  const result = await insert();
  say(`making ${rows.length} indexes`);
  await client.query("SET maintenance_work_mem = '256MB'");
  for (const { definition } of rows) await client.query(definition);
  return result;
}
