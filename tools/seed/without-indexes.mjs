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

/** Indexes except the indexes of keys, which inserts and references need. Indexes of partitions are made with those of their table. */
const INDEXES = `
  SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition FROM pg_index
   WHERE indrelid = ANY ($1::text[]::regclass[]) AND NOT indisunique ORDER BY 1`;

/**
 * Inserts rows into the largest tables without their indexes, and makes the indexes afterwards: that takes a fraction of the time, because
 * the keys of many indexes are in no order of time. Do not use the function on a database in use, which lacks the indexes meanwhile.
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
