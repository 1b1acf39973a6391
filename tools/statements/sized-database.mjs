// @ts-check
import pg from 'pg';
import { ensureTemplateDatabase } from '../jest/template-database.mjs';

/**
 * @typedef {'fixed' | 'people' | 'parts' | 'brief' | 'ends' | 'kept'} Growth the first word of the comment on a table, which states how its number
 * of rows is limited
 */

/** Number of rows in a table of records that people create, per row in a table that fills by use. */
const PEOPLE_SHARE = 0.1;
const FIXED_ROWS = 100;

/** Numbers of distinct values in columns whose values do not become more with the rows. */
const PROJECTS = 2;
const FLAGS = 2;
const CLOSED_SET = 6;
const USERS_AND_ALIKE = 100;
/** Rows per parent row, such as steps per run and parts per record. */
const ROWS_PER_PARENT = 20;
/** Number of distinct values when all values differ: a negative number is a share of the rows, as in `pg_stats.n_distinct`. */
const UNIQUE = -1;
const LIVE_ROWS = 100;
/** Share of null values in a column that may be null. */
const NULL_SHARE = 0.5;

/** Columns in which nearly all rows have one value or no value. The number is that of the rows with any other value. */
const SKEWED = new Map([
  ['budgets.level', 500],
  ['guard_policies.project', 1],
  ...['user_id', 'api_key_id', 'client_id', 'agent_id', 'trigger_id'].map(
    (column) => /** @type {[string, number]} */ ([`budgets.${column}`, 5]),
  ),
]);

const IDENTIFIER = /(^|_)(id|key|hash|token|jti|name|email|slug|url|uri|prefix|resource)$/;
/** Names of columns with states. Statements select rows in temporary states, and only the number of rows in final states grows. */
const LIVE = /^(state|waiting_for|outcome)$/;
const CLOSED = /status|state|kind|role|type|plan|scope|method|decision/;

/** One value of each type that a column without a default may have. */
const SAMPLES = new Map([
  ['uuid', 'gen_random_uuid()'],
  ['text', "'x'"],
  ['citext', "'x'"],
  ['timestamp with time zone', 'now()'],
  ['date', 'current_date'],
  ['integer', '1'],
  ['smallint', '1'],
  ['bigint', '1'],
  ['numeric', '1'],
  ['boolean', 'true'],
  ['bytea', "''"],
  ['json', "'{}'"],
  ['jsonb', "'{}'"],
]);

/** A key whose row belongs to the default partition. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * SQL that selects the tables with rows. A table with partitions (`whole`) is replaced by its partitions, among which its rows are distributed. `key`
 * is a key whose row belongs to the partition.
 */
const TABLES = `
  SELECT c.oid::int AS oid, n.nspname AS schema, c.relname AS name, w.relname AS whole,
         split_part(coalesce(obj_description(w.oid, 'pg_class'), 'fixed'), ':', 1) AS growth,
         CASE WHEN c.relispartition THEN coalesce(
           (SELECT first_id_at(p.starts_at) FROM partitions_of(w.oid) p WHERE p.partition = c.oid), '${LAST_ID}') END AS key,
         (SELECT a.attname FROM pg_partitioned_table t JOIN pg_attribute a ON a.attrelid = t.partrelid AND a.attnum = t.partattrs[0]
           WHERE t.partrelid = w.oid) AS "keyColumn",
         (SELECT count(*)::int FROM pg_inherits i WHERE i.inhparent = w.oid) AS partitions
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
    JOIN pg_class w ON w.oid = coalesce(i.inhparent, c.oid)
   WHERE c.relkind = 'r' AND w.relnamespace = 'public'::regnamespace AND w.relname <> '_prisma_migrations'
   ORDER BY 3`;

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnotnull AND a.attgenerated = '' AND a.attidentity = '' AS required, NOT a.attnotnull AS nullable,
         (SELECT k.confrelid::int FROM pg_constraint k
           WHERE k.contype = 'f' AND k.conrelid = a.attrelid AND k.conkey[1] = a.attnum LIMIT 1) AS parent,
         EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary AND i.indkey[0] = a.attnum) AS leads
    FROM pg_attribute a WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped`;

/** Pattern that matches the condition of a partial index which contains only the few rows in a temporary state. */
const RARE = '(state|waiting_for) = ';

const SET_ROWS = `
  SELECT pg_restore_relation_stats('schemaname', c.relnamespace::regnamespace::text, 'relname', c.relname::text, 'relpages', 1, 'reltuples',
           CASE WHEN pg_get_expr(i.indpred, i.indrelid) ~ '${RARE}' THEN ${LIVE_ROWS}::real ELSE $2::real END)
    FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid WHERE c.oid = $1 OR i.indrelid = $1`;

const SET_DISTINCT = `
  SELECT count(pg_restore_attribute_stats('schemaname', schemaname, 'relname', relname, 'attname', attname, 'inherited', inherited,
                                          'null_frac', nulls, 'avg_width', 16, 'n_distinct', distinct_values))
    FROM json_to_recordset($1) AS s (schemaname text, relname text, attname text, inherited boolean, nulls real, distinct_values real)`;

/**
 * Creates an empty database with the schema. `setRows` makes the planner assume a number of rows. The statistics are derived from the comments on
 * the tables, the references and the names of columns.
 *
 * @param {string} serverUrl superuser, maintenance database; a server without autovacuum
 */
export async function createSizedDatabase(serverUrl) {
  await ensureTemplateDatabase(serverUrl);
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  await server.query('CREATE DATABASE sized TEMPLATE millwright_template');
  await server.end();
  const url = new URL(serverUrl);
  url.pathname = '/sized';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  /** @type {Table[]} */
  const tables = (await client.query(TABLES)).rows;
  for (const table of tables) {
    table.columns = (await client.query(COLUMNS, [table.oid])).rows;
    await allocatePage(client, table);
  }
  const growthOf = new Map(tables.map(({ oid, growth }) => [oid, growth]));
  return {
    client,
    /** @param {number} rows number of rows in each table that fills by use */
    async setRows(rows) {
      const statistics = [];
      for (const { oid, schema, name, whole, partitions, growth, columns } of tables) {
        const share = (growth === 'people' || growth === 'parts' ? PEOPLE_SHARE : 1) / Math.max(1, partitions);
        await client.query(SET_ROWS, [oid, growth === 'fixed' ? FIXED_ROWS : rows * share]);
        for (const column of columns) {
          const others = SKEWED.get(`${whole}.${column.name}`);
          const values = {
            attname: column.name,
            nulls: column.nullable ? NULL_SHARE : 0,
            distinct_values: others === undefined ? distinct(column, growth, growthOf) : -1 / others,
          };
          statistics.push({ schemaname: schema, relname: name, inherited: false, ...values });
          // These are the statistics of the whole table. Each of its partitions sets them, to the same values.
          if (partitions > 0) statistics.push({ schemaname: 'public', relname: whole, inherited: true, ...values });
        }
      }
      await client.query(SET_DISTINCT, [JSON.stringify(statistics)]);
    },
  };
}

/**
 * @typedef {object} Table
 * @property {number} oid
 * @property {string} schema
 * @property {string} name
 * @property {string} whole the table of a partition; otherwise the table itself
 * @property {string | null} key a value of the partition's key
 * @property {string | null} keyColumn
 * @property {number} partitions
 * @property {Growth} growth
 * @property {Column[]} columns
 */

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {string} type
 * @property {boolean} required
 * @property {boolean} nullable
 * @property {number | null} parent the table that it refers to
 * @property {boolean} leads the primary key
 */

/** @param {Column} column @param {Growth} own @param {Map<number, Growth>} growthOf */
function distinct({ name, type, parent, leads }, own, growthOf) {
  if (name === 'project') return PROJECTS;
  if (type === 'boolean') return FLAGS;
  if (parent !== null) {
    const growth = growthOf.get(parent);
    const few = (own === 'parts' && leads) || own === 'brief' || growth === 'ends' || growth === 'kept';
    return few ? -1 / ROWS_PER_PARENT : USERS_AND_ALIKE;
  }
  if (type === 'uuid' || type === 'bytea' || type.startsWith('timestamp') || IDENTIFIER.test(name)) return UNIQUE;
  if (LIVE.test(name) && (own === 'ends' || own === 'kept')) return -1 / LIVE_ROWS;
  return CLOSED.test(name) ? CLOSED_SET : USERS_AND_ALIKE;
}

/**
 * Makes the table have a page, by inserting a row and rolling back. Without a page, the planner would assume that the table is empty, whatever its
 * statistics are.
 *
 * @param {pg.Client} client @param {Table} table
 */
async function allocatePage(client, { schema, name, whole, key, keyColumn, columns }) {
  await client.query('BEGIN');
  await client.query('SET LOCAL session_replication_role = replica');
  const checks = await client.query(
    "SELECT conname FROM pg_constraint WHERE conrelid = $1::text::regclass AND contype = 'c'",
    [whole],
  );
  for (const { conname } of checks.rows) await client.query(`ALTER TABLE "${whole}" DROP CONSTRAINT "${conname}"`);
  const required = columns.filter((column) => column.required);
  const values = required.map((column) => (column.name === keyColumn ? `'${key}'` : sampleOf(column.type)));
  const names = required.map((column) => `"${column.name}"`);
  await client.query(
    required.length > 0
      ? `INSERT INTO "${schema}"."${name}" (${names}) VALUES (${values})`
      : `INSERT INTO "${schema}"."${name}" DEFAULT VALUES`,
  );
  await client.query('ROLLBACK');
}

/** @param {string} type */
function sampleOf(type) {
  const sample = type.endsWith('[]') ? "'{}'" : SAMPLES.get(type);
  if (sample === undefined) throw new Error(`no value is known for columns of the type ${type}; add one to SAMPLES`);
  return sample;
}
